"""Whether a difference means anything: paired bootstrap intervals over the questions of a set.

The same questions are asked of both columns; what is drawn anew is which of them were asked. An interval that holds 0
says that another such set of questions could as well have told the opposite.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from memoryapp.domain.errors import BadInput

RESAMPLES = 2_000
_SEED = 11
_LOW, _HIGH = 2.5, 97.5  # per cent: the middle 95 of a hundred resamples
Each = Mapping[str, Mapping[str, Mapping[str, Sequence[float]]]]  # set → column → measure → value of each question


@dataclass(frozen=True, slots=True)
class Interval:
    """A difference of means in points (hundredths), and between which bounds 95 % of the resamples lie."""

    points: float
    low: float
    high: float

    @property
    def sure(self) -> bool:
        """Whether 0 lies outside."""
        return self.low > 0 or self.high < 0

    def __str__(self) -> str:
        return f"{self.points:+.1f} [{self.low:+.1f}, {self.high:+.1f}]{'*' if self.sure else ''}"


def paired_difference(one: Sequence[float], other: Sequence[float]) -> Interval:
    """How much `other` is above `one`; both by the same questions in the same order. Raises ValueError otherwise."""
    if len(one) != len(other):
        raise ValueError(f"{len(one)} questions beside {len(other)} cannot be paired")
    differences = np.asarray(other, dtype=np.float64) - np.asarray(one, dtype=np.float64)
    if not differences.size:
        return Interval(0.0, 0.0, 0.0)
    drawn = np.random.default_rng(_SEED).integers(0, differences.size, (RESAMPLES, differences.size))
    low, high = np.percentile(differences[drawn].mean(axis=1), [_LOW, _HIGH])
    return Interval(100 * float(differences.mean()), 100 * float(low), 100 * float(high))


def above(before: Each, now: Each, *, column: str | None = None) -> dict[str, dict[str, dict[str, Interval]]]:
    """Set → column → measure → how much `now` is above `before`. `column`: the one of `before` that all are held
    against; without it each is held against its own. What only one of them knows, or asked otherwise, is left out."""
    found: dict[str, dict[str, dict[str, Interval]]] = {}
    for name, columns in now.items():
        for own, measures in columns.items():
            known = before.get(name, {}).get(column or own, {})
            told = {
                measure: paired_difference(known[measure], values)
                for measure, values in measures.items()
                if len(known.get(measure, ())) == len(values)
            }
            if told:
                found.setdefault(name, {})[own] = told
    return found


def plain(intervals: Mapping[str, Mapping[str, Mapping[str, Interval]]]) -> dict[str, Any]:
    """The same as JSON: [points, low, high]."""
    return {
        name: {
            column: {measure: list(asdict(one).values()) for measure, one in measures.items()}
            for column, measures in columns.items()
        }
        for name, columns in intervals.items()
    }


def write_each(path: Path, each: Each) -> None:
    """What each question scored, to be held against by a later run."""
    path.write_text(json.dumps(each) + "\n", encoding="utf-8")


def read_each(path: Path) -> Each:
    """Raises BadInput for a file that is not there or was not written by `write_each`."""
    try:
        read: Each = json.loads(path.read_text(encoding="utf-8"))
        for columns in read.values():
            for measures in columns.values():
                for values in measures.values():
                    np.asarray(values, dtype=np.float64)
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise BadInput(f"{path} holds no scores by question: {error}", field="/against") from None
    return read
