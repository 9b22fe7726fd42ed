"""Several spaces at once: one that takes its time to open keeps nobody from another."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memoryapp.search.cache import stamp_of
from memoryapp.spaces import close_all, close_space, list_open_spaces, open_space
from memoryapp.store import database
from tests.samples import open_spaces


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with open_spaces(f"surrealkv://{tmp_path / 'spaces'}", index_dir=tmp_path / "indexes"):
        yield tmp_path


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, threading.Event]]:
    """The space “slow” is being opened; and it may be."""
    begun, may = threading.Event(), threading.Event()

    def open_database(url: str, name: str, **more: Any) -> database.Database:
        if name == "slow":
            begun.set()
            may.wait(20)
        return database.open_database(url, name, **more)

    monkeypatch.setattr("memoryapp.spaces.pipeline.open_database", open_database)
    yield begun, may
    may.set()


def in_thread(work: Any, *args: Any) -> threading.Thread:
    thread = threading.Thread(target=work, args=args, daemon=True)
    thread.start()
    return thread


def test_a_space_that_takes_long_to_open_keeps_nobody_from_another(
    folder: Path, slow: tuple[threading.Event, threading.Event]
) -> None:
    begun, may = slow
    opening = in_thread(open_space, "slow")
    assert begun.wait(5)
    other = in_thread(open_space, "other")
    other.join(10)
    assert not other.is_alive()
    assert [space.name for space in list_open_spaces()] == ["other"]
    may.set()
    opening.join(10)
    assert {space.name for space in list_open_spaces()} == {"slow", "other"}


def test_closing_all_waits_for_what_is_being_opened(
    folder: Path, slow: tuple[threading.Event, threading.Event]
) -> None:
    begun, may = slow
    opening = in_thread(open_space, "slow")
    assert begun.wait(5)
    closing = in_thread(close_all)
    may.set()
    closing.join(10)
    opening.join(10)
    assert list_open_spaces() == ()


def test_a_space_is_opened_again_only_once_it_is_closed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = open_space("reeds")
    closing, may, close = threading.Event(), threading.Event(), database.Database.close

    def slowly(self: database.Database) -> None:
        closing.set()
        may.wait(5)
        close(self)

    with monkeypatch.context() as patched:
        patched.setattr(database.Database, "close", slowly)
        ending = in_thread(close_space, "reeds")
        assert closing.wait(5)
        found: list[Any] = []
        again = in_thread(lambda: found.append(open_space("reeds")))
        again.join(0.3)
        assert again.is_alive() and found == []
        may.set()
        again.join(10)
        ending.join(10)
    assert space.db.closed and found[0].db is not space.db
    assert found[0].db.query("RETURN 1") == [1]


def test_what_is_kept_about_an_index_is_not_taken_for_that_of_the_next_one(folder: Path) -> None:
    stamps = set()
    for _ in range(5):  # a new one is often put where the old one was in memory, so that both have one `id`
        space = open_space("short")
        space.index.refresh()
        stamps.add(stamp_of(space))
        del space
        close_space("short")
    assert len(stamps) == 5
