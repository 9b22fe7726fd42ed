"""What moves trust, strength and feedback, and what does not: each is a number that a person can follow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memoryapp import review
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import MemoryType
from memoryapp.domain.results import Query
from memoryapp.search import forget, record, search
from memoryapp.spaces import Space, trust_of
from tests.review.pairs import facts, now_of
from tests.samples import AGENT, PERSON, HandClock

LINES = ("The heron stands in the reeds.", "The heron sleeps in the reeds.")


def hit_of(space: Space, key: str, *, recorded: bool = False):  # type: ignore[no-untyped-def]
    forget(space.name)  # a kept answer tells the strength of its own moment
    answer = search(space, Query("heron reeds", strategy="keyword"))
    if recorded:
        record.record(space, [key], now=space.clock())
    record.settle()
    return next(hit for hit in answer.hits if hit.memory.id == key)


def test_being_recalled_by_an_agent_raises_strength_and_not_trust(space: Space) -> None:
    one, _ = facts(space, *LINES)
    before = hit_of(space, one.id, recorded=True)
    looked_at = hit_of(space, one.id)
    assert looked_at.strength > before.strength
    assert looked_at.trust == pytest.approx(before.trust, rel=1e-6)
    assert hit_of(space, one.id).strength == pytest.approx(looked_at.strength, rel=1e-6), "a person's look is no access"


def test_only_a_confirmation_raises_trust(space: Space, clock: HandClock) -> None:
    one, _ = facts(space, *LINES)
    clock.move(days=90)
    assert trust_of(space, [one])[one.id].value == pytest.approx(0.45, rel=1e-4)
    review.feedback(space, used=[one.id])
    review.pin(space, [one.id], actor=PERSON)
    review.edit(space, one.id, {"title": "Bird"}, actor=PERSON)
    assert trust_of(space, [now_of(space, one)])[one.id].value == pytest.approx(0.45, rel=1e-4)
    review.confirm(space, [one.id], actor=AGENT)
    assert trust_of(space, [now_of(space, one)])[one.id].value == pytest.approx(0.9 * 1.1, rel=1e-4)


def test_strength_fades_by_the_type_of_memory_and_never_ends_it(space: Space, clock: HandClock) -> None:
    typed = {
        kind: facts(space, f"The heron stands in the reeds, {kind}.", memory_type=kind)[0]
        for kind in (*MemoryType, None)
    }
    clock.move(days=10)
    strength = {kind: hit_of(space, memory.id).strength for kind, memory in typed.items()}
    expected = {MemoryType.EPISODIC: 0.2231, MemoryType.SEMANTIC: 0.8187, MemoryType.PROCEDURAL: 0.9048, None: 0.3679}
    assert strength == {kind: pytest.approx(0.9 * fading, rel=1e-3) for kind, fading in expected.items()}
    clock.move(days=3_650)
    assert {hit_of(space, memory.id).memory.state for memory in typed.values()} == {typed[None].state}


def test_what_was_used_rises_what_was_useless_falls_and_neither_beyond_its_reach(space: Space) -> None:
    one, other = facts(space, *LINES)
    first = {memory.id: hit_of(space, memory.id) for memory in (one, other)}
    assert {hit.factors["feedback"] for hit in first.values()} == {1.0}
    for _ in range(60):
        review.feedback(space, used=[one.id], not_useful=[other.id])
    up, down = hit_of(space, one.id), hit_of(space, other.id)
    assert 1.15 < up.factors["feedback"] <= 1.2
    assert 0.8 <= down.factors["feedback"] < 0.85
    assert up.score == pytest.approx(first[one.id].score * up.factors["feedback"], rel=1e-6)
    still = replace(space, tuning=Tuning(feedback_reach=0.0))
    assert hit_of(still, one.id).factors["feedback"] == 1.0
