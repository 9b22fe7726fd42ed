"""Keyword arm: BM25 over the memory's own words; in the fusion of scores also over its window and its whole group."""

from __future__ import annotations

import time

import numpy as np

from memoryapp.index.keyword import KeywordScores
from memoryapp.retrieve.found import Found, Question, Scores
from memoryapp.retrieve.syllables import CONTEXT


def keyword(question: Question) -> tuple[Found, KeywordScores]:
    """Raw score: BM25 of the own words. Base: Σ part · field / best of the field over own words, window and group;
    the best are taken over what the filters let through. A Korean question, of which an English model knows no vector,
    leans more on the whole group."""
    began = time.perf_counter()
    tuning, mask = question.tuning, question.mask
    words = question.view.keyword(question.terms, k1=tuning.bm25_k1, b=tuning.bm25_b, neighbours=tuning.neighbours)
    own = np.where(mask, words.own, np.float32(0))
    whole, window = tuning.keyword_whole, tuning.keyword_window
    if question.hangul:
        whole = max(min(CONTEXT * whole, 1 - window), whole)
    base = parted(
        (max(1 - whole - window, 0), own),
        (window, np.where(mask, words.window, np.float32(0))),
        (whole, np.where(mask, words.whole, np.float32(0))),
    )
    return Found(own, base, (time.perf_counter() - began) * 1000), words


def parted(*parts: tuple[float, Scores]) -> Scores:
    """Σ part · scores / their best."""
    total = np.zeros(len(parts[0][1]), dtype=np.float32)
    for part, scores in parts:
        best = float(scores.max(initial=0))
        if best > 0:
            total += np.float32(part / best) * scores
    return total
