"""The entities that names in atoms stand for: known by that spelling, or new."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memoryapp.domain.atom import ROLE_WEIGHTS, Atom, Role
from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference, normal_form
from memoryapp.domain.errors import EncoderError
from memoryapp.domain.memory import Kind
from memoryapp.domain.relation import MadeBy, Relation, RelationState, RelationType, relation_id
from memoryapp.domain.remembering import Became
from memoryapp.extraction.atoms import UNSURE, AtomRelation, atom_relations, is_self, participants, whom
from memoryapp.extraction.entities.candidates import NAME_CHARS
from memoryapp.extraction.entities.lexicon import lexicon_of
from memoryapp.extraction.entities.link import MENTION, entities_named, free_ids
from memoryapp.extraction.relations.kinds import kind_of
from memoryapp.extraction.relations.taxonomy import Encode
from memoryapp.remember.match import MatchResult
from memoryapp.spaces import Space
from memoryapp.store import entities, relations
from memoryapp.store.database import Database
from memoryapp.store.write import Batch

_MOST_WORDS = 6  # what is longer is a clause, no name
_TIME = re.compile(r"[\d\s:.,/+-]*\d[\d\s:.,/+-]*(?:am|pm|z)?", re.IGNORECASE)
_OF_VALUES = frozenset({Role.VALUE, Role.ATTRIBUTE})
_PERSON, _PLACE, _FIRM = EntityType.PERSON, EntityType.PLACE, EntityType.ORGANIZATION
_SUBJECTS = {
    RelationType.WORKS_AT: _PERSON,
    RelationType.LIVES_IN: _PERSON,
    RelationType.VISITED: _PERSON,
    RelationType.SKILLED_IN: _PERSON,
    RelationType.KNOWS: _PERSON,
    RelationType.COLLABORATES_WITH: _PERSON,
    RelationType.MANAGES: _PERSON,
    RelationType.PREFERS: _PERSON,
}
_OBJECTS = {
    RelationType.WORKS_AT: _FIRM,
    RelationType.LIVES_IN: _PLACE,
    RelationType.LOCATED_IN: _PLACE,
    RelationType.VISITED: _PLACE,
    RelationType.KNOWS: _PERSON,
    RelationType.COLLABORATES_WITH: _PERSON,
    RelationType.WORKS_ON: EntityType.PROJECT,
    RelationType.USES: EntityType.TOOL,
}


class EntitiesByName:
    """The entities of one batch by the names its atoms use. A name that an atom uses is known at once, being told by
    somebody who tells names from words; what is a value, a time or a clause is proposed."""

    def __init__(self, db: Database, batch: Batch, told: Sequence[MatchResult], *, now: datetime) -> None:
        self._lexicon = lexicon_of(db)
        self._now = now
        self._wanted = _wanted_names(told)
        spelled = self._lexicon.spelled
        self._stored = entities.by_normals(db, [normal for normal in self._wanted if normal not in spelled])
        self._known = entities.get_many(db, [spelled[normal] for normal in self._wanted if normal in spelled])
        missing = [normal for normal in self._wanted if spelled.get(normal) not in self._known]
        self._ids = free_ids(db, [normal for normal in missing if normal not in self._stored])
        # Names that notes of the same batch propose.
        self._beside = {after.normal: (before, after) for before, after in batch.entities}
        self._found: dict[str, Entity] = {}

    def entity(self, name: str) -> Entity:
        normal = normal_form(name)
        if normal not in self._found:
            self._found[normal] = self._as_it_stands(name, normal)
        return self._found[normal]

    def named(self, text: str) -> tuple[str, ...]:
        """Ids of the known entities that a text names."""
        return entities_named(text, (self._lexicon.names,))

    def put(self, batch: Batch) -> None:
        """What is new or newly known, into the batch."""
        for normal, entity in self._found.items():
            if entity.id in self._known:
                continue
            before = self._beside[normal][0] if normal in self._beside else self._stored.get(normal)
            if entity == before:
                continue
            if before is not None:
                entity = replace(entity, version=before.version + 1)
            batch.entities = [pair for pair in batch.entities if pair[1].id != entity.id]
            batch.entities.append((before, entity))

    def _as_it_stands(self, name: str, normal: str) -> Entity:
        key = self._lexicon.spelled.get(normal)
        if key is not None and key in self._known:
            return self._known[key]
        _, beside = self._beside.get(normal, (None, None))
        standing = beside or self._stored.get(normal)
        kind, is_name = self._wanted.get(normal, ("", True))
        if standing is None:
            return Entity(
                id=self._ids[normal],
                name=name,
                normal=normal,
                type=kind or EntityType.UNKNOWN,
                state=EntityState.KNOWN if is_name else EntityState.PROPOSED,
                created_at=self._now,
                sightings=1,
            )
        if standing.state is EntityState.PROPOSED and is_name:
            return replace(standing, state=EntityState.KNOWN, type=kind or standing.type)
        return standing


def _wanted_names(told: Sequence[MatchResult]) -> dict[str, tuple[str, bool]]:
    """Every name by its normal form: a guess of its type, and whether it is one."""
    found: dict[str, tuple[str, bool]] = {}
    atoms = [(one.item.atom, one.item.speaker) for one in told if one.item.atom is not None]
    for (atom, speaker), edges in zip(atoms, atom_relations([atom for atom, _ in atoms]), strict=True):
        told_by = {normal_form(edge.object): _OBJECTS.get(edge.type, "") for edge in edges}
        told_by |= {normal_form(edge.subject): _SUBJECTS.get(edge.type, "") for edge in edges}
        for name, role in participants(atom):
            called = whom(name, speaker)
            normal = normal_form(called)
            guess = _PERSON if is_self(name) else _type(called, role, told_by.get(normal, ""))
            kind, known = found.get(normal, ("", False))
            found[normal] = (kind or guess, known or is_self(name) or _is_name(called, role))
    return found


def _type(name: str, role: Role, told: str) -> str:
    """By the name itself, by what the atom says of it, by its role."""
    if known := kind_of(name):
        return known
    return told or (_PLACE if role is Role.LOCUS and not _TIME.fullmatch(name) else "")


def _is_name(name: str, role: Role) -> bool:
    short = len(name) <= NAME_CHARS and len(name.split()) <= _MOST_WORDS
    return short and role not in _OF_VALUES and not _TIME.fullmatch(name)


# Sixth step, for atoms: who takes part in each becomes an entity that its memory refers to in that role, and what it
# states becomes a relation. Both go into the batch that writes the memory.


@dataclass(frozen=True, slots=True)
class Part:
    """What an atom brings to its memory."""

    participants: tuple[tuple[Entity, Role], ...] = ()
    relations: tuple[tuple[Entity, Relation, Entity], ...] = ()


@dataclass(slots=True)
class _Standing:
    """Of memories that were there before: what they refer to, and the relations found in them."""

    references: dict[str, tuple[Reference, ...]]
    relations: dict[str, list[Relation]] = field(default_factory=dict)


def take_part(space: Space, matched: Sequence[MatchResult], batch: Batch, *, now: datetime) -> dict[str, Part]:
    """By memory, what its atom brings. A held memory that an atom confirms gains what it did not have; one that comes
    with new words loses what its old ones said."""
    told = [one for one in matched if _has_atom(one)]
    if not told:
        return {}
    called = EntitiesByName(space.db, batch, told, now=now)
    standing = _standing(space, batch, told)
    stated = _relations_by_match(space, told)
    parts: dict[str, Part] = {}
    for one in told:
        part = _part(one, stated.get(id(one), ()), called, now=now)
        _refer(one, part, called, standing, batch)
        _relate(one, part, standing, batch)
        parts.setdefault(one.after.id, part)
        if one.rewritten and one.item.atom is not None:
            version = one.after.version if one.before is None else one.before.version + 1
            batch.graphed.append((one.after.id, version))  # there is nothing more to read in it
    called.put(batch)
    return parts


def _has_atom(one: MatchResult) -> bool:
    if one.rewritten:
        return one.item.atom is not None or (one.before is not None and one.before.kind is Kind.ATOM)
    return one.item.atom is not None and one.outcome is Became.REINFORCED


def _standing(space: Space, batch: Batch, told: Sequence[MatchResult]) -> _Standing:
    new = {memory.id for memory in batch.created}
    keys = list(dict.fromkeys(one.after.id for one in told if one.after.id not in new))
    found = _Standing(entities.references_of(space.db, keys))
    for edge in relations.of_facts(space.db, keys):
        found.relations.setdefault(edge.fact or "", []).append(edge)
    return found


def _relations_by_match(space: Space, told: Sequence[MatchResult]) -> dict[int, tuple[AtomRelation, ...]]:
    atoms: list[tuple[int, Atom]] = [(id(one), one.item.atom) for one in told if one.item.atom is not None]
    found = atom_relations([atom for _, atom in atoms], encode=_encode(space))
    return {key: edges for (key, _), edges in zip(atoms, found, strict=True)}


def _encode(space: Space) -> Encode | None:
    """Where the model is there already; a predicate that the table does not hold is worth no waiting."""
    try:
        return space.encoder.get(0).encode_documents if space.encoder.ready else None
    except EncoderError:
        return None


def _part(one: MatchResult, edges: Sequence[AtomRelation], called: EntitiesByName, *, now: datetime) -> Part:
    atom = one.item.atom
    if atom is None:
        return Part()
    roles: dict[str, tuple[Entity, Role]] = {}
    for name, role in participants(atom):
        entity = called.entity(whom(name, one.item.speaker))
        _, strongest = roles.get(entity.id, (entity, role))
        roles[entity.id] = (entity, max(strongest, role, key=lambda each: ROLE_WEIGHTS[each]))
    made: dict[str, tuple[Entity, Relation, Entity]] = {}
    for edge in edges:
        subject, object = (called.entity(whom(name, one.item.speaker)) for name in (edge.subject, edge.object))
        if subject.id != object.id:
            relation = _relation(one, edge, subject, object, now)
            made.setdefault(relation.id, (subject, relation, object))
    return Part(tuple(roles.values()), tuple(made.values()))


def _relation(one: MatchResult, edge: AtomRelation, subject: Entity, object: Entity, now: datetime) -> Relation:
    said = one.item.occurred_at or one.item.said_at or now
    confidence = one.after.confidence
    return Relation(
        id=relation_id(subject.id, edge.type, object.id, one.after.id),
        subject=subject.id,
        type=edge.type.value,
        object=object.id,
        confidence=min(confidence, UNSURE) if edge.unsure else confidence,
        made_by=MadeBy.ATOM,
        created_at=now,
        label=edge.label,
        fact=one.after.id,
        session=one.item.session,
        at=said,
        valid_to=one.item.valid_to or (said if edge.over else None),
        planned=edge.planned,
    )


def _refer(one: MatchResult, part: Part, called: EntitiesByName, standing: _Standing, batch: Batch) -> None:
    """An entity that has a role in a memory is not mentioned in it besides."""
    memory = one.after.id
    roles = {(entity.id, role.value): ROLE_WEIGHTS[role] for entity, role in part.participants}
    having = {entity for entity, _ in roles}
    mentioned = {}
    if one.rewritten and one.after.kind is Kind.ATOM:
        mentioned = {(key, MENTION): 1.0 for key in called.named(one.after.text) if key not in having}
    wanted = roles | mentioned
    there = {(edge.entity, edge.role): edge for edge in standing.references.get(memory, ())}
    gone = [edge for (entity, role), edge in there.items() if role == MENTION and entity in having]
    if one.rewritten and one.before is not None:
        kept = wanted if one.after.kind is Kind.ATOM else wanted | {key: 1.0 for key in there if key[1] == MENTION}
        gone = [edge for key, edge in there.items() if key not in kept]
    added = [Reference(memory, *key, weight) for key, weight in wanted.items() if key not in there]
    batch.references_added += [edge for edge in added if edge not in batch.references_added]
    batch.references_removed += [edge for edge in gone if edge not in batch.references_removed]


def _relate(one: MatchResult, part: Part, standing: _Standing, batch: Batch) -> None:
    """A relation that rules found in the same memory is now one that an atom states; one that a person refused stays
    refused."""
    there = {edge.id: edge for edge in standing.relations.get(one.after.id, ())}
    put = {after.id for _, after in batch.relations}
    for _, edge, _ in part.relations:
        before = there.get(edge.id)
        if edge.id in put:
            continue
        if before is None:
            batch.relations.append((None, edge))
        elif before.state is RelationState.HELD and before.made_by in (MadeBy.RULES, MadeBy.LLM):
            after = replace(edge, created_at=before.created_at, version=before.version + 1)
            batch.relations.append((before, after))
    if one.rewritten and one.before is not None:
        wanted = {edge.id for _, edge, _ in part.relations}
        batch.unrelated += [edge for edge in there.values() if edge.id not in wanted and _is_removable(edge)]


def _is_removable(edge: Relation) -> bool:
    """What new words no longer bear out; a person's word, and what a person refused, stays."""
    return edge.made_by is not MadeBy.PERSON and edge.state is RelationState.HELD
