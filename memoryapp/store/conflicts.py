"""Conflicts: pairs that cannot both hold, waiting to be decided; and what a write does to them.

Acts on a conflict are left as revisions. It waits only while both its sides are held: a side that is archived, deleted
or superseded withdraws it, and brings it back when it is held again. That holds for every writer, so it is seen to
here, where all of them pass.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any

from memoryapp.domain.change import Revision, Run
from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Memory, State
from memoryapp.store import rows
from memoryapp.store.cache import cached
from memoryapp.store.database import Database

_EVER = datetime(1970, 1, 1, tzinfo=UTC)
# One statement a side, with its index named: left to itself the engine walks everything that waits (20 ms of 2,000).
WAITING_FOR = """
SELECT record::id(id) AS key, existing FROM conflict WITH INDEX conflict_existing
    WHERE existing IN $memories AND status = 'waiting' TIMEOUT 5s;
SELECT record::id(id) AS key, incoming FROM conflict WITH INDEX conflict_incoming
    WHERE incoming IN $memories AND status = 'waiting' TIMEOUT 5s
"""


_CONFLICT = rows.Table("conflict", Conflict)
conflict_row, conflict_from = _CONFLICT.row, _CONFLICT.read


def page(
    db: Database, *, status: ConflictStatus | None = None, after: str | None = None, limit: int = 50
) -> tuple[Conflict, ...]:
    """Conflicts in order of id, after `after`."""
    found = db.query(
        """SELECT * FROM conflict WHERE ($status = NONE OR status = $status)
        AND ($after = NONE OR record::id(id) > $after) ORDER BY id LIMIT $limit TIMEOUT 5s""",
        status=status.value if status else None,
        after=after,
        limit=limit,
    )[0]
    return tuple(conflict_from(row) for row in found)


def get(db: Database, key: str) -> Conflict | None:
    found = db.query("SELECT * FROM $key TIMEOUT 5s", key=rows.record("conflict", key))[0]
    return conflict_from(found[0]) if found else None


def get_many(db: Database, keys: Sequence[str]) -> dict[str, Conflict]:
    if not keys:
        return {}
    found = db.query("SELECT * FROM $keys TIMEOUT 5s", keys=[rows.record("conflict", key) for key in keys])[0]
    return {rows.key_of(row["id"]): conflict_from(row) for row in found}


def waiting_for(db: Database, memories: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Ids of the waiting conflicts of each of these memories, on either side."""
    if not memories:
        return {}
    return sides_of(db.query(WAITING_FOR, memories=list(memories)))


def sides_of(found: Sequence[Sequence[rows.Row]]) -> dict[str, tuple[str, ...]]:
    """Ids of conflicts by side, of the two answers to WAITING_FOR."""
    sides: dict[str, list[str]] = {}
    for name, answer in zip(("existing", "incoming"), found, strict=True):
        for row in answer:
            known = sides.setdefault(row[name], [])
            if row["key"] not in known:
                known.append(row["key"])
    return {side: tuple(sorted(keys)) for side, keys in sides.items()}


def disputed_ids(db: Database) -> set[str]:
    """Ids of all memories that stand in a waiting conflict."""
    found = lines(db, ConflictStatus.WAITING)
    return {side for one in found for side in (one.existing, one.incoming) if side}


def count_waiting(db: Database) -> int:
    found = db.query("SELECT count() AS n FROM conflict WHERE status = 'waiting' GROUP ALL TIMEOUT 5s")[0]
    return int(found[0]["n"]) if found else 0


def about(db: Database, memories: Sequence[str]) -> tuple[Conflict, ...]:
    """Every conflict whose existing side is one of these memories, decided ones too."""
    if not memories:
        return ()
    found = db.query("SELECT * FROM conflict WHERE existing IN $memories TIMEOUT 10s", memories=list(memories))[0]
    return tuple(conflict_from(row) for row in found)


def with_any(db: Database, memories: Sequence[str]) -> tuple[Conflict, ...]:
    """Every conflict with one of these memories on either side, decided ones too."""
    if not memories:
        return ()
    found = db.query(
        """SELECT * FROM conflict WITH INDEX conflict_existing WHERE existing IN $memories TIMEOUT 10s;
        SELECT * FROM conflict WITH INDEX conflict_incoming WHERE incoming IN $memories TIMEOUT 10s""",
        memories=list(memories),
    )
    return tuple({one.id: one for rows_ in found for one in map(conflict_from, rows_)}.values())


