"""New or rewritten memories in, their references to entities out, put into the batch that writes the memories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memoryapp.domain.change import ActorKind
from memoryapp.domain.entity import UNCLEAR, Entity, EntityState, EntityType, Reference, normal_form
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Memory, words_of
from memoryapp.extraction.entities.candidates import Candidate, entities_in, guessed_type, named_words
from memoryapp.extraction.entities.entity_judge import how_sure
from memoryapp.extraction.entities.lexicon import lexicon_of
from memoryapp.extraction.entities.mentions import Names, is_plain_noun
from memoryapp.store import entities, revisions
from memoryapp.store.database import Database
from memoryapp.store.write import Batch

MENTION = "mention"
SURE_TYPE = 0.8  # probability from which a later sighting types an entity anew


@dataclass(frozen=True, slots=True)
class Subject:
    """What a note is about, as its author names it: with aliases, or a person, it is known without a second sighting.
    `type` is "" where nothing tells."""

    name: str
    type: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkResult:
    """`added`: references put into the batch; `learned`: entities that became known by it."""

    added: int
    learned: tuple[Entity, ...]


def link(
    db: Database,
    memories: Sequence[Memory],
    batch: Batch,
    *,
    now: datetime,
    sightings_to_know: int = 2,
    named: Mapping[str, Sequence[str]] | None = None,
) -> int:
    """Adds to the batch the entities that `memories` speak of and the references to them; drops those that their new
    words no longer bear out. Returns how many references were added."""
    return Linker(db, sightings_to_know=sightings_to_know).link(memories, batch, now=now, named=named).added


class Linker:
    """Links batch after batch without waiting for the store to hold the ones before, so that a dry run counts as the
    real run does. Not for two threads. After a batch that was refused, begin with a new one.

    A proposed entity counts its sightings: memories that show it as a name. Once it is known that number stands still,
    and its references tell how often it is named.
    """

    def __init__(self, db: Database, *, sightings_to_know: int = 2) -> None:
        self._db = db
        self._needed = max(sightings_to_know, 1)
        self._lexicon = lexicon_of(db)
        self._learned = Names()
        self._kinds: set[str] = set()  # what was learned that is a concept
        self._entities: dict[str, Entity] = {}  # by normal form, as this linker leaves them
        self._referred: dict[str, set[str]] = {}  # memory → entities, as this linker leaves them
        self._playing: dict[str, frozenset[str]] = {}  # memory → entities with a role in it: no mention beside that
        self._seen_in: dict[str, set[str]] = {}  # entity → the documents that showed it to this linker
        self._ids: dict[str, str] = {}  # of an entity that is made of this normal form

    def link(
        self,
        memories: Sequence[Memory],
        batch: Batch,
        *,
        now: datetime,
        contexts: Mapping[str, str] | None = None,
        named: Mapping[str, Sequence[str]] | None = None,
        subjects: Mapping[str, Subject] | None = None,
    ) -> LinkResult:
        """By memory id, `contexts`: the whole text it was cut from, which tells names from words; `named`: names that
        whoever read it found in it; `subjects`: what its note says that it is about."""
        if not memories:
            return LinkResult(0, ())
        self._recall([memory.id for memory in memories], new={memory.id for memory in batch.created})
        contexts, named = contexts or {}, named or {}
        shown = {memory.id: _candidates(memory, contexts, named.get(memory.id, ())) for memory in memories}
        stored = self._fetch(shown.values())
        learned: list[Entity] = []
        for subject in dict.fromkeys((subjects or {}).values()):
            self._introduce(subject, stored, learned=learned, now=now)
        wanted: dict[str, dict[str, None]] = {}
        for memory in memories:
            sighted = [self._sight(candidate, memory, learned=learned, now=now) for candidate in shown[memory.id]]
            wanted[memory.id] = {key: None for key in sighted if key is not None}
        # After all candidates, so that what became known just now is found in every memory of the batch.
        for memory in memories:
            wanted[memory.id] |= dict.fromkeys(self._named_in(memory))
        added = self._put(wanted, batch)
        stored.update(self._unsight(batch.references_removed))
        for normal, before in stored.items():
            after = self._entities.get(normal)
            if after is not None and after is not before:
                batch.entities.append((before, after))
        return LinkResult(added, tuple(learned))

    def _named_in(self, memory: Memory) -> Iterator[str]:
        """Ids of the known entities that its words, the top of its breadcrumb or its tags name."""
        yield from entities_named(words_of_memory(memory), (self._lexicon.names, self._learned), is_kind=self._is_kind)
        for name in (*memory.breadcrumb[:1], *memory.tags):
            if key := self._spelled(normal_form(name)):
                yield key

    def _spelled(self, normal: str) -> str | None:
        """The known entity that goes by this name, as this linker leaves them."""
        entity = self._entities.get(normal)
        known = entity.id if entity is not None and entity.state is EntityState.KNOWN else None
        return self._lexicon.spelled.get(normal) or known

    def _introduce(
        self, subject: Subject, stored: dict[str, Entity | None], *, learned: list[Entity], now: datetime
    ) -> None:
        """Makes the subject of a note known, with its aliases. One that a person refused stays so; a type and an alias
        that were given to it by hand stay as well."""
        normal = normal_form(subject.name)
        if not normal:
            return
        bearer = self._lexicon.entities.get(self._lexicon.spelled.get(normal, ""))
        normal = bearer.normal if bearer else normal
        if normal not in self._entities:
            found = bearer or entities.by_normals(self._db, [normal]).get(normal)
            stored.setdefault(normal, found)
            if found is not None:
                self._entities[normal] = found
            else:
                self._ids.update(free_ids(self._db, [normal]))
        before = self._entities.get(normal)
        if before is not None and before.state is EntityState.REFUSED:
            return
        own = {normal, *(normal_form(alias) for alias in before.aliases)} if before else {normal}
        fresh = {normal_form(alias): alias for alias in subject.aliases}
        added = tuple(alias for key, alias in fresh.items() if key not in own and not self._spelled(key))
        if before is None:
            if not subject.aliases and subject.type != EntityType.PERSON:
                return  # “project” and the like sort notes as often as they say what one is about
            type = subject.type or guessed_type(subject.name)
            after = Entity(
                self._ids[normal], subject.name, normal, type, EntityState.KNOWN, now, aliases=added, sightings=1
            )
        else:
            is_guess = before.type in UNCLEAR or (subject.type and not typed_by_person(self._db, before.id))
            type = subject.type if subject.type and is_guess else before.type
            after = replace(before, type=type, state=EntityState.KNOWN, aliases=(*before.aliases, *added))
            if after == before:
                return
            stored.setdefault(normal, before)
            after = replace(after, version=before.version + 1)
        self._entities[normal] = after
        if before is None or before.state is not EntityState.KNOWN or added:
            learned.append(after)
        for name in (after.name, *after.aliases):
            self._learned.add(after.id, name)

    def _is_kind(self, key: str) -> bool:
        known = self._lexicon.entities.get(key)
        return key in self._kinds or (known is not None and is_found_in_small_letters(known))

    def standing(self, memories: Sequence[str]) -> dict[str, frozenset[str]]:
        """The entities that each of these memories refers to, as this linker leaves them."""
        self._recall(memories, new=set())
        return {memory: self._all_of(memory) for memory in memories}

    def _all_of(self, memory: str) -> frozenset[str]:
        return self._playing[memory] | self._referred[memory]

    def _recall(self, memories: Sequence[str], *, new: set[str]) -> None:
        """What these memories refer to already; a new one to nothing."""
        asked = [memory for memory in memories if memory not in new and memory not in self._referred]
        edges = entities.references_of(self._db, asked)
        for memory in memories:
            known = {edge.entity for edge in edges.get(memory, ()) if edge.role == MENTION}
            self._referred.setdefault(memory, known)
            self._playing.setdefault(memory, frozenset(e.entity for e in edges.get(memory, ()) if e.role != MENTION))

    def _fetch(self, shown: Iterable[Sequence[Candidate]]) -> dict[str, Entity | None]:
        """The entities of these candidates before this batch, by normal form; None where there is none."""
        normals = {candidate.normal for some in shown for candidate in some} - self._lexicon.spelled.keys()
        unknown = [normal for normal in normals if normal not in self._entities]
        self._entities.update(entities.by_normals(self._db, unknown))
        self._ids.update(free_ids(self._db, [normal for normal in unknown if normal not in self._entities]))
        return {normal: self._entities.get(normal) for normal in normals}

    def _sight(self, candidate: Candidate, memory: Memory, *, learned: list[Entity], now: datetime) -> str | None:
        """The id of the candidate's entity, proposed or made known where it is time; None where a person refused it.
        A document is one sighting, however many of its sections show the name."""
        if key := self._lexicon.spelled.get(candidate.normal):
            return key
        entity = self._entities.get(candidate.normal)
        if entity is not None and entity.state is EntityState.REFUSED:
            return None
        if entity is None and candidate.is_weak:
            return None
        if entity is None:
            entity = _proposed_entity(candidate, now, key=self._ids[candidate.normal])
        elif entity.state is EntityState.PROPOSED and self._is_new_sighting(entity, memory):
            entity = replace(entity, sightings=entity.sightings + 1, version=entity.version + 1)
        if entity.state is EntityState.PROPOSED and entity.sightings >= self._needed and candidate.is_sure:
            entity = replace(entity, state=EntityState.KNOWN, type=self._surer_type(entity, candidate))
            learned.append(entity)
            self._learned.add(entity.id, entity.name)
            if is_found_in_small_letters(entity):
                self._kinds.add(entity.id)
        self._entities[candidate.normal] = entity
        self._seen_in.setdefault(entity.id, set()).add(memory.origin.document or memory.id)
        return entity.id

    def _surer_type(self, entity: Entity, candidate: Candidate) -> str:
        """The type as the entity becomes known: that of its first sighting, unless this one tells another surely. A
        matter of what is stored and of this text alone, so that a run that was cut off ends as any other."""
        if candidate.weights is None or candidate.type == entity.type:
            return entity.type
        is_guess = entity.type == EntityType.UNKNOWN or how_sure(candidate.weights) >= SURE_TYPE
        return candidate.type if is_guess and not typed_by_person(self._db, entity.id) else entity.type

    def _is_new_sighting(self, entity: Entity, memory: Memory) -> bool:
        seen = self._seen_in.get(entity.id, ())
        return entity.id not in self._all_of(memory.id) and (memory.origin.document or memory.id) not in seen

    def _unsight(self, removed: Sequence[Reference]) -> dict[str, Entity | None]:
        """A proposed entity that a memory no longer shows was seen once less. Gives those as they stood before."""
        earlier: dict[str, Entity | None] = {}
        for entity in entities.get_many(self._db, list({edge.entity for edge in removed})).values():
            standing = self._entities.setdefault(entity.normal, entity)
            if standing.state is EntityState.PROPOSED and standing.sightings > 0:
                fewer = sum(edge.entity == entity.id for edge in removed)
                earlier[entity.normal] = standing
                self._entities[entity.normal] = replace(
                    standing, sightings=max(standing.sightings - fewer, 0), version=standing.version + 1
                )
        return earlier

    def _put(self, wanted: Mapping[str, dict[str, None]], batch: Batch) -> int:
        added = 0
        for memory, keys in wanted.items():
            standing = self._referred[memory]
            new = [key for key in keys if key not in standing and key not in self._playing[memory]]
            gone = [key for key in standing if key not in keys]
            batch.references_added.extend(Reference(memory, key, MENTION) for key in new)
            batch.references_removed.extend(Reference(memory, key, MENTION) for key in gone)
            self._referred[memory] = set(keys) - self._playing[memory]
            added += len(new)
        return added


def is_found_in_small_letters(entity: Entity) -> bool:
    """Whether “the zfs” names it: a kind of thing, and whatever a person named by hand."""
    return entity.type == EntityType.CONCEPT or entity.named_by_hand


def entities_named(
    text: str, matchers: Sequence[Names], *, is_kind: Callable[[str], bool] = lambda _: True
) -> tuple[str, ...]:
    """The known entities that a text names in its prose, each once. “The cursor” names no tool of that name, where “a
    database” speaks of the kind: `is_kind` tells which entities are kinds of things."""
    words = named_words(text)
    found = (mention for names in matchers for mention in names.find(words))
    named = (one.entity for one in found if is_kind(one.entity) or not is_plain_noun(words, one.start, one.end))
    return tuple(dict.fromkeys(named))


def words_of_memory(memory: Memory) -> str:
    """The text below its title, which is marked as a heading: capitals there say less."""
    text = memory.text
    return text if words_of(text, title=memory.title) == text else f"# {memory.title}\n\n{text}"


def _candidates(memory: Memory, contexts: Mapping[str, str], named: Sequence[str]) -> tuple[Candidate, ...]:
    return entities_in(
        words_of_memory(memory),
        context=contexts.get(memory.id),
        named=named,
        speaker=memory.speaker or "",
    )


def free_ids(db: Database, normals: Iterable[str]) -> dict[str, str]:
    """The ids of new entities by their normal forms, which no entity has: one that was made of such a name and goes by
    another since has the first of these."""
    found = {normal: derived_id("entity", normal) for normal in normals}
    again: tuple[str, ...] = ()
    asked = found
    while taken := entities.get_many(db, list(asked.values())):
        again = (*again, "again")
        asked = {normal: derived_id("entity", normal, *again) for normal, key in asked.items() if key in taken}
        found |= asked
    return found


def _proposed_entity(candidate: Candidate, now: datetime, *, key: str) -> Entity:
    return Entity(
        id=key,
        name=candidate.surface,
        normal=candidate.normal,
        type=candidate.type,
        state=EntityState.PROPOSED,
        created_at=now,
        sightings=1,
    )


def typed_by_person(db: Database, key: str) -> bool:
    """Whether a person gave the entity its type, which no guess replaces."""
    return any(
        one.actor.kind is ActorKind.PERSON and one.record == "entity" and "type" in one.after
        for one in revisions.of_record(db, key)
    )
