"""Recall arm: from the nearest memories and the named entities along relations to memories that no word leads to.

How recall came to a memory: the way that adds most to its score, step by step.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix

from memoryapp.index.roster import Roster
from memoryapp.search.arms.structural import NO_ENTITIES, Hypergraph, hypergraphs, seeds_in
from memoryapp.search.rank import best_slots
from memoryapp.search.state import ArmResult, Question, Scores, Seed

NEAREST = 5  # memories that recall begins with, by cosine, or by words where there are no vectors
STEP = 0.5  # what is left of the score after each relation
LINK = 0.2  # … and after each link of a chain: what was said next need not have to do with it
SHARED = 0.3  # what an entity of a nearest memory is worth beside one that the query names

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SpreadingActivation:
    """`seeds`: entities it began with; `nearest`: memories it began with, by slot and worth; `levels`: how strongly
    each entity was reached after 0, 1 … relations, (entities,); `joined`: what a step from a row to a column keeps;
    `chained`: the memory from which one was reached by a chain."""

    seeds: tuple[Seed, ...]
    nearest: dict[int, float]
    levels: tuple[Floats, ...]
    joined: csc_matrix
    chained: dict[int, tuple[int, float]]
    graph: Hypergraph


def recall(question: Question, nearest: Scores, cosines: Scores) -> ArmResult:
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
    joined = _step_weights(question, graph)
    levels = _levels(question, graph, joined, seeds, start)
    chained = _chain_neighbours(question, start)
    reached = np.zeros(view.n)
    for slot, worth in start.items():
        reached[slot] += worth
    for slot, (_, worth) in chained.items():
        reached[slot] += worth
    rarity = 1 / np.sqrt(np.maximum(graph.degree, 1))
    reached += graph.weight @ (np.sum(levels, axis=0) * rarity)
    near = (1 + np.maximum(cosines, 0).astype(np.float64)) / 2
    scores = np.where(question.mask, reached * near, 0.0)
    detail = SpreadingActivation(seeds, start, levels, joined, chained, graph)
    took = (time.perf_counter() - began) * 1000
    return ArmResult(scores, scores, took, detail=detail, note=note if note == NO_ENTITIES else "")


def _step_weights(question: Question, graph: Hypergraph) -> csc_matrix:
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


def _chain_neighbours(question: Question, nearest: dict[int, float]) -> dict[int, tuple[int, float]]:
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


RELATED = 3.0  # how much rather a way along relations is told than that a nearest memory says the same name

Steps = tuple[dict[str, Any], ...]


def path_to(question: Question, spread: SpreadingActivation, slot: int) -> Steps:
    """From where recall began to the memory itself; () for one that it began with.

    {"memory": id, "by"} and {"entity": id, "name", "by"}, with "back": True where a relation is read against its
    direction. `by` says how the step was reached: the first is "named" or "nearest".
    """
    ids = question.view.roster.ids
    level, code, worth = _best_part(spread, slot)
    chain = spread.chained.get(slot)
    if max(spread.nearest.get(slot, 0.0), chain[1] if chain else 0.0) >= worth:
        return _chain(question.view.roster, spread, slot) if chain and slot not in spread.nearest else ()
    last = {"memory": ids[slot], "by": "mentions"}
    return (*_entity_steps(question, spread, level, code), last)


def _best_part(spread: SpreadingActivation, slot: int) -> tuple[int, int, float]:
    """(level, entity, worth) of the greatest part of what the entities add to a memory, with those that relations led
    to before others."""
    weight = spread.graph.weight
    row = slice(weight.indptr[slot], weight.indptr[slot + 1])
    codes = weight.indices[row]
    if not len(codes):
        return 0, -1, 0.0
    parts = np.array([level[codes] for level in spread.levels]) * (
        weight.data[row] / np.sqrt(np.maximum(spread.graph.degree[codes], 1))
    )
    told = parts.copy()
    told[1:] *= RELATED
    level, at = divmod(int(told.argmax()), len(codes))
    return level, int(codes[at]), float(parts[level, at])


def _entity_steps(question: Question, spread: SpreadingActivation, level: int, code: int) -> Steps:
    """The entities from the beginning to `code`, each reached from the one that gave it most."""
    steps: list[dict[str, Any]] = []
    joined = spread.joined
    for height in range(level, 0, -1):
        column = slice(joined.indptr[code], joined.indptr[code + 1])
        given = spread.levels[height - 1][joined.indices[column]] * joined.data[column]
        before = int(joined.indices[column][int(given.argmax())])
        steps.insert(0, _entity(question, code) | _relation(question, before, code))
        code = before
    return (*_begin(question, spread, code), *steps)


def _begin(question: Question, spread: SpreadingActivation, code: int) -> Steps:
    """Named by the query, or mentioned by one of the nearest memories, whichever gave more."""
    named = next((seed.weight for seed in spread.seeds if seed.code == code), 0.0)
    choice = spread.graph.choice
    given = {slot: SHARED * worth * float(choice[slot, code]) for slot, worth in spread.nearest.items()}
    slot = max(given, key=given.__getitem__, default=-1)
    if slot < 0 or named >= given[slot]:
        return (_entity(question, code) | {"by": "named"},)
    nearest = {"memory": question.view.roster.ids[slot], "by": "nearest"}
    return nearest, _entity(question, code) | {"by": "mentions"}


def _chain(roster: Roster, spread: SpreadingActivation, slot: int) -> Steps:
    """From a nearest memory along what follows what."""
    steps: list[dict[str, Any]] = []
    while slot in spread.chained and slot not in spread.nearest:
        steps.insert(0, {"memory": roster.ids[slot], "by": "follows"})
        slot = spread.chained[slot][0]
    return ({"memory": roster.ids[slot], "by": "nearest"}, *steps)


def _entity(question: Question, code: int) -> dict[str, Any]:
    entity = question.view.graph.entities[code]
    return {"entity": entity.id if entity else "", "name": entity.name if entity else ""}


def _relation(question: Question, one: int, other: int) -> dict[str, Any]:
    """The surest relation between the two that holds."""
    relations = question.view.graph.relations
    between = ((relations.subject == one) & (relations.object == other)) | (
        (relations.subject == other) & (relations.object == one)
    )
    holds = relations.holding(question.standing, now=question.now, as_of=question.query.filters.as_of)
    rows = np.flatnonzero(between & holds & ~relations.planned)
    if not rows.size:
        return {"by": "related_to"}
    row = int(rows[np.lexsort((rows, -relations.confidence[rows]))[0]])
    told: dict[str, Any] = {"by": relations.types[int(relations.type[row])]}
    return told if relations.subject[row] == one else told | {"back": True}
