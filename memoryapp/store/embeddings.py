"""Embeddings: one row a memory and model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.walk import by_id


@dataclass(frozen=True, slots=True)
class Embedding:
    memory: str
    model: str
    vector: NDArray[np.float32]  # (dimension,), unit length


def embedding_row(embedding: Embedding) -> rows.Row:
    return {
        "id": rows.record("embedding", [embedding.model, embedding.memory]),
        "memory": embedding.memory,
        "model": embedding.model,
        "vector": rows.vector_bytes(embedding.vector),
    }


def embedding_from(row: rows.Row) -> Embedding:
    return Embedding(row["memory"], row["model"], rows.vector_from(row["vector"]))


def put(db: Database, embeddings: Sequence[Embedding]) -> None:
    """Writes vectors of words that stay as they are, without a run: nothing changed that could be undone. Those of a
    memory that was purged meanwhile are left out."""
    db.query(
        """{ FOR $e IN $embeddings {
            IF record::exists(type::record('memory', $e.memory)) { UPSERT $e.id CONTENT $e RETURN NONE };
        }; }""",
        embeddings=[embedding_row(one) for one in embeddings],
    )


def scan(db: Database, model: str) -> Iterator[Embedding]:
    """Embeddings of one model in order of memory id."""
    keys = (rows.record("embedding", [model, memory]) for memory in embedded(db, model))
    return map(embedding_from, by_id(db, keys))


def embedded(db: Database, model: str) -> list[str]:
    """Ids of memories with a vector of this model, in order, one entry a vector."""
    # Memory ids are hexadecimal: all of them lie below 'z'.
    found = db.query("SELECT VALUE memory FROM embedding:[$model, '']>..[$model, 'z'] TIMEOUT 60s", model=model)[0]
    return [str(key) for key in found]


def missing(db: Database, model: str, *, limit: int = 1_000) -> list[str]:
    """Ids of memories without an embedding by `model`."""
    wanted = db.query("SELECT VALUE record::id(id) FROM memory WHERE state != 'deleted' TIMEOUT 60s")[0]
    present = set(embedded(db, model))
    return [str(key) for key in wanted if key not in present][:limit]


def get_many(db: Database, model: str, memories: list[str]) -> dict[str, NDArray[np.float32]]:
    keys = [rows.record("embedding", [model, memory]) for memory in memories]
    found = db.query("SELECT * FROM $keys TIMEOUT 10s", keys=keys)[0]
    return {row["memory"]: rows.vector_from(row["vector"]) for row in found}
