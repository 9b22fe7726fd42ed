"""Exclusion: a deleted fact the like of which is not learned again. The mark stands in the fact itself, so that it is
undone, restored, exported and purged with it."""

from __future__ import annotations

from dataclasses import replace

from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Memory, State

LEAST, MOST = 0.3, 1.0  # cosine; 1 means these very words
_MARK = "never"


def likeness_of(memory: Memory) -> float | None:
    """Return the cosine from which a candidate is like this fact and is not learned; None where it excludes nothing. A
    fact that is held again excludes nothing, whatever mark was left in it."""
    marked = memory.detail.get(_MARK)
    return float(marked) if marked is not None and memory.state is State.DELETED else None


def excluding(memory: Memory, likeness: float) -> Memory:
    """Return the fact, deleted, with the mark. Raises BadInput for a likeness outside LEAST to MOST."""
    if not LEAST <= likeness <= MOST:  # NaN too
        raise BadInput(f"The likeness lies between {LEAST} and {MOST:g}, not at {likeness:g}.", field="/likeness")
    return replace(memory, state=State.DELETED, detail={**memory.detail, _MARK: float(likeness)})


def not_excluding(memory: Memory) -> Memory:
    """Return the fact without the mark, in the state it is in."""
    return replace(memory, detail={name: value for name, value in memory.detail.items() if name != _MARK})


def usual_likeness(*, same: float, near: float) -> float:
    """Return the likeness that a new exclusion has: two thirds of the way from what is about the same to what says the
    same. Half way, likes and dislikes of one person count as alike; what is kept out wrongly, nobody sees come."""
    return round(near + (same - near) * 2 / 3, 2)
