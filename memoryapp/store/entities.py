"""Entities, the memories that refer to them, and where they are drawn.

They are written by `write.commit`; where they are drawn is computed from the graph and written as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memoryapp.domain.entity import Entity, Reference
from memoryapp.domain.errors import NotFound
from memoryapp.store import changes, rows
from memoryapp.store.database import Database
from memoryapp.store.walk import by_id, walk


def get(db: Database, key: str) -> Entity:
    """Raises NotFound."""
    found = db.query("SELECT * FROM $key TIMEOUT 5s", key=rows.record("entity", key))[0]
    if not found:
        raise NotFound(f"There is no entity {rows.short_id(key)} in space “{db.name}”.")
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


def proposed_entities(db: Database, *, limit: int = 20) -> tuple[Entity, ...]:
    """Names seen once, newest first: a person may take them in."""
    found = db.query(
        "SELECT * FROM entity WHERE state = 'proposed' ORDER BY created_at DESC LIMIT $limit TIMEOUT 10s", limit=limit
    )[0]
    return tuple(rows.entity_from(row) for row in found)


def scan(db: Database) -> Iterator[Entity]:
    """All there are, refused and merged ones too, in order of id."""
    return map(rows.entity_from, walk(db, "entity"))


def references_of(db: Database, memories: Sequence[str]) -> dict[str, tuple[Reference, ...]]:
    """Outgoing references by memory."""
    if not memories:
        return {}
    found = db.query(
        "SELECT VALUE ->references.{id, in, out, role, weight} FROM $keys TIMEOUT 10s",
        keys=[rows.record("memory", key) for key in memories],
    )[0]
    grouped: dict[str, list[Reference]] = {}
    for edges in found:
        for edge in map(rows.reference_from, edges):
            grouped.setdefault(edge.memory, []).append(edge)
    return {key: tuple(edges) for key, edges in grouped.items()}


def memories_of(db: Database, entity: str, *, limit: int = 500) -> tuple[str, ...]:
    """Ids of memories that refer to an entity."""
    found = db.query("SELECT VALUE <-references.in FROM ONLY $key TIMEOUT 10s", key=rows.record("entity", entity))[0]
    return tuple(rows.key_of(key) for key in (found or [])[:limit])


def scan_references(db: Database) -> Iterator[Reference]:
    """All references in order of (memory, entity, role)."""
    return map(rows.reference_from, walk(db, "references"))


_KNOWN_AT_ONCE = 500


def known_entities(db: Database) -> tuple[int, tuple[Entity, ...]]:
    """Every known entity, and the position from which `since` misses nothing."""
    version = changes.position(db)
    keys = db.query("SELECT VALUE id FROM entity WHERE state = 'known' TIMEOUT 60s")[0]
    return version, tuple(map(rows.entity_from, by_id(db, keys)))


def known_since(db: Database, version: int) -> tuple[int, tuple[tuple[str, Entity | None], ...]]:
    """Entities written after `version`, whatever their state (None: deleted), and the new position.

    The feed of this one table is read, so that the many changes of memories cost nothing here.
    """
    found: list[tuple[str, Entity | None]] = []
    while True:
        # The position cannot be bound as a parameter; int() keeps the statement free of anything else.
        sets = db.query(f"SHOW CHANGES FOR TABLE entity SINCE {int(version) + 1} LIMIT {_KNOWN_AT_ONCE}")[0]
        for one in sets:
            version = max(version, one["versionstamp"])
            for entry in one["changes"]:
                row = entry.get("update") or entry.get("create")
                if row:
                    found.append((rows.key_of(row["id"]), rows.entity_from(row)))
                elif "delete" in entry:
                    found.append((rows.key_of(entry["delete"]["id"]), None))
        if len(sets) < _KNOWN_AT_ONCE:
            return version, tuple(found)


_CHUNK = 5_000


@dataclass(frozen=True, slots=True)
class Spot:
    """`x`, `y` in any unit, y upwards; `community`: its number in this layout, from 0 for the largest."""

    x: float
    y: float
    community: int


def read_layout(db: Database, entities: Collection[str] | None = None) -> dict[str, Spot]:
    """By entity: of these, or of all that have one."""
    if entities is None:
        found = db.query("SELECT VALUE [record::id(id), x, y, community] FROM spot TIMEOUT 30s")[0]
    else:
        found = db.query(
            "SELECT VALUE [record::id(id), x, y, community] FROM $keys TIMEOUT 20s",
            keys=[rows.record("spot", key) for key in entities],
        )[0]
    return {key: Spot(float(x), float(y), int(community)) for key, x, y, community in found}


def write_layout(db: Database, spots: Mapping[str, Spot]) -> None:
    """Replaces the layout. A reader in between sees some entities at their old place."""
    made = [
        {"id": rows.record("spot", key), "x": float(spot.x), "y": float(spot.y), "community": int(spot.community)}
        for key, spot in spots.items()
    ]
    for start in range(0, len(made), _CHUNK):
        db.query(
            """INSERT INTO spot $rows ON DUPLICATE KEY UPDATE
                x = $input.x, y = $input.y, community = $input.community RETURN NONE""",
            rows=made[start : start + _CHUNK],
        )
    gone = [key for key in read_layout(db) if key not in spots]
    for start in range(0, len(gone), _CHUNK):
        db.query("DELETE $keys RETURN NONE", keys=[rows.record("spot", key) for key in gone[start : start + _CHUNK]])
