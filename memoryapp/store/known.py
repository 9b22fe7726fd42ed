"""Known entities as extraction needs them: all of them once, then only what changed."""

from __future__ import annotations

from memoryapp.domain.entity import Entity
from memoryapp.store import changes, rows
from memoryapp.store.database import Database
from memoryapp.store.walk import by_id

_SETS = 500


def all_known(db: Database) -> tuple[int, tuple[Entity, ...]]:
    """Every known entity, and the position from which `since` misses nothing."""
    version = changes.position(db)
    keys = db.query("SELECT VALUE id FROM entity WHERE state = 'known' TIMEOUT 60s")[0]
    return version, tuple(map(rows.entity_from, by_id(db, keys)))


def since(db: Database, version: int) -> tuple[int, tuple[tuple[str, Entity | None], ...]]:
    """Entities written after `version`, whatever their state (None: deleted), and the new position.

    The feed of this one table is read, so that the many changes of memories cost nothing here.
    """
    found: list[tuple[str, Entity | None]] = []
    while True:
        # The position cannot be bound as a parameter; int() keeps the statement free of anything else.
        sets = db.query(f"SHOW CHANGES FOR TABLE entity SINCE {int(version) + 1} LIMIT {_SETS}")[0]
        for one in sets:
            version = max(version, one["versionstamp"])
            for entry in one["changes"]:
                row = entry.get("update") or entry.get("create")
                if row:
                    found.append((rows.key_of(row["id"]), rows.entity_from(row)))
                elif "delete" in entry:
                    found.append((rows.key_of(entry["delete"]["id"]), None))
        if len(sets) < _SETS:
            return version, tuple(found)
