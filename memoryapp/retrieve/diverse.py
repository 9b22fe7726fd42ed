"""Diversity: of memories that say the same, the best stays where it is and the others lose a share of their score.

Maximal marginal relevance (Carbonell & Goldstein, SIGIR 1998) with the loss as a share that is seen: minus `diversity`
times the greatest likeness to a memory that stands before it, times its own sum.
"""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from memoryapp.retrieve.found import Question, Scores

SPARE = 10  # memories chosen beyond those that were asked for: some may be gone from the store


def diversified(question: Question, total: Scores, times: Scores) -> tuple[Scores, Scores]:
    """(the share that each memory loses, at most 0; minus its greatest likeness to one before it, −1 to 0), by slot.

    Memories are chosen one by one. The loss of one only grows while others are chosen, so what stands below them all
    need not be compared with all: it is below whatever it might yet lose. `total`: the sum of the shares `times` the
    factors.
    """
    n, weight = len(total), question.tuning.diversity
    likeness = np.zeros(n)
    seen: dict[int, int] = {}  # slot → with how many of the chosen it was compared
    chosen: list[int] = []
    vectors: list[NDArray[np.float32]] = []
    order, has = question.view.roster.order, question.view.roster.has
    slots = np.flatnonzero(total > 0)
    waiting = [(-float(total[slot]), int(order[slot]), slot) for slot in slots.tolist()]
    heapq.heapify(waiting)
    wanted = question.query.top_k + SPARE
    while waiting and len(chosen) < wanted:
        negative, key, slot = heapq.heappop(waiting)
        if has[slot] and seen.get(slot, 0) < len(vectors):
            mine = question.view.vectors_of(np.array([slot]))[0]
            before = np.stack(vectors[seen.get(slot, 0) :])
            likeness[slot] = max(likeness[slot], min(float(np.max(before @ mine)), 1.0))
            seen[slot] = len(vectors)
            now = -float(total[slot]) * (1 - weight * likeness[slot])
            if now > negative:
                heapq.heappush(waiting, (now, key, slot))
                continue
        chosen.append(slot)
        if has[slot]:
            vectors.append(question.view.vectors_of(np.array([slot]))[0])
    summed = np.divide(total, times, out=np.zeros(n), where=times > 0)
    return -weight * likeness * summed, -likeness
