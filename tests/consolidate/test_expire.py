"""Facts whose trust fell under the floor are archived; everything else stays."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from memoryapp.consolidate import expire
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.conflict import Conflict
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.results import Query
from memoryapp.review import undo_run
from memoryapp.search import search
from memoryapp.spaces import Space
from memoryapp.store import memories, revisions
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, PERSON, HandClock, a_memory, written

HEARTBEAT = Actor(ActorKind.MACHINE, "heartbeat")


def a_fact(text: str, *, days: int, **more: Any) -> Memory:
    """Learned so many days before the clock's noon."""
    at = NOON - timedelta(days=days)
    return a_memory(text, **({"kind": Kind.FACT, "created_at": at, "updated_at": at} | more))


def state(space: Space, memory: Memory) -> State:
    return memories.get(space.db, memory.id).state


def test_an_old_unconfirmed_fact_is_archived_and_no_longer_found(space: Space) -> None:
    old, fresh = a_fact("Lena cycles to the harbour.", days=200), a_fact("Lena rows on the lake.", days=2)
    written(space.db, old, fresh)

    expired = expire(space, actor=HEARTBEAT)

    # 0.9 × 0.5^(200 / 90) = 0.193
    assert [(memory.id, round(trust, 3)) for memory, trust in expired.archived] == [(old.id, 0.193)]
    assert state(space, old) is State.ARCHIVED
    assert state(space, fresh) is State.HELD
    found = [hit.memory.id for hit in search(space, Query("Lena harbour cycles")).hits]
    assert old.id not in found


def test_the_run_tells_why_and_undoing_it_brings_all_back(space: Space) -> None:
    gone = written(space.db, *(a_fact(f"Lena owns boat {name}.", days=300) for name in ("Astra", "Brise", "Clio")))
    expired = expire(space, actor=HEARTBEAT)

    assert expired.run is not None
    run = revisions.get_run(space.db, expired.run.id)
    assert (run.act, run.reason, run.detail) == ("expire", "trust under 0.3", {"floor": 0.3, "archived": 3})
    undo_run(space, run.id, actor=PERSON)
    assert {state(space, memory) for memory in gone} == {State.HELD}


def test_pinned_facts_notes_and_sections_never_expire(space: Space) -> None:
    kept = written(
        space.db,
        a_fact("Lena is allergic to nuts.", days=900, pinned=True),
        a_fact("A note from the harbour.", days=900, kind=Kind.NOTE),
        a_fact("## Tides\nHigh at noon.", days=900, kind=Kind.SECTION),
    )
    assert expire(space, actor=HEARTBEAT).archived == ()
    assert {state(space, memory) for memory in kept} == {State.HELD}


def test_a_confirmed_fact_stays(space: Space) -> None:
    confirmed = a_fact("Lena sings in a choir.", days=400, reinforcements=1, reinforced_at=NOON - timedelta(days=5))
    written(space.db, confirmed)
    assert expire(space, actor=HEARTBEAT).archived == ()


def test_a_fact_in_an_open_conflict_waits_for_its_decision(space: Space) -> None:
    disputed = a_fact("Lena lives in Bergen.", days=400)
    clash = Conflict("c0ffee0000000001", disputed.id, "slot", "two homes", NOON, incoming_text="Lena lives in Oslo.")
    written(space.db, disputed, conflicts=[clash])

    expired = expire(space, actor=HEARTBEAT)
    assert (expired.archived, expired.disputed, expired.run) == ((), 1, None)
    assert state(space, disputed) is State.HELD


def test_a_dry_run_tells_the_same_and_changes_nothing(space: Space) -> None:
    old = a_fact("Lena keeps bees.", days=300)
    written(space.db, old)
    before = revisions.page(space.db)

    told = expire(space, actor=HEARTBEAT, dry_run=True)

    assert [memory.id for memory, _ in told.archived] == [old.id]
    assert told.run is None
    assert state(space, old) is State.HELD
    assert revisions.page(space.db) == before


def test_without_a_floor_nothing_expires(space: Space) -> None:
    written(space.db, a_fact("Lena keeps bees.", days=3_000))
    assert expire(replace(space, tuning=Tuning()), actor=HEARTBEAT).archived == ()


def test_a_second_run_finds_nothing_left_to_do(space: Space) -> None:
    written(space.db, a_fact("Lena keeps bees.", days=300))
    assert len(expire(space, actor=HEARTBEAT).archived) == 1
    again = expire(space, actor=HEARTBEAT)
    assert (again.archived, again.run) == ((), None)


def test_time_alone_brings_a_fact_under_the_floor(space: Space, clock: HandClock) -> None:
    written(space.db, a_fact("Lena keeps bees.", days=0))
    assert expire(space, actor=HEARTBEAT).archived == ()
    clock.move(days=150)
    assert len(expire(space, actor=HEARTBEAT).archived) == 1


def test_who_confirms_a_fact_at_the_last_moment_keeps_it(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    old = a_fact("Lena keeps bees.", days=300)
    written(space.db, old)
    read = memories.get_many

    def confirmed_right_after(db: Any, keys: Any) -> dict[str, Memory]:
        found = read(db, keys)
        monkeypatch.setattr(memories, "get_many", read)
        again = replace(found[old.id], reinforcements=1, reinforced_at=NOON)
        commit(db, new_run("confirm", AGENT, now=NOON), Batch(updated=[(found[old.id], again)]), now=NOON)
        return found

    monkeypatch.setattr(memories, "get_many", confirmed_right_after)
    assert expire(space, actor=HEARTBEAT).archived == ()
    assert state(space, old) is State.HELD
