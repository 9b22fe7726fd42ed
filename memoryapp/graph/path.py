"""How two entities hang together: the cheapest way from one to the other, over relations and over memories that name
two at once.

A relation costs the less the surer it is and always less than a memory; a memory the more, the more it names; and every
entity on the way the more, the more there is to it: by way of a hub everything is near everything.
"""

from __future__ import annotations

import itertools
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import bmat, csr_matrix

from memoryapp.domain.errors import BadInput
from memoryapp.domain.scene import Step
from memoryapp.graph.edges import Line, related_lines, together_line
from memoryapp.graph.scene import scene_of
from memoryapp.graph.snapshot import Codes, Snapshot, snapshot_of
from memoryapp.spaces import Space

MOST_STEPS = 12
_TOGETHER = 2.0  # what naming two at once costs above what the surest relation does
_STEP_MORE = (0.0, 4.0, 1_000.0)  # added to every step, the next where the way found before was too long


def path(space: Space, one: str, other: str, *, longest: int = 6, as_of: datetime | None = None) -> tuple[Step, ...]:
    """The steps from one entity to another, at most `longest` (1–12); empty where there is no such way, and between an
    entity and itself. Raises NotFound for an unknown entity."""
    if not 1 <= longest <= MOST_STEPS:
        raise BadInput(f"A path has 1 to {MOST_STEPS} steps.", field="/longest")
    ground = snapshot_of(space, as_of=as_of)
    begin, end = ground.code(one), ground.code(other)
    if begin == end:
        return ()
    for more in _STEP_MORE:
        found = _cheapest_path(ground, begin, end, more)
        if not found:
            return ()
        if len(found) - 1 <= longest:
            return _steps(ground, found)
    return ()


def _cheapest_path(ground: Snapshot, begin: int, end: int, more: float) -> list[int]:
    """Entities from `begin` to `end`, [] where nothing leads there."""
    from scipy.sparse.csgraph import dijkstra

    costs = _costs(ground, more)
    _, before = dijkstra(costs, indices=begin, return_predecessors=True)
    way = [end]
    while way[-1] != begin:
        previous = int(before[way[-1]])
        if previous < 0:
            return []
        way.append(previous)
    return [node for node in reversed(way) if node < ground.size]


def _costs(ground: Snapshot, more: float) -> csr_matrix:
    """Entities and, behind them, memories as nodes, (E + n, E + n). What a step costs is on the edge into the entity;
    a memory between two entities takes half of its own each way."""
    hub = _hub(ground)
    found = ground.relations
    rows = np.flatnonzero(ground.holding)
    one = np.concatenate([found.subject[rows], found.object[rows]])
    other = np.concatenate([found.object[rows], found.subject[rows]])
    sure = np.tile(1.0 / np.clip(found.confidence[rows].astype(np.float64), 0.2, 1.0), 2)
    size = ground.size
    related = _least_costs(one, other, sure + hub[other] + more, size)
    pattern = ground.pattern
    joins = ground.worth
    names = np.repeat(joins, np.diff(pattern.indptr))
    keep = names > 0
    slots = np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.indptr))[keep]
    codes = pattern.indices[keep]
    half = 0.5 * (1.0 + _TOGETHER + 0.5 * np.log2(1.0 / names[keep] + 1.0))
    n = pattern.shape[0]
    into = csr_matrix((half, (codes, slots)), shape=(size, n))
    out = csr_matrix((half + hub[codes] + more, (slots, codes)), shape=(n, size))
    return csr_matrix(bmat([[related, into], [out, csr_matrix((n, n))]]))


def _hub(ground: Snapshot) -> NDArray[np.float64]:
    """What it costs to come by an entity, (E,): nothing for one that eight memories name or fewer."""
    return np.log2(np.maximum((ground.memories + ground.links) / 8.0, 1.0))


def _least_costs(one: NDArray[np.int32], other: NDArray[np.int32], cost: NDArray[np.float64], size: int) -> csr_matrix:
    """The least cost from each entity to each other one."""
    order = np.lexsort((cost, other, one))
    one, other, cost = one[order], other[order], cost[order]
    first = np.ones(len(one), dtype=np.bool_)
    first[1:] = (one[1:] != one[:-1]) | (other[1:] != other[:-1])
    return csr_matrix((cost[first], (one[first], other[first])), shape=(size, size))


def _steps(ground: Snapshot, way: list[int]) -> tuple[Step, ...]:
    codes: Codes = np.array(way, dtype=np.int64)
    related = _surest_lines(related_lines(ground, ground.holding, codes))
    lines = []
    for one, other in itertools.pairwise(way):
        line = related.get((min(one, other), max(one, other)))
        lines.append(line or together_line(ground, one, other))
    scene = scene_of(ground, codes, lines, depth=np.arange(len(codes)))
    return tuple(Step(edge, node) for edge, node in zip(scene.edges, scene.nodes[1:], strict=True))


def _surest_lines(lines: list[Line]) -> dict[tuple[int, int], Line]:
    """The surest line of each pair."""
    found: dict[tuple[int, int], Line] = {}
    for line in sorted(lines, key=lambda line: -line.strength):
        found.setdefault((min(line.source, line.target), max(line.source, line.target)), line)
    return found
