"""Revisions and runs: what was done, by whom, and when; and the values of a revision as fields of a record again.

Up to when all that was learned is marked as seen is kept in the runs that marked it, so that the audit tells who.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

from memoryapp.domain.change import Revision, Run
from memoryapp.domain.clock import read_instant
from memoryapp.domain.conflict import ConflictStatus, Outcome
from memoryapp.domain.entity import EntityState, type_named
from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import Category, Kind, MemoryType, Mood, Origin, State
from memoryapp.domain.relation import MadeBy, Relation, RelationState
from memoryapp.store import rows
from memoryapp.store.conflicts import CHANGEABLE
from memoryapp.store.database import Database

_AT_ONCE = 500  # records of one question


def of_record(db: Database, key: str) -> tuple[Revision, ...]:
    """Every revision of one record, the oldest first."""
    found = db.query("SELECT * FROM revision WHERE record_id = $key TIMEOUT 10s", key=key)[0]
    return tuple(sorted(map(rows.revision_from, found), key=lambda r: (r.version, r.at, r.id)))


def of_memories_since(db: Database, keys: Sequence[str], at: datetime) -> dict[str, list[Revision]]:
    """The revisions of these memories after an instant, by memory, the oldest first."""
    found: dict[str, list[Revision]] = {}
    for start in range(0, len(keys), _AT_ONCE):
        some = db.query(
            """SELECT * FROM revision WITH INDEX revision_record
            WHERE record_id IN $keys AND record = 'memory' AND at > $at TIMEOUT 30s""",
            keys=list(keys[start : start + _AT_ONCE]),
            at=at,
        )[0]
        for revision in map(rows.revision_from, some):
            found.setdefault(revision.record_id, []).append(revision)
    return {key: sorted(some, key=lambda r: (r.version, r.at, r.id)) for key, some in found.items()}


def makers(db: Database, keys: Sequence[str]) -> dict[str, str]:
    """Return who wrote each of these memories first, by memory."""
    found: dict[str, str] = {}
    for start in range(0, len(keys), _AT_ONCE):
        some = db.query(
            """SELECT record_id, actor_name FROM revision WITH INDEX revision_record
            WHERE record_id IN $keys AND record = 'memory' AND act = 'create' TIMEOUT 30s""",
            keys=list(keys[start : start + _AT_ONCE]),
        )[0]
        found |= {row["record_id"]: row["actor_name"] for row in some}
    return found


def get(db: Database, key: str) -> Revision:
    """Raises NotFound."""
    found = db.query("SELECT * FROM $key TIMEOUT 5s", key=rows.record("revision", key))[0]
    if not found:
        raise NotFound(f"There is no revision {rows.short_id(key)} in space “{db.name}”.")
    return rows.revision_from(found[0])


def words_before(db: Database, keys: Sequence[str]) -> dict[str, list[tuple[int, str]]]:
    """Of these memories the changes of their words: (version it produced, what was said before), the oldest first."""
    if not keys:
        return {}
    found = db.query(
        """SELECT record_id, version, before.text AS text FROM revision WITH INDEX revision_record
        WHERE record_id IN $keys AND before.text != NONE TIMEOUT 10s""",
        keys=list(keys),
    )[0]
    said: dict[str, list[tuple[int, str]]] = {}
    for row in sorted(found, key=lambda row: row["version"]):
        said.setdefault(row["record_id"], []).append((row["version"], row["text"]))
    return said


def of_run(db: Database, run: str) -> tuple[Revision, ...]:
    """What one run did, the last first: the order in which it is undone."""
    found = db.query("SELECT * FROM revision WHERE run = $run TIMEOUT 60s", run=run)[0]
    return tuple(sorted(map(rows.revision_from, found), key=lambda r: (r.at, r.version, r.id), reverse=True))


def has_changes(db: Database, run: str) -> bool:
    """Whether the run changed anything, so that there is something to take back."""
    return bool(db.query("SELECT VALUE id FROM revision WHERE run = $run LIMIT 1 TIMEOUT 5s", run=run)[0])


def of_act(db: Database, run: str, *, records: Sequence[str]) -> tuple[Revision, ...]:
    """What one run did to these records, the last first."""
    found = db.query(
        "SELECT * FROM revision WITH INDEX revision_record WHERE record_id IN $records AND run = $run TIMEOUT 10s",
        records=list(records),
        run=run,
    )[0]
    return tuple(sorted(map(rows.revision_from, found), key=lambda r: (r.at, r.version, r.id), reverse=True))


def decisions_at(db: Database, run: str, at: datetime) -> tuple[str, ...]:
    """Ids of the conflicts that a run acted on at one moment."""
    found = db.query(
        "SELECT VALUE record_id FROM revision WHERE run = $run AND record = 'conflict' AND at = $moment TIMEOUT 10s",
        run=run,
        moment=at,
    )[0]
    return tuple(dict.fromkeys(found))


# An agent is named by its key, "planner", or by its key and what it says of itself, "planner/scout".
BY_KEY = " AND actor_kind = 'agent' AND (actor_name = $by_key OR string::starts_with(actor_name, $by_key + '/'))"
SAID = " AND actor_kind = 'agent' AND (actor_name = $said OR string::ends_with(actor_name, '/' + $said))"


def page(
    db: Database,
    *,
    before: tuple[datetime, str] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    act: str | None = None,
    actor: str | None = None,
    by_key: str | None = None,
    said: str | None = None,
    kinds: Sequence[str] | None = None,
    key: str | None = None,
    run: str | None = None,
    limit: int = 50,
) -> tuple[Revision, ...]:
    """The audit, newest first, below `before` = (at, id) of the last one shown. `kinds`, `key`: of which records.
    `by_key`, `said`: of agents alone, see BY_KEY and SAID."""
    narrow = "".join(
        clause
        for clause, wanted in (
            (" AND at >= $since", since),
            (" AND at < $ended", until),
            (" AND act = $act", act),
            (" AND actor_name = $actor", actor),
            (BY_KEY, by_key),
            (SAID, said),
            (" AND record IN $kinds", kinds),
            (" AND record_id = $of", key),
            (" AND run = $run", run),
            (" AND (at < $at OR (at = $at AND record::id(id) < $key))", before),
        )
        if wanted is not None
    )
    found = db.query(
        # <= lets the index on `at` walk the newest first instead of sorting the whole table.
        f"SELECT * FROM revision WHERE at <= $top{narrow} ORDER BY at DESC, id DESC LIMIT $limit TIMEOUT 10s",
        top=before[0] if before else datetime(9000, 1, 1, tzinfo=UTC),
        since=since,
        ended=until,
        act=act,
        actor=actor,
        by_key=by_key,
        said=said,
        kinds=list(kinds or ()),
        of=key,
        run=run,
        at=before[0] if before else None,
        key=before[1] if before else "",
        limit=limit,
    )[0]
    return tuple(rows.revision_from(row) for row in found)


def get_run(db: Database, key: str) -> Run:
    """Raises NotFound."""
    found = db.query("SELECT * FROM $key TIMEOUT 5s", key=rows.record("run", key))[0]
    if not found:
        raise NotFound(f"There is no run {rows.short_id(key)} in space “{db.name}”.")
    return rows.run_from(found[0])


def finish_run(db: Database, run: Run, *, at: datetime, detail: dict[str, Any] | None = None) -> Run:
    """Marks a long run as ended, with what it has to tell."""
    ended = replace(run, ended_at=at, detail={**(run.detail or {}), **(detail or {})} or None)
    db.query("UPSERT $row.id CONTENT $row RETURN NONE", row=rows.run_row(ended))
    return ended


SEE = "see"  # the act of such a run; its detail says up to when (`until`), and what held before (`before`)


def last_seen_run(db: Database) -> Run | None:
    """Return the run that marked last, None where nothing was ever marked."""
    found = db.query("SELECT * FROM run WHERE act = $act ORDER BY started_at DESC, id DESC LIMIT 1 TIMEOUT 5s", act=SEE)
    return rows.run_from(found[0][0]) if found[0] else None


def seen_until(db: Database) -> datetime | None:
    """Return the instant up to which all counts as seen, None where nothing was marked or the mark was taken back."""
    run = last_seen_run(db)
    marked = (run.detail or {}).get("until") if run else None
    return read_instant(marked) if marked else None


def mark_seen(db: Database, run: Run) -> None:
    """Write a run of the act SEE: it changes no record, so no batch carries it."""
    db.query("INSERT IGNORE INTO run $run RETURN NONE", run=rows.run_row(run))


_KINDS: dict[str, Any] = {
    "kind": Kind,
    "state": State,
    "category": Category,
    "memory_type": MemoryType,
    "mood": Mood,
}
_TUPLES = {"tags", "breadcrumb", "sessions", "slots"}
_NOT_FIELDS = {"references", "superseded_by", "id", "version", "updated_at", "created_at"}


def memory_fields(values: dict[str, Any]) -> dict[str, Any]:
    """Keyword arguments for `replace(memory, …)`; what is no field of a memory is left out."""
    return {name: _typed_value(name, value) for name, value in values.items() if name not in _NOT_FIELDS}


def _as_it_is(value: Any) -> Any:
    return value


_ENTITY: dict[str, Any] = {
    "state": EntityState,
    "type": type_named,
    "aliases": tuple,
    "name": str,
    "normal": str,
    "merged_into": _as_it_is,
}


def entity_fields(values: dict[str, Any]) -> dict[str, Any]:
    """The same for an entity: what a person may change of it."""
    return {name: _ENTITY[name](value) for name, value in values.items() if name in _ENTITY}


_RELATION: dict[str, Any] = {"made_by": MadeBy, "state": RelationState}
_RELATION_FIELDS = {f.name for f in fields(Relation)} - {"version"}


def relation_fields(values: dict[str, Any]) -> dict[str, Any]:
    """The same for a relation; all of its fields but its version, where it is told whole."""
    return {name: _RELATION.get(name, _moment)(value) for name, value in values.items() if name in _RELATION_FIELDS}


_CONFLICT: dict[str, Any] = {"status": ConflictStatus, "outcome": Outcome, "proposals": tuple}


def conflict_fields(values: dict[str, Any]) -> dict[str, Any]:
    """The same for a conflict: what an act on it may change."""
    return {name: _CONFLICT.get(name, _as_it_is)(value) for name, value in values.items() if name in CHANGEABLE}


def _typed_value(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in _KINDS:
        return _KINDS[name](value)
    if name in _TUPLES:
        return tuple(value)
    if name == "origin":
        return Origin(**value)
    if name == "detail":
        return dict(value)
    return _moment(value)


def _moment(value: Any) -> Any:
    """Every value but a moment as it is."""
    if isinstance(value, datetime):
        at = datetime(value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond)
        return at.replace(tzinfo=value.tzinfo).astimezone(UTC)
    return value


def stepped_back(now: dict[str, Any], revision: Revision) -> dict[str, Any]:
    """The fields as they were before this revision."""
    return {**now, **{name: value for name, value in revision.before.items() if name in now}}
