"""What an extractor takes and gives: what was said, and the facts that could be learned from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memoryapp.domain.memory import Category, Mood

EXPLICIT, IMPLIED, INFERRED = 0.9, 0.7, 0.5  # confidence; below 0.5 a candidate is dropped
LEAST_CONFIDENCE = 0.5


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """One turn as an extractor reads it. `others` are the names of the other speakers of its session."""

    text: str
    speaker: str = "user"
    at: datetime | None = None
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact that could be remembered. `text` stands by itself (third person, named subject); `quote` is the sentence
    as it was said. Dates are what the words say, resolved against the turn's time."""

    text: str
    quote: str = ""
    category: Category = Category.OTHER
    confidence: float = EXPLICIT
    decision_point: bool = False
    emotional_signal: bool = False
    entities: tuple[str, ...] = ()
    mood: Mood | None = None
    occurred_at: datetime | None = None  # start of the day, week, month or year the words name
    when: str = ""  # the words that were resolved, and to what: “last week → 2023-05-15 to 2023-05-21”
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    worth: float = 0.0  # points of the rules; 0 where a model judged
    wording: str = ""  # whose words the text is in, where a model was asked for its own, or why these were not taken


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A sentence nothing is kept of, and why, for the preview."""

    quote: str
    reason: str


@dataclass(frozen=True, slots=True)
class Cost:
    """What a language model took. `money` is in the currency of the configured prices, 0 where none are set."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    money: float = 0.0
    seconds: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.money + other.money,
            self.seconds + other.seconds,
        )


@dataclass(frozen=True, slots=True)
class Extraction:
    """The reading of one turn. `problem` is set where the configured model could not do it and the rules stood in.
    `asked`: facts that a model was asked to put into plainer words; `reworded`: those whose words were taken.
    `excluded`: ids of the exclusions that took a candidate out, one entry a candidate; it is in `passed_over` then."""

    candidates: tuple[Candidate, ...]
    passed_over: tuple[PassedOver, ...] = ()
    extractor: str = "rules"
    problem: str = ""
    cost: Cost = field(default_factory=Cost)
    asked: int = 0
    reworded: int = 0
    excluded: tuple[str, ...] = ()
