"""The store over ws://: it signs in, finds back after the server was away, and never works as nobody."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memoryapp import spaces
from memoryapp.domain.errors import BadInput, Stale, StoreUnavailable
from memoryapp.spaces import Setup
from memoryapp.store import changes, memories
from memoryapp.store import database as opening
from memoryapp.store.database import Credentials, Database, open_database
from memoryapp.store.migrate import migrate
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, a_memory, written
from tests.server.processes import PASSWORD, USER, bridge, free_port, kill

CREDENTIALS = Credentials(USER, PASSWORD)


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def server(tmp_path: Path, port: int) -> Iterator[str]:
    with bridge(tmp_path, port):
        yield f"ws://127.0.0.1:{port}/rpc"


def opened(url: str, name: str = "reeds") -> Database:
    database = open_database(url, name, credentials=CREDENTIALS)
    migrate(database)
    return database


def test_what_one_connection_writes_another_reads_and_another_space_does_not(server: str) -> None:
    one, two, other = opened(server), opened(server), opened(server, "meadow")
    (memory,) = written(one, a_memory("가치관 🙂"))
    assert memories.get(two, memory.id) == memory
    assert memories.find(other, memory.id) is None
    assert memory.id in [change.key for change in changes.since(two, 0).changes]
    for database in (one, two, other):
        database.close()


def test_errors_are_the_same_as_those_of_the_embedded_engine(server: str) -> None:
    db = opened(server)
    (memory,) = written(db, a_memory())
    with pytest.raises(Stale):
        commit(db, new_run("edit", AGENT, now=NOON), Batch(updated=[(a_memory(), a_memory())]), now=NOON)
    with pytest.raises(BadInput, match="confidence"):
        written(db, a_memory(confidence=3.0))
    assert tuple(memories.scan(db)) == (memory,)
    db.close()


def test_wrong_credentials_are_refused_at_once_and_do_not_show_the_password(server: str) -> None:
    wrong = Credentials(USER, "guess-7731")
    with pytest.raises(StoreUnavailable) as refused:
        open_database(server, "reeds", credentials=wrong)
    assert "signing in" in refused.value.detail
    assert "guess-7731" not in refused.value.detail + repr(wrong)


@pytest.mark.long
def test_processes_that_start_together_share_one_schema(server: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        databases = list(pool.map(lambda _: opened(server), range(4)))
    written(databases[0], a_memory())
    assert all(len(tuple(memories.scan(database))) == 1 for database in databases)
    for database in databases:
        database.close()


def test_a_server_that_was_away_between_two_questions_is_found_again(tmp_path: Path, port: int) -> None:
    with bridge(tmp_path, port) as first:
        db = opened(f"ws://127.0.0.1:{port}/rpc")
        (memory,) = written(db, a_memory())
        kill(first)
    with bridge(tmp_path, port):
        # The SDK alone would come back as nobody, without a database, and fail here.
        assert memories.get(db, memory.id) == memory
        written(db, a_memory("After"))
        assert len(tuple(memories.scan(db))) == 2
        assert db.reconnected == 1
        db.close()


@pytest.mark.long
def test_questions_asked_while_the_server_is_away_are_answered_when_it_is_back(tmp_path: Path, port: int) -> None:
    with bridge(tmp_path, port) as first:
        db = opened(f"ws://127.0.0.1:{port}/rpc")
        written(db, a_memory())
        kill(first)
    answers: list[int] = []
    asking = [threading.Thread(target=lambda: answers.append(len(tuple(memories.scan(db))))) for _ in range(4)]
    for thread in asking:
        thread.start()
    with bridge(tmp_path, port):
        for thread in asking:
            thread.join(20)
        assert answers == [1, 1, 1, 1]
        assert db.reconnected == 1, "each question made a connection of its own"
        db.close()


@pytest.mark.long
def test_a_server_that_stays_away_is_a_plain_error_and_the_handle_recovers_later(tmp_path: Path, port: int) -> None:
    with bridge(tmp_path, port) as first:
        db = opened(f"ws://127.0.0.1:{port}/rpc")
        kill(first)
    with pytest.raises(StoreUnavailable):
        db.query("RETURN 1")
    started = time.monotonic()
    for _ in range(5):
        with pytest.raises(StoreUnavailable):
            db.query("RETURN 1")
    assert time.monotonic() - started < 2, "everybody waited once more for a server that is known to be away"
    with bridge(tmp_path, port):
        assert db.query("RETURN 1") == [1]
        db.close()


@pytest.mark.long
def test_a_server_that_takes_connections_and_says_nothing_is_missed_once_by_all_who_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine that hangs still takes connections: its kernel does."""
    monkeypatch.setattr(opening, "CONNECT", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent, ThreadPoolExecutor(6) as pool:
        url = f"ws://127.0.0.1:{silent.getsockname()[1]}/rpc"
        spaces.configure(Setup(store_url=url, index_dir=None, credentials=CREDENTIALS, encoder="hashing"))
        started = time.monotonic()
        asked = [pool.submit(spaces.open_space, "reeds") for _ in range(6)]
        for one in asked:
            with pytest.raises(StoreUnavailable):
                one.result(30)
        assert time.monotonic() - started < 2.5
    spaces.configure(Setup(store_url="mem://", index_dir=None, encoder="hashing"))


@pytest.mark.long
def test_a_write_whose_answer_was_lost_is_there_once(tmp_path: Path, port: int) -> None:
    """Killed again and again under a writer: every batch that was acknowledged is there, and none twice."""
    made = [a_memory(f"Memory {n}") for n in range(30)]
    done: list[str] = []

    def write(db: Database) -> None:
        for memory in made:
            written(db, memory)
            done.append(memory.id)

    with bridge(tmp_path, port) as running:
        db = opened(f"ws://127.0.0.1:{port}/rpc")
        writer = threading.Thread(target=write, args=(db,))
        writer.start()
        while len(done) < 8:
            writer.join(0.001)
        kill(running)
    with bridge(tmp_path, port):
        writer.join(30)
        assert done == [memory.id for memory in made]
        assert sorted(m.id for m in memories.scan(db)) == sorted(done)
        assert db.query("SELECT count() AS n FROM revision GROUP ALL")[0][0]["n"] == 30
        db.close()


@pytest.mark.long
def test_a_follower_of_a_server_is_sent_back_over_the_last_moments_and_then_no_more(server: str) -> None:
    """Another process may be about to show a change set with an older stamp."""
    db = opened(server)
    (memory,) = written(db, a_memory())
    first = changes.since(db, 0)
    assert memory.id in [change.key for change in changes.since(db, first.version).changes]
    until = time.monotonic() + 10
    while changes.since(db, first.version).changes and time.monotonic() < until:
        first = changes.since(db, first.version)
        time.sleep(0.1)
    assert changes.since(db, first.version).changes == ()
    db.close()
