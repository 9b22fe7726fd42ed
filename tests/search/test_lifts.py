from __future__ import annotations

from dataclasses import replace

import pytest

from memoryapp.domain.filters import Filters
from memoryapp.domain.results import Query
from memoryapp.search import explain, search
from memoryapp.search.lifts import Lift
from memoryapp.spaces import Space
from tests.search.conftest import memory, write
from tests.search.explained import NOTES, ids, lift, step


def test_without_the_filter_that_takes_it_out_its_rank_is_told_and_is_so(space: Space) -> None:
    write(space, *NOTES)
    told = explain(space, Query("queue of worker 7", filters=Filters(tags=("even",))), NOTES[7].id)
    rank = ids(search(space, Query("queue of worker 7"))).index(NOTES[7].id) + 1
    assert told.lifts == (Lift("filter", f"Without the filter tags it would be {rank}st.", rank),)
    assert step(told, "keyword").told.startswith("Without that: Rank 1 of 30 by BM25")
    assert step(told, "keyword").passed is None


def test_a_weight_that_would_bring_it_in_does_so_when_it_is_asked_for(space: Space) -> None:
    write(space, *NOTES, memory("worker worker worker"), memory("A queue is a line of waiting messages in a worker."))
    moved = set()
    for strategy in ("hybrid", "rrf", "hybrid;vector=0.2;keyword=0"):
        query = Query("queue of worker 7", strategy=strategy, top_k=4)
        for late in search(space, replace(query, top_k=30)).hits[4:12]:
            told = explain(space, query, late.memory.id)
            for one in told.lifts:
                again = replace(query, strategy=one.plan or query.strategy, top_k=one.rank if one.plan == "" else 4)
                assert ids(search(space, again)).index(late.memory.id) + 1 == one.rank, one
                moved.add(one.change)
    assert {"top_k", "vector", "keyword"} <= moved


def test_a_weight_is_told_as_it_was_and_as_it_would_have_to_be(space: Space) -> None:
    by_words, by_meaning = memory("worker seven"), memory("the queue of the worker 7 is queued for a worker 7 queue")
    write(space, by_words, by_meaning, *NOTES)
    query = Query("queue of worker 7", strategy="hybrid;vector=0;graph=0", top_k=1)
    second = search(space, replace(query, strategy="hybrid;keyword=0;graph=0")).hits[0].memory
    told = explain(space, query, second.id)
    if told.found:
        pytest.fail("the example needs one that words and meaning rank differently")
    found = lift(told, "vector")
    assert found.before == 0 and found.plan == f"hybrid;vector={found.after:g};graph=0"
    assert found.told == f"With vector {found.after:g} instead of 0 it would be 1st."
    nearly = replace(query, strategy=f"hybrid;vector={found.after - 0.02:g};graph=0")
    assert explain(space, nearly, second.id).found is False


def test_a_factor_that_holds_it_down_is_told(space: Space) -> None:
    sure, unsure = memory("The queue is long."), memory("The queue is very long.", confidence=0.2)
    write(space, sure, unsure)
    query = Query("very long queue", strategy="hybrid;factors=trust", top_k=1)
    told = explain(space, query, unsure.id)
    assert lift(told, "factor").told == "Without the factor trust it would be 1st."
    assert ids(search(space, replace(query, strategy=lift(told, "factor").plan))) == [unsure.id]
