from __future__ import annotations

from memoryapp.domain.results import Query
from memoryapp.retrieve import search, settle
from memoryapp.spaces import Space
from memoryapp.store import usage
from memoryapp.store.memories import get
from tests.retrieve.conftest import NOW, MakeSpace, memory, write

NOTE = memory("We moved the queue to Redis.")


def test_an_agents_search_counts_as_an_access_and_a_persons_does_not(space: Space) -> None:
    write(space, NOTE)
    search(space, Query("queue"))
    settle()
    assert usage.get_many(space.db, [NOTE.id]) == {}
    search(space, Query("queue", record=True))
    search(space, Query("queue", record=True))  # answered from the recall layer, and counted all the same
    settle()
    counted = usage.get_many(space.db, [NOTE.id])[NOTE.id]
    assert (counted.accesses, counted.accessed_at) == (2, NOW)


def test_an_access_raises_strength_and_rewrites_no_memory(space: Space) -> None:
    write(space, NOTE)
    before = search(space, Query("queue", record=True, top_k=5)).hits[0]
    settle()
    after = search(space, Query("queue", top_k=6)).hits[0]
    assert after.strength > before.strength
    assert after.trust == before.trust
    assert get(space.db, NOTE.id) == before.memory


def test_an_inherited_hit_counts_nowhere(make_space: MakeSpace) -> None:
    parent = make_space("record-parent")
    child = make_space("record-child", parent=parent)
    write(parent, NOTE)
    search(child, Query("queue", record=True))
    settle()
    assert usage.get_many(parent.db, [NOTE.id]) == usage.get_many(child.db, [NOTE.id]) == {}


def test_a_store_that_fails_loses_the_count_and_not_the_answer(space: Space, make_space: MakeSpace) -> None:
    from memoryapp.retrieve.record import record

    gone = make_space()
    gone.db.close()
    record(gone, [NOTE.id], now=NOW)
    settle()
    write(space, NOTE)
    assert search(space, Query("queue", record=True)).hits
