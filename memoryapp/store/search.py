"""SurrealDB's own full-text and vector search, as the `surreal` index engine uses it.

Derived tables, fed by the index: words arrive as terms joined by spaces, so the analyzer only splits. They can be
emptied at any time, are in no backup, and have no changefeed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.store import rows
from memoryapp.store.database import Database

_BATCH = 200  # rows of one write
_TABLES = """
DEFINE ANALYZER IF NOT EXISTS search_terms TOKENIZERS blank;
DEFINE TABLE IF NOT EXISTS search_text TYPE NORMAL SCHEMAFULL;
DEFINE FIELD IF NOT EXISTS own ON search_text TYPE string;
DEFINE FIELD IF NOT EXISTS window ON search_text TYPE string;
DEFINE FIELD IF NOT EXISTS held ON search_text TYPE bool;
DEFINE TABLE IF NOT EXISTS search_group TYPE NORMAL SCHEMAFULL;
DEFINE FIELD IF NOT EXISTS whole ON search_group TYPE string;
DEFINE FIELD IF NOT EXISTS held ON search_group TYPE bool;
DEFINE TABLE IF NOT EXISTS search_vector TYPE NORMAL SCHEMAFULL;
DEFINE FIELD IF NOT EXISTS vector ON search_vector TYPE array<float>;
DEFINE TABLE IF NOT EXISTS search_state TYPE NORMAL SCHEMALESS;
"""
_FIELDS = (("own", "search_text"), ("window", "search_text"), ("whole", "search_group"))
_UPSERT = "FOR $r IN $rows { UPSERT $r.id CONTENT $r RETURN NONE }"
_DELETE = "DELETE $keys RETURN NONE"


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row that was found: a memory, or for the field `whole` a group. `terms`: all it holds, repeats kept."""

    key: str
    terms: list[str]
    held: bool


def prepare(db: Database) -> dict[str, Any]:
    """Defines the tables where they are missing; returns what `remember_state` last kept, {} for nothing."""
    db.query(_TABLES)
    found = db.query("SELECT * FROM search_state:now TIMEOUT 5s")[0]
    return dict(found[0]["kept"]) if found else {}


def remember_state(db: Database, kept: Mapping[str, Any]) -> None:
    db.query("UPSERT search_state:now CONTENT { kept: $kept } RETURN NONE", kept=dict(kept))


def clear(db: Database) -> None:
    """Empties everything, the indexes too."""
    db.query(
        "REMOVE TABLE IF EXISTS search_text; REMOVE TABLE IF EXISTS search_group;"
        "REMOVE TABLE IF EXISTS search_vector; REMOVE TABLE IF EXISTS search_state;" + _TABLES
    )


def define_words(db: Database, *, k1: float, b: float) -> None:
    """(Re)builds the full-text indexes with these BM25 constants; they belong to an index's definition.

    The engine takes them as literals only; float() keeps the statement free of anything else.
    """
    for field, table in _FIELDS:
        db.query(
            f"DEFINE INDEX OVERWRITE search_{field} ON {table} FIELDS {field}"
            f" FULLTEXT ANALYZER search_terms BM25({float(k1)},{float(b)})",
            timeout=600,
        )


def define_vectors(db: Database, *, dimension: int) -> None:
    """Defines the HNSW index; the number is a literal for the same reason."""
    db.query(
        f"DEFINE INDEX IF NOT EXISTS search_near ON search_vector FIELDS vector HNSW DIMENSION {int(dimension)}"
        " DIST COSINE TYPE F32 EFC 100 M 16"
    )


def put_texts(db: Database, texts: Mapping[str, tuple[str, str, bool]], wholes: Mapping[str, tuple[str, bool]]) -> None:
    """Own terms, window terms and whether it is held, by memory id; whole terms and whether held, by group."""
    made = [
        {"id": rows.record("search_text", key), "own": own, "window": window, "held": held}
        for key, (own, window, held) in texts.items()
    ]
    made += [
        {"id": rows.record("search_group", key), "whole": whole, "held": held} for key, (whole, held) in wholes.items()
    ]
    for batch in _batches(made):
        db.query(_UPSERT, rows=batch)


