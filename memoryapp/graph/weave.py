"""Second step: what memories were heard to say in, the one batch of changes out that makes the graph say the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memoryapp.domain.atom import ROLE_WEIGHTS, Role
from memoryapp.domain.entity import Entity, EntityState, Reference
from memoryapp.domain.relation import Held, MadeBy, Relation, RelationType, Stated, relation_id
from memoryapp.extract.concepts import named_words
from memoryapp.extract.link import MENTION
from memoryapp.extract.mentions import names_of
from memoryapp.graph.hierarchy import way_up
from memoryapp.graph.reading import Heard
from memoryapp.graph.resolve import Met, Resolver
from memoryapp.graph.standing import roots
from memoryapp.spaces import Space
from memoryapp.store import entities, references, relations
from memoryapp.store.write import Batch

_OWN = (Role.SUBJECT, Role.OBJECT)  # roles that reading gives, and takes away again
_WORDS = 3  # of a name above another, where nobody knew it before


@dataclass(frozen=True, slots=True)
class _Ends:
    """A stated relation whose ends are entities."""

    heard: Heard
    stated: Stated
    subject: Entity
    object: Entity


def weave(space: Space, heard: Sequence[Heard], resolver: Resolver, *, now: datetime) -> Batch:
    """The changes, but for the mark that the memories were read. Saying the same again changes nothing."""
    batch = Batch()
    edges = references.of_memories(space.db, [one.memory.id for one in heard])
    referred = {memory: frozenset(edge.entity for edge in some) for memory, some in edges.items()}
    met = [one for each in heard for one in _met(each)]
    found = iter(resolver.resolve(met, referred=referred, now=now))
    ends: list[_Ends] = []
    named: dict[str, list[Entity]] = defaultdict(list)
    for one in heard:
        for stated in one.stated:
            subject, object = next(found), next(found)
            if subject is not None and object is not None:
                ends.append(_Ends(one, stated, subject, object))
        named[one.memory.id] = [entity for _ in one.named if (entity := next(found)) is not None]
    ends = list(_sound(space, ends))
    before: dict[str, dict[str, Relation]] = defaultdict(dict)
    for known in relations.of_facts(space.db, [one.memory.id for one in heard]):
        before[known.fact or ""][known.id] = known
    told: dict[str, list[_Ends]] = defaultdict(list)
    for each in ends:
        told[each.heard.memory.id].append(each)
    for one in heard:
        key = one.memory.id
        _relate(batch, told[key], before[key], now=now)
        if not one.by_atom:
            _refer(batch, space, one, told[key], named[key], edges.get(key, ()))
    wanted = {key for _, one in batch.relations for key in (one.subject, one.object)}
    wanted |= {edge.entity for edge in batch.references_added}
    batch.entities = _needed(resolver.changes, wanted)
    return batch


def _needed(changes: Sequence[tuple[Entity | None, Entity]], wanted: set[str]) -> list[tuple[Entity | None, Entity]]:
    """Without new entities that nothing leads to: what they took part in was not sound."""
    new = {entity.id: entity for was, entity in changes if was is None}
    kept = set(wanted)
    for key in wanted:
        while (entity := new.get(key)) is not None and entity.merged_into and entity.merged_into not in kept:
            key = entity.merged_into
            kept.add(key)
    return [(was, entity) for was, entity in changes if was is not None or entity.id in kept]


def _met(heard: Heard) -> Iterator[Met]:
    """The names in the order in which `weave` takes their entities."""
    sure = heard.made_by is not MadeBy.RULES
    for stated in heard.stated:
        yield Met(stated.subject, heard.memory.id, sure)
        yield Met(stated.object, heard.memory.id, sure)
    for named in heard.named:
        yield Met(named, heard.memory.id)


def _sound(space: Space, ends: Sequence[_Ends]) -> Iterator[_Ends]:
    """Without what joins a thing to itself, and what would put something above itself."""
    stands = roots(space.db, [entity for one in ends for entity in (one.subject, one.object)])
    above: list[tuple[str, Entity]] = []
    for one in ends:
        low, high = stands[one.subject.id], stands[one.object.id]
        if low.id == high.id:
            continue
        if one.stated.type == RelationType.IS_A and not one.stated.planned:
            if one.heard.made_by is MadeBy.RULES and not _clear(one):
                continue
            if way_up(space.db, high, {low.id}, beside=above):
                continue
            above.append((low.id, high))
        yield one


def _clear(one: _Ends) -> bool:
    """Rules take much for a kind that is none: what is put under must be a name, or a kind of what it is under by its
    last word; and what it is under a known or a short one."""
    low = one.subject.state is EntityState.KNOWN or any(letter.isupper() for letter in one.subject.name)
    low = low or one.subject.normal.endswith(f" {one.object.normal}")
    high = one.object.state is EntityState.KNOWN or len(one.object.name.split()) <= _WORDS
    return low and high


def _relate(batch: Batch, told: Sequence[_Ends], before: Mapping[str, Relation], *, now: datetime) -> None:
    """New relations, changed ones, and those that the words no longer bear out. What a person refused stays refused,
    what a person made or changed stays as it is."""
    wanted: dict[str, Relation] = {}
    for one in told:
        made = _relation(one, now=now)
        other = wanted.get(made.id)
        if other is None or (other.planned, -other.confidence) > (made.planned, -made.confidence):
            wanted[made.id] = made
    for key, made in wanted.items():
        known = before.get(key)
        if known is None:
            batch.relations.append((None, made))
        elif known.state is Held.HELD and known.made_by is not MadeBy.PERSON:
            after = replace(
                known, label=made.label, confidence=made.confidence, made_by=made.made_by, planned=made.planned
            )
            if after != known:
                batch.relations.append((known, replace(after, version=known.version + 1)))
    for key, known in before.items():
        if key not in wanted and known.state is Held.HELD and known.made_by is not MadeBy.PERSON:
            batch.unrelated.append(known)


def _relation(one: _Ends, *, now: datetime) -> Relation:
    memory, stated = one.heard.memory, one.stated
    return Relation(
        id=relation_id(one.subject.id, stated.type, one.object.id, memory.id),
        subject=one.subject.id,
        type=stated.type,
        object=one.object.id,
        confidence=stated.confidence,
        made_by=one.heard.made_by,
        created_at=now,
        label=stated.label,
        fact=memory.id,
        session=memory.origin.session,
        at=memory.occurred_at or memory.created_at,
        planned=stated.planned,
    )


def _refer(
    batch: Batch,
    space: Space,
    heard: Heard,
    told: Sequence[_Ends],
    named: Sequence[Entity],
    edges: Sequence[Reference],
) -> None:
    """One edge from the memory to each entity: its role where a relation gives one, else that it is mentioned. Roles of
    other kinds came with an atom, and stay as long as the words still name who had them."""
    key = heard.memory.id
    roles: dict[str, Role] = {one.object.id: Role.OBJECT for one in told}
    roles |= {one.subject.id: Role.SUBJECT for one in told}
    there = {(edge.entity, edge.role) for edge in edges}
    for entity, role in roles.items():
        if (entity, role) not in there:
            batch.references_added.append(Reference(key, entity, role, ROLE_WEIGHTS[role]))
    others = {edge.entity for edge in edges if edge.role not in (*_OWN, MENTION)}
    unnamed = others - _named_in(space, heard, others)
    gone = [edge for edge in edges if edge.role in _OWN and roles.get(edge.entity) != edge.role]
    gone += [edge for edge in edges if edge.role not in (*_OWN, MENTION) and edge.entity in unnamed]
    batch.references_removed += gone
    batch.references_removed += [edge for edge in edges if edge.role == MENTION and edge.entity in roles]
    kept = {edge.entity for edge in edges if edge not in gone} | roles.keys()
    lost = {edge.entity for edge in gone} - kept
    again = lost & _named_in(space, heard, lost)
    mentioned = dict.fromkeys([*sorted(again), *(entity.id for entity in named)])
    batch.references_added += [Reference(key, entity, MENTION) for entity in mentioned if entity not in kept]


def _named_in(space: Space, heard: Heard, keys: set[str]) -> set[str]:
    """Which of these entities the memory names in any role."""
    found = entities.get_many(space.db, sorted(keys))
    names = names_of((entity.id, (entity.name, *entity.aliases)) for entity in found.values())
    return set(names.entities(named_words(heard.memory.text)))