def touching(db: Database, memories: Sequence[str]) -> tuple[Conflict, ...]:
    """Waiting and withdrawn conflicts with one of these memories on either side."""
    if not memories:
        return ()
    found = db.query(
        """SELECT * FROM conflict WITH INDEX conflict_existing
            WHERE existing IN $memories AND status IN ['waiting', 'withdrawn'] TIMEOUT 10s;
        SELECT * FROM conflict WITH INDEX conflict_incoming
            WHERE incoming IN $memories AND status IN ['waiting', 'withdrawn'] TIMEOUT 10s""",
        memories=list(memories),
    )
    return tuple({one.id: one for rows_ in found for one in map(conflict_from, rows_)}.values())


def states_of(db: Database, memories: Collection[str]) -> dict[str, str]:
    """States of the sides of conflicts, by id; a purged one is absent."""
    if not memories:
        return {}
    found = db.query(
        "SELECT record::id(id) AS key, state FROM $keys TIMEOUT 10s",
        keys=[rows.record("memory", key) for key in memories],
    )[0]
    return {row["key"]: row["state"] for row in found}


def sure(db: Database, *, now: datetime, limit: int) -> tuple[str, ...]:
    """Ids of the conflicts that wait and of whose proposal a rule is certain; those put off are left out."""
    found = db.query(
        """SELECT VALUE record::id(id) FROM conflict WHERE status = 'waiting' AND certain = true
        AND (snoozed_until = NONE OR snoozed_until <= $now) LIMIT $limit TIMEOUT 10s""",
        now=now,
        limit=limit,
    )[0]
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Line:
    """A conflict as the queue sorts it. `at`: when it was decided, or raised while it waits."""

    id: str
    existing: str
    incoming: str | None
    detector: str
    confidence: float
    at: datetime
    snoozed_until: datetime | None


def lines(db: Database, status: ConflictStatus) -> tuple[Line, ...]:
    """Every conflict of one status without its words, unsorted."""
    return cached(db, f"conflicts, {status.value}", lambda: _lines(db, status))


def _lines(db: Database, status: ConflictStatus) -> tuple[Line, ...]:
    found = db.query(
        """SELECT VALUE [record::id(id), existing, incoming ?? '', detector, confidence, decided_at ?? created_at,
        snoozed_until ?? 0] FROM conflict WHERE status = $status TIMEOUT 10s""",
        status=status.value,
    )[0]
    return tuple(
        Line(
            key,
            existing,
            incoming or None,
            detector,
            float(confidence),
            rows.instant(at),
            rows.instant(until) if until else None,
        )
        for key, existing, incoming, detector, confidence, at, until in found
    )


def tally(db: Database, *, now: datetime) -> dict[str, int]:
    """How many there are by status, and of the waiting ones how many are put off: under “snoozed”."""
    counts, until = cached(db, "tally of conflicts", lambda: _tally(db))
    return counts | {"snoozed": sum(moment > now for moment in until)}


def _tally(db: Database) -> tuple[dict[str, int], list[datetime]]:
    """How many by status, and until when the waiting ones that were ever put off are so."""
    # Asked by each page. The engine counts the entries of an index without reading the rows, a status at a time.
    statuses = list(ConflictStatus)
    asked = [f"SELECT count() AS n FROM conflict WHERE status = '{one}' GROUP ALL TIMEOUT 10s" for one in statuses]
    asked += [
        """SELECT VALUE snoozed_until FROM conflict WITH INDEX conflict_snoozed
        WHERE snoozed_until > $ever AND status = 'waiting' TIMEOUT 10s"""
    ]
    *counted, until = db.query("; ".join(asked), ever=_EVER)
    counts = {status.value: int(found[0]["n"]) for status, found in zip(statuses, counted, strict=True) if found}
    return counts, [rows.instant(moment) for moment in until]


_EARLIER = """SELECT VALUE [record::id(id), attribute ?? '', decision.outcome, decision.subjects ?? [],
    decided_at ?? created_at] FROM conflict WITH INDEX {index} WHERE {about} AND status = 'decided' TIMEOUT 10s"""
_EARLIER_OF = {
    "attributes": _EARLIER.format(index="conflict_attribute", about="attribute IN $attributes"),
    "subjects": _EARLIER.format(index="conflict_subjects", about="decision.subjects CONTAINSANY $subjects"),
}


@dataclass(frozen=True, slots=True)
class Earlier:
    """A decision that was made: of what attribute, about whom, how, when."""

    id: str
    attribute: str | None
    subjects: frozenset[str]
    outcome: Outcome
    at: datetime


