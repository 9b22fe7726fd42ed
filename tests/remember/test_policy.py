from __future__ import annotations

from dataclasses import replace

import pytest

from memoryapp.domain.conflict import ConflictStatus
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.remembering import NewMemory
from memoryapp.domain.statement import Relation, Statement, Verdict
from memoryapp.remember import Judges, policy, remember
from memoryapp.review import edit, undo_run
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories, revisions
from tests.samples import AGENT, PERSON


def tell(space: Space, text: str, *, policy: str = "review", judges: Judges | None = None) -> None:
    own = replace(space, tuning=Tuning(conflict_policy=policy))
    remember(own, [NewMemory(text, kind=Kind.FACT)], actor=AGENT, judges=judges or Judges())


def by_text(space: Space) -> dict[str, Memory]:
    return {memory.text: memory for memory in memories.scan(space.db)}


def perhaps(existing: Statement, incoming: Statement) -> Verdict:
    return Verdict(Relation.POSSIBLE, "llm", "Perhaps.", 0.6)


SEOUL, BUSAN = "Mara lives in Seoul.", "Mara moved to Busan."


@pytest.mark.parametrize(
    ("rule", "certain_goes", "possible_goes"),
    [("review", False, False), ("auto-certain", True, False), ("auto", True, True)],
)
def test_what_waits_for_a_person_is_the_policys_choice(
    space: Space, rule: str, certain_goes: bool, possible_goes: bool
) -> None:
    tell(space, SEOUL)
    tell(space, BUSAN, policy=rule)
    tell(space, "Odo paints herons at dawn.")
    tell(space, "Odo paints herons by the lake.", policy=rule, judges=Judges(model=perhaps))
    found = {one.certain: one.status for one in conflicts.page(space.db)}
    waits = {True: ConflictStatus.AUTOMATIC, False: ConflictStatus.WAITING}
    assert found == {True: waits[certain_goes], False: waits[possible_goes]}


def test_a_space_with_no_settings_decides_what_is_certain(space: Space) -> None:
    tell(space, SEOUL, policy=Tuning().conflict_policy)
    tell(space, BUSAN, policy=Tuning().conflict_policy)
    assert [one.status for one in conflicts.page(space.db)] == [ConflictStatus.AUTOMATIC]


def test_a_decision_by_policy_is_a_run_of_its_own_and_ends_the_older_one(space: Space) -> None:
    tell(space, SEOUL)
    tell(space, BUSAN, policy="auto-certain")
    (conflict,) = conflicts.page(space.db, status=ConflictStatus.AUTOMATIC)
    assert conflict.decision is not None and conflict.decided_at is not None
    told = {name: conflict.decision[name] for name in ("outcome", "by", "by_kind")}
    assert told == {"outcome": "replace", "by": "policy", "by_kind": "machine"}
    run = revisions.get_run(space.db, conflict.decision["run"])
    assert (run.act, run.detail) == ("resolve", {"conflicts": [conflict.id]})
    found = by_text(space)
    assert (found[SEOUL].state, found[BUSAN].state) == (State.SUPERSEDED, State.HELD)
    assert found[SEOUL].valid_to == found[BUSAN].valid_from


def test_a_decision_by_policy_is_undone_with_its_run(space: Space) -> None:
    tell(space, SEOUL)
    tell(space, BUSAN, policy="auto")
    (conflict,) = conflicts.page(space.db)
    assert conflict.decision is not None
    undo_run(space, conflict.decision["run"], actor=PERSON)
    assert {one.state for one in by_text(space).values()} == {State.HELD}
    again = conflicts.get(space.db, conflict.id)
    assert again is not None and again.status is ConflictStatus.WAITING


@pytest.mark.parametrize("changes", [{"text": "Mara lives in Oslo."}, {"pinned": True}], ids=["edited", "pinned"])
def test_what_a_person_put_right_is_left_to_a_person(space: Space, changes: dict[str, object]) -> None:
    tell(space, SEOUL)
    (memory,) = memories.scan(space.db)
    edit(space, memory.id, changes, actor=PERSON)
    tell(space, BUSAN, policy="auto")
    (conflict,) = conflicts.page(space.db)
    assert conflict.status is ConflictStatus.WAITING
    assert {one.state for one in memories.scan(space.db)} == {State.HELD}


def test_one_fact_that_clashes_with_two_is_decided_once_with_both(space: Space) -> None:
    tell(space, SEOUL)
    tell(space, "Mara's home is in Oslo.")
    tell(space, BUSAN, policy="auto")
    held = [text for text, memory in by_text(space).items() if memory.state is State.HELD]
    assert held == [BUSAN]
    assert conflicts.count_waiting(space.db) == 0


def test_somebody_who_changes_a_side_at_that_moment_leaves_it_to_a_person(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = policy.commit

    def meet(db, run, batch, *, now):  # type: ignore[no-untyped-def]
        before, _ = batch.updated[0]
        other = policy.new_run("tag", PERSON, now=now)
        commit(db, other, policy.Batch(updated=[(before, replace(before, tags=("mine",)))]), now=now)
        return commit(db, run, batch, now=now)

    monkeypatch.setattr(policy, "commit", meet)
    tell(space, SEOUL)
    tell(space, BUSAN, policy="auto")
    assert conflicts.count_waiting(space.db) == 1
    assert {one.state for one in by_text(space).values()} == {State.HELD}
