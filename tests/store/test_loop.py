"""Questions are gone through by the thread that asks: whatever that thread is, and however long it waits."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from memoryapp.domain.errors import StoreTimeout
from memoryapp.store import loop
from memoryapp.store.database import Database


def until(holds: Any, seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(holds())


def test_it_may_be_asked_where_an_event_loop_runs(db: Database) -> None:
    async def ask() -> tuple[list[Any], float]:
        found = db.query("RETURN 7")
        await asyncio.sleep(0)  # the loop is still the running one
        return found, asyncio.get_running_loop().time()

    assert asyncio.run(ask())[0] == [7]


def test_what_is_given_up_is_brought_to_its_end_and_counted(kept: Database) -> None:
    kept.query("DEFINE TABLE slow")
    written = kept.written
    with pytest.raises(StoreTimeout):
        kept.query("{ SLEEP 400ms; CREATE slow:1 }", timeout=0.05)
    assert kept.busy and kept.oldest_write() is not None and kept.written == written
    assert until(lambda: not kept.busy)
    assert kept.oldest_write() is None and kept.written == written + 1
    assert kept.query("SELECT VALUE id FROM slow")[0]


def test_a_question_within_another_ones_step_is_answered(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the collection of garbage, or a signal, comes upon a thread that asks."""
    put, inner = Database._put, []

    async def asking(self: Database, *asked: Any) -> Any:
        if not inner:
            inner.append(None)
            inner[0] = self.query("RETURN 2")
        return await put(self, *asked)

    monkeypatch.setattr(Database, "_put", asking)
    assert db.query("RETURN 1") == [1] and inner == [[2]]


def test_what_stands_between_two_waits_runs_in_one_thread_at_a_time() -> None:
    inside, most = 0, 0

    async def step() -> None:
        nonlocal inside, most
        for _ in range(50):
            inside += 1
            most = max(most, inside)
            time.sleep(0)  # lets another thread in, if any may come
            inside -= 1
            await asyncio.sleep(0)

    threads = [threading.Thread(target=lambda: loop.run(step())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert most == 1


def test_locks_events_and_pauses_of_asyncio_hold_between_threads() -> None:
    lock, event, told = asyncio.Lock(), asyncio.Event(), []

    async def first() -> None:
        async with lock:
            await asyncio.sleep(0.05)
            told.append("first")
        await event.wait()
        told.append("heard")

    async def second() -> None:
        async with lock:
            told.append("second")
        event.set()

    one = threading.Thread(target=lambda: loop.run(first()))
    one.start()
    assert until(lock.locked)
    loop.run(second())
    one.join(10)
    assert told == ["first", "second", "heard"]


def test_an_error_comes_to_whoever_asked() -> None:
    async def wrong() -> None:
        await asyncio.sleep(0)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        loop.run(wrong())
