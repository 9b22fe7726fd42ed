"""Turns: the raw layer of a conversation. A turn is never changed; what was learned from it is its reading."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from unicodedata import category

from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import Kind, Memory, Origin, words_of

_QUESTION_MARKS = ("?", "？", "؟")
_CLOSING = "\"'*_~`:;-(ㅋㅎㅠㅜ"  # quotes and marks of markdown; parts of :-) and :(; Hangul letters that laugh or weep
# Unicode categories of closing brackets and quotes (Pi closes in German), of emoji and their modifiers, of blanks.
_CLOSING_KINDS = {"Pe", "Pf", "Pi", "So", "Sk", "Mn", "Me", "Cf", "Zs", "Zl", "Zp", "Cc"}


class Role(StrEnum):
    """Who speaks, as chat protocols name it. Facts are learned from users and assistants, not from tools."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing said in a session. `number` counts from 1 in order of arrival; `ref` is the caller's own id, unique in
    its session: the same ref again is the same turn. `private`: marks stand in place of words somebody asked to keep
    private."""

    id: str
    session: str  # the session's name
    number: int
    text: str
    at: datetime
    speaker: str | None = None
    role: Role = Role.USER
    ref: str | None = None
    private: bool = False


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn as somebody hands it over. Of a private one whatever reads turns has nothing but that something was
    said; whether its words stay in the session is the space's setting."""

    text: str
    speaker: str | None = None
    role: Role = Role.USER
    at: datetime | None = None
    ref: str | None = None
    private: bool = False


def memory_of(turn: Turn, *, now: datetime | None = None) -> Memory:
    """The memory that a turn is, of the same id: its words as they were said, beside its neighbours in the session.
    It claims nothing, so it is as sure as can be. `now`: when it came in; where nobody noted that, when it was said."""
    learned = now or turn.at
    return Memory(
        id=turn.id,
        kind=Kind.TURN,
        text=turn.text,
        created_at=learned,
        updated_at=learned,
        speaker=turn.speaker,
        confidence=1.0,
        occurred_at=turn.at,
        group=f"turns:{turn.session}",
        position=turn.number,
        origin=Origin(session=turn.session),
        content_hash=content_hash(words_of(turn.text, speaker=turn.speaker)),
        detail={"role": turn.role.value},
    )


def is_question(text: str) -> bool:
    """Whether it ends in a question mark, whatever quotes, brackets, emoji and blanks close behind that."""
    end = len(text)
    while end and (text[end - 1] in _CLOSING or category(text[end - 1]) in _CLOSING_KINDS):
        end -= 1
    return text.endswith(_QUESTION_MARKS, 0, end)


def same_speaker(one: Memory, other: Memory) -> bool:
    """Whether two turns were said by the same: by name where both have one, else by role."""
    if one.speaker and other.speaker:
        return " ".join(one.speaker.casefold().split()) == " ".join(other.speaker.casefold().split())
    return bool(one.detail.get("role") == other.detail.get("role"))


class ReadingStatus(StrEnum):
    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"  # tried often enough; it can be read again by hand
    SKIPPED = "skipped"  # nothing to learn from by its role, or extraction is off


@dataclass(frozen=True, slots=True)
class LearnedFact:
    """A fact that a turn gave or confirmed: `outcome` as remember names it (written, reinforced, conflict)."""

    memory: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one turn. `extractor` says which one read it: “rules”, or “llm” with the model's name. `asked`:
    facts that a model was asked to put into plainer words; `reworded`: those of them whose words were taken.
    `excluded`: ids of the exclusions that kept something from being learned, one entry a fact; counted in `passed_over`
    as well."""

    turn: str
    session: str
    status: ReadingStatus = ReadingStatus.WAITING
    extractor: str = ""
    learned: tuple[LearnedFact, ...] = ()
    passed_over: int = 0  # sentences that hold nothing worth keeping
    problem: str = ""  # why the configured extractor did not do it, in words for a person
    tries: int = 0
    run: str | None = None
    at: datetime | None = None
    asked: int = 0
    reworded: int = 0
    excluded: tuple[str, ...] = ()
