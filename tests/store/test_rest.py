"""A store that is to come to rest, and does not in time: whoever writes goes on writing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from memoryapp.domain.errors import StoreError, StoreTimeout
from memoryapp.store import database
from memoryapp.store.database import Database


def rest(db: Database, last: str = "CREATE mark:1") -> None:
    with db.at_rest(last):
        pass


def test_an_engine_that_does_not_come_to_rest_in_time_holds_up_no_writer(
    kept: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    put: Callable[..., Any] = Database._put

    async def slowly(self: Database, *asked: Any) -> Any:
        await asyncio.sleep(0.5)
        return await put(self, *asked)

    with monkeypatch.context() as slow:
        slow.setattr(Database, "_put", slowly)
        slow.setattr(database, "REST", 0.05)
        with pytest.raises(StoreTimeout):
            rest(kept)
    kept.query("CREATE thing:1", timeout=5)


def test_a_last_write_that_is_refused_holds_up_no_writer(kept: Database) -> None:
    with pytest.raises(StoreError):
        rest(kept, "CREATE mark:1; THROW 'no'")
    kept.query("CREATE thing:1", timeout=5)


def test_what_goes_wrong_while_it_rests_holds_up_no_writer(kept: Database) -> None:
    with pytest.raises(ZeroDivisionError), kept.at_rest("CREATE mark:1"):
        raise ZeroDivisionError
    kept.query("CREATE thing:1", timeout=5)
