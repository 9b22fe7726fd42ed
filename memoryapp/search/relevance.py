"""Relevance: how likely a hit is to answer the question, 0–1, by what the arms know of both.

A logistic regression over four signals, fitted by `training/relevance.py` on talks of our own; it is calibrated: of the
hits at .6 some six in ten answer. Scores rank within one answer; relevance can be compared between answers, and tells
where nothing answers at all.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

WEIGHTS = Path(__file__).with_name("relevance.json")
_ELSEWHERE = 200  # memories that a small space is thought to have besides, or a rare word in it would say nothing
_MUCH = 20.0  # idf mass of a question that names things enough
_LONG = 5.0  # ln of the words of a long passage

Signals = tuple[float, float, float, float, float]


def rarity(df: Mapping[str, int], *, held: int) -> dict[str, float]:
    """The idf of each term, by how many of the `held` memories have it."""
    n = held + _ELSEWHERE
    return {term: math.log(1 + (n - count + 0.5) / (count + 0.5)) for term, count in df.items()}


def signals(rare: Mapping[str, float], own: Iterable[str], *, cosine: float, words: int) -> Signals:
    """What the regression reads, beginning with its constant. `rare`: the question's terms by `rarity`; `own`: those
    that the memory's own words hold; `words`: how many the memory has."""
    mass, covered = sum(rare.values()), sum(rare[term] for term in own)
    share = covered / mass if mass > 0 else 0.0
    return (1.0, max(cosine, 0.0), share, min(mass, _MUCH) / _MUCH, math.log1p(words) / _LONG)


def relevance(found: Signals) -> float:
    """Between 0 and 1."""
    return 1 / (1 + math.exp(-sum(weight * signal for weight, signal in zip(_weights(), found, strict=True))))


@cache
def _weights() -> tuple[float, ...]:
    return tuple(json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"])
