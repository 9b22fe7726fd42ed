"""Recall arm: from the nearest memories and the named entities along relations to memories that no word leads to."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix

from memoryapp.retrieve.arms.structural import NO_ENTITIES, seeds_in
from memoryapp.retrieve.found import Found, Question, Scores, Seed
from memoryapp.retrieve.hypergraph import Hypergraph, hypergraphs
from memoryapp.retrieve.rank import best_slots

NEAREST = 5  # memories that recall begins with, by cosine, or by words where there are no vectors
STEP = 0.5  # what is left of the score after each relation
LINK = 0.2  # … and after each link of a chain: what was said next need not have to do with it
SHARED = 0.3  # what an entity of a nearest memory is worth beside one that the query names

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spread:
    """`seeds`: entities it began with; `nearest`: memories it began with, by slot and worth; `levels`: how strongly
    each entity was reached after 0, 1 … relations, (entities,); `joined`: what a step from a row to a column keeps;
    `chained`: the memory from which one was reached by a chain."""

    seeds: tuple[Seed, ...]
    nearest: dict[int, float]
    levels: tuple[Floats, ...]
    joined: csc_matrix
    chained: dict[int, tuple[int, float]]
    graph: Hypergraph


def recall(question: Question, nearest: Scores, cosines: Scores) -> Found:
    """Raw score: (nearest + chained + Σ_levels Σ_v level(v)·weight/√deg v)·(1 + cosine)/2 over the entities v of a
    memory. It halves with each relation, and is divided by the root of how many memories and relations an entity has,
    so that what everything refers to leads nowhere. `detail`: Spread.
    """
    began = time.perf_counter()
    view = question.view
    graph = hypergraphs.of(view, question.standing)
    seeds, note = seeds_in(question, graph, referred=False)  # a kind of thing may stand in no memory itself
    slots = best_slots(nearest, NEAREST, order=view.roster.order)
    start = {slot: float(nearest[slot] / nearest[slots[0]]) for slot in slots.tolist()}
    joined = _joined(question, graph)
    levels = _levels(question, graph, joined, seeds, start)
    chained = _chained(question, start)
    reached = np.zeros(view.n)
    for slot, worth in start.items():
        reached[slot] += worth
    for slot, (_, worth) in chained.items():
        reached[slot] += worth
    rarity = 1 / np.sqrt(np.maximum(graph.degree, 1))
    reached += graph.weight @ (np.sum(levels, axis=0) * rarity)
    near = (1 + np.maximum(cosines, 0).astype(np.float64)) / 2
    scores = np.where(question.mask, reached * near, 0.0)
    detail = Spread(seeds, start, levels, joined, chained, graph)
    took = (time.perf_counter() - began) * 1000
    return Found(scores, scores, took, detail=detail, note=note if note == NO_ENTITIES else "")


def _joined(question: Question, graph: Hypergraph) -> csc_matrix:
    """STEP · confidence / √(confidence of all relations of the entity), from row to column; hubs are left out."""
    joined = question.view.graph.neighbours(question.standing, now=question.now, as_of=question.query.filters.as_of)
    if not joined.nnz:
        return joined.astype(np.float64).tocsc()
    spread = np.maximum(np.asarray(joined.sum(axis=1)).ravel(), 1.0)
    kept = (~graph.hubs).astype(np.float64)
    rows = np.repeat(np.arange(len(kept)), np.diff(joined.indptr))
    data = joined.data * (kept * STEP / np.sqrt(spread))[rows] * kept[joined.indices]
    return csr_matrix((data, joined.indices, joined.indptr), shape=joined.shape).tocsc()


def _levels(
    question: Question, graph: Hypergraph, joined: csc_matrix, seeds: tuple[Seed, ...], nearest: dict[int, float]
) -> tuple[Floats, ...]:
    level = np.zeros(len(graph.degree))
    for slot, worth in nearest.items():
        row = slice(graph.choice.indptr[slot], graph.choice.indptr[slot + 1])
        level[graph.choice.indices[row]] += SHARED * worth * graph.choice.data[row]
    for seed in seeds:
        level[seed.code] += seed.weight
    levels = [level]
    for _ in range(question.tuning.recall_hops):
        if not joined.nnz:
            break
        level = joined.T @ level
        levels.append(level)
    return tuple(levels)


def _chained(question: Question, nearest: dict[int, float]) -> dict[int, tuple[int, float]]:
    """Memories before and after the nearest in their chains: (the one beside it on the way back, what it is worth)."""
    edges = question.view.graph.follows
    found: dict[int, tuple[int, float]] = {}
    if not len(edges) or not nearest:
        return found
    edges = edges[question.standing[edges].all(axis=1)]
    for here, there in ((0, 1), (1, 0)):
        at = dict(nearest)
        for _ in range(question.tuning.recall_hops):
            ahead: dict[int, tuple[int, float]] = {}
            for one, other in edges[np.isin(edges[:, here], list(at))][:, [here, there]].tolist():
                worth = LINK * at[one]
                if other not in nearest and worth > ahead.get(other, (0, 0.0))[1]:
                    ahead[other] = (one, worth)
            at = {slot: worth for slot, (_, worth) in ahead.items()}
            for slot, (one, worth) in ahead.items():
                if worth > found.get(slot, (0, 0.0))[1]:
                    found[slot] = (one, worth)
    return found
