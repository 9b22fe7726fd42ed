"""Which memory stands in place of which: the edges that deciding a conflict leaves."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.domain.memory import Memory
from memoryapp.store import rows
from memoryapp.store.database import Database


def replaced_by(db: Database, key: str) -> tuple[Memory, ...]:
    """The memories that this one stands in place of."""
    found = db.query("SELECT VALUE ->supersedes->memory.* FROM ONLY $key TIMEOUT 5s", key=rows.record("memory", key))
    return tuple(map(rows.memory_from, found[0] or ()))


def replaced(db: Database, keys: Sequence[str]) -> dict[str, tuple[Memory, ...]]:
    """Return what each of these memories stands in place of; those that stand in place of nothing are absent."""
    if not keys:
        return {}
    records = [rows.record("memory", key) for key in keys]
    found = db.query(
        "SELECT record::id(id) AS key, ->supersedes->memory.* AS old FROM $keys TIMEOUT 10s", keys=records
    )[0]
    return {row["key"]: tuple(map(rows.memory_from, row["old"])) for row in found if row["old"]}


def replaced_by_any(db: Database, keys: Sequence[str]) -> set[str]:
    """Ids of the memories that any of these stands in place of."""
    if not keys:
        return set()
    records = [rows.record("memory", key) for key in keys]
    found = db.query("SELECT VALUE ->supersedes->memory FROM $keys TIMEOUT 30s", keys=records)[0]
    return {rows.key_of(one) for some in found for one in some or ()}


def standing_for(db: Database, key: str) -> tuple[Memory, ...]:
    """The memories that stand in place of this one."""
    found = db.query("SELECT VALUE <-supersedes<-memory.* FROM ONLY $key TIMEOUT 5s", key=rows.record("memory", key))
    return tuple(map(rows.memory_from, found[0] or ()))
