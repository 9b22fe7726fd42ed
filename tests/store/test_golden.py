from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memoryapp.domain.errors import NotFound, Stale
from memoryapp.domain.filters import Filters
from memoryapp.domain.golden import Golden, GoldenRun, Outcome, Profile
from memoryapp.domain.memory import Kind, State
from memoryapp.store import golden, profiles, purge
from memoryapp.store.backup import backup, restore
from memoryapp.store.database import Database, open_database
from memoryapp.store.migrate import migrate
from memoryapp.store.write import new_run
from tests.migrated import MIGRATED
from tests.samples import AGENT, NOON, a_memory, written

FILTERS = Filters(kinds=(Kind.NOTE,), tags=("a b",), min_trust=0.25, since=NOON, as_of=NOON + timedelta(microseconds=7))
WADES = Golden("a" * 16, "누가 서 있나", ("m1", "m2"), "note", "mara", NOON, NOON, FILTERS)
RUN = GoldenRun(
    id="b" * 16,
    at=NOON,
    by="mara",
    plan="hybrid;k=3",
    k=10,
    measures={"recall": 0.5, "mrr": 1.0, "ndcg": 0.25, "precision": 0.0},
    outcomes=(Outcome(WADES.id, WADES.query, {"m1": 3, "m2": None}, {"recall": 0.5, "mrr": 1 / 3}),),
    conditions={"encoder": "m", "numbers": {"seeds": 8, "date_weight": 0.6}, "notes": {"So. “it” is": 1}},
    took_ms=12.5,
)


@pytest.fixture
def other() -> Iterator[Database]:
    database = open_database(MIGRATED, "other")
    migrate(database)
    yield database
    database.close()


def test_a_golden_query_is_read_as_it_was_written(db: Database) -> None:
    later = replace(WADES, id="0" * 16, created_at=NOON + timedelta(microseconds=1), filters=Filters())
    golden.save(db, [later, WADES])
    assert golden.every(db) == (WADES, later) and golden.count(db) == 2
    assert golden.get(db, WADES.id) == WADES
    assert set(golden.asking(db, WADES.query)) == {WADES, later} and golden.asking(db, "nobody") == ()
    assert golden.find(db, WADES.id) == WADES and golden.find(db, "c" * 16) is None
    with pytest.raises(NotFound):
        golden.get(db, "c" * 16)


def test_several_are_saved_all_or_none(db: Database) -> None:
    golden.save(db, [])
    golden.save(db, [WADES])
    with pytest.raises(Stale) as stale:
        golden.save(db, [replace(WADES, id="c" * 16), replace(WADES, note="again")])
    assert stale.value.current == 1 and golden.every(db) == (WADES,)
    golden.save(db, [replace(WADES, note="again", version=2)])
    assert golden.get(db, WADES.id).note == "again"


def test_what_is_deleted_is_handed_back(db: Database) -> None:
    golden.save(db, [WADES])
    with pytest.raises(Stale):
        golden.delete(db, WADES.id, version=2)
    assert golden.delete(db, WADES.id) == WADES and golden.every(db) == ()
    with pytest.raises(NotFound):
        golden.delete(db, WADES.id)


def test_runs_are_listed_the_newest_first_without_what_they_found(db: Database) -> None:
    days = [replace(RUN, id=f"{n}" * 16, at=NOON + timedelta(days=n), k=5 if n == 2 else 10) for n in range(4)]
    other = replace(RUN, id="f" * 16, plan="rrf", at=NOON + timedelta(hours=1))
    for one in (*days, other):
        golden.keep_run(db, one)
    assert golden.run(db, RUN.id.replace("b", "1")) == days[1]
    assert golden.runs(db, plan="rrf") == (replace(other, outcomes=()),)
    assert [one.id[0] for one in golden.runs(db)] == ["3", "2", "1", "f", "0"]
    assert [one.id[0] for one in golden.runs(db, before=days[2].at, limit=2)] == ["1", "f"]
    assert golden.last_runs(db) == (days[3].id, other.id)
    assert golden.run_before(db, days[3]) == days[1]  # the one between looked at other places
    assert golden.run_before(db, days[0]) is None
    with pytest.raises(NotFound):
        golden.run(db, "e" * 16)


def test_memories_are_looked_up_by_what_they_are_called_and_how_they_stand(db: Database) -> None:
    named, nameless = written(db, a_memory(ref="mine"), a_memory("gone", state=State.DELETED))
    keys = [named.id, nameless.id, "nobody"]
    assert golden.refs(db, keys) == {named.id: "mine"} and golden.refs(db, []) == {}
    assert golden.states(db, keys) == {named.id: State.HELD, nameless.id: State.DELETED}
    assert golden.states(db, []) == {}


def test_a_backup_carries_profiles_golden_queries_and_runs(db: Database, other: Database, tmp_path: Path) -> None:
    profile = Profile("careful", "hybrid;vector=1.4", "note", "mara", NOON, NOON, version=3)
    profiles.save(db, replace(profile, version=1))
    for version in (2, 3):
        profiles.save(db, replace(profile, version=version))
    golden.save(db, [WADES])
    golden.keep_run(db, RUN)
    counts = backup(db, tmp_path / "one.gz")
    assert (counts["profile"], counts["golden"], counts["golden_run"]) == (1, 1, 1)
    restore(other, tmp_path / "one.gz")
    assert profiles.every(other) == (profile,)
    assert golden.every(other) == (WADES,) and golden.run(other, RUN.id) == RUN


def test_a_purge_takes_ids_out_of_what_is_relevant(db: Database) -> None:
    gone, stays = written(db, a_memory("To be purged"), a_memory("To stay"))
    golden.save(db, [replace(WADES, relevant=(gone.id, stays.id)), replace(WADES, id="c" * 16, relevant=(stays.id,))])
    purge.purge(db, gone, run=new_run("purge", AGENT, now=NOON))
    touched, untouched = golden.get(db, WADES.id), golden.get(db, "c" * 16)
    assert (touched.relevant, touched.version) == ((stays.id,), 2)
    assert (untouched.relevant, untouched.version) == ((stays.id,), 1)
