"""Duplicate pairs in, a curve out: at each cosine how many are right and how many are found; and what zones follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.pairs import Pair, cosines, score
from benchmarks.table import aligned
from memoryapp.contradictions.same import tell_apart
from memoryapp.inference.embedding import Encoder
from memoryapp.inference.embedding.zones import Zones

STEPS = tuple(n / 100 for n in range(30, 100, 5))
RIGHT = 0.95  # of what the “same” zone holds and nothing tells apart, this share is to be right
FOUND = 0.99  # of all duplicates, this share is to lie above the line under which nothing is compared
_CEILING, _FLOOR = 0.85, 0.25  # where the pairs do not reach RIGHT, and what is too near to nothing


@dataclass(frozen=True, slots=True)
class Point:
    """At cosine ≥ `line`. `kept_right`: precision of those that nothing tells apart."""

    line: float
    precision: float
    recall: float
    f1: float
    kept_right: float
    kept: int


def curve(pairs: Sequence[Pair], encoder: Encoder) -> list[Point]:
    near = cosines(pairs, encoder)
    apart = [tell_apart(pair.one, pair.other) for pair in pairs]
    return [_point(line, pairs, near, apart) for line in STEPS]


def recommend(points: Sequence[Point]) -> Zones:
    """The lowest line from which on RIGHT is held, and the highest that still finds FOUND."""
    held = [p.line for p in points if all(q.kept_right >= RIGHT for q in points if q.line >= p.line and q.kept)]
    found = [p.line for p in points if p.recall >= FOUND]
    same = min(held, default=_CEILING)
    return Zones(same=same if same < STEPS[-1] else _CEILING, near=max(found, default=_FLOOR))


def curve_table(points: Sequence[Point], recommended: Zones) -> Iterator[str]:
    rows = [["cosine ≥", "precision", "recall", "F1", "nothing tells apart", "of which right"]]
    for p in points:
        numbers = (f"{p.precision:.3f}", f"{p.recall:.3f}", f"{p.f1:.3f}", str(p.kept), f"{p.kept_right:.3f}")
        rows.append([f"{p.line:.2f}", *numbers])
    yield from aligned(rows)
    yield f"recommended: the same from {recommended.same:.2f}, compared from {recommended.near:.2f}"


def _point(line: float, pairs: Sequence[Pair], near: Sequence[float], apart: Sequence[bool]) -> Point:
    scored = score([(pair.positive, cosine >= line) for pair, cosine in zip(pairs, near, strict=True)])
    kept = [
        pair.positive
        for pair, cosine, differs in zip(pairs, near, apart, strict=True)
        if cosine >= line and not differs
    ]
    right = sum(kept) / len(kept) if kept else 0.0
    return Point(line, scored["precision"], scored["recall"], scored["F1"], right, len(kept))
