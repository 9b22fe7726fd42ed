"""From what an extractor read in turns to facts that can be remembered, and back to what each turn's reading tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memoryapp.domain.errors import BadInput
from memoryapp.domain.fact import Candidate, Extracted, Said
from memoryapp.domain.memory import Kind, MemoryType, State, apart
from memoryapp.domain.redaction import MARK
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.domain.turn import Learned, Reading, ReadingStatus, Turn
from memoryapp.remember.check import check
from memoryapp.remember.match import Matched, fact_id, fingerprint
from memoryapp.spaces import Space
from memoryapp.store import memories, purge

_NO_NAMES = frozenset({"user", "human", "me", "assistant", "ai", "bot", "system"})  # roles that stand in for a name


@dataclass(frozen=True, slots=True)
class Lesson:
    """`items`: what there is to remember, checked. `left`: by turn, how many facts stay forgotten or cannot be kept."""

    items: tuple[NewMemory, ...]
    left: dict[str, int]


def said_of(turn: Turn, *, speakers: Sequence[str] = ()) -> Said:
    """The turn as an extractor reads it."""
    name = turn.speaker or turn.role.value
    return Said(turn.text, name, turn.at, tuple(one for one in speakers if one != turn.speaker))


def lesson_of(space: Space, chunk: Sequence[Turn], read: Sequence[Extracted]) -> Lesson:
    """The facts of these turns. What a person deleted or purged does not come back because a turn is read."""
    items: list[NewMemory] = []
    left: dict[str, int] = {}
    for turn, extracted in zip(chunk, read, strict=True):
        for candidate in extracted.candidates:
            item = usable(of_turn(candidate, turn))
            if item is None or MARK in item.text or MARK in item.quote:  # what is left where words were purged
                left[turn.id] = left.get(turn.id, 0) + 1
            else:
                items.append(item)
    forgotten = _forgotten(space, items)
    for item in items:
        if item.turn and fingerprint(item) in forgotten:
            left[item.turn] = left.get(item.turn, 0) + 1
    return Lesson(tuple(item for item in items if fingerprint(item) not in forgotten), left)


def of_turn(candidate: Candidate, turn: Turn) -> NewMemory:
    """The candidate as a fact of this turn."""
    fact = as_fact(candidate, speaker=turn.speaker, said_at=turn.at)
    return replace(fact, session=turn.session, turn=turn.id)


def as_fact(candidate: Candidate, *, speaker: str | None, said_at: datetime | None) -> NewMemory:
    """What happened on a day fades as an event does; what is so, slowly."""
    return NewMemory(
        text=candidate.text,
        kind=Kind.FACT,
        occurred_at=candidate.occurred_at,
        speaker=None if speaker is None or speaker.strip().casefold() in _NO_NAMES else speaker,
        category=candidate.category,
        confidence=candidate.confidence,
        memory_type=MemoryType.EPISODIC if candidate.occurred_at else MemoryType.SEMANTIC,
        mood=candidate.mood,
        valid_from=candidate.valid_from,
        valid_to=candidate.valid_to,
        decision_point=candidate.decision_point,
        emotional_signal=candidate.emotional_signal,
        entities=candidate.entities,
        quote=candidate.quote,
        when=candidate.when,
        said_at=said_at,
    )


def readings_of(
    chunk: Sequence[Turn],
    read: Sequence[Extracted],
    matched: Sequence[Matched],
    *,
    lesson: Lesson,
    earlier: Mapping[str, Reading],
    run: str | None,
    now: datetime,
) -> list[Reading]:
    """One a turn, done. A fact that an earlier reading of the turn gave keeps the outcome it had then."""
    made: list[Reading] = []
    for turn, extracted in zip(chunk, read, strict=True):
        before = {learned.memory: learned.outcome for learned in earlier[turn.id].learned}
        gave: dict[str, str] = {}
        for one in matched:
            if one.item.turn == turn.id:
                gave.setdefault(one.after.id, one.outcome.value)
        for memory, outcome in gave.items():
            if outcome == Became.UNCHANGED and memory in before:
                gave[memory] = before[memory]
        made.append(
            Reading(
                turn=turn.id,
                session=turn.session,
                status=ReadingStatus.DONE,
                extractor=extracted.extractor,
                learned=tuple(Learned(memory, outcome) for memory, outcome in gave.items()),
                passed_over=len(extracted.passed_over) + lesson.left.get(turn.id, 0),
                problem=extracted.problem,
                tries=earlier[turn.id].tries,
                run=run,
                at=now,
                asked=extracted.asked,
                reworded=extracted.reworded,
                excluded=extracted.excluded,
            )
        )
    return made


def usable(item: NewMemory) -> NewMemory | None:
    """The item checked; None where it cannot be kept, which is the extractor's fault and not the speaker's."""
    try:
        return check([item])[0]
    except BadInput:
        return None


def _forgotten(space: Space, items: Sequence[NewMemory]) -> set[str]:
    """Fingerprints of what somebody took away: facts deleted in these very words and not held in them, or purged. What
    one owner had taken away may still be learned from another."""
    prints = {fingerprint(item) for item in items}
    owners = {apart(item.session) for item in items}
    said = memories.by_hashes(space.db, sorted(prints))
    gone = {
        print_
        for print_, found in said.items()
        if (states := {one.state for one in found if one.kind is Kind.FACT and apart(one.origin.session) in owners})
        and states == {State.DELETED}
    }
    asked = [(fact_id(item, fingerprint(item)), item.text) for item in items]
    purged = purge.purged_among(space.db, asked).ids
    return gone | {fingerprint(item) for item in items if fact_id(item, fingerprint(item)) in purged}
