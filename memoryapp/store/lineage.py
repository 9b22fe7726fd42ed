"""Edges between memories: what was made from which, what follows which in time, what stands in place of which.

The first is read for trust: nothing is trusted more than what it was made from. The second is derived from the dates of
documents, and so written apart. The third is left by deciding a conflict.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.memory import Memory
from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.walk import walk

_DEEPEST = 32  # generations; an episode is made from facts, a digest of digests from digests


@dataclass(frozen=True, slots=True)
class Derivation:
    """`made` was made from `source`."""

    made: str
    source: str


def derived_from(row: rows.Row) -> Derivation:
    return Derivation(rows.key_of(row["in"]), rows.key_of(row["out"]))


def scan_derived(db: Database) -> Iterator[Derivation]:
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


_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Follow:
    """`later` was said or dated after `earlier`, with nothing in between."""

    later: str
    earlier: str


def follow_from(row: rows.Row) -> Follow:
    return Follow(rows.key_of(row["in"]), rows.key_of(row["out"]))


def scan_follows(db: Database) -> Iterator[Follow]:
    """All edges in order of (later, earlier)."""
    return map(follow_from, walk(db, "follows"))


_AMONG = "SELECT VALUE array::concat(->follows.{in, out}, <-follows.{in, out}) FROM $keys TIMEOUT 20s"
_CHANGE = """{
    FOR $edge IN $gone { DELETE $edge RETURN NONE };
    INSERT RELATION IGNORE INTO follows $new RETURN NONE;
}"""


def follows_among(db: Database, memories: Sequence[str]) -> set[tuple[str, str]]:
    """(later, earlier) pairs that touch any of these memories."""
    if not memories:
        return set()
    keys = [rows.record("memory", key) for key in memories]
    found = db.query(_AMONG, keys=keys)[0]
    return {(rows.key_of(edge["in"]), rows.key_of(edge["out"])) for edges in found for edge in edges}


def change_follows(db: Database, *, added: Iterable[tuple[str, str]], removed: Iterable[tuple[str, str]]) -> None:
    """Adds and takes away (later, earlier) pairs. Safe to repeat."""
    new, gone = list(added), list(removed)
    for start in range(0, max(len(new), len(gone)), _CHUNK):
        db.query(
            _CHANGE,
            gone=[rows.record("follows", list(pair)) for pair in gone[start : start + _CHUNK]],
            new=[
                {
                    "id": rows.record("follows", [later, earlier]),
                    "in": rows.record("memory", later),
                    "out": rows.record("memory", earlier),
                }
                for later, earlier in new[start : start + _CHUNK]
            ],
        )


def replaced_by(db: Database, key: str) -> tuple[Memory, ...]:
    """The memories that this one stands in place of."""
    found = db.query("SELECT VALUE ->supersedes->memory.* FROM ONLY $key TIMEOUT 5s", key=rows.record("memory", key))
    return tuple(map(rows.memory_from, found[0] or ()))


def replaced_by_each(db: Database, keys: Sequence[str]) -> dict[str, tuple[Memory, ...]]:
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
