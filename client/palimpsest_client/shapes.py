"""What comes back about memories: each a frozen dataclass with the fields one works with, the whole JSON in `raw`.

A newer service may say more than is named here: that stands in `raw` too, and breaks nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Shape:
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Page(Shape, Generic[T]):
    """Some of a list. `next_cursor` asks for the next ones; `every` does that by itself."""

    items: list[T]
    next_cursor: str | None = None

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True, kw_only=True)
class Origin(Shape):
    """Where a memory comes from: a file and its lines, or a session and one of its turns."""

    path: str | None
    first_line: int | None
    last_line: int | None
    session: str | None
    turn: str | None


@dataclass(frozen=True, kw_only=True)
class Memory(Shape):
    """One thing that is remembered. `trust` and `strength` lie between 0 and 1; `version` is what `update` takes."""

    id: str
    ref: str | None
    kind: str
    state: str
    title: str
    text: str
    category: str | None
    tags: list[str]
    speaker: str | None
    session: str | None
    confidence: float
    trust: float
    strength: float
    memory_type: str | None
    mood: str | None
    occurred_at: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: datetime | None
    review_at: datetime | None
    pinned: bool
    edited: bool
    source: Origin
    conflicts: list[str]
    inherited_from: str | None
    created_at: datetime
    updated_at: datetime
    version: int


@dataclass(frozen=True, kw_only=True)
class WholeMemory(Memory):
    """A memory with what it replaced, what replaced it, and what it was made of."""

    supersedes: list[str]
    superseded_by: list[str]
    derived_from: list[str]
    derived_into: list[str]


@dataclass(frozen=True, kw_only=True)
class Outcome(Shape):
    """What became of a memory that was sent: `outcome` is written, reinforced, conflict or unchanged. `conflict` is the
    id of the one that it raised, `near` the held memory that it confirms or contradicts."""

    id: str
    ref: str | None
    outcome: str
    conflict: str | None
    near: str | None


@dataclass(frozen=True, kw_only=True)
class Written(Memory):
    """A memory as it was written, and what became of it. `more`: the other atoms, where there were several."""

    outcome: str
    conflict: str | None
    near: str | None
    more: list[Outcome]


@dataclass(frozen=True, kw_only=True)
class Outcomes(Shape):
    items: list[Outcome]


@dataclass(frozen=True, kw_only=True)
class Hit(Shape):
    """A memory that was found. `arms` says how each way of searching ranked it, `evidence` why; `score` is the sum of
    the arms' shares times the product of `factors`."""

    id: str
    ref: str | None
    kind: str
    state: str
    title: str
    text: str
    category: str | None
    tags: list[str]
    speaker: str | None
    occurred_at: datetime | None
    score: float
    relevance: float = 0.0
    trust: float
    strength: float
    arms: dict[str, Any]
    factors: dict[str, Any]
    evidence: dict[str, Any]
    source: Origin
    conflicts: list[str]
    outdated_by: str | None = None
    inherited_from: str | None
    turn: dict[str, Any] | None = None
    answers: dict[str, Any] | None = None
    reply: dict[str, Any] | None = None
    answer: dict[str, Any] | None = None
    facts: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Found(Shape):
    """An answer to a question: its hits, the best first."""

    items: list[Hit]
    query: str
    strategy: str
    took_ms: float
    arms: dict[str, Any]
    notes: list[str]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True, kw_only=True)
class Comparison(Shape):
    """One question answered by several strategies, a column each, and how far they agree."""

    columns: list[Found]
    agreement: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Explanation(Shape):
    """Where one memory stands in one strategy. `stage` is found, or where it fell out: cut, arms, filter or index;
    `below` is how far it is under the cut."""

    id: str
    strategy: str
    found: bool
    stage: str
    reason: str
    rank: int | None
    score: float | None
    cut: float | None
    below: float | None


@dataclass(frozen=True, kw_only=True)
class Explanations(Shape):
    items: list[Explanation]


@dataclass(frozen=True, kw_only=True)
class Context(Shape):
    """What belongs into a prompt. `text` is ready to be put there; `citations` says which memory each number is."""

    text: str
    tokens: int
    budget: int
    citations: dict[str, Any]
    notes: list[str]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, kw_only=True)
class Act(Shape):
    """What was done to a memory. `run` is what `undo` takes; None where nothing was changed."""

    memory: Memory
    run: str | None
    dry_run: bool


@dataclass(frozen=True, kw_only=True)
class Receipt(Shape):
    """What a purge removed for good. `also` went along, as it told the same; `said_by` says it in its own right and
    stays; `complete` is whether nothing of it was found afterwards."""

    id: str
    removed: dict[str, Any]
    left: dict[str, Any]
    also: list[dict[str, Any]]
    said_by: list[str]
    complete: bool
    dry_run: bool


@dataclass(frozen=True, kw_only=True)
class Weighed(Shape):
    """How often a memory was said to be of use or not, and the factor that this gives it in searches."""

    id: str
    used: int
    not_useful: int
    factor: float
