"""Before a conflict is decided: agents propose, people put it off, and it follows what becomes of its sides."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memoryapp import review
from memoryapp.domain.conflict import ConflictStatus, Outcome
from memoryapp.domain.errors import BadInput, Clash, NotFound
from memoryapp.domain.memory import State
from memoryapp.review.queue import MOST_PROPOSALS
from memoryapp.spaces import Space
from memoryapp.store import revisions
from tests.review.pairs import BUSAN, DAEGU, SEOUL, conflict_now, facts, now_of, raised, recalled
from tests.samples import AGENT, PERSON, HandClock


def test_an_agent_proposes_and_nothing_is_decided(space: Space) -> None:
    conflict = raised(space, *facts(space, SEOUL, BUSAN))
    proposed = review.propose(space, conflict.id, Outcome.MERGE, actor=AGENT, text=" Minsu moved. ", reason="both said")
    assert proposed.status is ConflictStatus.WAITING
    (one,) = conflict_now(space, conflict).proposals
    assert {name: one[name] for name in ("outcome", "by", "by_kind", "text", "reason")} == {
        "outcome": "merge", "by": "heron", "by_kind": "agent", "text": "Minsu moved.", "reason": "both said",
    }  # fmt: skip
    with pytest.raises(BadInput):
        review.propose(space, conflict.id, Outcome.MERGE, actor=AGENT)


def test_an_agents_later_proposal_takes_the_place_of_its_earlier_one_and_they_do_not_pile_up(space: Space) -> None:
    conflict = raised(space, *facts(space, SEOUL, BUSAN))
    for outcome in (Outcome.KEEP, Outcome.REPLACE):
        review.propose(space, conflict.id, outcome, actor=AGENT)
    assert [one["outcome"] for one in conflict_now(space, conflict).proposals] == ["replace"]
    for n in range(MOST_PROPOSALS + 5):
        review.propose(space, conflict.id, Outcome.KEEP, actor=type(AGENT)(AGENT.kind, f"agent {n}"))
    assert len(conflict_now(space, conflict).proposals) == MOST_PROPOSALS


def test_a_conflict_that_is_put_off_leaves_the_queue_until_then_and_stays_in_results(
    space: Space, clock: HandClock
) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    review.snooze(space, conflict.id, until=clock.now + timedelta(hours=1), actor=PERSON)
    assert review.tallies(space) == {"waiting": 0, "automatic": 0, "decided": 0, "snoozed": 1}
    assert review.queue(space).total == 0
    assert review.queue(space, tab="snoozed").cases[0].snoozed
    clock.move(hours=2)
    assert review.tallies(space)["waiting"] == 1
    assert not review.queue(space).cases[0].snoozed


def test_a_conflict_that_is_put_off_can_be_woken_and_decided(space: Space, clock: HandClock) -> None:
    conflict = raised(space, *facts(space, SEOUL, BUSAN))
    review.snooze(space, conflict.id, until=clock.now + timedelta(days=7), actor=PERSON)
    assert review.snooze(space, conflict.id, until=None, actor=PERSON).snoozed_until is None
    review.snooze(space, conflict.id, until=clock.now + timedelta(days=7), actor=PERSON)
    decided, _ = review.decide(space, conflict.id, Outcome.KEEP, actor=PERSON)
    assert decided.snoozed_until is None
    with pytest.raises(Clash):
        review.snooze(space, conflict.id, until=clock.now + timedelta(days=7), actor=PERSON)
    with pytest.raises(Clash):
        review.propose(space, conflict.id, Outcome.KEEP, actor=AGENT)


def test_it_is_put_off_to_a_time_that_is_to_come(space: Space, clock: HandClock) -> None:
    conflict = raised(space, *facts(space, SEOUL, BUSAN))
    with pytest.raises(BadInput, match="still to come"):
        review.snooze(space, conflict.id, until=clock.now - timedelta(hours=1), actor=PERSON)
    with pytest.raises(NotFound):
        review.snooze(space, "0" * 16, until=None, actor=PERSON)
    assert review.snooze(space, conflict.id, until=None, actor=PERSON) == conflict, "it was awake"
    assert revisions.of_record(space.db, conflict.id) == ()


@pytest.mark.parametrize("act", [review.archive, review.delete])
@pytest.mark.parametrize("side", [0, 1])
def test_what_waits_about_a_memory_that_goes_is_withdrawn_and_comes_back_with_it(  # type: ignore[no-untyped-def]
    space: Space, act, side: int
) -> None:
    sides = facts(space, SEOUL, BUSAN)
    conflict = raised(space, *sides)
    run = act(space, [sides[side].id], actor=PERSON).run
    withdrawn = conflict_now(space, conflict)
    assert withdrawn.status is ConflictStatus.WITHDRAWN
    assert sides[side].id in (withdrawn.decision or {})["reason"]
    assert [r.act for r in revisions.of_record(space.db, conflict.id)] == ["withdraw"]
    review.undo_run(space, run.id, actor=PERSON)
    assert (conflict_now(space, conflict).status, conflict_now(space, conflict).decision) == (
        ConflictStatus.WAITING,
        None,
    )
    act(space, [sides[side].id], actor=PERSON)
    review.hold(space, [sides[side].id], actor=PERSON)
    assert conflict_now(space, conflict).status is ConflictStatus.WAITING


def test_it_comes_back_only_when_both_sides_are_held(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    first = review.archive(space, [old.id], actor=PERSON).run
    review.archive(space, [new.id], actor=PERSON)
    review.undo_run(space, first.id, actor=PERSON)
    assert conflict_now(space, conflict).status is ConflictStatus.WITHDRAWN
    review.hold(space, [new.id], actor=PERSON)
    assert conflict_now(space, conflict).status is ConflictStatus.WAITING


def test_undoing_what_wrote_a_side_withdraws_the_conflict(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    (created,) = revisions.of_record(space.db, new.id)
    review.undo_revision(space, created.id, actor=PERSON)
    assert now_of(space, new).state is State.DELETED
    assert conflict_now(space, conflict).status is ConflictStatus.WITHDRAWN


def test_a_decided_conflict_is_left_alone_by_what_becomes_of_its_sides(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    review.decide(space, conflict.id, Outcome.BOTH, actor=PERSON)
    review.archive(space, [old.id], actor=PERSON)
    review.hold(space, [old.id], actor=PERSON)
    assert conflict_now(space, conflict).status is ConflictStatus.DECIDED


def test_an_edit_that_ends_the_contradiction_withdraws_the_conflict_and_its_undo_brings_it_back(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    run = review.edit(space, new.id, {"text": "Minsu visited Busan last summer."}, actor=PERSON).run
    assert conflict_now(space, conflict).status is ConflictStatus.WITHDRAWN
    assert "no longer contradict" in (conflict_now(space, conflict).decision or {})["reason"]
    assert now_of(space, new).slots != new.slots
    review.undo_run(space, run.id, actor=PERSON)
    assert conflict_now(space, conflict).status is ConflictStatus.WAITING
    assert now_of(space, new).slots == new.slots
    assert recalled(space, "Minsu lives") == {SEOUL, BUSAN}


def test_an_edit_that_still_contradicts_leaves_the_conflict_waiting(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    review.edit(space, new.id, {"text": DAEGU}, actor=PERSON)
    review.edit(space, new.id, {"title": "Home"}, actor=PERSON)
    assert conflict_now(space, conflict).status is ConflictStatus.WAITING


def test_what_only_a_model_saw_is_not_withdrawn_by_the_rules(space: Space) -> None:
    one, other = facts(space, "The reviews were glowing.", "Nobody enjoyed the play.")
    conflict = raised(space, one, other, detector="nli")
    review.edit(space, other.id, {"text": "Nobody enjoyed that play."}, actor=PERSON)
    assert conflict_now(space, conflict).status is ConflictStatus.WAITING
