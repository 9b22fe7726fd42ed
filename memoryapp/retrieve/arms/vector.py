"""Vector arm: cosine of the embeddings; in the fusion of scores also the mean cosine of the memory's window."""

from __future__ import annotations

import time

import numpy as np

from memoryapp.index.columns import Column
from memoryapp.index.view import OFFSETS, near_column
from memoryapp.retrieve.arms.keyword import parted
from memoryapp.retrieve.found import Found, Question, Scores


def vector(question: Question, cosines: Scores) -> Found:
    """Raw score: the cosine, of which negative ones come as 0. Base: own cosine and window mean, each by its best.

    What was said around a memory tells what it is about as much as its own words do: alone the mean is worth +.5
    point on LoCoMo, with the own cosine weighed down for it +2.
    """
    began = time.perf_counter()
    own = np.where(question.mask, cosines, np.float32(0))
    share = question.tuning.vector_window
    around = np.where(question.mask, window_mean(cosines, question.view.roster.columns), np.float32(0))
    return Found(own, parted((1 - share, own), (share, around)), (time.perf_counter() - began) * 1000)


def window_mean(cosines: Scores, columns: dict[str, Column]) -> Scores:
    """Mean over a memory and its neighbours on each side; the memory's own value where it stands alone, (n,)."""
    padded = np.append(cosines, np.float32(0))  # neighbour −1, nobody, reads the last place
    total, count = cosines.copy(), np.ones(len(cosines), dtype=np.float32)
    for offset in OFFSETS:
        beside = columns[near_column(offset)]
        total += padded[beside]
        count += beside >= 0
    mean: Scores = total / count
    return mean
