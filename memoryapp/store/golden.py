"""Golden queries of a space, and the runs over them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memoryapp.domain.errors import NotFound, Stale
from memoryapp.domain.filters import filters_read, filters_told
from memoryapp.domain.golden import Golden, GoldenRun, Outcome
from memoryapp.domain.memory import State
from memoryapp.store import optimistic_lock, rows
from memoryapp.store.database import Database

MOST = 5_000  # golden queries of a space
_LOOKED_AT = 2_000  # runs, the newest
CHANGED = "The golden query was changed since you read it. Load it again."


_GOLDEN = rows.Table("golden", Golden, codecs={"filters": (filters_told, filters_read)})


def every(db: Database) -> tuple[Golden, ...]:
    """The oldest first."""
    found = db.query("SELECT * FROM golden LIMIT $most TIMEOUT 20s", most=MOST)[0]
    return tuple(sorted(map(_GOLDEN.read, found), key=lambda one: (one.created_at, one.id)))


def find(db: Database, key: str) -> Golden | None:
    found = db.query("SELECT * FROM $key TIMEOUT 10s", key=rows.record("golden", key))[0]
    return _GOLDEN.read(found[0]) if found else None


def get(db: Database, key: str) -> Golden:
    """Raises NotFound."""
    found = find(db, key)
    if found is None:
        raise NotFound(f"There is no golden query “{rows.short_id(key)}” in this space.")
    return found


def save(db: Database, some: Sequence[Golden]) -> None:
    """All or none of them, each over the version before its own. Raises Stale where somebody else changed one."""
    if not some:
        return
    try:
        optimistic_lock.save(db, [_GOLDEN.row(one) for one in some])
    except Stale as error:
        raise Stale(CHANGED, current=error.current) from error


def delete(db: Database, key: str, *, version: int | None = None) -> Golden:
    """What was deleted; what earlier runs found of it stays with them. Raises NotFound, and Stale where `version` is
    given and not the present one."""
    try:
        found = optimistic_lock.delete(db, rows.record("golden", key), version=version)
    except Stale as error:
        raise Stale(CHANGED, current=error.current) from error
    if found is None:
        raise NotFound(f"There is no golden query “{rows.short_id(key)}” in this space.")
    return _GOLDEN.read(found)


def asking(db: Database, query: str) -> tuple[Golden, ...]:
    """Those that ask in these words, whatever their filters."""
    found = db.query("SELECT * FROM golden WHERE query = $query LIMIT 1000 TIMEOUT 10s", query=query)[0]
    return tuple(map(_GOLDEN.read, found))


def count(db: Database) -> int:
    found = db.query("SELECT count() AS n FROM golden GROUP ALL TIMEOUT 5s")[0]
    return int(found[0]["n"]) if found else 0


def refs(db: Database, memories: Sequence[str]) -> dict[str, str]:
    """The callers' own ids of those of these memories that have one."""
    if not memories:
        return {}
    found = db.query(
        "SELECT VALUE [record::id(id), ref] FROM $keys WHERE ref != NONE TIMEOUT 20s",
        keys=[rows.record("memory", key) for key in memories],
    )[0]
    return dict(found)


def states(db: Database, memories: Sequence[str]) -> dict[str, State]:
    """How those of these memories stand that are there, deleted ones among them: an index holds no such."""
    if not memories:
        return {}
    found = db.query(
        "SELECT VALUE [record::id(id), state] FROM $keys TIMEOUT 20s",
        keys=[rows.record("memory", key) for key in memories],
    )[0]
    return {key: State(state) for key, state in found}


def keep_run(db: Database, run: GoldenRun) -> None:
    db.query("CREATE $row.id CONTENT $row RETURN NONE", row=_run_row(run))


def runs(
    db: Database, *, plan: str | None = None, limit: int = 50, before: datetime | None = None
) -> tuple[GoldenRun, ...]:
    """The newest first, without their outcomes: of one plan, or of all."""
    where = " AND ".join([*(["plan = $plan"] if plan else []), *(["at < $before"] if before else [])])
    found = db.query(
        f"SELECT * OMIT outcomes FROM golden_run {'WHERE ' + where if where else ''} "
        "ORDER BY at DESC LIMIT $limit TIMEOUT 20s",
        plan=plan,
        before=before,
        limit=limit,
    )[0]
    return tuple(map(_run, found))


def last_runs(db: Database) -> tuple[str, ...]:
    """Of every plan the id of its last run, the one run last first."""
    found = db.query("SELECT id, plan, at FROM golden_run ORDER BY at DESC LIMIT $most TIMEOUT 20s", most=_LOOKED_AT)[0]
    last: dict[str, str] = {}
    for row in found:
        last.setdefault(row["plan"], rows.key_of(row["id"]))
    return tuple(last.values())


def run_before(db: Database, one: GoldenRun) -> GoldenRun | None:
    """The last run of the same plan, at the same k, that was begun before this one; with its outcomes."""
    found = db.query(
        "SELECT * FROM golden_run WHERE plan = $plan AND k = $k AND at < $at ORDER BY at DESC LIMIT 1 TIMEOUT 20s",
        plan=one.plan,
        k=one.k,
        at=one.at,
    )[0]
    return _run(found[0]) if found else None


def run(db: Database, key: str) -> GoldenRun:
    """With its outcomes. Raises NotFound."""
    found = db.query("SELECT * FROM $key TIMEOUT 20s", key=rows.record("golden_run", key))[0]
    if not found:
        raise NotFound(f"There is no run “{rows.short_id(key)}” over golden queries in this space.")
    return _run(found[0])


def _run_row(one: GoldenRun) -> rows.Row:
    outcomes: list[dict[str, Any]] = [
        {
            "golden": each.golden,
            "query": each.query,
            "ranks": [[key, rank or 0] for key, rank in each.ranks.items()],
            "measures": dict(each.measures),
        }
        for each in one.outcomes
    ]
    return {
        "id": rows.record("golden_run", one.id),
        "at": one.at,
        "by": one.by,
        "plan": one.plan,
        "k": one.k,
        "measures": dict(one.measures),
        "outcomes": outcomes,
        "conditions": dict(one.conditions),
        "took_ms": float(one.took_ms),
    }


def _run(row: rows.Row) -> GoldenRun:
    outcomes = (
        Outcome(one["golden"], one["query"], {key: rank or None for key, rank in one["ranks"]}, dict(one["measures"]))
        for one in row.get("outcomes") or ()
    )
    return GoldenRun(
        id=rows.key_of(row["id"]),
        at=rows.instant(row["at"]),
        by=row["by"],
        plan=row["plan"],
        k=int(row["k"]),
        measures={name: float(value) for name, value in row["measures"].items()},
        outcomes=tuple(outcomes),
        conditions=dict(row["conditions"]),
        took_ms=float(row["took_ms"]),
    )
