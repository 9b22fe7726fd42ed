"""What is kept of a store's answers is what the store would answer now."""

from __future__ import annotations

from unittest.mock import PropertyMock, patch

import pytest

from memoryapp.store.cache import cached
from memoryapp.store.database import Database
from tests.samples import a_memory, written


def counted(db: Database) -> int:
    return len(cached(db, "memories", lambda: db.query("SELECT VALUE id FROM memory")[0]))


def test_nothing_is_asked_twice_while_nothing_is_written(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    written(db, a_memory("One."))
    assert counted(db) == 1

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the store was asked again")

    with monkeypatch.context() as patched:
        patched.setattr(Database, "query", refuse)
        assert counted(db) == 1


def test_what_was_written_since_is_seen(db: Database) -> None:
    assert counted(db) == 0
    written(db, a_memory("One."))
    assert counted(db) == 1


def test_a_write_that_ends_while_the_store_is_asked_is_seen_by_the_next(db: Database) -> None:
    def ask_and_be_overtaken() -> int:
        found = len(db.query("SELECT VALUE id FROM memory")[0])
        written(db, a_memory("One."))
        return found

    assert cached(db, "memories", ask_and_be_overtaken) == 0
    assert cached(db, "memories", lambda: len(db.query("SELECT VALUE id FROM memory")[0])) == 1


def test_what_failed_is_asked_again(db: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        cached(db, "broken", lambda: 1 // 0)
    assert cached(db, "broken", lambda: 7) == 7


def test_a_server_to_which_others_write_is_asked_each_time(db: Database) -> None:
    with patch.object(Database, "embedded", new_callable=PropertyMock, return_value=False):
        assert [cached(db, "turns", iter((one,)).__next__) for one in (1, 2)] == [1, 2]
