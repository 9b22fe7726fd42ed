"""Scores by slot into ranks. Equal scores are ordered by id, so that a search gives the same list on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memoryapp.search.state import Scores


def best_slots(scores: Scores, count: int, *, order: NDArray[np.uint64]) -> NDArray[np.intp]:
    """The slots of the `count` best scores above 0, best first. `order`: what breaks ties, ascending, (n,)."""
    positive = np.flatnonzero(scores > 0)
    if len(positive) > count:
        values = scores[positive]
        least = np.partition(values, len(values) - count)[len(values) - count]
        positive = positive[values >= least]  # all that tie at the border, so that the id decides and not the slot
    return positive[np.lexsort((order[positive], -scores[positive]))][:count]


def ranks_of(scores: Scores, slots: NDArray[np.intp], *, order: NDArray[np.uint64]) -> list[int | None]:
    """The rank of each slot from 1, ties as `best_slots` breaks them; None where the score is 0."""
    values = scores[slots]
    least = values[values > 0].min(initial=np.inf)
    ranked = np.sort(scores[scores >= least])  # no rank is told of what is below them all
    first, last = (np.searchsorted(ranked, values, side=side) for side in ("left", "right"))
    ranks: list[int | None] = []
    for slot, value, start, end in zip(slots.tolist(), values, first.tolist(), last.tolist(), strict=True):
        if value <= 0:
            ranks.append(None)
            continue
        before = 0 if end - start == 1 else int(np.count_nonzero((scores == value) & (order < order[slot])))
        ranks.append(len(ranked) - end + before + 1)
    return ranks
