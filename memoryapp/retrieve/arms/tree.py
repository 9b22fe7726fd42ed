"""Tree arm: nodes of the Context Tree by their keywords; without one of its own, a node by those above it."""

from __future__ import annotations

import time

import numpy as np

from memoryapp.domain.reach import Reached, reach
from memoryapp.retrieve.found import Found, Question

NO_TREE = "This space has no Context Tree yet: no node that a keyword could lead to."
NO_KEYWORD = "No keyword of the Context Tree answers to a word of the question."


def tree(question: Question) -> Found:
    """Raw score: domain.reach. `detail`: Reached by slot, of whatever the question reaches and may be returned."""
    began = time.perf_counter()
    scores = np.zeros(question.view.n)
    detail: dict[int, Reached] = {}
    note = NO_TREE
    if question.tree is not None:
        led_to = reach(question.query.text, question.tree.signs)
        note = "" if led_to else NO_KEYWORD
        for reached in led_to:
            slot = question.view.roster.slot(reached.id)
            if slot is not None and question.mask[slot]:
                scores[slot] = reached.score
                detail[slot] = reached
    return Found(scores, scores, (time.perf_counter() - began) * 1000, detail=detail, note=note)
