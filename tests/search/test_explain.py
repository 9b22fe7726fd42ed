from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.filters import Filters
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.node import new_node
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import STRATEGIES
from memoryapp.search import explain, search
from memoryapp.spaces import Space
from tests.sampling import examples
from tests.search.conftest import NOW, MakeSpace, change, memory, write
from tests.search.explained import FAR, NOTES, ids, stages, step


def test_a_memory_among_the_results_is_found_with_its_rank(space: Space) -> None:
    write(space, *NOTES)
    hits = search(space, Query("queue of worker 7")).hits
    for rank, hit in enumerate(hits, 1):
        told = explain(space, Query("queue of worker 7"), hit.memory.id)
        assert (told.found, told.stage, told.rank) == (True, "found", rank)
        assert told.score == hit.score
        assert told.hit is not None and told.hit.arms == hit.arms


def test_one_that_came_too_late_is_told_how_far_below_the_cut_it_is(space: Space) -> None:
    write(space, *NOTES)
    query = Query("queue of worker 7", top_k=3)
    everything = search(space, Query("queue of worker 7", top_k=100)).hits
    late = everything[10]
    told = explain(space, query, late.memory.id)
    assert (told.found, told.stage, told.rank) == (False, "cut", 11)
    assert told.cut == pytest.approx(everything[2].score, abs=1e-5)
    assert told.below == pytest.approx(everything[2].score - late.score, abs=2e-5)
    assert "It came 11th; the first 3 were asked for." in told.reason


def test_one_that_no_arm_touches_is_told_so(space: Space) -> None:
    write(space, *NOTES, FAR)
    told = explain(space, Query("queue", strategy="keyword"), FAR.id)
    assert (told.found, told.stage, told.score) == (False, "arms", None)


def test_a_filter_that_takes_it_out_is_named(space: Space) -> None:
    write(space, *NOTES)
    filters = Filters(kinds=(Kind.NOTE,), tags=("even",))
    told = explain(space, Query("queue", filters=filters), NOTES[1].id)
    assert (told.stage, told.detail) == ("filter", {"filters": ["tags"]})
    gone = change(space, NOTES[0], state=State.ARCHIVED)
    assert explain(space, Query("queue"), gone.id).detail == {"filters": ["states"]}


def test_a_deleted_memory_is_not_indexed(space: Space) -> None:
    write(space, *NOTES)
    change(space, NOTES[0], state=State.DELETED)
    told = explain(space, Query("queue"), NOTES[0].id)
    assert (told.stage, told.reason) == ("index", "It cannot be found: it is deleted.")


def test_unknown_memories_and_bad_queries_are_refused(space: Space) -> None:
    with pytest.raises(NotFound):
        explain(space, Query("queue"), "0" * 16)
    with pytest.raises(BadInput):
        explain(space, Query(""), "0" * 16)


def test_every_stage_is_told_in_its_order(space: Space) -> None:
    write(space, *NOTES)
    told = explain(space, Query("queue of worker 7", filters=Filters(tags=("even",))), NOTES[8].id)
    assert stages(told) == [
        ("state", True), ("index", True), ("tags", True), ("kinds", True), ("question", None),
        ("vector", True), ("keyword", True), ("graph", False), ("fusion", True), ("cut", True),
    ]  # fmt: skip
    assert step(told, "question").detail["dropped"] == ["of"]
    assert [one["term"] for one in step(told, "question").detail["terms"]] == ["queue", "worker", "7"]


def test_shares_add_up_to_the_score_to_the_last_digit(space: Space) -> None:
    write(space, *NOTES)
    for strategy in STRATEGIES:
        told = explain(space, Query("queue of worker 7", strategy=strategy), NOTES[7].id)
        if told.hit is None:
            continue
        summed = step(told, "fusion").detail
        assert sum(summed["shares"].values()) * math.prod(summed["factors"].values()) == told.score == summed["score"]
        assert step(told, "cut").detail["rank"] == told.rank


def test_what_is_inherited_is_explained_where_it_lives(make_space: MakeSpace) -> None:
    parent = make_space("explained-parent")
    child = make_space("explained-child", parent=parent)
    write(parent, *NOTES[:15])
    write(child, *NOTES[15:])
    for top_k in (3, 30):
        query = Query("queue of worker 7", top_k=top_k)
        every = search(child, replace(query, top_k=30)).hits
        for rank, hit in enumerate(every, start=1):
            told = explain(child, query, hit.memory.id)
            assert (told.rank, told.score, told.found) == (rank, hit.score, rank <= top_k)
            assert told.detail.get("inherited_from") == hit.inherited_from
            assert told.hit is not None and told.hit.inherited_from == hit.inherited_from
            for one in told.lifts if rank < 8 else ():
                again = search(
                    child, replace(query, strategy=one.plan or "hybrid", top_k=top_k if one.plan else one.rank)
                )
                assert ids(again).index(hit.memory.id) + 1 == one.rank
    with pytest.raises(NotFound):
        explain(parent, Query("queue"), NOTES[20].id)


WORDS = ("redis", "queue", "worker", "lisbon", "tea", "moon", "bike", "Mina")
PLANS = (*STRATEGIES, "hybrid;vector=0.3;factors=trust+strength", "rrf;k=5;graph=2", "dual-arm;structural=0")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.tuples(TEXTS, st.integers(0, 3), st.booleans()), min_size=2, max_size=9),
    question=TEXTS,
    top_k=st.integers(1, 6),
    plans=st.lists(st.sampled_from(PLANS), min_size=1, max_size=4, unique=True),
)
def test_explain_agrees_with_search(
    make_space: MakeSpace, texts: list[tuple[str, int, bool]], question: str, top_k: int, plans: list[str]
) -> None:
    space = make_space()
    made = [
        new_node(f"n{n}", title="n", text=text, now=NOW, keywords=text.split()[:1])
        if kind == 0
        else memory(text, id=derived_id("explained", str(n)), kind=(Kind.NOTE, Kind.FACT, Kind.NOTE)[kind - 1],
                    speaker="Mina" if kind == 3 else None, confidence=0.9 - n / 20)
        for n, (text, kind, _) in enumerate(texts)
    ]  # fmt: skip
    write(
        space,
        *made,
        about={one.id: text.split()[:2] for one, (text, _, names) in zip(made, texts, strict=True) if names},
    )
    for plan in plans:
        query = Query(question, strategy=plan, top_k=top_k)
        hits = {hit.memory.id: (rank, hit) for rank, hit in enumerate(search(space, query).hits, start=1)}
        late = {hit.memory.id: rank for rank, hit in enumerate(search(space, replace(query, top_k=50)).hits, start=1)}
        for one in made:
            told = explain(space, query, one.id)
            assert told.found == (one.id in hits) == (told.stage == "found")
            assert (told.rank is not None) == (one.id in late)
            if told.found:
                rank, hit = hits[one.id]
                assert (told.rank, told.score) == (rank, hit.score)
                assert told.hit is not None and told.hit.arms == hit.arms
            elif told.rank is not None:
                assert told.rank == late[one.id] > top_k
            assert all(one.told for one in told.steps)
            json.dumps([one.detail for one in told.steps], allow_nan=False)
