"""Semantic arm: the nearest memories by cosine, and none that is far (Hypabase's KNN)."""

from __future__ import annotations

import time

import numpy as np

from memoryapp.retrieve.found import Found, Question, Scores
from memoryapp.retrieve.rank import best_slots

NEAREST = 150
LEAST = 0.3


def semantic(question: Question, cosines: Scores) -> Found:
    """Raw score: the cosine of the NEAREST memories at LEAST so near, 0 of all others."""
    began = time.perf_counter()
    near = np.where(question.mask & (cosines >= LEAST), cosines, np.float32(0))
    slots = best_slots(near, NEAREST, order=question.view.roster.order)
    scores = np.zeros_like(near)
    scores[slots] = near[slots]
    return Found(scores, scores, (time.perf_counter() - began) * 1000)
