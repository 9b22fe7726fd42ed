"""Acts on conflicts are written with what they do to memories, and leave revisions like every other change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memoryapp.domain.conflict import Conflict, ConflictStatus
from memoryapp.domain.errors import LostRace
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Memory, State
from memoryapp.store import conflicts, memories, revisions
from memoryapp.store.database import Database
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, PERSON, a_memory, written


def raised(db: Database, **more: Any) -> tuple[Memory, Memory, Conflict]:
    one, other = written(db, a_memory("One"), a_memory("Other"))
    conflict = Conflict(new_id(), one.id, "slot", "They differ.", NOON, incoming=other.id, **more)
    commit(db, new_run("remember", AGENT, now=NOON), Batch(conflicts=[conflict]), now=NOON)
    return one, other, conflict


def decided(conflict: Conflict) -> Conflict:
    decision = {"outcome": "keep", "by": "mara", "run": "r"}
    return replace(conflict, status=ConflictStatus.DECIDED, decision=decision, version=conflict.version + 1)


def test_a_conflict_that_moved_meanwhile_refuses_the_whole_batch(db: Database) -> None:
    one, _, conflict = raised(db)
    act = Batch(judged=[(conflict, decided(conflict))])
    commit(db, new_run("resolve", PERSON, now=NOON), act, now=NOON)
    late = Batch(updated=[(one, replace(one, text="Late"))], judged=[(conflict, decided(conflict))])
    with pytest.raises(LostRace, match="somebody else"):
        commit(db, new_run("resolve", PERSON, now=NOON), late, now=NOON)
    assert memories.get(db, one.id).text == "One"
    assert len(revisions.of_record(db, conflict.id)) == 1


def test_what_is_withdrawn_by_the_way_does_not_undo_what_somebody_decided_meanwhile(db: Database) -> None:
    _, _, conflict = raised(db)
    _, _, other = raised(db)
    gone = [replace(one, status=ConflictStatus.WITHDRAWN, version=2) for one in (conflict, other)]
    act = Batch(judged=[(conflict, decided(conflict))])
    commit(db, new_run("resolve", PERSON, now=NOON), act, now=NOON)
    commit(db, new_run("ingest", AGENT, now=NOON), Batch(conflicts=gone), now=NOON)
    kept = conflicts.get(db, conflict.id)
    assert kept.status is ConflictStatus.DECIDED and kept.decision == decided(conflict).decision
    assert len(revisions.of_record(db, conflict.id)) == 1
    assert conflicts.get(db, other.id).status is ConflictStatus.WITHDRAWN


def test_an_act_on_a_conflict_alone_may_be_sent_again(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, conflict = raised(db)
    ask = Database.query

    def twice(self: Database, statement: str, **variables: Any) -> list[Any]:
        ask(self, statement, **variables)
        return ask(self, statement, **variables)

    with monkeypatch.context() as patched:
        patched.setattr(Database, "query", twice)
        act = Batch(judged=[(conflict, decided(conflict))])
        commit(db, new_run("resolve", PERSON, now=NOON, reason="so"), act, now=NOON)
    (left,) = revisions.of_record(db, conflict.id)
    assert (left.record, left.act, left.reason, left.version) == ("conflict", "resolve", "so", 2)
    assert (left.before["status"], left.before["decision"]) == ("waiting", None)
    assert left.after["decision"]["by"] == "mara"


def test_a_finding_that_comes_decided_leaves_a_revision_and_one_that_waits_none(db: Database) -> None:
    _, _, waiting = raised(db)
    _, _, automatic = raised(db, status=ConflictStatus.AUTOMATIC, decision={"by": "policy"})
    assert revisions.of_record(db, waiting.id) == ()
    (left,) = revisions.of_record(db, automatic.id)
    assert (left.before["status"], left.after["status"]) == ("waiting", "automatic")


def test_what_stands_in_place_of_what_is_told_with_the_one_that_went(db: Database) -> None:
    one, other, _ = raised(db)
    run = new_run("resolve", PERSON, now=NOON)
    went = Batch(updated=[(one, replace(one, state=State.SUPERSEDED))], superseded=[(other.id, one.id)])
    commit(db, run, went, now=NOON)
    commit(db, run, Batch(unsuperseded=[(other.id, one.id)]), now=NOON)
    told = {r.record: r for r in revisions.of_run(db, run.id)}
    assert told["memory"].after["superseded_by"] == [other.id]
    assert told["reference"].before["superseded_by"] == [other.id]


def test_a_side_that_goes_and_comes_takes_its_conflict_along_whoever_writes_it(db: Database) -> None:
    one, _, conflict = raised(db)
    away = replace(one, state=State.ARCHIVED)
    commit(db, new_run("expire", AGENT, now=NOON), Batch(updated=[(one, away)]), now=NOON)
    found = conflicts.get(db, conflict.id)
    assert found is not None
    assert (found.status, (found.decision or {})["cause"]) == (ConflictStatus.WITHDRAWN, "state")
    now = memories.get(db, one.id)
    commit(db, new_run("x", AGENT, now=NOON), Batch(updated=[(now, replace(now, state=State.HELD))]), now=NOON)
    assert conflicts.get(db, conflict.id) == replace(conflict, version=3)
