"""Feedback: what agents said of a memory they were given, as a factor within ±20 %."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

REACH = 0.2
_DOUBT = 3.0  # so many silent votes stand against the first ones, so that one word moves little


@dataclass(frozen=True, slots=True)
class FeedbackEntry:
    """One word of feedback: what it added to the counts. A reset takes away, and has an id of its own (`reset`)."""

    memory: str
    used: int
    not_useful: int
    query: str
    by: str
    at: datetime
    reset: str | None = None


@dataclass(frozen=True, slots=True)
class MemoryFeedback:
    """A memory that something was said of, with the sums and the factor that they make."""

    memory: str
    used: int
    not_useful: int
    factor: float


def feedback_factor(*, used: int, not_useful: int, reach: float = REACH) -> float:
    """1 + reach · (used − not useful) / (used + not useful + 3): 1.0 without a word, never outside 1 ± reach."""
    return 1.0 + reach * (used - not_useful) / (used + not_useful + _DOUBT)
