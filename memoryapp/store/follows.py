"""Follows: memory → the one before it in time. Derived from the dates of documents, and so written apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.walk import walk

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Follow:
    """`later` was said or dated after `earlier`, with nothing in between."""

    later: str
    earlier: str


def follow_from(row: rows.Row) -> Follow:
    return Follow(rows.key_of(row["in"]), rows.key_of(row["out"]))


def scan(db: Database) -> Iterator[Follow]:
    """All edges in order of (later, earlier)."""
    return map(follow_from, walk(db, "follows"))


_AMONG = "SELECT VALUE array::concat(->follows.{in, out}, <-follows.{in, out}) FROM $keys TIMEOUT 20s"
_CHANGE = """{
    FOR $edge IN $gone { DELETE $edge RETURN NONE };
    INSERT RELATION IGNORE INTO follows $new RETURN NONE;
}"""


def among(db: Database, memories: Sequence[str]) -> set[tuple[str, str]]:
    """(later, earlier) pairs that touch any of these memories."""
    if not memories:
        return set()
    keys = [rows.record("memory", key) for key in memories]
    found = db.query(_AMONG, keys=keys)[0]
    return {(rows.key_of(edge["in"]), rows.key_of(edge["out"])) for edges in found for edge in edges}


def change(db: Database, *, added: Iterable[tuple[str, str]], removed: Iterable[tuple[str, str]]) -> None:
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