def put_vectors(db: Database, vectors: Mapping[str, NDArray[np.float32]]) -> None:
    """The SDK knows no numpy: lists of floats."""
    made = [{"id": rows.record("search_vector", key), "vector": vector.tolist()} for key, vector in vectors.items()]
    for batch in _batches(made):
        db.query(_UPSERT, rows=batch)


def drop(db: Database, *, texts: Iterable[str] = (), groups: Iterable[str] = (), vectors: Iterable[str] = ()) -> None:
    keys = [rows.record("search_text", key) for key in texts]
    keys += [rows.record("search_group", key) for key in groups]
    keys += [rows.record("search_vector", key) for key in vectors]
    for batch in _batches(keys):
        db.query(_DELETE, keys=batch)


def own_terms(db: Database, memories: Sequence[str]) -> dict[str, list[str]]:
    """The indexed terms of memories, in reading order."""
    found = db.query(
        "SELECT record::id(id) AS key, own FROM $keys TIMEOUT 20s",
        keys=[rows.record("search_text", key) for key in memories],
    )[0]
    return {row["key"]: row["own"].split(" ") if row["own"] else [] for row in found}


def terms_of(db: Database, memory: str, group: str) -> tuple[set[str], set[str], set[str]]:
    """The terms of a memory's own words, of its window and of its group."""
    text, whole = db.query(
        "SELECT own, window FROM $text TIMEOUT 5s; SELECT VALUE whole FROM $group TIMEOUT 5s",
        text=[rows.record("search_text", memory)],
        group=[rows.record("search_group", group)],
    )
    row = text[0] if text else {"own": "", "window": ""}
    return set(row["own"].split()), set(row["window"].split()), set(whole[0].split() if whole else ())


def keyword(db: Database, terms: Sequence[str], *, limit: int) -> dict[str, list[FoundRow]]:
    """The best `limit` rows of each field for any of the terms, by the engine's BM25. Its scores are not given: a term
    in half of the rows counts nothing there, so whoever asks scores the rows by itself."""
    statements = [
        f"SELECT record::id(id) AS key, {field} AS terms, held, search::score(0) AS score FROM {table}"
        f" WHERE {field} @0,OR@ $words ORDER BY score DESC LIMIT $limit TIMEOUT 20s"
        for field, table in _FIELDS
    ]
    answers = db.query(";".join(statements), words=" ".join(terms), limit=limit)
    return {
        field: [FoundRow(row["key"], row["terms"].split(" "), row["held"]) for row in answer]
        for (field, _), answer in zip(_FIELDS, answers, strict=True)
    }


def held_counts(db: Database, field: str, terms: Sequence[str]) -> dict[str, int]:
    """In how many held rows of a field each term stands. One question a term: slow where there are many rows."""
    table = dict(_FIELDS)[field]
    statements = [
        f"SELECT count() AS n FROM {table} WHERE {field} @0@ $t{i} AND held = true GROUP ALL TIMEOUT 20s"
        for i in range(len(terms))
    ]
    variables: dict[str, Any] = {f"t{i}": term for i, term in enumerate(terms)}
    answers = db.query(";".join(statements), **variables)
    return {term: int(answer[0]["n"]) if answer else 0 for term, answer in zip(terms, answers, strict=True)}


def nearest(db: Database, query: NDArray[np.float32], *, limit: int) -> dict[str, float]:
    """Cosines of the nearest memories by HNSW; k and ef are literals, hence int()."""
    k = int(limit)
    found = db.query(
        f"SELECT record::id(id) AS key, vector::distance::knn() AS distance FROM search_vector"
        f" WHERE vector <|{k},{k}|> $query TIMEOUT 20s",
        query=query.tolist(),
    )[0]
    return {row["key"]: 1 - float(row["distance"]) for row in found}


def cosines(db: Database, query: NDArray[np.float32], memories: Sequence[str]) -> dict[str, float]:
    """Exact cosines of the named memories, those without a vector left out."""
    found = db.query(
        "SELECT record::id(id) AS key, vector::similarity::cosine(vector, $query) AS cosine FROM $keys TIMEOUT 20s",
        keys=[rows.record("search_vector", key) for key in memories],
        query=query.tolist(),
    )[0]
    return {row["key"]: float(row["cosine"]) for row in found}


def _batches(items: list[Any]) -> Iterable[list[Any]]:
    return (items[start : start + _BATCH] for start in range(0, len(items), _BATCH))
