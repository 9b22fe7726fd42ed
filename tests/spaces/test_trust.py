"""Nothing is trusted more than what it was made from: one by one, for all at once, in lists and in search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp import review
from memoryapp.domain.filters import Filters
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.results import Query
from memoryapp.index import open_index
from memoryapp.search import search
from memoryapp.search.browse import browse
from memoryapp.spaces import Space, trust_of
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, PERSON, HandClock, a_memory, a_space, written
from tests.sampling import examples

_MADE = 6


@pytest.fixture
def space() -> Iterator[Space]:
    with a_space(clock=HandClock()) as opened:
        yield opened


def a_fact(text: str, **more: object) -> Memory:
    return a_memory(text, kind=Kind.FACT, **more)


standings = st.tuples(
    st.sampled_from([0.5, 0.7, 0.9]),
    st.integers(0, 9),
    st.integers(-40, 700),
    st.sampled_from(["held", "gone", "away"]),
)
graphs = st.lists(st.tuples(st.integers(0, _MADE - 1), st.integers(0, _MADE - 1)), max_size=10)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(standings, min_size=_MADE, max_size=_MADE), graphs, st.sampled_from([30.0, 90.0]))
@pytest.mark.parametrize("engine", ["local", "surreal"])
def test_no_memory_is_trusted_more_than_any_it_goes_back_to(
    space: Space, engine: str, drawn: list[tuple[float, int, int, str]], pairs: list[tuple[int, int]], half_life: float
) -> None:
    """Sources may be archived, deleted, dated to come, or each other's."""
    space = replace(space, tuning=Tuning(trust_half_life_days=half_life))
    made = [
        a_fact(f"Fact {n}", confidence=c, reinforcements=r, occurred_at=NOON - timedelta(days=age))
        for n, (c, r, age, _) in enumerate(drawn)
    ]
    derived = [(made[a].id, made[b].id) for a, b in pairs if a != b]
    written(space.db, *made, derived=derived)
    for act, name in ((review.archive, "away"), (review.delete, "gone")):
        if keys := [m.id for m, (*_, state) in zip(made, drawn, strict=True) if state == name]:
            act(space, keys, actor=PERSON)
    trusts = trust_of(space, made)
    for after, source in derived:
        assert trusts[after].value <= trusts[source].value + 1e-9
    index = open_index(space.db, model="hashing", engine=engine, clock=space.clock)
    index.refresh()
    roster, now = index.roster, space.clock()
    at_once, keys_ = roster.trust(now, half_life=half_life), roster.trust_key(half_life=half_life)
    for memory in made:
        slot = roster.slot(memory.id)
        if slot is not None:
            assert at_once[slot] == pytest.approx(trusts[memory.id].value, rel=1e-4, abs=1e-6)
    for after, source in derived:
        one, other = roster.slot(after), roster.slot(source)
        if one is not None and other is not None:
            assert at_once[one] <= at_once[other]
            assert keys_[one] <= keys_[other]


def test_a_ceiling_is_told_with_its_number_and_only_where_there_is_one(space: Space) -> None:
    weak, strong = a_fact("Weak", confidence=0.5), a_fact("Strong", confidence=0.9)
    summary = a_memory("Told", kind=Kind.SUMMARY, confidence=0.9)
    written(space.db, weak, strong, summary, derived=[(summary.id, weak.id), (summary.id, strong.id)])
    trusts = trust_of(space, [weak, summary])
    assert trusts[weak.id].ceiling is None
    assert trusts[summary.id].ceiling == trusts[summary.id].value == pytest.approx(trusts[weak.id].value)
    assert trust_of(space, []) == {}


def test_a_list_by_trust_a_floor_and_a_hit_respect_the_ceiling(space: Space) -> None:
    weak, middling = a_fact("heron one", confidence=0.5), a_fact("heron two", confidence=0.7)
    summary = a_memory("heron three", kind=Kind.EPISODE, confidence=0.9, reinforcements=4)
    written(space.db, weak, middling, summary, derived=[(summary.id, weak.id)])
    listed = [m.id for m in browse(space, Filters(), sort="trust").memories]
    assert listed[0] == middling.id
    floor = [m.id for m in browse(space, Filters(min_trust=0.6)).memories]
    assert floor == [middling.id]
    hits = {h.memory.id: h.trust for h in search(space, Query("heron", strategy="keyword")).hits}
    assert hits[summary.id] <= hits[weak.id] + 1e-6 < hits[middling.id]


def test_the_ceiling_moves_with_its_sources(space: Space) -> None:
    """Confirmed, deleted, purged, taken away: in the store and in the index that follows it."""
    weak, strong = a_fact("Weak", confidence=0.5), a_fact("Strong", confidence=0.9)
    summary = a_memory("Told", kind=Kind.SUMMARY, confidence=0.9)
    written(space.db, weak, strong, summary, derived=[(summary.id, weak.id), (summary.id, strong.id)])

    def now() -> float:
        value = trust_of(space, [summary])[summary.id].value
        space.index.refresh()
        slot = space.index.roster.slot(summary.id)
        assert slot is not None
        assert space.index.roster.trust(space.clock())[slot] == pytest.approx(value, rel=1e-4)
        return value

    assert now() == pytest.approx(0.5, rel=1e-3)
    review.confirm(space, [weak.id], actor=PERSON)
    assert now() == pytest.approx(0.55, rel=1e-3)
    review.delete(space, [weak.id], actor=PERSON)
    assert now() == pytest.approx(0.55, rel=1e-3), "it was made from it all the same"
    commit(space.db, new_run("x", AGENT, now=NOON), Batch(underived=[(summary.id, weak.id)]), now=NOON)
    assert now() == pytest.approx(0.9, rel=1e-3)


def test_the_ceiling_is_kept_on_disk(space: Space, tmp_path: Path) -> None:
    weak, gone = a_fact("Weak", confidence=0.7), a_fact("Gone", confidence=0.5)
    summary = a_memory("Told", kind=Kind.SUMMARY, confidence=0.9)
    other = a_memory("Other", kind=Kind.SUMMARY, confidence=0.9)
    written(space.db, weak, gone, summary, other, derived=[(summary.id, weak.id), (other.id, gone.id)])
    review.delete(space, [gone.id], actor=PERSON)

    def opened() -> list[float]:
        index = open_index(space.db, model="hashing", engine="local", folder=tmp_path, clock=space.clock)
        index.refresh()
        slots = [index.roster.slot(m.id) for m in (summary, other)]
        found = [float(index.roster.trust(NOON)[slot]) for slot in slots if slot is not None]
        index.close()
        assert index.status().reason == ("there was none on disk" if not seen else "")
        seen.append(1)
        return found

    seen: list[int] = []
    assert opened() == opened() == pytest.approx([0.7, 0.5])
