"""Names of entities as vectors: what a word of a question is held against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.walk import by_id


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


def missing(db: Database, model: str) -> list[tuple[str, str]]:
    """(id, name) of every entity, refused and merged ones left out, that has no vector of its name as it is now by this
    model. It goes over all entities: ask once for many batches."""
    found = db.query(
        """SELECT VALUE [record::id(id), name] FROM entity WHERE state != 'refused' AND merged_into = NONE
        AND type::record('name_embedding', [$model, record::id(id)]).name != name TIMEOUT 120s""",
        timeout=130,
        model=model,
    )[0]
    return [(str(key), str(name)) for key, name in found]


def scan(db: Database, model: str) -> Iterator[NameEmbedding]:
    """All of one model in order of entity."""
    # Entity ids are hexadecimal: all of them lie below 'z'.
    named = db.query("SELECT VALUE entity FROM name_embedding:[$model, '']>..[$model, 'z'] TIMEOUT 60s", model=model)[0]
    return map(name_from, by_id(db, (rows.record("name_embedding", [model, entity]) for entity in named)))


def write(db: Database, made: Sequence[NameEmbedding]) -> None:
    """Derived from the names, so without a run or a revision. Entities that are gone meanwhile are left out."""
    if made:
        db.query(
            """FOR $row IN $made {
                LET $entity = type::record('entity', $row.entity);
                IF record::exists($entity) { UPSERT $row.id CONTENT $row RETURN NONE };
            }""",
            made=[name_row(one) for one in made],
        )
