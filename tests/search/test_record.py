from __future__ import annotations

from memoryapp.domain.results import Query
from memoryapp.review import feedback
from memoryapp.search import search, settle
from memoryapp.search.record import record
from memoryapp.spaces import Space
from memoryapp.store import usage
from memoryapp.store.memories import get
from tests.search.conftest import NOW, MakeSpace, memory, write

NOTE = memory("We moved the queue to Redis.")


def test_to_be_found_is_no_access_and_to_be_used_is_one(space: Space) -> None:
    write(space, NOTE)
    search(space, Query("queue"))
    settle()
    assert usage.get_many(space.db, [NOTE.id]) == {}
    feedback(space, not_useful=[NOTE.id])
    assert usage.get_many(space.db, [NOTE.id])[NOTE.id].accesses == 0
    feedback(space, used=[NOTE.id])
    counted = usage.get_many(space.db, [NOTE.id])[NOTE.id]
    assert (counted.accesses, counted.accessed_at) == (1, NOW)


def test_accesses_of_one_moment_are_counted_each(space: Space) -> None:
    write(space, NOTE)
    record(space, [NOTE.id], now=NOW)
    record(space, [NOTE.id], now=NOW)
    settle()
    assert usage.get_many(space.db, [NOTE.id])[NOTE.id].accesses == 2


def test_an_access_raises_strength_and_rewrites_no_memory(space: Space) -> None:
    write(space, NOTE)
    before = search(space, Query("queue", top_k=5)).hits[0]
    record(space, [NOTE.id], now=NOW)
    settle()
    after = search(space, Query("queue", top_k=6)).hits[0]
    assert after.strength > before.strength
    assert after.trust == before.trust
    assert get(space.db, NOTE.id) == before.memory


def test_a_store_that_fails_loses_the_count_and_nothing_else(make_space: MakeSpace) -> None:
    gone = make_space()
    gone.db.close()
    record(gone, [NOTE.id], now=NOW)
    settle()
