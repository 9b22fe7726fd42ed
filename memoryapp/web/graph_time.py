"""When memories came, as bars beneath a slider: what the explorer goes back in time by."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from memoryapp.spaces import Space

BARS = 60
_HEIGHT = 24.0
_LEAST = 2.0


@dataclass(frozen=True, slots=True)
class Bar:
    n: int
    x: float
    y: float
    height: float
    past: bool


@dataclass(frozen=True, slots=True)
class Time:
    """`begin`, `end`: epoch seconds at the slider's ends; its steps are 0–`steps`, and it stands at `value`."""

    bars: list[Bar]
    begin: int
    end: int
    value: int
    steps: int
    as_of: datetime | None

    @property
    def first(self) -> datetime:
        """The moment at the slider's left end."""
        return datetime.fromtimestamp(self.begin, UTC)


_STEPS = 300


def time_of(space: Space, as_of: datetime | None) -> Time | None:
    """None where all came within the same minute, so that there is nothing to go back to."""
    roster = space.index.roster
    came = np.fmin(roster.created, roster.occurred)[roster.alive]  # as the past is reckoned: index.masks
    came = came[~np.isnan(came)]
    end = space.clock().timestamp()
    begin = float(came.min()) if len(came) else end
    if end - begin < 60:
        return None
    counts, _ = np.histogram(came, bins=BARS, range=(begin, end))
    value = _STEPS if as_of is None else round((as_of.timestamp() - begin) / (end - begin) * _STEPS)
    value = min(max(value, 0), _STEPS)
    # One day on which everything was read in would flatten all others: heights go by the square root.
    tall = np.sqrt(counts / max(int(counts.max()), 1)) * _HEIGHT
    bars = []
    for n in range(BARS):
        height = round(max(float(tall[n]), _LEAST), 1) if counts[n] else 0.5
        bars.append(Bar(n, n * 5, round(_HEIGHT - height, 1), height, n * _STEPS <= value * BARS))
    return Time(bars, int(begin), int(end), value, _STEPS, as_of)
