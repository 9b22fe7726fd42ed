"""A session's transcript: who said what in which order, and what was learned from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.turn import Role, Turn
from memoryapp.spaces import Space
from memoryapp.store import memories, sessions, turns

LONGEST = 5_000  # turns of one session that are read
_PAGE = 1_000
_SPOKEN = (Role.USER, Role.ASSISTANT)  # what tools and systems put in is no part of the story


@dataclass(frozen=True, slots=True)
class Utterance:
    """A turn, or a note that stands for one. `key` is its id; `speaker` is never empty."""

    key: str
    speaker: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Transcript:
    """`facts`: learned or confirmed here and not deleted since, in the order of the session; `confirmed`: those of them
    that were known before. `hidden`: sentences as they were said, of facts that somebody deleted. `noted`: the lines
    are memories themselves, because nobody appended turns."""

    session: str
    lines: tuple[Utterance, ...]
    facts: tuple[Memory, ...]
    confirmed: frozenset[str]
    hidden: frozenset[str]
    noted: bool
    began: datetime
    ended: datetime

    @property
    def speakers(self) -> tuple[str, ...]:
        """In the order in which they first spoke."""
        return tuple(dict.fromkeys(line.speaker for line in self.lines))


def transcript_of(space: Space, name: str) -> Transcript:
    """Raises NotFound for a session of which there is no turn, no memory and no opening."""
    spoken = tuple(_turns(space, name))
    of_it = [memory for memory in memories.of_session(space.db, name) if memory.kind in (Kind.FACT, Kind.NOTE)]
    if not spoken and not of_it:
        at = sessions.get(space.db, name).started_at
        return Transcript(name, (), (), frozenset(), frozenset(), False, at, at)
    lines = tuple(_line(turn) for turn in spoken if turn.role in _SPOKEN and turn.text.strip())
    notes = [] if spoken else [one for one in of_it if one.kind is Kind.NOTE and one.state is State.HELD]
    facts, confirmed, hidden = _learned_facts(space, spoken, of_it)
    lines = lines or tuple(Utterance(n.id, n.speaker or "user", n.text, n.occurred_at or n.created_at) for n in notes)
    times = [line.at for line in lines] or [fact.occurred_at or fact.created_at for fact in facts]
    if not times:
        times = [turn.at for turn in spoken] or [one.created_at for one in of_it]
    return Transcript(name, lines, facts, confirmed, hidden, bool(notes), min(times), max(times))


def _turns(space: Space, name: str) -> Iterator[Turn]:
    number = 0
    while number < LONGEST:
        page = turns.of_session(space.db, name, after=number, limit=_PAGE)
        yield from page
        if len(page) < _PAGE:
            return
        number = page[-1].number


def _line(turn: Turn) -> Utterance:
    return Utterance(turn.id, turn.speaker or turn.role.value, turn.text, turn.at)


def _learned_facts(
    space: Space, spoken: Sequence[Turn], of_it: Sequence[Memory]
) -> tuple[tuple[Memory, ...], frozenset[str], frozenset[str]]:
    """(the facts, which of them were only confirmed, the sentences of those deleted since)."""
    place = {turn.id: turn.number for turn in spoken}
    heard_in: dict[str, tuple[int, int]] = {}  # the turn's number, and the place among what it gave
    confirmed: set[str] = set()
    for key, reading in turns.readings(space.db, list(place)).items():
        for n, one in enumerate(reading.learned):
            heard_in[one.memory] = min(heard_in.get(one.memory, (place[key], n)), (place[key], n))
            if one.outcome == "reinforced":
                confirmed.add(one.memory)
    own = {memory.id: memory for memory in of_it if memory.kind is Kind.FACT}
    known = own | memories.get_many(space.db, [key for key in heard_in if key not in own])
    facts = [memory for memory in known.values() if memory.kind is Kind.FACT]

    def order(fact: Memory) -> tuple[int, int, int, str]:
        return (*heard_in.get(fact.id, (place.get(fact.origin.turn or "", LONGEST), 0)), fact.position, fact.id)

    facts.sort(key=order)
    gone = frozenset(_quote(fact) for fact in facts if fact.state is State.DELETED)
    kept = tuple(fact for fact in facts if fact.state is not State.DELETED)
    return kept, frozenset(confirmed - set(own)), gone - {""}


def _quote(fact: Memory) -> str:
    return str(fact.detail.get("quote") or "").strip()
