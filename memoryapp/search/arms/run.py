"""The arms of the strategy are run, each with what it may use.

Keyword arm: BM25 over the memory's own words; in the fusion of scores also over its window and its whole group.

Semantic arm: the nearest memories by cosine, and none that is far (Hypabase's KNN).

Tree arm: nodes of the Context Tree by their keywords; without one of its own, a node by those above it.

Vector arm: cosine of the embeddings; in the fusion of scores also the mean cosine of the memory's window.

Graph arm as Kit has it: memories that share entities with the first five of the nearest, the rarer the better.
"""

from __future__ import annotations

import time

import numpy as np

from memoryapp.domain.reach import NodeReach, reach
from memoryapp.domain.strategies import Arm, Fusion
from memoryapp.index.columns import Column
from memoryapp.index.keyword import KeywordScores
from memoryapp.index.view import OFFSETS, near_column
from memoryapp.search.arms.recall import recall
from memoryapp.search.arms.structural import structural
from memoryapp.search.rank import best_slots
from memoryapp.search.state import ArmResult, Arms, Question, Scores
from memoryapp.search.syllables import CONTEXT


def keyword(question: Question) -> tuple[ArmResult, KeywordScores]:
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
    base = normalised_sum(
        (max(1 - whole - window, 0), own),
        (window, np.where(mask, words.window, np.float32(0))),
        (whole, np.where(mask, words.whole, np.float32(0))),
    )
    return ArmResult(own, base, (time.perf_counter() - began) * 1000), words


def normalised_sum(*parts: tuple[float, Scores]) -> Scores:
    """Σ part · scores / their best."""
    total = np.zeros(len(parts[0][1]), dtype=np.float32)
    for part, scores in parts:
        best = float(scores.max(initial=0))
        if best > 0:
            total += np.float32(part / best) * scores
    return total


NEAREST = 150
LEAST = 0.3


def semantic(question: Question, cosines: Scores) -> ArmResult:
    """Raw score: the cosine of the NEAREST memories at LEAST so near, 0 of all others."""
    began = time.perf_counter()
    near = np.where(question.mask & (cosines >= LEAST), cosines, np.float32(0))
    slots = best_slots(near, NEAREST, order=question.view.roster.order)
    scores = np.zeros_like(near)
    scores[slots] = near[slots]
    return ArmResult(scores, scores, (time.perf_counter() - began) * 1000)


NO_TREE = "This space has no Context Tree yet: no node that a keyword could lead to."
NO_KEYWORD = "No keyword of the Context Tree answers to a word of the question."


def tree(question: Question) -> ArmResult:
    """Raw score: domain.reach. `detail`: Reached by slot, of whatever the question reaches and may be returned."""
    began = time.perf_counter()
    scores = np.zeros(question.view.n)
    detail: dict[int, NodeReach] = {}
    note = NO_TREE
    if question.tree is not None:
        led_to = reach(question.query.text, question.tree.signs)
        note = "" if led_to else NO_KEYWORD
        for reached in led_to:
            slot = question.view.roster.slot(reached.id)
            if slot is not None and question.mask[slot]:
                scores[slot] = reached.score
                detail[slot] = reached
    return ArmResult(scores, scores, (time.perf_counter() - began) * 1000, detail=detail, note=note)


def vector(question: Question, cosines: Scores) -> ArmResult:
    """Raw score: the cosine, of which negative ones come as 0. Base: own cosine and window mean, each by its best.

    What was said around a memory tells what it is about as much as its own words do: alone the mean is worth +.5
    point on LoCoMo, with the own cosine weighed down for it +2.
    """
    began = time.perf_counter()
    own = np.where(question.mask, cosines, np.float32(0))
    share = question.tuning.vector_window
    around = np.where(question.mask, window_mean(cosines, question.view.roster.columns), np.float32(0))
    return ArmResult(own, normalised_sum((1 - share, own), (share, around)), (time.perf_counter() - began) * 1000)


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


SEEDS = 5  # of the vector arm, or of the keyword arm where there are no vectors


def score_shared_entities(question: Question, nearest: Scores) -> ArmResult:
    """Raw score: Σ weight / degree over the entities that a memory shares with a seed.

    A seed scores by what it shares with the other seeds. `detail`: the worth of each entity, (entities,).
    """
    began = time.perf_counter()
    roster, incidence = question.view.roster, question.view.incidence
    seeds = best_slots(nearest, SEEDS, order=roster.order)
    matrix = incidence.matrix
    worth = np.zeros(matrix.shape[1], dtype=np.float32)
    scores = np.zeros(roster.n, dtype=np.float32)
    if seeds.size and matrix.nnz:
        held = matrix[seeds]
        by_seeds = np.bincount(held.indices, minlength=matrix.shape[1])
        known = by_seeds > 0
        worth[known] = 1 / np.maximum(incidence.degree[known], 1)
        scores = np.asarray(matrix @ worth, dtype=np.float32)
        scores[seeds] = held @ np.where(by_seeds > 1, worth, np.float32(0))
        scores = np.where(question.mask, scores, np.float32(0)).astype(np.float32)
    return ArmResult(scores, scores, (time.perf_counter() - began) * 1000, detail=worth)


def run_arms(question: Question) -> Arms:
    """What each arm of the strategy found, in the strategy's order; an arm that cannot run is left out.

    The keyword arm runs for every strategy: its terms are evidence wherever a memory was found. The graph of the
    fusions of scores and mass walks over the other arms' candidates and is run there.
    """
    words, account = keyword(question)
    cosines = _cosines(question)
    compared = question.vector is not None
    own = np.where(question.mask, cosines, np.float32(0))
    found: dict[Arm, ArmResult] = {}
    for arm in question.strategy.arms:
        if arm == Arm.KEYWORD:
            found[arm] = words
        elif arm == Arm.VECTOR and compared:
            found[arm] = vector(question, cosines)
        elif arm == Arm.SEMANTIC and compared:
            found[arm] = semantic(question, own)
        elif arm == Arm.STRUCTURAL:
            found[arm] = structural(question, cosines)
        elif arm == Arm.TREE:
            found[arm] = tree(question)
        elif arm == Arm.RECALL:
            found[arm] = recall(question, own if compared else words.scores, cosines)
        elif arm == Arm.GRAPH and question.strategy.fusion not in (Fusion.SCORES, Fusion.MASS):
            found[arm] = score_shared_entities(question, own if compared else words.scores)
    return Arms(found, account, own)


def _cosines(question: Question) -> Scores:
    """Of every memory with the query, (n,), negative ones 0; 0 everywhere without a vector or an arm that compares."""
    if question.vector is None:
        return np.zeros(question.view.n, dtype=np.float32)
    return np.maximum(question.view.vector(question.vector).cosines, 0)
