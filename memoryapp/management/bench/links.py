"""Entities, references and relations for the speed part: some that much refers to, many that little does."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference, normal_form
from memoryapp.domain.identity import derived_id
from memoryapp.domain.relation import MadeBy, Relation, RelationType, relation_id
from memoryapp.spaces import Space
from memoryapp.store import embeddings
from memoryapp.store.embeddings import NameEmbedding
from memoryapp.store.write import Batch

REFERENCES = 4  # of a memory
_SHARE = 0.25  # entities a memory
_RELATIONS = 0.4  # relations a memory
_SKEW = 2.5  # how much more often the first entities are referred to than the last


class Links:
    """What the memories written so far refer to. The same numbers give the same links on every machine."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self.names: list[str] = []

    def grow(self, batch: Batch, memories: Sequence[str], *, now: datetime) -> list[str]:
        """Puts into the batch that writes these memories new entities, and references and relations to all there are.
        Returns the ids of the new entities."""
        fresh = [f"Component {len(self.names) + n}" for n in range(round(len(memories) * _SHARE))]
        self.names += fresh
        batch.entities += [(None, _entity(name, now)) for name in fresh]
        for memory in memories:
            keys = dict.fromkeys(self._one() for _ in range(REFERENCES))
            batch.references_added += [Reference(memory, key) for key in keys]
        batch.relations += [(None, one) for one in self._relations(round(len(memories) * _RELATIONS), now)]
        return [_key(name) for name in fresh]

    def name(self) -> str:
        """One that a question may name."""
        return self.names[self._place()]

    def _relations(self, count: int, now: datetime) -> Iterator[Relation]:
        types = [type_.value for type_ in RelationType]
        for _ in range(count):
            one, other, type_ = self._one(), self._one(), self._chance.choice(types)
            if one != other:
                made = relation_id(one, type_, other, self._chance.randbytes(8).hex())
                yield Relation(made, one, type_, other, 0.7, MadeBy.RULES, now)

    def _one(self) -> str:
        return _key(self.names[self._place()])

    def _place(self) -> int:
        return int(len(self.names) * self._chance.random() ** _SKEW)


def embed(space: Space, entities: Sequence[str], dimension: int, *, seed: int) -> None:
    """Gives these entities names in random directions: to the time of a search it is the same."""
    vectors: NDArray[np.float32] = np.random.default_rng(seed).standard_normal(
        (len(entities), dimension), dtype=np.float32
    )
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    model = space.encoder.name
    embeddings.put_names(
        space.db, [NameEmbedding(key, model, key, vector) for key, vector in zip(entities, vectors, strict=True)]
    )


def _entity(name: str, now: datetime) -> Entity:
    return Entity(_key(name), name, normal_form(name), EntityType.CONCEPT, EntityState.KNOWN, now)


def _key(name: str) -> str:
    return derived_id("bench-entity", name)
