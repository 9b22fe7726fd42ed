"""Exclusions: deleted facts the like of which is not learned again, and how often each kept something out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from memoryapp.domain.exclusion import likeness_of
from memoryapp.domain.memory import Memory
from memoryapp.store import rows
from memoryapp.store.database import Database


def standing(db: Database) -> tuple[Memory, ...]:
    """Return the facts that exclude their like, the one deleted last first."""
    found = db.query(
        """SELECT * FROM memory WITH INDEX memory_kind
        WHERE kind = 'fact' AND state = 'deleted' AND detail.never != NONE ORDER BY ended_at DESC, id TIMEOUT 10s"""
    )[0]
    return tuple(memory for memory in map(rows.memory_from, found) if likeness_of(memory) is not None)


def kept_out(db: Database, keys: Sequence[str]) -> dict[str, int]:
    """Return how many candidates each of these kept from being learned, in the turns as they were last read."""
    if not keys:
        return {}
    found = db.query(
        "SELECT VALUE excluded FROM reading WITH INDEX reading_excluded WHERE excluded CONTAINSANY $keys TIMEOUT 20s",
        keys=list(keys),
    )[0]
    counts = Counter(key for some in found for key in some or ())
    return {key: counts[key] for key in keys}
