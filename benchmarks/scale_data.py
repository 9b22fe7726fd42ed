"""One part of a space that grows, as data: memories of every kind in the proportions of a used space, with what belongs
to them. Memory 0 is the newest, and each part lies further back: growing a space is filling in its past.

Of a hundred memories 45 are notes, 35 facts, 13 sections of a document, 2 episodes, 3 digests, a page of the tree, an
atom; fifty of them share a session with their turns.

The same number gives the same text on every machine, whatever was written before. Common words come often and rare
ones seldom, as in any language (Zipf's law), so that lists of postings are as uneven as real ones. Entities are named
by two made-up words; some are referred to by much, most by little.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome
from memoryapp.domain.document import Document
from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference, normal_form
from memoryapp.domain.identity import content_hash, derived_id
from memoryapp.domain.memory import Category, Kind, Memory, MemoryType, Origin
from memoryapp.domain.node import Line, line_key, new_node, with_description
from memoryapp.domain.relation import MadeBy, Relation, RelationType, relation_id
from memoryapp.domain.turn import Role, Turn

VOCABULARY = 20_000
ENTITIES = 0.1  # a memory
REFERENCES = 2.5  # of a memory, on the mean
_SKEW = 2.5  # how much more often the first entities are referred to than the last
_VERBS = ("moved", "chose", "dropped", "measured", "keeps", "prefers", "backs up", "replaced", "reviewed", "joined")
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
_SEED = 20_260_221
APART = timedelta(minutes=2)  # between two memories: 720 a day
SESSION = 50  # memories of one session
DOCUMENT = 100  # of each so many memories, those of kind section are one document
SOURCE = derived_id("bench-source")
_CATEGORIES = tuple(Category)
_TYPES = tuple(EntityType)
_RELATIONS = tuple(one for one in RelationType)


def chance(number: int, *, what: str = "") -> random.Random:
    """Where memory `number` gets its luck from."""
    return random.Random(f"{_SEED} {what} {number}")


def word(rank: int) -> str:
    """The word of this rank, from 0: at least two syllables, no word twice."""
    rest, letters = rank + len(_SYLLABLES), ""
    while rest:
        rest, place = divmod(rest, len(_SYLLABLES))
        letters += _SYLLABLES[place]
    return letters


def words(luck: random.Random, count: int) -> str:
    """`count` words; the one of rank r comes about 1/r as often as the first."""
    return " ".join(word(int(VOCABULARY ** luck.random()) - 1) for _ in range(count))


def entities_by(number: int) -> int:
    """How many entities there are once memory `number` is written."""
    return max(4, int(number * ENTITIES))


def entity_name(place: int) -> str:
    """Names of two words; each fortieth is the one before it, spelt otherwise."""
    one, other = word(place * 7).capitalize(), word(place * 3 + 500).capitalize()
    return f"{one} {other}" if place % 40 else f"{word((place + 1) * 7)}-{word((place + 1) * 3 + 500)}"


def entities_of(number: int) -> list[int]:
    """Places of the two or three entities that memory `number` refers to, each among those there are by then."""
    luck, there = chance(number, what="names"), entities_by(number)
    many = 2 + (luck.random() < REFERENCES - 2)
    return list(dict.fromkeys(int(there * luck.random() ** _SKEW) for _ in range(many)))


def sentence(number: int) -> str:
    """What a turn, a note or a fact says: two or three of its entities by name, and ten to thirty words."""
    luck = chance(number)
    named = [entity_name(place) for place in entities_of(number)]
    body = words(luck, luck.randint(10, 30))
    rest = f" with {' and '.join(named[1:])}" if named[1:] else ""
    return f"{named[0]} {luck.choice(_VERBS)} {body}{rest}."


def question(number: int) -> str:
    """What somebody asks who wants memory `number`: one of its names, and words of the same language."""
    luck = chance(number, what="question")
    return f"what did {entity_name(entities_of(number)[0])} do about {words(luck, 3)} {number}"


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
    at, kind, text = newest - number * APART, kind_of(number), sentence(number)
    if kind is Kind.NODE:
        return _page(number, at)
    made = Memory(
        memory_key(number), kind, text, at, at, category=_CATEGORIES[number % 5] if kind is Kind.FACT else None,
        tags=(word(number % 40),), confidence=(0.9, 0.7, 0.5)[number % 3], content_hash=content_hash(text),
        occurred_at=at,
    )  # fmt: skip
    if is_said(number):
        talk = session_of(number)
        origin = Origin(session=talk, turn=derived_id("turn", talk, str(number)))
        made = replace(made, group=talk, position=-number, origin=origin, sessions=(talk,))
    if kind is Kind.FACT:
        subject, about = entity_name(entities_of(number)[0]), word(number // 100)
        made = replace(made, slots=(f"{normal_form(subject)}|{about}",), decision_point=number % 20 == 7,
                       memory_type=tuple(MemoryType)[number % 3])  # fmt: skip
    if kind is Kind.SECTION:
        block = number // DOCUMENT
        line = 3 + (number % DOCUMENT - 80) * 3
        origin = Origin(document_key(block), f"log/{block}.md", line, line + 1)
        made = replace(made, group=document_key(block), position=number % DOCUMENT, origin=origin, daily=block % 2 == 0,
                       title=words(chance(number, what="title"), 3).capitalize())  # fmt: skip
    if kind in (Kind.EPISODE, Kind.DIGEST):
        made = replace(made, title=words(chance(number, what="title"), 4).capitalize(),
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
        name = entity_name(place)
        state = EntityState.PROPOSED if place % 10 == 9 else EntityState.KNOWN
        yield Entity(entity_key(place), name, normal_form(name), _TYPES[place % len(_TYPES)], state, at)


def references(number: int) -> Iterator[Reference]:
    for place in entities_of(number):
        yield Reference(memory_key(number), entity_key(place))


def relation(one: Memory, number: int) -> Relation | None:
    """What three of five facts say of their first two entities."""
    places = entities_of(number)
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
        attribute=word(number % 60), certain=turn % 2 == 0, run=run, decided_at=None if waits else one.created_at,
    )  # fmt: skip


def turn(one: Memory, number: int) -> Turn:
    return Turn(
        one.origin.turn or "", session_of(number), 0, one.text, one.created_at, f"Speaker {number % 3}", Role.USER
    )


def _page(number: int, at: datetime) -> Memory:
    """A node of the tree: five lines that notes near it stand behind."""
    near = range(number - 98, number - 93)
    text = f"# {words(chance(number, what='title'), 2).capitalize()}\n\n"
    lines = {memory_key(one): f"- {sentence(one)}" for one in near}
    text += "\n".join(lines.values()) + "\n"
    block = number // 100
    page = new_node(
        f"area-{block % 20}/topic-{block}",
        title=f"Topic {block}",
        text=text,
        now=at,
        keywords=[word(number % 997), word(number % 3_001)],
    )
    told = [Line(line_key(line), key, 1, at) for key, line in lines.items()]
    return replace(with_description(page, lines=told), id=memory_key(number))
