"""Names and relations of an import on their way into the graph. They hang on no memory: the file states them, as a
person does who draws a line by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memoryapp.domain.change import Run
from memoryapp.domain.cleaning import clean
from memoryapp.domain.entity import Entity, EntityState, EntityType, normal_form, type_named
from memoryapp.domain.errors import BadInput
from memoryapp.domain.relation import MadeBy, Relation, RelationType, relation_id
from memoryapp.extraction.entities.candidates import NAME_CHARS
from memoryapp.extraction.entities.lexicon import lexicon_of
from memoryapp.extraction.entities.link import free_ids
from memoryapp.extraction.relations.taxonomy import LABEL_CHARS, type_of
from memoryapp.graph.canonical import roots, write_lock
from memoryapp.graph.hierarchy import path_text, way_up
from memoryapp.spaces import Space
from memoryapp.store import entities, relations
from memoryapp.store.write import Batch, commit
from memoryapp.transfer.entries import ImportedEntity, Link, SkippedEntry
from memoryapp.transfer.report import Report


@dataclass(slots=True)
class Joining:
    space: Space
    run: Run
    report: Report
    dry_run: bool
    wrote: bool = False
    _named: list[ImportedEntity] = field(default_factory=list)
    _links: list[Link] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._named) + len(self._links)

    def take(self, thing: ImportedEntity | Link) -> None:
        """Names that can be none are told here."""
        names = (thing.name,) if isinstance(thing, ImportedEntity) else (thing.subject, thing.object)
        for name in names:
            if why := _no_name(name):
                self.report.skip(SkippedEntry(" ".join(clean(name).split())[:NAME_CHARS] or "a name", why))
                return
        if isinstance(thing, ImportedEntity):
            self._named.append(thing)
        else:
            self._links.append(thing)

    def flush(self) -> None:
        """Entities in one batch, relations in a second: a place in the hierarchy is looked at on its own, as it must
        close no circle."""
        if not len(self):
            return
        named, links = self._named, self._links
        self._named, self._links = [], []
        now = self.space.clock()
        with write_lock(self.space.db):
            found = self._entities(named, links, now=now)
            made = self._relations(links, found, now=now)
            plain = [relation for relation in made if relation.type != RelationType.IS_A]
            self.report.relations += len(plain)
            self._write(Batch(relations=[(None, relation) for relation in plain]), now)
            for relation in made:
                if relation.type == RelationType.IS_A and (self.dry_run or not self._circle(relation)):
                    self.report.relations += 1
                    self._write(Batch(relations=[(None, relation)]), now)

    def _write(self, batch: Batch, now: datetime) -> None:
        if batch and not self.dry_run:
            commit(self.space.db, self.run, batch, now=now)
            self.wrote = True

    def _entities(
        self, named: Sequence[ImportedEntity], links: Sequence[Link], *, now: datetime
    ) -> Mapping[str, Entity]:
        """By the normal form of every name that is used: known by that spelling, or new."""
        types = {normal_form(one.name): _type(one.type) for one in reversed(named)}
        names = [one.name for one in named] + [end for link in links for end in (link.subject, link.object)]
        wanted = {normal_form(name): " ".join(clean(name).split()) for name in reversed(names)}
        spelled = lexicon_of(self.space.db).spelled
        known = entities.get_many(self.space.db, [spelled[normal] for normal in wanted if normal in spelled])
        stored = entities.by_normals(self.space.db, list(wanted))
        ids = free_ids(self.space.db, [normal for normal in wanted if normal not in stored])
        found: dict[str, Entity] = {}
        changed: list[tuple[Entity | None, Entity]] = []
        for normal, name in sorted(wanted.items()):
            there = known.get(spelled.get(normal, "")) or stored.get(normal)
            kind = types.get(normal) or ""
            if there is None:
                there = Entity(
                    id=ids[normal],
                    name=name,
                    normal=normal,
                    type=kind or EntityType.UNKNOWN,
                    state=EntityState.KNOWN,
                    created_at=now,
                )
                changed.append((None, there))
                self.report.entities += 1
            elif there.state is EntityState.PROPOSED:  # told by somebody who tells names from words
                after = replace(there, state=EntityState.KNOWN, type=kind or there.type, version=there.version + 1)
                changed.append((there, after))
                there = after
            found[normal] = there
        fresh = {entity.id for _, entity in changed}
        self.report.unchanged += sum(1 for normal in types if found[normal].id not in fresh)
        self._write(Batch(entities=changed), now)
        return found

    def _relations(self, links: Iterable[Link], found: Mapping[str, Entity], *, now: datetime) -> list[Relation]:
        """Those that are not there yet."""
        wished: dict[str, Relation] = {}
        for link in links:
            relation = self._relation(link, found, now=now)
            if relation is not None and wished.setdefault(relation.id, relation) is not relation:
                self.report.unchanged += 1
        there = relations.get_many(self.space.db, list(wished))
        self.report.unchanged += len(there)  # one that a person refused stays refused
        return [relation for key, relation in wished.items() if key not in there]

    def _relation(self, link: Link, found: Mapping[str, Entity], *, now: datetime) -> Relation | None:
        subject, object = found[normal_form(link.subject)], found[normal_form(link.object)]
        where = f"{subject.name} → {object.name}"
        refused = [one.name for one in (subject, object) if one.state is EntityState.REFUSED]
        if refused:
            self.report.skip(SkippedEntry(where, f"“{refused[0]}” was refused in this space."))
            return None
        label = " ".join(clean(link.relation).replace("_", " ").split())[:LABEL_CHARS]
        typed = type_of(link.relation)
        if typed.turned:
            subject, object = object, subject
        if subject.id == object.id:
            self.report.skip(SkippedEntry(where, "Nothing can be joined to itself."))
            return None
        own = typed.type.value.replace("_", " ")
        return Relation(
            id=relation_id(subject.id, typed.type, object.id, None),
            subject=subject.id,
            type=typed.type,
            object=object.id,
            confidence=1.0,
            made_by=MadeBy.PERSON,
            created_at=now,
            label="" if label.casefold() == own else label,
        )

    def _circle(self, relation: Relation) -> bool:
        ends = entities.get_many(self.space.db, [relation.subject, relation.object])
        stands = roots(self.space.db, ends.values())
        way = way_up(self.space.db, stands[relation.object], {stands[relation.subject].id})
        if way:
            where = f"{ends[relation.subject].name} is a {ends[relation.object].name}"
            self.report.skip(SkippedEntry(where, f"That would be a circle: {path_text(way)}."))
        return bool(way)


def _no_name(name: str) -> str:
    if not any(letter.isalnum() for letter in normal_form(name)):
        return "A name has at least one letter or digit."
    if len(" ".join(clean(name).split())) > NAME_CHARS:
        return f"A name has at most {NAME_CHARS} characters."
    return ""


def _type(word: str) -> str:
    """The file's own word for what something is, or “” where it can be none of ours."""
    try:
        return type_named(word) if word.strip() else ""
    except BadInput:
        return ""
