"""What a check of the whole store asks: rows that name what is not there, and what each memory's history adds up to.
Every question walks a table; they are for a check that somebody asked for, not for a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.walk import by_id

EDGES = ("references", "relates", "is_a", "follows", "derived_from", "supersedes")

# By what is told of it: (the table whose rows name, the statement that gives [row, what it names], what is named).
_NAMES = {
    "embedding": ("SELECT VALUE [record::id(id)[1], memory] FROM embedding", "memory"),
    "usage": ("SELECT VALUE [record::id(id), record::id(id)] FROM usage", "memory"),
    "feedback": ("SELECT VALUE [record::id(id), memory] FROM feedback", "memory"),
    "conflict": ("SELECT VALUE [record::id(id), existing] FROM conflict", "memory"),
    "incoming side of conflict": (
        "SELECT VALUE [record::id(id), incoming] FROM conflict WHERE incoming != NONE",
        "memory",
    ),
    "word to be read for relations": ("SELECT VALUE [record::id(id), record::id(id)] FROM graph_due", "memory"),
    "relation": ("SELECT VALUE [record::id(id), fact] FROM relates WHERE fact != NONE", "memory"),
    "kind of": ("SELECT VALUE [record::id(id), fact] FROM is_a WHERE fact != NONE", "memory"),
    "pair of entities": ("SELECT VALUE [record::id(id), one] FROM alike", "entity"),
    "other side of pair": ("SELECT VALUE [record::id(id), other] FROM alike", "entity"),
    "merged entity": ("SELECT VALUE [record::id(id), merged_into] FROM entity WHERE merged_into != NONE", "entity"),
    "memory of a document": (
        "SELECT VALUE [record::id(id), origin.document] FROM memory WHERE origin.document != NONE",
        "document",
    ),
    "memory of a turn": ("SELECT VALUE [record::id(id), origin.turn] FROM memory WHERE origin.turn != NONE", "turn"),
    "turn as a memory": ("SELECT VALUE [record::id(id), record::id(id)] FROM memory WHERE kind = 'turn'", "turn"),
    "reading": ("SELECT VALUE [record::id(id), record::id(id)] FROM reading", "turn"),
    # No source of a document: one that is forgotten leaves its documents, and what was read from them, where they are.
    "revision": ("SELECT VALUE [record::id(id), run] FROM revision", "run"),
}


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """A memory without its words."""

    key: str
    kind: str
    state: str
    version: int
    ended_at: datetime | None
    node_path: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """A revision of a memory."""

    key: str
    version: int
    before: dict[str, Any]
    after: dict[str, Any]


def memory_records(db: Database) -> dict[str, MemoryRecord]:
    """Every memory, whatever its state, by id."""
    found = db.query(
        """SELECT VALUE [record::id(id), kind, state, version, ended_at, detail.path] FROM memory TIMEOUT 300s""",
        timeout=310,
    )[0]
    return {
        key: MemoryRecord(key, kind, state, version, rows.moment(ended), path if kind == "node" else None)
        for key, kind, state, version, ended, path in found
    }


def loose_ends(db: Database, table: str, *, limit: int) -> list[str]:
    """Edges of a table of EDGES of which one end is not there, as “table:key”."""
    found = db.query(
        f"SELECT VALUE <string> id FROM {table} WHERE !record::exists(in) OR !record::exists(out) LIMIT $limit"
        " TIMEOUT 300s",
        timeout=310,
        limit=limit,
    )[0]
    return [str(one) for one in found]


def names(db: Database) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """For every table whose rows name others by id: (what names, what is named, [(row, the id it names)])."""
    for what, (statement, named) in _NAMES.items():
        found = db.query(f"{statement} TIMEOUT 300s", timeout=310)[0]
        yield what, named, [(str(row), str(key)) for row, key in found]


def keys(db: Database, table: str) -> set[str]:
    """The ids of a table."""
    found = db.query(f"SELECT VALUE record::id(id) FROM {table} TIMEOUT 300s", timeout=310)[0]
    return {str(key) for key in found}


def steps(db: Database) -> Iterator[Step]:
    """Revisions of memories, those of one memory behind one another in order of their versions."""
    found = db.query(
        "SELECT VALUE [record_id, version, id] FROM revision WHERE record = 'memory' TIMEOUT 300s", timeout=310
    )[0]
    in_order = sorted(found, key=lambda one: (one[0], one[1]))
    for row in by_id(db, (key for _, _, key in in_order)):
        yield Step(row["record_id"], row["version"], row["before"], row["after"])


def talks(db: Database) -> list[tuple[str, int, int]]:
    """(session, how many turns, number of the last one)."""
    found = db.query(
        "SELECT session, count() AS turns, math::max(number) AS last FROM turn GROUP BY session TIMEOUT 300s",
        timeout=310,
    )[0]
    return [(str(row["session"]), int(row["turns"]), int(row["last"])) for row in found]


def reference_pairs(db: Database) -> list[tuple[str, str]]:
    """(memory, entity) of every reference."""
    found = db.query(
        "SELECT VALUE [record::id(in), record::id(out)] FROM references TIMEOUT 300s",
        timeout=310,
    )[0]
    return [(str(memory), str(entity)) for memory, entity in found]


def inconsistent_conflicts(db: Database) -> list[str]:
    """Ids of conflicts that are decided and say no decision, or wait and say one."""
    found = db.query(
        """SELECT VALUE record::id(id) FROM conflict WHERE (status IN ['decided', 'automatic'] AND decision = NONE)
            OR (status = 'waiting' AND decision != NONE) TIMEOUT 300s""",
        timeout=310,
    )[0]
    return [str(key) for key in found]
