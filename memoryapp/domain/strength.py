"""Strength: how present a memory is. Hypabase: e^(−decay·age) · (1 + ln(1 + accesses)) · salience · confidence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.memory import MemoryType

DECAY_PER_DAY: dict[MemoryType | None, float] = {
    MemoryType.EPISODIC: 0.15,
    MemoryType.SEMANTIC: 0.02,
    MemoryType.PROCEDURAL: 0.01,
    None: 0.1,
}
REACH = 0.05  # how far strength moves a score: it parts what is about equally good, and buries no answer
_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Strength:
    decay: float  # per day
    days: float
    accesses: int
    salience: float
    confidence: float

    @property
    def fading(self) -> float:
        return math.exp(-self.decay * self.days)

    @property
    def presence(self) -> float:
        return 1.0 + math.log(1 + self.accesses)

    @property
    def value(self) -> float:
        return self.fading * self.presence * self.salience * self.confidence


def strength(
    *,
    memory_type: MemoryType | None,
    since: datetime,
    accesses: int,
    salience: float,
    confidence: float,
    now: datetime,
) -> Strength:
    """Strength at `now` of a memory last written or recalled at `since`."""
    days = max((now - since).total_seconds() / _DAY, 0.0)
    return Strength(DECAY_PER_DAY[memory_type], days, max(accesses, 0), salience, confidence)


def strength_factor(value: float) -> float:
    """1 + REACH · (strength − 1) / (strength + 1): 1 for a strength of 1, never outside 1 ± REACH."""
    return 1.0 + REACH * (value - 1) / (value + 1)
