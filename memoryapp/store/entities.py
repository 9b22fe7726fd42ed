"""Entities: reading them. They are written by `write.commit`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memoryapp.domain.entity import Entity
from memoryapp.domain.errors import NotFound
from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.walk import walk


def get(db: Database, key: str) -> Entity:
    """Raises NotFound."""
    found = db.query("SELECT * FROM $key TIMEOUT 5s", key=rows.record("entity", key))[0]
    if not found:
        raise NotFound(f"There is no entity {rows.shown(key)} in space “{db.name}”.")
    return rows.entity_from(found[0])


def get_many(db: Database, keys: Sequence[str]) -> dict[str, Entity]:
    if not keys:
        return {}
    found = db.query("SELECT * FROM $keys TIMEOUT 10s", keys=[rows.record("entity", key) for key in keys])[0]
    return {entity.id: entity for entity in map(rows.entity_from, found)}


def by_normals(db: Database, normals: Sequence[str]) -> dict[str, Entity]:
    """Entities by normal form of their name."""
    if not normals:
        return {}
    found = db.query("SELECT * FROM entity WHERE normal IN $normals TIMEOUT 10s", normals=list(normals))[0]
    return {entity.normal: entity for entity in map(rows.entity_from, found)}


def merged_into(db: Database, keys: Sequence[str]) -> tuple[Entity, ...]:
    """Entities that are merged straight into one of these, in order of id."""
    if not keys:
        return ()
    found = db.query("SELECT * FROM entity WHERE merged_into IN $keys TIMEOUT 10s", keys=list(keys))[0]
    return tuple(sorted(map(rows.entity_from, found), key=lambda entity: entity.id))


def proposed(db: Database, *, limit: int = 20) -> tuple[Entity, ...]:
    """Names seen once, newest first: a person may take them in."""
    found = db.query(
        "SELECT * FROM entity WHERE state = 'proposed' ORDER BY created_at DESC LIMIT $limit TIMEOUT 10s", limit=limit
    )[0]
    return tuple(rows.entity_from(row) for row in found)


def scan(db: Database) -> Iterator[Entity]:
    """All there are, refused and merged ones too, in order of id."""
    return map(rows.entity_from, walk(db, "entity"))
