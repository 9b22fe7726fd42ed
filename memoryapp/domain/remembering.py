"""What somebody hands over to be remembered, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memoryapp.domain.atom import Atom
from memoryapp.domain.memory import Category, Kind, MemoryType, Mood


@dataclass(frozen=True, slots=True)
class NewMemory:
    """`ref` is the caller's own id, unique in a space: the same ref again is the same memory.
    Items of one `session` are each other's neighbours, in order of `occurred_at`, then of arrival.

    Of a fact: `turn` is the id of the turn it was learned from, `quote` its sentence as it was said, `said_at` when,
    where `occurred_at` is the date it speaks of, `when` the words of that date. `entities` are names it speaks of,
    besides those its words show. Of an atom: `atom`, which `text` reads aloud."""

    text: str
    title: str = ""
    kind: Kind = Kind.NOTE
    ref: str | None = None
    occurred_at: datetime | None = None
    session: str | None = None
    speaker: str | None = None
    tags: tuple[str, ...] = ()
    category: Category | None = None
    confidence: float | None = None
    memory_type: MemoryType | None = None
    mood: Mood | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    review_at: datetime | None = None
    decision_point: bool = False
    emotional_signal: bool = False
    entities: tuple[str, ...] = ()
    turn: str | None = None
    quote: str = ""
    when: str = ""
    said_at: datetime | None = None
    atom: Atom | None = None


class Became(StrEnum):
    WRITTEN = "written"
    REINFORCED = "reinforced"
    CONFLICT = "conflict"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class RememberedItem:
    """`conflict` is the id of the conflict it raised, `near` of the memory it confirmed or contradicts."""

    id: str
    ref: str | None
    outcome: Became
    conflict: str | None = None
    near: str | None = None
