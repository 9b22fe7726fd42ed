"""The changefeed: what was written since a position, for the derived indexes that follow the database."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.embeddings import embedding_from, name_from
from memoryapp.store.lineage import derived_from, follow_from
from memoryapp.store.relations import relation_from

_FOLLOWED = {
    "memory": rows.memory_from,
    "embedding": embedding_from,
    "usage": rows.usage_from,
    "references": rows.reference_from,
    "entity": rows.entity_from,
    "derived_from": derived_from,
    "relates": relation_from,
    "is_a": relation_from,
    "follows": follow_from,
    "name_embedding": name_from,
}


# A versionstamp is the engine's hybrid clock: milliseconds since 1970, shifted by 16 bits of logical counter.
_LOGICAL_BITS = 16
_MARGIN_MS = 5_000
_KEPT_MS = 29 * 86_400_000  # the schema keeps 30 days
# A change set gets its stamp a moment before it can be seen, so one may appear behind another that was read already
# (seen with eight writers: one in a few hundred). Whoever follows is sent back over the time in which that can be:
# to the oldest write under way where all writers are in this process, else this far.
_UNSETTLED_MS = 2_000


@dataclass(frozen=True, slots=True)
class Change:
    """`row` is the domain object as it stands now (Memory, Embedding, Usage, Reference, Entity, Derived, Relation,
    Follow, NameEmbedding), None once deleted. `key` is the record's own key: a string, or a list for embeddings
    ([model, memory]) and edges."""

    table: str
    key: Any
    row: Any | None


@dataclass(frozen=True, slots=True)
class Feed:
    version: int  # the versionstamp of the last change set given; pass it to the next call
    changes: tuple[Change, ...]
    more: bool
    tables: frozenset[str] = frozenset()  # every table that was written, also those of no interest to an index
    last: int = 0  # the versionstamp of the last change set itself, 0 where there was none
    sets: int = 0  # how many change sets were read


def position(db: Database) -> int:
    """A versionstamp just before now: an index that takes it, then reads all tables, then follows from it, misses
    nothing. Change sets of the last seconds come twice, which is harmless: each carries the whole row."""
    now = int(db.query("RETURN time::millis(time::now())")[0])
    return min(now - _MARGIN_MS, db.oldest_write() or now) << _LOGICAL_BITS


def since(db: Database, version: int, *, limit: int = 1_000) -> Feed:
    """Change sets after `version` (one set is one transaction), about `limit` of them.

    Change sets of the last moments may come again with the next call, so that none is missed; applying one twice, in
    order, changes nothing.
    """
    writing, asked_at = db.oldest_write(), time.time_ns() // 1_000_000
    sets, full, now = _read(db, version, limit)
    if full:
        newest = sets[-1]["versionstamp"]
    else:
        settled = min(asked_at, writing or asked_at) if db.embedded else now - _UNSETTLED_MS
        newest = min(sets[-1]["versionstamp"] if sets else version, (settled << _LOGICAL_BITS) - 1)
    changes = [change for one in sets for entry in one["changes"] if (change := _change(entry)) is not None]
    tables = frozenset(table for one in sets for entry in one["changes"] if (table := _table(entry)) is not None)
    last = int(sets[-1]["versionstamp"]) if sets else 0
    return Feed(version=newest, changes=tuple(changes), more=full, tables=tables, last=last, sets=len(sets))


def _read(db: Database, version: int, limit: int) -> tuple[list[dict[str, Any]], bool, int]:
    """(whole change sets in their order, whether there are more, the engine's clock in ms before they were read).

    The engine's LIMIT counts a set once for each table it touched, and cuts the last one anywhere.
    """
    while True:
        # The position cannot be bound as a parameter; int() keeps the statement free of anything else.
        start = int(version) + 1 if version > 0 else 0
        now, sets = db.query(
            f"RETURN time::millis(time::now()); SHOW CHANGES FOR DATABASE SINCE {start} LIMIT {int(limit)}"
        )
        if sum(len(set(map(_touched_table, one["changes"]))) for one in sets) < limit:
            return sets, False, now
        if len(sets) > 1:
            return sets[:-1], True, now
        limit *= 4  # one transaction over more tables than that


def _touched_table(entry: dict[str, Any]) -> str:
    definition: dict[str, Any] = next(iter(entry.values()))
    return _table(entry) or str(definition.get("name"))


def reaches(db: Database, version: int) -> bool:
    """Whether the feed still holds everything since `version`. Asked once, when an index is loaded from disk."""
    return version > 0 and position(db) - version < _KEPT_MS << _LOGICAL_BITS


def holds(db: Database, last: int) -> bool:
    """Whether the change set of this versionstamp is in the feed: not where the store was put back to what it was
    before. True for one that is older than what the feed keeps, and for 0."""
    if not reaches(db, last):
        return True
    found = db.query(f"SHOW CHANGES FOR DATABASE SINCE {int(last)} LIMIT 1")[0]
    return bool(found) and int(found[0]["versionstamp"]) == last


def _table(entry: dict[str, Any]) -> str | None:
    row = next((entry[verb] for verb in ("update", "create", "delete") if verb in entry), None)
    return str(row["id"].table_name) if isinstance(row, dict) and "id" in row else None


def _change(entry: dict[str, Any]) -> Change | None:
    for verb in ("update", "create", "delete"):
        row = entry.get(verb)
        if isinstance(row, dict) and "id" in row:
            table, key = row["id"].table_name, row["id"].id
            if table not in _FOLLOWED:
                return None
            return Change(table, key, None if verb == "delete" else _FOLLOWED[table](row))
    return None  # a definition of a table
