"""What a search gives back: hits with the whole reason for their place."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.sentences import Span


@dataclass(frozen=True, slots=True)
class ArmScore:
    """`rank` from 1 within the arm (None where the arm did not return it); `score` raw; `share` its part of the sum."""

    rank: int | None
    score: float
    share: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. score == sum(arm.share for arms) × product(factors.values()), exactly.

    `evidence` by name: "terms" [{term, idf, fields}], "cosine", "entities" [{id, name, degree}], "speaker", "date",
    "quoted" (the quotations of the query that it holds), "matched" (the words of the text to highlight), "seeds"
    [{id, name, by, mass, here}] (where a walk over entities began, how much of it ended there, and whether the memory
    refers to it), "path" (how it was reached: a list of {memory, text, by} and {entity, name, by}; `by` is "named",
    "nearest", "mentions", "is_a", "follows" or a relation's type, `back` true where that is read against its
    direction), "reached" {own, via, matches: [{word, keyword, how}]} (a node of the Context Tree: whether by a keyword
    of its own or of the node at the path `via` above it; `how` is "equal" or "within").
    `relevance`: how likely it is to answer, 0–1, comparable between answers; `signals`: what that was made of.
    `answer`: the sentence of the memory's text that answers, where the hit was read beside the question.
    `outdated_by`: the id of a later hit that, read beside this one, excludes it. Nobody has decided that yet.
    `beside`: what is the same piece of evidence: the turn a fact was learned from, or the facts learned from a turn,
    the best first, with those that were replaced since. `answers`: of a turn that says little
    by itself, the one before it. `reply`: of a turn that ends in a question, the next one by another speaker, whether
    or not that is a hit as well.
    """

    memory: Memory
    score: float
    trust: float
    strength: float
    arms: dict[str, ArmScore]
    factors: dict[str, float]
    evidence: dict[str, Any]
    conflicts: tuple[str, ...] = ()
    relevance: float = 0.0
    signals: tuple[float, ...] = ()
    answer: Span | None = None
    outdated_by: str | None = None
    inherited_from: str | None = None
    beside: tuple[Memory, ...] = ()
    answers: Memory | None = None
    reply: Memory | None = None

    @property
    def turn(self) -> Memory | None:
        """Of a fact: the turn it was learned from, where that was found as well."""
        return next((one for one in self.beside if one.kind is Kind.TURN), None)

    @property
    def facts(self) -> tuple[Memory, ...]:
        """Of a turn: the facts learned from it that were found as well, the best first."""
        return tuple(one for one in self.beside if one.kind is not Kind.TURN)


@dataclass(frozen=True, slots=True)
class ArmReport:
    count: int
    ms: float


@dataclass(frozen=True, slots=True)
class Query:
    """A search as asked. `top_k` 1–100; `floor`: the relevance, 0–1, that the best hit must have, or none is given;
    `read`: in the first hits the sentence that answers is marked, and what a later one of them has made untrue."""

    text: str
    strategy: str = "hybrid"
    top_k: int = 10
    filters: Filters = field(default_factory=Filters)
    trace: bool = False
    floor: float = 0.0
    read: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """`notes` are plain sentences for the reader: "model loading, answered by keyword"."""

    query: Query
    hits: tuple[Hit, ...]
    took_ms: float
    arms: dict[str, ArmReport]
    version: int  # of the index: the changefeed position the answer stands at
    asked_at: datetime
    cached: bool = False
    notes: tuple[str, ...] = ()
    trace: dict[str, Any] = field(default_factory=dict)
