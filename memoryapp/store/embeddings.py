"""Embeddings of memories, one row a memory and model, and of the names of entities, which the words of a question are
held against."""

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
        """INSERT INTO embedding $embeddings[WHERE record::exists(type::record('memory', memory))]
        ON DUPLICATE KEY UPDATE vector = $input.vector RETURN NONE""",
        embeddings=[embedding_row(one) for one in embeddings],
    )


def scan(db: Database, model: str) -> Iterator[Embedding]:
    """Embeddings of one model in order of memory id."""
    keys = (rows.record("embedding", [model, memory]) for memory in embedded_memory_ids(db, model))
    return map(embedding_from, by_id(db, keys))


def embedded_memory_ids(db: Database, model: str) -> list[str]:
    """Ids of memories with a vector of this model, in order, one entry a vector."""
    # Memory ids are hexadecimal: all of them lie below 'z'.
    found = db.query("SELECT VALUE memory FROM embedding:[$model, '']>..[$model, 'z'] TIMEOUT 60s", model=model)[0]
    return [str(key) for key in found]


def missing(db: Database, model: str, *, limit: int = 1_000) -> list[str]:
    """Ids of memories without an embedding by `model`."""
    wanted = db.query("SELECT VALUE record::id(id) FROM memory WHERE state != 'deleted' TIMEOUT 60s")[0]
    present = set(embedded_memory_ids(db, model))
    return [str(key) for key in wanted if key not in present][:limit]


def get_many(db: Database, model: str, memories: list[str]) -> dict[str, NDArray[np.float32]]:
    keys = [rows.record("embedding", [model, memory]) for memory in memories]
    found = db.query("SELECT * FROM $keys TIMEOUT 10s", keys=keys)[0]
    return {row["memory"]: rows.vector_from(row["vector"]) for row in found}


@dataclass(frozen=True, slots=True, eq=False)
class NameEmbedding:
    """`vector`: float32, unit length, (dimension,). `name`: the name it was made of."""

    entity: str
    model: str
    name: str
    vector: NDArray[np.float32]


def name_row(embedding: NameEmbedding) -> rows.Row:
    return {
        "id": rows.record("name_embedding", [embedding.model, embedding.entity]),
        "entity": embedding.entity,
        "model": embedding.model,
        "name": embedding.name,
        "vector": rows.vector_bytes(embedding.vector),
    }


def name_from(row: rows.Row) -> NameEmbedding:
    return NameEmbedding(row["entity"], row["model"], row["name"], rows.vector_from(row["vector"]))


def missing_names(db: Database, model: str) -> list[tuple[str, str]]:
    """(id, name) of every entity, refused and merged ones left out, that has no vector of its name as it is now by this
    model. It goes over all entities: ask once for many batches."""
    found = db.query(
        """SELECT VALUE [record::id(id), name] FROM entity WHERE state != 'refused' AND merged_into = NONE
        AND type::record('name_embedding', [$model, record::id(id)]).name != name TIMEOUT 120s""",
        timeout=130,
        model=model,
    )[0]
    return [(str(key), str(name)) for key, name in found]


def scan_names(db: Database, model: str) -> Iterator[NameEmbedding]:
    """All of one model in order of entity."""
    # Entity ids are hexadecimal: all of them lie below 'z'.
    named = db.query("SELECT VALUE entity FROM name_embedding:[$model, '']>..[$model, 'z'] TIMEOUT 60s", model=model)[0]
    return map(name_from, by_id(db, (rows.record("name_embedding", [model, entity]) for entity in named)))


def put_names(db: Database, made: Sequence[NameEmbedding]) -> None:
    """Derived from the names, so without a run or a revision. Entities that are gone meanwhile are left out."""
    if made:
        db.query(
            """FOR $row IN $made {
                LET $entity = type::record('entity', $row.entity);
                IF record::exists($entity) { UPSERT $row.id CONTENT $row RETURN NONE };
            }""",
            made=[name_row(one) for one in made],
        )
