"""Structural arm: a walk between entities by way of the memories that join them, begun at the seeds of the query.

Memories as edges that each join any number of entities: what the structural walk and recall go over.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from memoryapp.index.engine import View
from memoryapp.search.state import ArmResult, Mask, Question, Scores, Seed

HUB_SHARE = 0.2  # an entity in more than so much of the memories tells none of them from the others
HUB_LEAST = 50  # … but one in so few is never a hub
_KEPT = 8


@dataclass(frozen=True, eq=False)
class Hypergraph:
    """Of the memories that count. `member`: 1 where a memory refers to an entity; `weight`: how much, by its role, at
    most 1; `choice`: γ, see `hypergraph`; all float64 (n, entities). `degree`: memories that refer to each entity;
    `hubs`: entities that are left out, because nearly everything refers to them."""

    member: csr_matrix
    weight: csr_matrix
    choice: csr_matrix
    degree: NDArray[np.int64]
    hubs: NDArray[np.bool_]


def hypergraph(matrix: csr_matrix, counted: Mask) -> Hypergraph:
    """γ_e(v) = role weight · (1/deg v) / Σ_{u∈e} 1/deg u over the entities of memory e (Hypabase, QB-PPR).

    `matrix`: memories × entities, the weights of the references; `counted`: memories that count, (n,). A role weight
    over 1, of an entity that plays two roles, counts as 1.
    """
    n, width = matrix.shape
    owner = np.repeat(np.arange(n), np.diff(matrix.indptr))
    keep = counted[owner] & (matrix.data > 0)
    degree = np.bincount(matrix.indices[keep], minlength=width)
    hubs = degree > max(HUB_LEAST, HUB_SHARE * int(np.count_nonzero(counted)))
    if hubs.any():
        keep &= ~hubs[matrix.indices]
    owner, entity = owner[keep], matrix.indices[keep]
    weight = np.minimum(matrix.data[keep].astype(np.float64), 1.0)
    rarity = 1.0 / degree[entity]
    total = np.bincount(owner, rarity, minlength=n)
    starts = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(owner, minlength=n), out=starts[1:])

    def shaped(data: NDArray[np.float64]) -> csr_matrix:
        return csr_matrix((data, entity, starts), shape=(n, width))

    choice = weight * rarity / total[owner]
    return Hypergraph(shaped(np.ones(len(entity))), shaped(weight), shaped(choice), degree, hubs)


class Hypergraphs:
    """The last few: most questions of a space count the same memories, and a write makes a new one anyway."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, bytes], tuple[csr_matrix, Hypergraph]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, view: View, counted: Mask) -> Hypergraph:
        matrix = view.incidence.matrix
        key = (id(matrix), np.packbits(counted).tobytes())
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                return kept[1]
        made = hypergraph(matrix, counted)
        with self._lock:
            self._kept[key] = (matrix, made)  # the matrix is kept, so that its id stays its own
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return made

    def forget(self) -> None:
        with self._lock:
            self._kept.clear()


hypergraphs = Hypergraphs()


NO_ENTITIES = "This space knows no entities yet, so there is nothing to walk over."
NO_SEED = "The query names no entity that a memory refers to, so no walk began."
ONLY_HUBS = "What the query names stands in so many memories that it leads to none of them in particular."
MEANT = 0.1  # of a walk's beginning
NAMED = ("name", "part")  # by the whole name or by a word of it
_DUST = 1e-6  # of a score, by which the nearer one of two that the walk takes for equal comes first


@dataclass(frozen=True, slots=True)
class RandomWalk:
    """`seeds`: where the walk began; `mass`: where it ended, by entity; `graph`: what it went over."""

    seeds: tuple[Seed, ...]
    mass: NDArray[np.float64]
    graph: Hypergraph


def structural(question: Question, cosines: Scores) -> ArmResult:
    """Raw score: Σ PR(v)·γ_e(v) over the entities v of memory e. `detail`: Walked. Without a vector of the query every
    memory is as near as any other, and names alone lead the walk."""
    began = time.perf_counter()
    n = question.view.n
    graph = hypergraphs.of(question.view, question.standing)
    seeds, note = seeds_in(question, graph)
    if not seeds:
        none = np.zeros(n)
        return ArmResult(none, none, (time.perf_counter() - began) * 1000, note=note)
    tuning = question.tuning
    near = np.ones(n) if question.vector is None else np.maximum(cosines, 0).astype(np.float64)
    start = start_at(seeds, graph)
    mass = walk(graph, start, near**tuning.ppr_beta, alpha=tuning.ppr_alpha, rounds=tuning.ppr_rounds)
    scores = np.where(question.mask, (graph.choice @ mass) * (1 + _DUST * near), 0.0)
    return ArmResult(scores, scores, (time.perf_counter() - began) * 1000, detail=RandomWalk(seeds, mass, graph))


def start_at(seeds: Sequence[Seed], graph: Hypergraph) -> NDArray[np.float64]:
    """How the walk begins, by entity: weight / degree, so that the rare one counts; beside what the query names, all
    that it merely means has MEANT together. Without that share the names that resemble some word of a question lead
    most walks: .42 against .50 on MuSiQue (R@5), .71 against .79 on HotpotQA."""
    start = np.zeros(len(graph.degree))
    named = [seed for seed in seeds if seed.by in NAMED]
    meant = [seed for seed in seeds if seed.by not in NAMED]
    for group, share in ((named, 1.0), (meant, MEANT if named else 1.0)):
        worth = [seed.weight / graph.degree[seed.code] for seed in group]
        for seed, one in zip(group, worth, strict=True):
            start[seed.code] += share * one / sum(worth)
    return start


def walk(graph: Hypergraph, start: Scores, near: Scores, *, alpha: float, rounds: int) -> NDArray[np.float64]:
    """Query-biased personalised PageRank on a hypergraph (Hypabase, QB-PPR): where the walker is after `rounds`, by
    entity, summing to 1.

    From entity v a memory e is chosen by ω(e) / Σ_{e'∋v} ω(e'), in it an entity u by γ_e(u). `near`: ω, by memory;
    `start`: the seeds' weights, of which a share `alpha` begins anew in each round. Whoever is lost on the way, because
    the roles in a memory weigh less than 1 or no memory of an entity is near, begins anew too.
    """
    start = np.asarray(start, dtype=np.float64) / np.sum(start)
    around = graph.member.T @ near
    mass = start
    for _ in range(rounds):
        each = np.divide(mass, around, out=np.zeros_like(mass), where=around > 0)
        flow = graph.choice.T @ (near * (graph.member @ each))
        mass = alpha * start + (1 - alpha) * (flow + (1 - flow.sum()) * start)
    return mass


def seeds_in(question: Question, graph: Hypergraph, *, referred: bool = True) -> tuple[tuple[Seed, ...], str]:
    """(the question's seeds that are no hubs, at most Tuning.seeds; why there is none). `referred`: only those that a
    memory refers to.

    Named ones come before those that are merely meant, rare ones before common ones.
    """
    known = [seed for seed in question.seeds if graph.degree[seed.code] > 0 or not referred]
    usable = [seed for seed in known if not graph.hubs[seed.code]]
    usable.sort(key=lambda seed: (seed.by not in NAMED, -seed.weight / max(graph.degree[seed.code], 1), seed.code))
    note = "" if usable else ONLY_HUBS if known else NO_SEED if graph.degree.any() else NO_ENTITIES
    return tuple(usable[: question.tuning.seeds]), note
