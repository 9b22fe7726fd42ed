"""Turns: the raw layer of a conversation. A turn is never changed; what was learned from it is its reading."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import Kind, Memory, Origin, words_of


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


class ReadingStatus(StrEnum):
    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"  # tried often enough; it can be read again by hand
    SKIPPED = "skipped"  # nothing to learn from by its role, or extraction is off


@dataclass(frozen=True, slots=True)
class Learned:
    """A fact that a turn gave or confirmed: `outcome` as remember names it (written, reinforced, conflict)."""

    memory: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one turn. `extractor` says which one read it: “rules”, or “llm” with the model's name. `asked`:
    facts that a model was asked to put into plainer words; `reworded`: those of them whose words were taken."""

    turn: str
    session: str
    status: ReadingStatus = ReadingStatus.WAITING
    extractor: str = ""
    learned: tuple[Learned, ...] = ()
    passed_over: int = 0  # sentences that hold nothing worth keeping
    problem: str = ""  # why the configured extractor did not do it, in words for a person
    tries: int = 0
    run: str | None = None
    at: datetime | None = None
    asked: int = 0
    reworded: int = 0