def earlier(db: Database, *, attributes: Collection[str], subjects: Collection[str]) -> list[Earlier]:
    """Decisions by people and curators that concern one of these attributes or subjects, the newest first."""
    # An empty list is not asked about: for one the engine goes through the whole table.
    asked = [_EARLIER_OF[name] for name, wanted in (("attributes", attributes), ("subjects", subjects)) if wanted]
    if not asked:
        return []
    found = db.query(";".join(asked), attributes=list(attributes), subjects=list(subjects))
    known = {row[0]: row for answer in found for row in answer if row[2]}
    made = [
        Earlier(key, attribute or None, frozenset(about), Outcome(outcome), rows.instant(at))
        for key, attribute, outcome, about, at in known.values()
    ]
    return sorted(made, key=lambda one: (one.at, one.id), reverse=True)


# What an act on a conflict may change, and an undo brings back.
CHANGEABLE = ("status", "decision", "decided_at", "snoozed_until", "proposals", "reason", "outcome", "confidence",
          "detector", "attribute", "certain")  # fmt: skip
_WITHDRAWN_BY = "state"  # of a decision: a side went, and nobody judged


def finding_entry(conflict: Conflict, *, run: Run, now: datetime) -> rows.Row:
    """A finding for the block that writes it. One that comes decided or withdrawn tells so in a revision."""
    left = None
    if conflict.status is not ConflictStatus.WAITING:
        after = {"status": conflict.status.value, "decision": conflict.decision}
        before = {"status": ConflictStatus.WAITING.value, "decision": None}
        left = _revision(conflict, before, after, run.act, run, now)
    return {"row": conflict_row(conflict), "left": [left] if left else []}


def acted_entries(
    db: Database,
    judged: Sequence[tuple[Conflict, Conflict]],
    updated: Sequence[tuple[Memory, Memory]],
    *,
    run: Run,
    now: datetime,
) -> list[rows.Row]:
    """(before, after) of conflicts for the block that writes them: those that were acted on, then those that follow
    from where memories go. Only the first must still stand as they were."""
    following = _following_changes(db, updated, known={before.id for before, _ in judged}, run=run, now=now)
    return [_entry(before, after, run.act, run, now) for before, after in judged] + [
        _entry(before, after, act, run, now) | {"follows": True} for act, before, after in following
    ]


def follows_from_state(decision: dict[str, Any] | None) -> bool:
    """Whether a conflict was withdrawn only because a side went."""
    return decision is not None and decision.get("cause") == _WITHDRAWN_BY


def _following_changes(
    db: Database, updated: Sequence[tuple[Memory, Memory]], *, known: set[str], run: Run, now: datetime
) -> list[tuple[str, Conflict, Conflict]]:
    moved = {new.id: new for old, new in updated if (old.state is State.HELD) != (new.state is State.HELD)}
    if not moved:
        return []
    about = [one for one in touching(db, list(moved)) if one.id not in known]
    sides = states_of(db, {side for one in about for side in (one.existing, one.incoming) if side} - set(moved))
    sides |= {key: memory.state.value for key, memory in moved.items()}
    found = []
    for one in about:
        gone = [side for side in (one.existing, one.incoming) if side and sides.get(side) != State.HELD.value]
        if one.status is ConflictStatus.WAITING and gone:
            decision = {
                "cause": _WITHDRAWN_BY, "by": run.actor.name, "by_kind": run.actor.kind.value, "at": now.isoformat(),
                "run": run.id, "reason": f"Memory {gone[0]} is {sides.get(gone[0], 'purged')}.",
            }  # fmt: skip
            found.append(("withdraw", one, _next_version(one, status=ConflictStatus.WITHDRAWN, decision=decision)))
        elif one.status is ConflictStatus.WITHDRAWN and not gone and follows_from_state(one.decision):
            found.append(("reopen", one, _next_version(one, status=ConflictStatus.WAITING, decision=None)))
    return found


def _next_version(conflict: Conflict, **changed: Any) -> Conflict:
    return replace(conflict, version=conflict.version + 1, **changed)


def _entry(before: Conflict, after: Conflict, act: str, run: Run, now: datetime) -> rows.Row:
    was = {name: _plain_field(before, name) for name in CHANGEABLE if getattr(before, name) != getattr(after, name)}
    is_now = {name: _plain_field(after, name) for name in was}
    return {
        "row": conflict_row(after),
        "expected": before.version,
        "left": [_revision(after, was, is_now, act, run, now)],
        "follows": False,
    }


def _plain_field(conflict: Conflict, name: str) -> Any:
    value = getattr(conflict, name)
    if name in ("status", "outcome"):
        return value.value
    return list(value) if isinstance(value, tuple) else value


def _revision(
    conflict: Conflict, before: dict[str, Any], after: dict[str, Any], act: str, run: Run, now: datetime
) -> rows.Row:
    left = Revision(
        new_id(), "conflict", conflict.id, conflict.version, act, before, after, run.actor, now, run.id, run.reason
    )
    return rows.revision_row(left)


assert {f.name for f in fields(Conflict)} >= set(CHANGEABLE)
