"""Daily logs as an ingest leaves them, for the tests of this room."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference, normal_form
from memoryapp.domain.identity import content_hash, derived_id
from memoryapp.domain.memory import Kind, Memory, Origin, index_text
from memoryapp.spaces import Space, embed
from memoryapp.store import entities
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, a_memory

H100 = "Talked about cost. Decided: embedding moves to one rented H100. Coffee machine is back."
H100_LATER = "- [x] Fixed the out-of-memory on the H100 by halving the batch.\n- Looked at prices again."
FREEZE = "Shipped the freeze: no deploys to Hangang from Friday."
ROLLBACK = "Blocked: rollback of Hangang needs the previous image. 월요일 롤백은 4분 걸렸다."


def a_section(text: str, *, days: int, title: str = "Standup", **more: Any) -> Memory:
    """Of the log of so many days before the clock's noon."""
    at = NOON - timedelta(days=days)
    path = f"daily/{at:%Y-%m-%d}.md"
    made = {
        "id": derived_id("section", path, title, text),
        "kind": Kind.SECTION,
        "daily": True,
        "title": title,
        "occurred_at": at.replace(hour=0),
        "origin": Origin(derived_id("document", path), path, 1, 9),
        "group": f"document:{path}",
        "content_hash": content_hash(text),
    }
    return a_memory(text, **(made | more))


def an_entity(name: str) -> Entity:
    normal = normal_form(name)
    return Entity(derived_id("entity", normal), name, normal, EntityType.TOOL, EntityState.KNOWN, NOON, sightings=2)


def kept(space: Space, *sections: Memory, names: dict[str, tuple[Memory, ...]] | None = None) -> tuple[Memory, ...]:
    """These sections with their vectors, each linked to the names that it is given."""
    known = [an_entity(name) for name in names or {}]
    there = entities.get_many(space.db, [entity.id for entity in known])
    batch = Batch(created=list(sections), entities=[(None, entity) for entity in known if entity.id not in there])
    batch.references_added = [
        Reference(memory.id, entity.id)
        for entity, named in zip(known, (names or {}).values(), strict=True)
        for memory in named
    ]
    batch.embeddings = embed(space, list(sections))
    assert all(index_text(memory) for memory in sections)
    commit(space.db, new_run("ingest", AGENT, now=NOON), batch, now=NOON)
    return sections


def two_topics(space: Space) -> tuple[Memory, ...]:
    """Two sections on the H100, two on Hangang, one on neither."""
    one, two = a_section(H100, days=10, tags=("gpu",)), a_section(H100_LATER, days=8, tags=("cost", "gpu"))
    three, four = a_section(FREEZE, days=9, title="Deploys"), a_section(ROLLBACK, days=7, title="Rollback")
    other = a_section("Lunch with Mina by the river.", days=6, title="Lunch")
    return kept(space, one, two, three, four, other, names={"H100": (one, two), "Hangang": (three, four)})
