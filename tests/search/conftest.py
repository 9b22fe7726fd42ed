"""A space on the real engine in memory, and a short way to put memories into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference, normal_form
from memoryapp.domain.identity import content_hash, derived_id
from memoryapp.domain.memory import Kind, Memory, index_text
from memoryapp.domain.relation import MadeBy, Relation, relation_id
from memoryapp.index import open_index
from memoryapp.inference.embedding import Encoder, EncoderSlot, load_encoder
from memoryapp.search import forget, settle
from memoryapp.spaces import Space
from memoryapp.store import embeddings as names_store
from memoryapp.store import entities
from memoryapp.store.database import open_database
from memoryapp.store.embeddings import Embedding, NameEmbedding
from memoryapp.store.migrate import migrate
from memoryapp.store.write import Batch, commit, new_run
from tests.migrated import MIGRATED

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ACTOR = Actor(ActorKind.PERSON, "tester")
_names = count()


class Time:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


def filled_slot(encoder: Encoder) -> EncoderSlot:
    slot = EncoderSlot(encoder.name, lambda _: encoder)
    slot.fill()
    return slot


MakeSpace = Callable[..., Space]


@pytest.fixture
def make_space() -> Iterator[MakeSpace]:
    opened: list[Space] = []

    def make(name: str | None = None, **changes: Any) -> Space:
        named = name or f"test-{next(_names)}"
        db = open_database(MIGRATED, named)
        migrate(db)
        encoder = filled_slot(load_encoder("hashing"))
        made = Space(name=named, db=db, index=open_index(db, model=encoder.name), encoder=encoder, clock=Time())
        opened.append(replace(made, **changes))
        return opened[-1]

    yield make
    settle()
    for one in opened:
        forget(one.name)
        one.db.close()


@pytest.fixture
def space(make_space: MakeSpace) -> Space:
    return make_space()


def memory(text: str, **fields: Any) -> Memory:
    """A note with an id that follows from its text, unless one is given."""
    made = Memory(
        id=fields.pop("id", derived_id("test", text)),
        kind=fields.pop("kind", Kind.NOTE),
        text=text,
        created_at=fields.pop("created_at", NOW - timedelta(days=10)),
        updated_at=NOW,
        **fields,
    )
    return replace(made, content_hash=content_hash(index_text(made)))


def write(
    space: Space, *memories: Memory, about: dict[str, Sequence[str]] | None = None, embed: bool = True
) -> list[str]:
    """Writes memories with their embeddings; `about` maps a memory's id to the names of entities it refers to."""
    encoder = load_encoder("hashing")
    batch = Batch(created=list(memories))
    if embed:
        vectors = encoder.encode_documents([index_text(one) for one in memories])
        batch.embeddings = [
            Embedding(one.id, encoder.name, vector) for one, vector in zip(memories, vectors, strict=True)
        ]
    for name in dict.fromkeys(name for names in (about or {}).values() for name in names):
        entity = Entity(
            derived_id("entity", name), name, normal_form(name), EntityType.CONCEPT, EntityState.KNOWN, created_at=NOW
        )
        batch.entities.append((None, entity))
    for key, names in (about or {}).items():
        batch.references_added += [Reference(key, derived_id("entity", name)) for name in names]
    commit(space.db, new_run("remember", ACTOR, now=NOW), batch, now=NOW)
    return [one.id for one in memories]


def entity_id(name: str) -> str:
    return derived_id("entity", name)


def relate(space: Space, *stated: tuple[str, str, str], fact: str | None = None, **fields: Any) -> None:
    """Writes relations between entities given by name; those that are not there yet are written too."""
    names = dict.fromkeys(name for one, _, other in stated for name in (one, other))
    known = entities.get_many(space.db, [entity_id(name) for name in names])
    batch = Batch()
    for name in names:
        if entity_id(name) not in known:
            batch.entities.append(
                (None, Entity(entity_id(name), name, normal_form(name), EntityType.CONCEPT, EntityState.KNOWN, NOW))
            )
    for one, type_, other in stated:
        ends = entity_id(one), type_, entity_id(other)
        made = Relation(
            id=relation_id(*ends, fact),
            subject=ends[0],
            type=type_,
            object=ends[2],
            confidence=fields.get("confidence", 0.9),
            made_by=MadeBy.PERSON,
            created_at=fields.get("created_at", NOW - timedelta(days=10)),
            fact=fact,
            planned=fields.get("planned", False),
        )
        batch.relations.append((None, made))
    commit(space.db, new_run("relate", ACTOR, now=NOW), batch, now=NOW)


def name_vectors(space: Space, *named: str) -> None:
    """Embeds the names of these entities, as the job does."""
    encoder = space.encoder.get(0)
    vectors = encoder.encode_documents(list(named))
    made = [NameEmbedding(entity_id(name), space.encoder.name, name, v) for name, v in zip(named, vectors, strict=True)]
    names_store.put_names(space.db, made)


def change(space: Space, before: Memory, **fields: Any) -> Memory:
    after = replace(before, **fields)
    commit(space.db, new_run("edit", ACTOR, now=NOW), Batch(updated=[(before, after)]), now=NOW)
    return replace(after, version=before.version + 1)


def embed_again(space: Space, texts: Sequence[str]) -> None:
    """Embeds notes that were written with the hashing encoder by the space's own."""
    encoder = space.encoder.get(0)
    vectors = encoder.encode_documents(list(texts))
    rows = [Embedding(derived_id("test", t), space.encoder.name, v) for t, v in zip(texts, vectors, strict=True)]
    commit(space.db, new_run("embed", ACTOR, now=NOW), Batch(embeddings=rows), now=NOW)
