"""Folders that were not closed in order: a log that ends in half a record, a repair that was cut short, a full disk.
Each in processes of their own, which end by SIGKILL."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from memoryapp.domain.errors import BadInput, StoreError, StoreFull
from memoryapp.store.database import Database, open_database
from memoryapp.store.folder import clear_half_repair, has_room, left_open, not_written
from tests.live import ROOT
from tests.sampling import sample

WRITER = """
import os, resource, signal, sys
from memoryapp.domain.errors import StoreFull
from memoryapp.store.database import open_database

url, first, count, limit = sys.argv[1], *map(int, sys.argv[2:])
db = open_database(url, "reeds")
db.query("DEFINE TABLE IF NOT EXISTS kept SCHEMALESS CHANGEFEED 1d")

def put(n):
    try:
        db.query("CREATE type::record('kept', $n) SET words = $words RETURN NONE", n=n, words="reeds " * 8_000)
    except StoreFull:
        print("refused", n, flush=True)
    else:
        print("kept", n, flush=True)

if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    for n in range(first, first + count):
        put(n)
    print("read", *db.query("SELECT VALUE record::id(id) FROM kept")[0], flush=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    first += count
for n in range(first, first + count):
    put(n)
os.kill(os.getpid(), signal.SIGKILL)
"""


def written(url: str, *, first: int = 0, count: int = 4, limit: int = 0) -> dict[str, list[int]]:
    """What a process wrote and was told before it was killed. `limit`: of the size of a file, for the first `count`."""
    ended = subprocess.run(
        [sys.executable, "-c", WRITER, url, *map(str, (first, count, limit))],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == -9, ended.stderr
    told: dict[str, list[int]] = {"kept": [], "refused": [], "read": []}
    for line in ended.stdout.splitlines():
        word, *numbers = line.split()
        told[word] += map(int, numbers)
    return told


def kept(url: str) -> list[int]:
    db = open_database(url, "reeds")
    try:
        return sorted(db.query("SELECT VALUE record::id(id) FROM kept")[0])
    finally:
        db.close()


@pytest.fixture
def log(folder_url: str) -> Path:
    """The log of a folder in which four were written by a process that was killed."""
    assert written(folder_url)["kept"] == [0, 1, 2, 3]
    (found,) = (Path(folder_url.removeprefix("surrealkv://")) / "reeds" / "wal").glob("*.wal")
    return found


@pytest.mark.parametrize("cut", sample([1, 200, 40_000], 200))
def test_what_is_acknowledged_after_half_a_record_outlives_the_next_kill(folder_url: str, log: Path, cut: int) -> None:
    os.truncate(log, log.stat().st_size - cut)  # as a kill in mid-write leaves it
    assert written(folder_url, first=10)["kept"] == [10, 11, 12, 13]
    assert kept(folder_url) == [0, 1, 2, 10, 11, 12, 13]


def test_a_repair_that_was_killed_costs_nothing(folder_url: str, log: Path) -> None:
    os.truncate(log, log.stat().st_size - 200)
    half = log.parent / "repair_temp"
    half.mkdir()
    (half / log.name).write_bytes(log.read_bytes()[: log.stat().st_size // 2])
    assert kept(folder_url) == [0, 1, 2]
    assert kept(folder_url) == [0, 1, 2]


def test_a_repair_under_way_in_another_process_is_left_alone(tmp_path: Path) -> None:
    half = tmp_path / "wal" / "repair_temp"
    half.mkdir(parents=True)
    held = subprocess.Popen(
        [sys.executable, "-c", "import fcntl, sys; f = open(sys.argv[1], 'a'); fcntl.flock(f, fcntl.LOCK_EX);"
         "print('held', flush=True); sys.stdin.read()", str(tmp_path / "LOCK")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    with held:
        assert held.stdout is not None
        held.stdout.readline()
        clear_half_repair(tmp_path)
        assert half.exists()
        held.communicate()
    clear_half_repair(tmp_path)
    assert not half.exists()


def test_a_folder_that_was_closed_in_order_is_known_from_one_that_was_not(folder_url: str, log: Path) -> None:
    folder = log.parent.parent
    assert left_open(folder)
    assert kept(folder_url) == [0, 1, 2, 3]
    assert not left_open(folder)


def test_a_full_disk_is_told_and_what_is_kept_after_it_outlives_a_kill(folder_url: str) -> None:
    """What was refused does not come back, and what was there can be read all the while."""
    told = written(folder_url, count=6, limit=250_000)
    before = [n for n in told["kept"] if n < 6]
    assert before and told["refused"] == [n for n in range(6) if n not in before] != []
    assert sorted(told["read"]) == before
    assert kept(folder_url) == told["kept"] == [*before, *range(6, 12)]


def test_who_reads_and_who_writes_when_the_folder_is_opened_anew_need_not_know(kept: Database) -> None:
    """A write that failed on disk is stood in for by its mark: the handle is replaced while eight threads use it."""
    kept.query("DEFINE TABLE kept SCHEMALESS")
    failed: list[BaseException] = []

    def work(worker: int) -> None:
        try:
            for n in range(20):
                kept.query("CREATE type::record('kept', $n) RETURN NONE", n=worker * 100 + n)
                kept.query("SELECT VALUE id FROM kept LIMIT 1")
                if n % 7 == worker % 7:
                    kept._spoilt = True
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failed
    assert kept.reconnected > 0
    assert kept.query("RETURN count(SELECT VALUE id FROM kept)") == [160]


def test_no_room_is_told_from_other_refusals_of_the_disk_and_from_words_of_users(tmp_path: Path) -> None:
    told = "There was a problem with a transaction: WAL error: IO error: kind=x, message=No space left (os error 28)"
    assert isinstance(not_written(RuntimeError(told), tmp_path), StoreFull)
    other = not_written(RuntimeError(told.replace("28", "5")), tmp_path)
    assert type(other) is StoreError and "os error 5" in other.detail
    assert isinstance(not_written(RuntimeError(f"Cannot COMMIT: {told}"), tmp_path), StoreFull)
    assert not_written(RuntimeError(f"Found '{told}' for field `text`"), tmp_path) is None
    assert not_written(RuntimeError(told), None) is None  # a server's disk is its own affair


def test_room_is_asked_of_the_disk_and_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert has_room(tmp_path)
    assert list(tmp_path.iterdir()) == []

    def refuses(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", refuses, raising=False)
    assert not has_room(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_user_who_writes_of_a_full_disk_is_refused_for_what_is_wrong(kept: Database) -> None:
    with pytest.raises(BadInput):
        kept.query("CREATE memory:x SET kind = $kind", kind="There was a problem with it: IO error (os error 28)")
    assert kept.query("RETURN 1") == [1] and kept.reconnected == 0
