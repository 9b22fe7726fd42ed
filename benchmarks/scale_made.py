"""One part of a space that grows, as data: memories of every kind in the proportions of a used space, with what belongs
to them. Memory 0 is the newest, and each part lies further back: growing a space is filling in its past.

Of a hundred memories 45 are notes, 35 facts, 13 sections of a document, 2 episodes, 3 digests, a page of the tree, an
atom; fifty of them share a session with their turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from benchmarks import scale_words as said
from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome
from memoryapp.domain.document import Document
from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference, normal_form
from memoryapp.domain.identity import content_hash, derived_id
from memoryapp.domain.memory import Category, Kind, Memory, MemoryType, Origin
from memoryapp.domain.node import Line, described, line_key, new_node
from memoryapp.domain.relation import MadeBy, Relation, RelationType, relation_id
from memoryapp.domain.turn import Role, Turn

APART = timedelta(minutes=2)  # between two memories: 720 a day
SESSION = 50  # memories of one session
DOCUMENT = 100  # of each so many memories, those of kind section are one document
SOURCE = derived_id("bench-source")
_CATEGORIES = tuple(Category)
_TYPES = tuple(EntityType)
_RELATIONS = tuple(one for one in RelationType)


def memory_key(number: int) -> str:
    return derived_id("bench", str(number))


def entity_key(place: int) -> str:
    return derived_id("bench-entity", str(place))


def kind_of(number: int) -> Kind:
    place = number % 100
    bounds = ((45, Kind.NOTE), (80, Kind.FACT), (93, Kind.SECTION), (95, Kind.EPISODE), (98, Kind.DIGEST))
    return next((kind for bound, kind in bounds if place < bound), Kind.NODE if place == 98 else Kind.ATOM)


def session_of(number: int) -> str:
    return f"talk {number // SESSION}"


def is_said(number: int) -> bool:
    """Whether a turn of a session gave it."""
    return kind_of(number) in (Kind.NOTE, Kind.FACT)


def memory(number: int, *, newest: datetime) -> Memory:
    """Memory `number`, learned so many times APART before `newest`."""
    at, kind, text = newest - number * APART, kind_of(number), said.sentence(number)
    if kind is Kind.NODE:
        return _page(number, at)
    made = Memory(
        memory_key(number), kind, text, at, at, category=_CATEGORIES[number % 5] if kind is Kind.FACT else None,
        tags=(said.word(number % 40),), confidence=(0.9, 0.7, 0.5)[number % 3], content_hash=content_hash(text),
        occurred_at=at,
    )  # fmt: skip
    if is_said(number):
        talk = session_of(number)
        origin = Origin(session=talk, turn=derived_id("turn", talk, str(number)))
        made = replace(made, group=talk, position=-number, origin=origin, sessions=(talk,))
    if kind is Kind.FACT:
        subject, about = said.entity_name(said.entities_of(number)[0]), said.word(number // 100)
        made = replace(made, slots=(f"{normal_form(subject)}|{about}",), decision_point=number % 20 == 7,
                       memory_type=tuple(MemoryType)[number % 3])  # fmt: skip
    if kind is Kind.SECTION:
        block = number // DOCUMENT
        line = 3 + (number % DOCUMENT - 80) * 3
        origin = Origin(document_key(block), f"log/{block}.md", line, line + 1)
        made = replace(made, group=document_key(block), position=number % DOCUMENT, origin=origin, daily=block % 2 == 0,
                       title=said.words(said.chance(number, what="title"), 3).capitalize())  # fmt: skip
    if kind in (Kind.EPISODE, Kind.DIGEST):
        made = replace(made, title=said.words(said.chance(number, what="title"), 4).capitalize(),
                       detail={"by": "rules"} if kind is Kind.EPISODE else {})  # fmt: skip
    return made


def document_key(block: int) -> str:
    return derived_id("bench-document", str(block))


def document(block: int, sections: Sequence[Memory]) -> Document:
    text = "# Log\n\n" + "\n\n".join(f"## {one.title}\n{one.text}" for one in sections)
    at = sections[0].created_at
    return Document(document_key(block), SOURCE, f"log/{block}.md", f"Log {block}", content_hash(text),
                    len(text.encode()), 0, at, text, date=at, daily=block % 2 == 0)  # fmt: skip


def entities(first: int, last: int, *, at: datetime) -> Iterator[Entity]:
    """Those at places `first` to `last` (exclusive); each tenth is only proposed."""
    for place in range(first, last):
        name = said.entity_name(place)
        state = EntityState.PROPOSED if place % 10 == 9 else EntityState.KNOWN
        yield Entity(entity_key(place), name, normal_form(name), _TYPES[place % len(_TYPES)], state, at)


def references(number: int) -> Iterator[Reference]:
    for place in said.entities_of(number):
        yield Reference(memory_key(number), entity_key(place))


def relation(one: Memory, number: int) -> Relation | None:
    """What three of five facts say of their first two entities."""
    places = said.entities_of(number)
    if kind_of(number) is not Kind.FACT or number % 5 > 2 or len(places) < 2:
        return None
    subject, other = (entity_key(place) for place in places[:2])
    kind = _RELATIONS[number % len(_RELATIONS)]
    # A hierarchy has no rings: the later entity is one of the earlier.
    if kind is RelationType.IS_A and places[0] < places[1]:
        subject, other = other, subject
    made = relation_id(subject, kind, other, one.id)
    return Relation(made, subject, kind, other, 0.7, MadeBy.RULES, one.created_at, fact=one.id, at=one.created_at)


def conflict(one: Memory, number: int, run: str) -> Conflict | None:
    """Two of thirty-five facts are at odds with their neighbour; of such pairs three of ten wait."""
    if kind_of(number) is not Kind.FACT or number % 25 != 1:
        return None
    turn = number // 25 % 10
    status = ConflictStatus.WAITING if turn < 3 else ConflictStatus.AUTOMATIC if turn == 9 else ConflictStatus.DECIDED
    decision = {"outcome": Outcome.BOTH.value, "by": "bench", "by_kind": "person", "reason": "Both hold.",
                "at": one.created_at.isoformat(), "run": run}  # fmt: skip
    waits = status is ConflictStatus.WAITING
    return Conflict(
        derived_id("bench-conflict", str(number)), memory_key(number + 1), "slot", "Another value of the same.",
        one.created_at, incoming=one.id, outcome=Outcome.REPLACE, status=status, decision=None if waits else decision,
        attribute=said.word(number % 60), certain=turn % 2 == 0, run=run, decided_at=None if waits else one.created_at,
    )  # fmt: skip


def turn(one: Memory, number: int) -> Turn:
    return Turn(
        one.origin.turn or "", session_of(number), 0, one.text, one.created_at, f"Speaker {number % 3}", Role.USER
    )


def _page(number: int, at: datetime) -> Memory:
    """A node of the tree: five lines that notes near it stand behind."""
    near = range(number - 98, number - 93)
    text = f"# {said.words(said.chance(number, what='title'), 2).capitalize()}\n\n"
    lines = {memory_key(one): f"- {said.sentence(one)}" for one in near}
    text += "\n".join(lines.values()) + "\n"
    block = number // 100
    page = new_node(
        f"area-{block % 20}/topic-{block}",
        title=f"Topic {block}",
        text=text,
        now=at,
        keywords=[said.word(number % 997), said.word(number % 3_001)],
    )
    told = [Line(line_key(line), key, 1, at) for key, line in lines.items()]
    return replace(described(page, lines=told), id=memory_key(number))
