"""The database into an index: everything once, then change by change from its changefeed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.entity import Entity, Reference
from memoryapp.domain.memory import Memory, Usage
from memoryapp.domain.relation import Relation
from memoryapp.store import embeddings, entities, follows, lineage, memories, names, references, relations, usage
from memoryapp.store.changes import Change
from memoryapp.store.database import Database
from memoryapp.store.follows import Follow
from memoryapp.store.lineage import Derived
from memoryapp.store.names import NameEmbedding


class Target(Protocol):
    """What is fed. Every call may be repeated: applying a change twice changes nothing."""

    def put_memory(self, memory: Memory) -> None: ...
    def drop_memory(self, key: str) -> None: ...
    def put_vector(self, key: str, vector: NDArray[np.floating[Any]] | None) -> None: ...
    def put_usage(self, key: str, usage: Usage | None) -> None: ...
    def put_reference(self, reference: Reference) -> None: ...
    def drop_reference(self, key: tuple[str, str, str]) -> None: ...
    def put_source(self, derived: Derived) -> None: ...
    def drop_source(self, key: tuple[str, str]) -> None: ...
    def put_entity(self, key: str, entity: Entity | None) -> None: ...
    def put_relation(self, relation: Relation) -> None: ...
    def drop_relation(self, key: str, *, is_a: bool) -> None: ...
    def put_follow(self, follow: Follow) -> None: ...
    def drop_follow(self, key: tuple[str, str]) -> None: ...
    def put_name(self, embedding: NameEmbedding) -> None: ...
    def drop_name(self, entity: str) -> None: ...


def read_all(target: Target, db: Database, *, model: str) -> None:
    """Feeds everything the database holds. What is written meanwhile is in the feed as well."""
    for memory in memories.scan(db):
        target.put_memory(memory)
    for embedding in embeddings.scan(db, model):
        target.put_vector(embedding.memory, embedding.vector)
    for counted in usage.scan(db):
        target.put_usage(counted.memory, counted)
    for entity in entities.scan(db):
        target.put_entity(entity.id, entity)
    for reference in references.scan(db):
        target.put_reference(reference)
    for derived in lineage.scan(db):
        target.put_source(derived)
    for table in relations.TABLES:
        for relation in relations.scan(db, table):
            target.put_relation(relation)
    for follow in follows.scan(db):
        target.put_follow(follow)
    for name in names.scan(db, model):
        target.put_name(name)


def apply(target: Target, changes: Iterable[Change], *, model: str) -> int:
    """Feeds changes in their order; returns how many concerned the index."""
    count = 0
    for change in changes:
        key, row = change.key, cast(Any, change.row)
        match change.table:
            case "memory" if row is None:
                target.drop_memory(str(key))
            case "memory":
                target.put_memory(row)
            case "embedding" if key[0] == model:
                target.put_vector(str(key[1]), None if row is None else row.vector)
            case "usage":
                target.put_usage(str(key), row)
            case "references" if row is None:
                target.drop_reference((str(key[0]), str(key[1]), str(key[2])))
            case "references":
                target.put_reference(row)
            case "derived_from" if row is None:
                target.drop_source((str(key[0]), str(key[1])))
            case "derived_from":
                target.put_source(row)
            case "entity":
                target.put_entity(str(key), row)
            case "relates" | "is_a" if row is None:
                target.drop_relation(str(key), is_a=change.table == "is_a")
            case "relates" | "is_a":
                target.put_relation(row)
            case "follows" if row is None:
                target.drop_follow((str(key[0]), str(key[1])))
            case "follows":
                target.put_follow(row)
            case "name_embedding" if key[0] != model:
                continue
            case "name_embedding" if row is None:
                target.drop_name(str(key[1]))
            case "name_embedding":
                target.put_name(row)
            case _:
                continue
        count += 1
    return count
