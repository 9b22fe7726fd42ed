"""The job that reads new memories for relations, until nothing is due.

Their words are read (`read_relations`), names become entities (`resolver`), and `relation_changes` makes one batch of
changes of them, after which the graph says the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memoryapp.domain.atom import ROLE_WEIGHTS, Atom, Role
from memoryapp.domain.change import Actor, Run
from memoryapp.domain.entity import UNCLEAR, Entity, EntityState, Reference
from memoryapp.domain.errors import BadInput, Cancelled
from memoryapp.domain.fact import Cost
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.progress import Progress
from memoryapp.domain.relation import (
    MadeBy,
    NamedEntity,
    Relation,
    RelationState,
    RelationType,
    StatedRelation,
    relation_id,
)
from memoryapp.extraction.atoms import UNSURE, atom_relations, parse, whom
from memoryapp.extraction.entities.candidates import named_words
from memoryapp.extraction.entities.entity_judge import SURE, entity_judge
from memoryapp.extraction.entities.lexicon import Lexicon, lexicon_of
from memoryapp.extraction.entities.link import MENTION
from memoryapp.extraction.entities.mentions import names_of
from memoryapp.extraction.relations.choose import RelationReader, made_by, relation_reader_of
from memoryapp.extraction.relations.pipeline import mentions_in, parse_texts
from memoryapp.extraction.relations.sentences import Text
from memoryapp.extraction.relations.taxonomy import Encode
from memoryapp.graph.canonical import roots, write_lock
from memoryapp.graph.hierarchy import way_up
from memoryapp.graph.resolver import Mention, Resolver
from memoryapp.spaces import Space
from memoryapp.store import entities, memories, relations, revisions
from memoryapp.store.retry import retry_write
from memoryapp.store.write import Batch, commit, new_run

ATOM = "atom"  # in detail: what an atom was written as, in PENMAN
_OWN = (Role.SUBJECT, Role.OBJECT)  # roles that reading gives, and takes away again
_WORDS = 3  # of a name above another, where nobody knew it before
_AT_ONCE = 64  # memories of one write; a kill loses the reading of at most so many
# What is put aside or deleted says nothing at present, and what it said before hangs on its state.
_READ = frozenset({State.HELD, State.SUPERSEDED})


# ── the job


@dataclass(slots=True)
class RelationReading:
    """What came of it. `read`: memories; `relations`, `changed`, `removed`: of edges between entities; `entities`: new
    ones; `run` None where nothing was due. `problems`: why the configured model did not read, each once."""

    read: int = 0
    relations: int = 0
    changed: int = 0
    removed: int = 0
    entities: int = 0
    references: int = 0
    reader: str = ""
    problems: list[str] = field(default_factory=list)
    cost: Cost = field(default_factory=Cost)
    run: Run | None = None

    def counts(self) -> dict[str, Any]:
        """As a run's detail and a job's report keep it."""
        names = ("read", "relations", "changed", "removed", "entities", "references")
        return {name: getattr(self, name) for name in names}


def relate(
    space: Space,
    *,
    actor: Actor,
    reader: RelationReader | None = None,
    progress: Progress | None = None,
    limit: int | None = None,
) -> RelationReading:
    """Reads the memories whose words are due, at most `limit`, all in one run. `reader`: by default the rules. Where
    extraction is off nothing is read, and the words stay due.

    What is read is marked so in the write that holds what was found: killed anywhere, the next call goes on. Reading
    the same words again changes nothing. Raises Cancelled between two batches; what was found so far stays.
    """
    reader = reader or _by_rules(space)
    told = RelationReading(reader=reader.name)
    if reader.name == "off":
        return told
    run = new_run("relate", actor, now=space.clock())
    total = relations.count_due(space.db) if limit is None else min(relations.count_due(space.db), limit)
    stopped = False
    done = 0
    while limit is None or done < limit:
        if progress is not None and progress.cancelled():
            stopped = True
            break
        waiting = relations.due_memories(space.db, limit=_AT_ONCE if limit is None else min(_AT_ONCE, limit - done))
        if not waiting:
            break
        found = memories.get_many(space.db, list(waiting))
        heard = read_relations(space, [one for one in found.values() if one.state in _READ], reader)
        _write(space, run, heard, list(waiting.items()), told)
        done += len(waiting)
        if progress is not None:
            progress.advance(done, max(total, done), told.counts())
    if done:
        detail = {**told.counts(), "reader": told.reader, **({"problems": told.problems} if told.problems else {})}
        told.run = revisions.finish_run(space.db, run, at=space.clock(), detail=detail)
    if stopped:
        raise Cancelled("Stopped. What was found so far stays; begin it again to go on.")
    return told


def _by_rules(space: Space) -> RelationReader:
    encode = space.encoder.get().encode_documents if space.encoder.ready else None
    return relation_reader_of(space.tuning.extractor, model=None, encode=encode)


def _write(
    space: Space, run: Run, heard: Sequence[Reading], graphed: Sequence[tuple[str, int]], told: RelationReading
) -> None:
    """One block: what was heard and that it was. Again, without asking the reader again, where a person changed one of
    the relations in between, or purged one of the memories: of these nothing is written."""

    def write() -> Batch:
        with write_lock(space.db):
            now = space.clock()
            resolver = Resolver(space.db, sightings_to_know=space.tuning.sightings_to_know)
            batch = relation_changes(space, heard, resolver, now=now)
            batch.graphed = list(graphed)
            commit(space.db, run, batch, now=now)
            return batch

    def leave_purged() -> None:
        nonlocal heard, graphed
        there = memories.get_many(space.db, [key for key, _ in graphed])
        relations.forget_due(space.db, [key for key, _ in graphed if key not in there])
        heard = [one for one in heard if one.memory.id in there]
        graphed = [(key, version) for key, version in graphed if key in there]

    batch = retry_write(write, between=leave_purged)
    _count(told, batch, heard)


def _count(told: RelationReading, batch: Batch, heard: Sequence[Reading]) -> None:
    told.read += len(heard)
    told.relations += sum(before is None for before, _ in batch.relations)
    told.changed += sum(before is not None for before, _ in batch.relations)
    told.removed += len(batch.unrelated)
    told.entities += sum(before is None for before, _ in batch.entities)
    told.references += len(batch.references_added)
    for one in heard:
        told.cost += one.cost
        if one.problem and one.problem not in told.problems:
            told.problems.append(one.problem)


# ── reading


@dataclass(frozen=True, slots=True)
class Reading:
    """What one memory says. `named`: names of a clear kind that stand in it. `by_atom`: its atom says it, which gave
    everybody their roles when it came."""

    memory: Memory
    stated: tuple[StatedRelation, ...]
    made_by: MadeBy
    named: tuple[NamedEntity, ...] = ()
    problem: str = ""
    cost: Cost = Cost()
    by_atom: bool = False


def read_relations(space: Space, memories: Sequence[Memory], reader: RelationReader) -> list[Reading]:
    """Each memory read, in order. What an atom states stands in it; nobody is asked to read its words."""
    lexicon = lexicon_of(space.db)
    atoms = {memory.id: stated for memory in memories if (stated := _atoms_of(memory))}
    told = [memory for memory in memories if memory.id not in atoms]
    encode = space.encoder.get().encode_documents if atoms and space.encoder.ready else None
    texts = [_text(memory, lexicon) for memory in told]
    said = parse_texts(texts)
    readings = reader.read(texts, said=said)
    heard = {}
    for memory, text, reading, named in zip(told, texts, readings, mentions_in(texts, said=said), strict=True):
        clear = tuple(_clear_entities(text, named))
        heard[memory.id] = Reading(memory, reading.stated, made_by(reading), clear, reading.problem, reading.cost)
    for memory in memories:
        if memory.id in atoms:
            edges = tuple(_stated_by(atoms[memory.id], memory, encode=encode))
            heard[memory.id] = Reading(memory, edges, MadeBy.ATOM, by_atom=True)
    return [heard[memory.id] for memory in memories]


def _clear_entities(text: Text, named: Sequence[NamedEntity]) -> Iterator[NamedEntity]:
    """Those that are known, or that the judge of names takes for an entity, as what it takes them for. Where it does
    not load, those whose type the rules tell."""
    judge = entity_judge()
    if judge is None:
        yield from (one for one in named if one.type and one.type not in UNCLEAR)
        return
    for one, judged in zip(named, judge.judge(text.text, [one.name for one in named]), strict=True):
        if one.name in text.known:
            if one.type and one.type not in UNCLEAR:
                yield one
        elif judged is not None and judged.likely >= SURE:
            yield NamedEntity(one.name, judged.kind)


def _text(memory: Memory, lexicon: Lexicon) -> Text:
    words = named_words(memory.text)
    known, types = [], {}
    for mention in lexicon.names.find(words):
        surface = words[mention.start : mention.end]
        entity = lexicon.entities.get(mention.entity)
        if entity is not None:
            known.append(surface)
            if entity.type not in UNCLEAR:
                types[surface] = str(entity.type)
    return Text(words, speaker=memory.speaker, known=tuple(dict.fromkeys(known)), types=types)


def _atoms_of(memory: Memory) -> tuple[Atom, ...]:
    """The atom that the memory came as, or that confirmed it; none where words are all there is."""
    try:
        return parse(str(memory.detail.get(ATOM, "")))
    except BadInput:
        return ()


def _stated_by(atoms: Sequence[Atom], memory: Memory, *, encode: Encode | None) -> Iterator[StatedRelation]:
    for edges in atom_relations(atoms, encode=encode):
        for one in edges:
            sure = min(memory.confidence, UNSURE) if one.unsure else memory.confidence
            subject, object = (NamedEntity(whom(name, memory.speaker)) for name in (one.subject, one.object))
            yield StatedRelation(subject, one.type, object, sure, one.label, one.planned)


# ── changes


@dataclass(frozen=True, slots=True)
class _Ends:
    """A stated relation whose ends are entities."""

    heard: Reading
    stated: StatedRelation
    subject: Entity
    object: Entity


def relation_changes(space: Space, heard: Sequence[Reading], resolver: Resolver, *, now: datetime) -> Batch:
    """The changes, but for the mark that the memories were read. Saying the same again changes nothing."""
    batch = Batch()
    edges = entities.references_of(space.db, [one.memory.id for one in heard])
    referred = {memory: frozenset(edge.entity for edge in some) for memory, some in edges.items()}
    met = [one for each in heard for one in _mentions_of(each)]
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
    batch.entities = _needed_changes(resolver.changes, wanted)
    return batch


def _needed_changes(
    changes: Sequence[tuple[Entity | None, Entity]], wanted: set[str]
) -> list[tuple[Entity | None, Entity]]:
    """Without new entities that nothing leads to: what they took part in was not sound."""
    new = {entity.id: entity for was, entity in changes if was is None}
    kept = set(wanted)
    for key in wanted:
        while (entity := new.get(key)) is not None and entity.merged_into and entity.merged_into not in kept:
            key = entity.merged_into
            kept.add(key)
    return [(was, entity) for was, entity in changes if was is not None or entity.id in kept]


def _mentions_of(heard: Reading) -> Iterator[Mention]:
    """The names in the order in which `relation_changes` takes their entities."""
    sure = heard.made_by is not MadeBy.RULES
    for stated in heard.stated:
        yield Mention(stated.subject, heard.memory.id, sure)
        yield Mention(stated.object, heard.memory.id, sure)
    for named in heard.named:
        yield Mention(named, heard.memory.id)


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
        elif known.state is RelationState.HELD and known.made_by is not MadeBy.PERSON:
            after = replace(
                known, label=made.label, confidence=made.confidence, made_by=made.made_by, planned=made.planned
            )
            if after != known:
                batch.relations.append((known, replace(after, version=known.version + 1)))
    for key, known in before.items():
        if key not in wanted and known.state is RelationState.HELD and known.made_by is not MadeBy.PERSON:
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
    heard: Reading,
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


def _named_in(space: Space, heard: Reading, keys: set[str]) -> set[str]:
    """Which of these entities the memory names in any role."""
    found = entities.get_many(space.db, sorted(keys))
    names = names_of((entity.id, (entity.name, *entity.aliases)) for entity in found.values())
    return set(names.entities(named_words(heard.memory.text)))
