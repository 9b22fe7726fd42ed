"""Two readings in, how much their words are alike and which exclude each other out. Next: `told`, `signs`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoryapp.detect.meanings import CONTRASTS
from memoryapp.detect.reading import Reading, Word

FOUND = 0.5  # how alike two words are to count as one


@dataclass(frozen=True, slots=True)
class Alike:
    """How much each word of either side is like the nearest of the other, 0 to 1."""

    ones: tuple[float, ...]
    others: tuple[float, ...]


def compared(ones: Sequence[Word], others: Sequence[Word]) -> Alike:
    grid = [[_likeness(one, other) for other in others] for one in ones]
    return Alike(
        tuple(max(row, default=0.0) for row in grid),
        tuple(max((row[n] for row in grid), default=0.0) for n in range(len(others))),
    )


def _likeness(one: Word, other: Word) -> float:
    if one.text == other.text or one.form == other.form:
        return 1.0
    if one.matters & other.matters:
        return 0.9
    return 0.95 if len(one.text) > 4 and len(other.text) > 4 and one.text[:5] == other.text[:5] else 0.0


def excluding(one: Reading, other: Reading) -> list[int]:
    """Scales on which they stand on different sides, not both in the subject: that would be two things."""
    found = []
    for scale in one.excluding.keys() & other.excluding.keys():
        a, b = one.excluding[scale], other.excluding[scale]
        apart = {side for side, _ in a}.isdisjoint(side for side, _ in b)
        if apart and not (any(subject for _, subject in a) and any(subject for _, subject in b)):
            found.append(scale)
    return found


def contrasts(one: Reading, other: Reading) -> int:
    a, b = one.all_words, other.all_words
    sides = [(bool(a & x) - bool(a & y), bool(b & x) - bool(b & y)) for x, y in CONTRASTS]
    return sum(left != 0 and left == -right for left, right in sides)
