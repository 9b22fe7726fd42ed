"""Memories whose words have not been read for relations yet. `write.commit` puts them there with the words."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.store import rows
from memoryapp.store.database import Database


def read(db: Database, *, limit: int = 200) -> dict[str, int]:
    """Memory → the version that is to be read, at most `limit` of them."""
    found = db.query("SELECT id, version FROM graph_due LIMIT $limit TIMEOUT 10s", limit=limit)[0]
    return {rows.key_of(row["id"]): int(row["version"]) for row in found}


def count(db: Database) -> int:
    found = db.query("SELECT count() AS n FROM graph_due GROUP ALL TIMEOUT 10s")[0]
    return int(found[0]["n"]) if found else 0


def forget(db: Database, keys: Sequence[str]) -> None:
    """Takes memories off that are there no longer."""
    if keys:
        db.query("DELETE $keys RETURN NONE", keys=[rows.record("graph_due", key) for key in keys])
