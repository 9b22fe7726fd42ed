"""Names in atoms in, the entities they stand for out: known by that spelling, or new. For `taking_part`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memoryapp.domain.atom import Role
from memoryapp.domain.entity import Entity, EntityState, EntityType, normal_form
from memoryapp.domain.relation import RelationType
from memoryapp.extract.atoms import is_self, joined, participants, whom
from memoryapp.extract.concepts import NAME_CHARS
from memoryapp.extract.lexicon import lexicon_of
from memoryapp.extract.link import entities_named, free_ids
from memoryapp.extract.relations.kinds import kind_of
from memoryapp.remember.match import Matched
from memoryapp.store import entities
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


class Called:
    """The entities of one batch by the names its atoms use. A name that an atom uses is known at once, being told by
    somebody who tells names from words; what is a value, a time or a clause is proposed."""

    def __init__(self, db: Database, batch: Batch, told: Sequence[Matched], *, now: datetime) -> None:
        self._lexicon = lexicon_of(db)
        self._now = now
        self._wanted = _wanted(told)
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


def _wanted(told: Sequence[Matched]) -> dict[str, tuple[str, bool]]:
    """Every name by its normal form: a guess of its type, and whether it is one."""
    found: dict[str, tuple[str, bool]] = {}
    atoms = [(one.item.atom, one.item.speaker) for one in told if one.item.atom is not None]
    for (atom, speaker), edges in zip(atoms, joined([atom for atom, _ in atoms]), strict=True):
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
