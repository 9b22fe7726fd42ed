"""`expires_at`, `review_at` and the age of turns: what is over is archived, what is due is asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from memoryapp.consolidate import expire
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.filters import Filters
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.remembering import NewMemory
from memoryapp.domain.results import Query
from memoryapp.remember import remember
from memoryapp.review import confirm, edit, undo_run
from memoryapp.search import search
from memoryapp.search.browse import browse
from memoryapp.spaces import Space
from memoryapp.store import memories
from tests.samples import AGENT, NOON, PERSON, HandClock, a_memory, written

HEARTBEAT = Actor(ActorKind.MACHINE, "heartbeat")
DAY = timedelta(days=1)


@pytest.fixture
def gate(space: Space) -> str:
    """The gate's code, which is good for a week."""
    (done,) = remember(space, [NewMemory("The gate code is 4471.", expires_at=NOON + 7 * DAY)], actor=AGENT)
    return done.id


def found(space: Space, text: str = "gate code", **more: object) -> list[str]:
    return [hit.memory.id for hit in search(space, Query(text, filters=Filters(**more))).hits]  # type: ignore[arg-type]


def test_it_is_recalled_until_it_expires_and_not_after(space: Space, clock: HandClock, gate: str) -> None:
    assert gate in found(space)
    clock.now = NOON + 7 * DAY
    assert gate not in found(space)  # not the answer of before, either
    assert gate not in [one.id for one in browse(space, Filters()).memories]
    assert gate in found(space, as_of=NOON + DAY)  # what was known then
    assert gate not in found(space, as_of=NOON + 7 * DAY)


def test_the_expiry_archives_it_and_undoing_brings_it_back(space: Space, clock: HandClock, gate: str) -> None:
    assert expire(space, actor=HEARTBEAT).archived == ()
    clock.now = NOON + 8 * DAY
    done = expire(space, actor=HEARTBEAT)
    assert [memory.id for memory, _ in done.archived] == [gate] and done.run is not None
    assert "expired" in done.run.reason
    assert memories.get(space.db, gate).state is State.ARCHIVED
    undo_run(space, done.run.id, actor=PERSON)
    assert memories.get(space.db, gate).state is State.HELD and gate not in found(space)


def test_pinning_does_not_outlive_a_date_that_was_set_and_another_date_does(
    space: Space, clock: HandClock, gate: str
) -> None:
    edit(space, gate, {"expires_at": NOON + 30 * DAY}, actor=PERSON)
    clock.now = NOON + 8 * DAY
    assert gate in found(space) and expire(space, actor=HEARTBEAT).archived == ()
    edit(space, gate, {"expires_at": None}, actor=PERSON)
    clock.now = NOON + 300 * DAY
    assert memories.get(space.db, gate).expires_at is None and gate in found(space)


def test_old_turns_go_where_a_space_wants_that_and_what_was_learned_from_them_stays(
    space: Space, clock: HandClock
) -> None:
    old = a_memory("so I bought the boat", kind=Kind.TURN, occurred_at=NOON - 40 * DAY, group="turns:s1")
    pinned = replace(a_memory("the boat is blue", kind=Kind.TURN, occurred_at=NOON - 40 * DAY), pinned=True)
    late = a_memory("and a second boat", kind=Kind.TURN, occurred_at=NOON - 2 * DAY, group="turns:s1", position=1)
    fact = a_memory("Mina bought a boat.", kind=Kind.FACT, occurred_at=NOON - 40 * DAY)
    written(space.db, old, pinned, late, fact)
    assert expire(replace(space, tuning=Tuning()), actor=HEARTBEAT).archived == ()
    gone = expire(replace(space, tuning=Tuning(turn_days=30)), actor=HEARTBEAT).archived
    assert [memory.id for memory, _ in gone] == [old.id]
    assert memories.get(space.db, fact.id).state is State.HELD


def test_what_is_due_for_review_is_listed_and_a_confirmation_settles_it(space: Space, clock: HandClock) -> None:
    soon, later = remember(
        space,
        [
            NewMemory("The rent is 900.", review_at=NOON + DAY),
            NewMemory("The lease ends in 2030.", review_at=NOON + 90 * DAY),
        ],
        actor=AGENT,
    )

    def due() -> list[str]:
        return [one.id for one in browse(space, Filters(review_before=space.clock())).memories]

    assert due() == []
    clock.now = NOON + 2 * DAY
    assert due() == [soon.id]
    confirm(space, [soon.id, later.id], actor=PERSON)
    assert due() == [] and memories.get(space.db, later.id).review_at == NOON + 90 * DAY
