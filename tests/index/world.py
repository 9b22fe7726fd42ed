"""A database of one space with quick ways to write into it, and memories of few words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.change import Actor, ActorKind, Run
from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference
from memoryapp.domain.identity import content_hash, derived_id, new_id
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.relation import MadeBy, Relation, relation_id
from memoryapp.store import embeddings, lineage, purge, write
from memoryapp.store.database import Database, open_database
from memoryapp.store.embeddings import Embedding, NameEmbedding
from memoryapp.store.migrate import migrate
from memoryapp.store.write import Batch
from tests.migrated import MIGRATED

MODEL = "hashing"
DIMENSION = 16
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ACTOR = Actor(ActorKind.PERSON, "alice")


def memory(text: str, *, key: str | None = None, **fields: Any) -> Memory:
    return Memory(
        **{
            "id": key or new_id(),
            "kind": Kind.NOTE,
            "text": text,
            "created_at": NOW,
            "updated_at": NOW,
            "content_hash": content_hash(text),
            **fields,
        }
    )


def named(name: str) -> str:
    """A memory id that a test can speak of by name."""
    return derived_id(name)


def direction(seed: str) -> NDArray[np.float32]:
    """A unit vector that depends on the seed alone."""
    drawn = np.random.default_rng(int(derived_id(seed), 16)).normal(size=DIMENSION).astype(np.float32)
    return drawn / np.float32(np.linalg.norm(drawn))


def entity(key: str, name: str, *, state: EntityState = EntityState.KNOWN, **fields: Any) -> Entity:
    return Entity(key, name, name.casefold(), EntityType.CONCEPT, state, NOW, **fields)


def relation(subject: str, type: str, object: str, *, fact: str | None = None, **fields: Any) -> Relation:
    made: dict[str, Any] = {"confidence": 0.5, "made_by": MadeBy.RULES, "created_at": NOW} | fields
    return Relation(relation_id(subject, type, object, fact), subject, type, object, fact=fact, **made)


@dataclass(slots=True)
class World:
    """Every method is one committed write."""

    db: Database
    memories: dict[str, Memory] = field(default_factory=dict)

    def add(self, *made: Memory, vectors: bool = True) -> None:
        batch = Batch(created=list(made))
        if vectors:
            batch.embeddings = [Embedding(one.id, MODEL, direction(one.id)) for one in made]
        self._commit(batch, "remember")
        self.memories |= {one.id: one for one in made}

    def change(self, key: str, **fields: Any) -> None:
        before = self.memories[key]
        after = replace(before, **fields)
        if "text" in fields:
            after = replace(after, content_hash=content_hash(after.text))
        self._commit(Batch(updated=[(before, after)]), "edit")
        self.memories[key] = replace(after, version=before.version + 1)

    def delete(self, key: str) -> None:
        self.change(key, state=State.DELETED)

    def purge(self, key: str) -> None:
        purge.purge(self.db, self.memories.pop(key), run=self._run("purge"))

    def embed(self, key: str, vector: NDArray[np.float32], *, model: str = MODEL) -> None:
        self._commit(Batch(embeddings=[Embedding(key, model, vector)]), "embed")

    def link(self, *references: Reference, entities: tuple[Entity, ...] = ()) -> None:
        batch = Batch(references_added=list(references), entities=[(None, one) for one in entities])
        self._commit(batch, "link")

    def unlink(self, *references: Reference) -> None:
        self._commit(Batch(references_removed=list(references)), "unlink")

    def decide(self, before: Entity, after: Entity) -> None:
        """Changes an entity: refused, merged, parted, renamed."""
        self._commit(Batch(entities=[(before, after)]), "edit")

    def relate(self, *relations: Relation) -> None:
        self._commit(Batch(relations=[(None, one) for one in relations]), "relate")

    def change_relation(self, before: Relation, after: Relation) -> None:
        self._commit(Batch(relations=[(before, after)]), "edit")

    def unrelate(self, *relations: Relation) -> None:
        self._commit(Batch(unrelated=list(relations)), "unrelate")

    def follow(self, later: str, earlier: str, *, there: bool = True) -> None:
        pair = [(later, earlier)]
        lineage.change_follows(self.db, added=pair if there else [], removed=[] if there else pair)

    def name(self, *keys: str, model: str = MODEL, seed: str = "") -> None:
        """Embeds names of entities: the direction of the id, or of `seed`."""
        embeddings.put_names(self.db, [NameEmbedding(key, model, key, direction(seed or key)) for key in keys])

    def vector(self, key: str) -> NDArray[np.float32]:
        return embeddings.get_many(self.db, MODEL, [key])[key]

    def _commit(self, batch: Batch, act: str) -> None:
        write.commit(self.db, self._run(act), batch, now=NOW + timedelta(hours=1))

    def _run(self, act: str) -> Run:
        return write.new_run(act, ACTOR, now=NOW)


@contextmanager
def world(url: str = MIGRATED) -> Iterator[World]:
    db = open_database(url, "test")
    try:
        migrate(db)
        yield World(db)
    finally:
        db.close()
