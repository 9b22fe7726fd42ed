"""The audit as the store gives it: runs newest first, narrowed, each with the first of its changes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from memoryapp.domain.change import Actor, ActorKind, Run
from memoryapp.store import audit
from memoryapp.store.database import Database
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, PERSON, a_memory


@pytest.fixture
def runs(db: Database) -> list[Run]:
    """Six runs an hour apart, the person's and the agent's in turn, of one to six memories."""
    made = []
    for n in range(6):
        at = NOON + timedelta(hours=n)
        run = new_run("edit" if n % 2 else "remember", PERSON if n % 2 else AGENT, now=at)
        commit(db, run, Batch(created=[a_memory(f"Number {n}, {k}.") for k in range(n + 1)]), now=at)
        made.append(run)
    return made


def test_runs_come_newest_first_with_some_changes_and_their_count(db: Database, runs: list[Run]) -> None:
    found = audit.acts(db, shown=2)
    assert [act.run.id for act in found] == [run.id for run in reversed(runs)]
    assert [act.changes for act in found] == [6, 5, 4, 3, 2, 1]
    assert [len(act.revisions) for act in found] == [2, 2, 2, 2, 2, 1]
    assert all(revision.run == act.run.id for act in found for revision in act.revisions)


def test_pages_of_runs_meet_without_a_gap(db: Database, runs: list[Run]) -> None:
    seen: list[str] = []
    place = None
    while page := audit.acts(db, before=place, limit=2):
        seen += [act.run.id for act in page]
        place = (page[-1].run.started_at, page[-1].run.id)
    assert seen == [run.id for run in reversed(runs)]


def test_runs_are_narrowed_by_actor_act_time_and_record(db: Database, runs: list[Run]) -> None:
    assert {act.run.id for act in audit.acts(db, actor="mara")} == {runs[n].id for n in (1, 3, 5)}
    assert {act.run.id for act in audit.acts(db, act="remember")} == {runs[n].id for n in (0, 2, 4)}
    between = audit.acts(db, since=NOON + timedelta(hours=1), until=NOON + timedelta(hours=3))
    assert [act.run.id for act in between] == [runs[2].id, runs[1].id]
    record = audit.changes(db, runs[3].id)[0].record_id
    assert [act.run.id for act in audit.acts(db, only=audit.runs_of_record(db, record))] == [runs[3].id]
    assert audit.acts(db, only=()) == ()


def test_all_changes_of_a_run_are_read_page_by_page(db: Database, runs: list[Run]) -> None:
    seen: list[str] = []
    while page := audit.changes(db, runs[5].id, after=seen[-1] if seen else "", limit=4):
        seen += [revision.id for revision in page]
    assert len(seen) == len(set(seen)) == 6


def test_everybody_who_acted_is_named_once(db: Database, runs: list[Run]) -> None:
    assert audit.actors(db) == ("heron", "mara")


def test_who_acted_is_known_of_early_and_of_late_runs(db: Database, runs: list[Run]) -> None:
    assert audit.actors(db) == tuple(sorted({PERSON.name, AGENT.name}))
    # One that began an hour before the last, and was written after it.
    for name, at in (("wren", NOON + timedelta(hours=4)), ("egret", NOON + timedelta(days=3))):
        run = new_run("edit", Actor(ActorKind.PERSON, name), now=at)
        commit(db, run, Batch(created=[a_memory(f"Of {name}.")]), now=at)
    assert audit.actors(db) == tuple(sorted({PERSON.name, AGENT.name, "wren", "egret"}))


def test_runs_that_were_looked_through_are_not_gone_through_again(
    db: Database, runs: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    audit.actors(db)
    since: list[datetime] = []
    sent = Database.query

    def query(self: Database, statements: str, **bound: Any) -> Any:
        since.append(bound["since"])
        return sent(self, statements, **bound)

    monkeypatch.setattr(Database, "query", query)
    audit.actors(db)
    assert since[0] > runs[0].started_at
