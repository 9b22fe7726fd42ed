"""Lineage: which memory was made from which. Read for trust: nothing is trusted more than what it was made from."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.walk import walk

_DEEPEST = 32  # generations; an episode is made from facts, a digest of digests from digests


@dataclass(frozen=True, slots=True)
class Derived:
    """`made` was made from `source`."""

    made: str
    source: str


def derived_from(row: rows.Row) -> Derived:
    return Derived(rows.key_of(row["in"]), rows.key_of(row["out"]))


def scan(db: Database) -> Iterator[Derived]:
    """All edges in order of (made, source)."""
    return map(derived_from, walk(db, "derived_from"))


def sources(db: Database, keys: Collection[str]) -> dict[str, set[str]]:
    """What each of these memories was made from, directly; those made from nothing are absent."""
    if not keys:
        return {}
    found = db.query(
        "SELECT record::id(id) AS key, ->derived_from->memory AS sources FROM $keys TIMEOUT 10s",
        keys=[rows.record("memory", key) for key in keys],
    )[0]
    return {row["key"]: {rows.key_of(one) for one in row["sources"]} for row in found if row["sources"]}


def ancestors(db: Database, keys: Collection[str]) -> dict[str, set[str]]:
    """All that each of these memories goes back to, whatever lies between; those made from nothing are absent."""
    known: dict[str, set[str]] = {}
    asked = set(keys)
    for _ in range(_DEEPEST):
        direct = sources(db, asked)
        known |= direct
        asked = {source for one in direct.values() for source in one} - known.keys() - asked
        if not asked:
            break
    return {key: _all_of(key, known) for key in keys if key in known}


def superseding(db: Database, keys: Collection[str]) -> list[tuple[str, str]]:
    """(what stands, what it stands in place of) for each of these memories that something stands in place of."""
    if not keys:
        return []
    found = db.query(
        "SELECT record::id(id) AS key, <-supersedes<-memory AS stands FROM $keys TIMEOUT 10s",
        keys=[rows.record("memory", key) for key in keys],
    )[0]
    return [(rows.key_of(one), row["key"]) for row in found for one in row["stands"] or ()]


@dataclass(frozen=True, slots=True)
class Standing:
    """What the trust of a memory is computed from."""

    confidence: float
    reinforcements: int
    confirmed_at: datetime


def standings(db: Database, keys: Collection[str]) -> dict[str, Standing]:
    """Of those of `keys` that exist, by id, without their words."""
    if not keys:
        return {}
    found = db.query(
        """SELECT VALUE [record::id(id), confidence, reinforcements, reinforced_at ?? occurred_at ?? created_at]
        FROM $keys TIMEOUT 10s""",
        keys=[rows.record("memory", key) for key in keys],
    )[0]
    made = {}
    for key, confidence, reinforcements, at in found:
        confirmed = rows.moment(at)
        assert confirmed is not None  # the schema has no memory without its day
        made[key] = Standing(float(confidence), reinforcements, confirmed)
    return made


def _all_of(key: str, known: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    edge = set(known[key])
    while edge:
        reached |= edge
        edge = {source for one in edge for source in known.get(one, ())} - reached
    return reached - {key}
