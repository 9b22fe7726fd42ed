"""The entity that a name in a text stands for: exact name → alias → another spelling of a known name → a new one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memoryapp.domain.entity import (
    UNCLEAR,
    AlikeStatus,
    Entity,
    EntityState,
    EntityType,
    alike_id,
    normal_form,
    type_named,
)
from memoryapp.domain.errors import BadInput
from memoryapp.domain.relation import NamedEntity
from memoryapp.extraction.entities.candidates import NAME_CHARS
from memoryapp.extraction.entities.lexicon import lexicon_of
from memoryapp.extraction.entities.link import free_ids, typed_by_person
from memoryapp.graph.canonical import roots
from memoryapp.graph.known_names import SPELLINGS, loose
from memoryapp.graph.name_similarity import spelling_of, types_fit
from memoryapp.store import entities
from memoryapp.store import entity_pairs as pairs
from memoryapp.store.database import Database


@dataclass(frozen=True, slots=True)
class Mention:
    """A name where it was met. `sure`: an entity of this name is known at once, whoever sees it again."""

    named: NamedEntity
    memory: str
    sure: bool = False


class Resolver:
    """Resolves batch after batch; `changes` are what the last one changed. Not for two threads. After a batch that was
    refused, begin with a new one.

    Counts sightings as `extraction.entities.link` does: a proposed entity is known at the second memory that shows it.
    """

    def __init__(self, db: Database, *, sightings_to_know: int) -> None:
        self._db = db
        self._needed = max(sightings_to_know, 1)
        lexicon = lexicon_of(db)
        self._entities: dict[str, Entity] = dict(lexicon.entities)
        self._spelled = {name: key for name, key in lexicon.spelled.items() if key in self._entities}
        self._stored: dict[str, Entity | None] = {}
        self._ids: dict[str, str] = {}  # of an entity that is made of this normal form
        self._by_form: dict[str, str] = {}
        for name, key in self._spelled.items():
            self._form(name, key)

    def resolve(
        self, met: Sequence[Mention], *, referred: Mapping[str, Collection[str]], now: datetime
    ) -> list[Entity | None]:
        """The entity that bears each name, in order; None for what cannot be a name and what a person refused.
        `referred`: by memory, the entities that it refers to already: seeing those again is no new sighting."""
        self._stored = {}
        self._fetch({normal_form(one.named.name) for one in met})
        seen = {memory: set(keys) for memory, keys in referred.items()}
        found = [self._one(one, seen=seen.setdefault(one.memory, set()), now=now) for one in met]
        self._retype([(one.named, entity) for one, entity in zip(met, found, strict=True) if entity is not None])
        return [self._entities[entity.id] if entity else None for entity in found]

    @property
    def changes(self) -> list[tuple[Entity | None, Entity]]:
        """(as it was, as it is) of every entity that the last batch made or changed."""
        return [(before, self._entities[key]) for key, before in self._stored.items() if self._entities[key] != before]

    def _fetch(self, normals: set[str]) -> None:
        unknown = sorted(normals - self._spelled.keys())
        others = {normal_form(name) for normal in unknown for name in SPELLINGS.get(spelling_of(normal).sign, ())}
        found = entities.by_normals(self._db, [*unknown, *sorted(others - self._spelled.keys())])
        for normal, entity in found.items():
            self._entities.setdefault(entity.id, entity)
            self._spelled.setdefault(normal, entity.id)
            if entity.state is not EntityState.REFUSED:
                self._form(entity.name, entity.id)
        self._ids.update(free_ids(self._db, [normal for normal in unknown if normal not in found]))

    def _form(self, name: str, key: str) -> None:
        form = spelling_of(name)
        if form.loose:
            self._by_form.setdefault(f"{form.loose} {' '.join(form.numbers)}", key)
        if form.sign:
            self._by_form.setdefault(f"= {form.sign}", key)

    def _one(self, met: Mention, *, seen: set[str], now: datetime) -> Entity | None:
        name = " ".join(met.named.name.split())
        normal = normal_form(name)
        if not 2 <= len(normal) <= NAME_CHARS or not any(letter.isalpha() for letter in normal):
            return None
        key = self._spelled.get(normal)
        if key is None:
            entity = self._new(name, normal, met, seen=seen, now=now)
        else:
            entity = self._entities[key]
            if entity.state is EntityState.REFUSED:
                return None
            entity = self._sighted(entity, seen=seen, sure=met.sure)
        seen.add(entity.id)
        return entity

    def _sighted(self, entity: Entity, *, seen: Collection[str], sure: bool) -> Entity:
        if entity.state is not EntityState.PROPOSED:
            return entity
        more = 0 if entity.id in seen else 1
        known = sure or entity.sightings + more >= self._needed
        if not more and not known:
            return entity
        state = EntityState.KNOWN if known else entity.state
        return self._put(replace(entity, sightings=entity.sightings + more, state=state))

    def _new(self, name: str, normal: str, met: Mention, *, seen: Collection[str], now: datetime) -> Entity:
        key = self._ids[normal]
        same = self._same(name, met.named.type, key=key)
        if same is not None:  # the one thing, seen once more
            same = self._sighted(same, seen=seen, sure=met.sure)
        known = met.sure or self._needed <= 1 or (same is not None and same.state is EntityState.KNOWN)
        entity = Entity(
            id=key,
            name=name,
            normal=normal,
            type=_type(met.named.type) or (same.type if same else EntityType.UNKNOWN),
            state=EntityState.KNOWN if known else EntityState.PROPOSED,
            created_at=now,
            sightings=1,
            merged_into=same.id if same else None,
        )
        self._spelled[normal] = entity.id
        self._form(name, entity.id)
        return self._put(entity)

    def _same(self, name: str, type: str, *, key: str) -> Entity | None:
        """The entity of which this is certainly another spelling, unless a person parted the two. `key`: its own id."""
        form = spelling_of(name)
        asked = (f"= {form.sign}" if form.sign else "", f"{form.loose} {' '.join(form.numbers)}" if form.loose else "")
        for other in filter(None, map(self._by_form.get, filter(None, asked))):
            entity = self._entities[other]
            fits = types_fit(_type(type) or EntityType.UNKNOWN, entity.type)
            # “Neovim” is not to go into “nvim”: the look for names that are alike merges them the other way round.
            if form.sign and form.loose == loose(form.sign) != spelling_of(entity.name).loose:
                continue
            if fits and entity.state is not EntityState.REFUSED and not self._parted(key, entity):
                return entity
        return None

    def _parted(self, one: str, other: Entity) -> bool:
        stands = roots(self._db, [other])[other.id].id
        found = [pairs.find(self._db, alike_id(one, key)) for key in {other.id, stands}]
        return any(pair is not None and pair.status is AlikeStatus.REFUSED for pair in found)

    def _put(self, entity: Entity) -> Entity:
        """Its next state: one step from the state that is stored, however many sightings come together here."""
        before = self._stored.setdefault(entity.id, self._entities.get(entity.id))
        after = entity if before is None else replace(entity, version=before.version + 1)
        self._entities[entity.id] = after
        return after

    def _retype(self, named: Iterable[tuple[NamedEntity, Entity]]) -> None:
        """A guess where there was none. What a person called it stays."""
        guesses = {
            entity.id: guess
            for one, entity in named
            if entity.type in UNCLEAR and (guess := _type(one.type)) and guess not in UNCLEAR
        }
        for key, guess in guesses.items():
            entity = self._entities[key]
            if self._stored.get(key, entity) is None or not typed_by_person(self._db, key):
                self._put(replace(entity, type=guess))


def _type(guess: str) -> str:
    try:
        return type_named(guess) if guess else ""
    except BadInput:
        return ""
