"""References: memory → entity edges with their role."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memoryapp.domain.entity import Reference
from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.walk import walk


def of_memories(db: Database, memories: Sequence[str]) -> dict[str, tuple[Reference, ...]]:
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


def scan(db: Database) -> Iterator[Reference]:
    """All references in order of (memory, entity, role)."""
    return map(rows.reference_from, walk(db, "references"))
