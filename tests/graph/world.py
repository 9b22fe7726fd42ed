"""A small world in the real store: people, tools and places, what was said of them, and what joins them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference, normal_form
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.relation import MadeBy, Relation, RelationType, relation_id
from memoryapp.spaces import Space
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, a_memory


def an_entity(name: str, type: str = EntityType.TOOL, **more: Any) -> Entity:
    made = {"state": EntityState.KNOWN, "created_at": NOON} | more
    return Entity(derived_id("entity", normal_form(name)), name, normal_form(name), type, **made)


def a_relation(subject: Entity, type: str, object: Entity, *, fact: Memory | None = None, **more: Any) -> Relation:
    made = {"confidence": 0.6, "made_by": MadeBy.RULES, "created_at": NOON} | more
    key = relation_id(subject.id, type, object.id, fact.id if fact else None)
    return Relation(key, subject.id, type, object.id, fact=fact.id if fact else None, **made)


@dataclass
class World:
    """Writes into a space; entities are called by their names."""

    space: Space
    entities: dict[str, Entity] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        return self.entities[name].id

    def name(self, key: str) -> str:
        return next(one.name for one in self.entities.values() if one.id == key)

    def merged(self, gone: str, keep: str) -> None:
        before = self.entities[gone]
        after = replace(before, merged_into=self[keep], version=before.version + 1)
        self.write(entities=[(before, after)])
        self.entities[gone] = after

    def has(self, *names: str, type: str = EntityType.TOOL, **more: Any) -> None:
        made = [an_entity(name, type, **more) for name in names]
        self.entities |= {one.name: one for one in made}
        self.write(entities=[(None, one) for one in made])

    def said(self, text: str, about: Sequence[str] = (), *, role: str = "mention", **more: Any) -> Memory:
        """A memory that names these entities."""
        memory = a_memory(text, **({"kind": Kind.FACT} | more))
        named = [Reference(memory.id, self[name], role) for name in about]
        self.write(created=[memory], references_added=named)
        return memory

    def related(self, subject: str, type: str, object: str, fact: Memory | None = None, **more: Any) -> Relation:
        made = a_relation(self.entities[subject], type, self.entities[object], fact=fact, **more)
        self.write(relations=[(None, made)])
        return made

    def told(self, text: str, subject: str, type: str, object: str, *, relation: Any = None, **more: Any) -> Memory:
        """A memory that states a relation between the two it names."""
        memory = self.said(text, (subject, object), **more)
        self.related(subject, type, object, memory, **(relation or {}))
        return memory

    def write(self, **batch: Any) -> None:
        commit(self.space.db, new_run("remember", AGENT, now=NOON), Batch(**batch), now=self.space.clock())

    def changed(self, memory: Memory, **values: Any) -> Memory:
        after = replace(memory, **values)
        self.write(updated=[(memory, after)])
        return replace(after, version=memory.version + 1)


def pipeline(world: World) -> dict[str, Memory]:
    """Adam uses Terraform; Terraform is part of the deployment pipeline; and some more around them."""
    world.has("Adam", "Mina", type=EntityType.PERSON)
    world.has("Terraform", "Ansible", "SurrealDB", "database")
    world.has("deployment pipeline", type=EntityType.PROJECT)
    world.has("Seoul", "서울 사무실", type=EntityType.PLACE)
    return {
        "uses": world.told("Adam uses Terraform.", "Adam", RelationType.USES, "Terraform", speaker="Adam"),
        "part": world.told(
            "Terraform is part of the deployment pipeline.", "Terraform", RelationType.PART_OF, "deployment pipeline"
        ),
        "knows": world.told("Adam knows Mina.", "Adam", RelationType.KNOWS, "Mina"),
        "kind": world.told("SurrealDB is a database.", "SurrealDB", RelationType.IS_A, "database"),
        "both": world.said("Terraform and Ansible were compared.", ("Terraform", "Ansible")),
        "again": world.said("Ansible is slower than Terraform.", ("Terraform", "Ansible")),
        "lives": world.said("미나는 서울 사무실에서 일한다.", ("Mina", "서울 사무실")),
    }


def star(world: World, hub: str, leaves: Iterable[str]) -> None:
    """A hub that is named once with each of its leaves, in one batch."""
    names = list(leaves)
    world.has(hub, *names)
    memories = [a_memory(f"{hub} met {name}.", kind=Kind.FACT) for name in names]
    edges = [
        Reference(memory.id, world[one], "mention")
        for memory, name in zip(memories, names, strict=True)
        for one in (hub, name)
    ]
    world.write(created=memories, references_added=edges)


def day(number: int) -> datetime:
    return NOON.replace(day=number)
