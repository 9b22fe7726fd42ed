"""The small readers: usage, sessions, sources, revisions, statistics, lists of one state."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.entity import EntityState
from memoryapp.domain.errors import Clash, NotFound
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import State, Usage
from memoryapp.store import documents, entities, memories, revisions, sessions, stats, usage
from memoryapp.store.database import Database
from memoryapp.store.purge import purge
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, PERSON, a_memory, runs_of, written
from tests.store.test_write import an_entity


def test_accesses_and_votes_are_counted_apart_from_the_memory(db: Database) -> None:
    one, two = written(db, a_memory(), a_memory("Two"))
    usage.record_accesses(db, dict.fromkeys([one.id, two.id], 1), now=NOON)
    usage.record_accesses(db, dict.fromkeys([one.id], 1), now=NOON + timedelta(hours=1))
    usage.record_feedback(db, used=[one.id], not_useful=[two.id], now=NOON + timedelta(hours=2))
    assert usage.get_many(db, [one.id, two.id, new_id()]) == {
        one.id: Usage(one.id, 3, NOON + timedelta(hours=2), 1, 0),  # what was used was accessed
        two.id: Usage(two.id, 1, NOON, 0, 1),
    }
    assert memories.get(db, one.id) == one


def test_what_was_purged_meanwhile_is_not_counted(db: Database) -> None:
    gone = a_memory()
    usage.record_accesses(db, dict.fromkeys([gone.id], 1), now=NOON)
    usage.record_feedback(db, used=[gone.id], not_useful=[], now=NOON)
    assert usage.get_many(db, [gone.id]) == {}
    assert db.query("SELECT * FROM feedback")[0] == []


def test_eight_agents_that_are_given_the_same_memory_are_all_counted(kept: Database) -> None:
    (memory,) = written(kept, a_memory())
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: usage.record_accesses(kept, dict.fromkeys([memory.id], 1), now=NOON), range(80)))
    assert usage.get_many(kept, [memory.id])[memory.id].accesses == 80


def test_lists_of_one_state_go_on_below_the_last_one_shown(db: Database) -> None:
    written(
        db, *(a_memory(f"M {n}", state=State.ARCHIVED, updated_at=NOON + timedelta(seconds=n // 3)) for n in range(20))
    )
    written(db, a_memory("Held"))
    seen: list[str] = []
    before = None
    while page := memories.in_state(db, State.ARCHIVED, before=before, limit=6):
        seen += [memory.id for memory in page]
        before = (page[-1].updated_at, page[-1].id)
    assert len(seen) == len(set(seen)) == 20


def test_opening_a_session_twice_is_opening_it_once_and_its_first_end_stays(db: Database) -> None:
    opened = sessions.open_session(db, sessions.Session("morning “⟨1⟩” 🙂", NOON, "heron", {"$x": 1}))
    assert sessions.open_session(db, sessions.Session(opened.name, NOON + timedelta(1), "other")) == opened
    assert sessions.by_id(db, opened.id) == opened
    ended = sessions.end(db, opened.name, at=NOON + timedelta(hours=1))
    assert sessions.end(db, opened.name, at=NOON + timedelta(hours=5)) == ended
    with pytest.raises(NotFound):
        sessions.end(db, "never", at=NOON)


def test_a_source_is_remembered_with_its_last_report_until_it_is_forgotten(db: Database) -> None:
    source = documents.put_source(db, Source(new_id(), SourceKind.FOLDER, "/notes", "notes", NOON, every_minutes=5))
    read = documents.read_again(db, source, at=NOON, report={"files": 3, "failed": [{"path": "x"}]}, files=3)
    assert documents.sources(db) == (read,)
    assert documents.source(db, source.id) == read
    with pytest.raises(Clash):
        documents.put_source(db, replace(source, id=new_id()))
    documents.forget_source(db, source.id)
    assert documents.sources(db) == ()


def test_the_audit_is_paged_and_narrowed(db: Database) -> None:
    for n in range(7):
        at = NOON + timedelta(seconds=n)
        who = PERSON if n % 2 else AGENT
        commit(db, new_run("remember", who, now=at), Batch(created=[a_memory(f"M {n}")]), now=at)
    first = revisions.page(db, limit=4)
    rest = revisions.page(db, limit=9, before=(first[-1].at, first[-1].id))
    assert [r.at for r in first + rest] == [NOON + timedelta(seconds=n) for n in range(6, -1, -1)]
    assert {r.actor for r in revisions.page(db, actor=PERSON.name)} == {PERSON}
    assert len(revisions.page(db, since=NOON + timedelta(seconds=5))) == 2
    assert revisions.page(db, act="edit") == ()
    (run, *_) = runs_of(db)
    ended = revisions.finish_run(db, run, at=NOON + timedelta(days=1), detail={"files": 1})
    assert revisions.get_run(db, run.id) == ended


def test_growth_has_every_day_with_what_was_made_and_changed(db: Database) -> None:
    (memory,) = written(db, a_memory())
    later = NOON + timedelta(days=2)
    commit(db, new_run("edit", AGENT, now=later), Batch(updated=[(memory, replace(memory, text="x"))]), now=later)
    grown = stats.growth(db, now=later, days=5)
    assert [(day.created, day.changed) for day in grown] == [(0, 0), (0, 0), (1, 0), (0, 0), (0, 1)]
    assert stats.counts(db) | {"memory": 1, "revision": 2, "run": 2} == stats.counts(db)


def test_growth_goes_through_days_that_are_over_once_and_again_after_a_purge(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = written(db, a_memory("One."), a_memory("Two."))
    later = NOON + timedelta(days=2)

    def grown(days: int = 0) -> list[tuple[int, int]]:
        return [(day.created, day.changed) for day in stats.growth(db, now=later + timedelta(days=days), days=4)]

    assert grown() == [(0, 0), (2, 0), (0, 0), (0, 0)]
    begun: list[datetime] = []
    by_day = stats._by_day
    monkeypatch.setattr(stats, "_by_day", lambda db, since: (begun.append(since), by_day(db, since))[1])
    change = Batch(updated=[(first, replace(first, text="x"))])
    commit(db, new_run("edit", AGENT, now=later), change, now=later)
    assert grown() == [(0, 0), (2, 0), (0, 0), (0, 1)]
    assert grown(days=1) == [(2, 0), (0, 0), (0, 1), (0, 0)]
    assert grown(days=1) == [(2, 0), (0, 0), (0, 1), (0, 0)]
    midnight = later.replace(hour=0)
    assert begun == [midnight, midnight, midnight + timedelta(days=1)]
    purge(db, second, run=new_run("purge", AGENT, now=later))
    assert grown(days=1) == [(1, 0), (0, 0), (0, 1), (0, 0)]


def test_entities_are_found_by_state_and_by_their_normal_form(db: Database) -> None:
    names = [an_entity(f"Name {n}", state=EntityState.KNOWN if n % 2 else EntityState.PROPOSED) for n in range(6)]
    written(db, entities=[(None, entity) for entity in names])
    assert {e.name for e in entities.known_entities(db)[1]} == {"Name 1", "Name 3", "Name 5"}
    assert {e.name for e in entities.proposed_entities(db)} == {"Name 0", "Name 2", "Name 4"}
    assert entities.by_normals(db, ["name 1", "nothing"]) == {"name 1": names[1]}
