"""How strongly entities are joined, by relations and by being named in the same memories; and which of them are reached
from a start, step by step, the strongest first.

How much a memory says of two that it names falls with how many it names (`Snapshot.worth`), and how much two have to do
with each other with how often either is named anywhere (Salton's cosine, with two namings more for each so that a
single one counts for little).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags

from memoryapp.domain.relation import RelationType
from memoryapp.domain.scene import EdgeKind
from memoryapp.graph.snapshot import Bools, Codes, Snapshot

_DOUBT = 2.0
TOGETHER = 6  # of one entity, where it is not the start
_TOGETHER_START = 12
_RELATED = 12  # neighbours by relation that one entity on the way brings in: a hub does not flood the scene
_ENDED = 0.2  # strength of a relation that holds no more
_NAMED = 0.19  # the most that being named together comes to: less than any relation, an ended one too


# ── named together


@dataclass(frozen=True)
class Cooccurrence:
    """`strength` within 0–1 by construction; asked for some entities at a time."""

    ground: Snapshot
    # Of each entity that was asked for, the memories that count and name it.
    _known: dict[int, NDArray[np.int32]] = field(default_factory=dict, repr=False, compare=False)

    def of(self, codes: Codes) -> csr_matrix:
        """Strength between each of these entities and every other that is there, (len(codes), E); none with itself."""
        ground = self.ground
        worth = ground.worth
        named = ground.pattern[:, codes].T.tocsr().astype(np.float32) if len(codes) < ground.size else None
        if named is None:
            named = ground.pattern.T.tocsr()[codes]
        named.data = worth[named.indices]
        named.eliminate_zeros()
        shared = (named @ ground.pattern).tocsr()
        shared.sort_indices()
        rows = np.repeat(np.arange(len(codes)), np.diff(shared.indptr))
        often = ground.memories + _DOUBT
        shared.data = (shared.data / np.sqrt(often[codes[rows]] * often[shared.indices])).astype(np.float32)
        keep = (shared.indices != codes[rows]) & ground.there[shared.indices]
        shared.data = np.where(keep, shared.data, 0)
        shared.eliminate_zeros()
        return shared

    def facts(self, one: int, other: int) -> NDArray[np.int32]:
        """Memories that count and name both, the best trusted first."""
        both = np.intersect1d(self._counted(one), self._counted(other), assume_unique=True)
        return both[np.argsort(-self.ground.trust[both], kind="stable")]

    def _counted(self, code: int) -> NDArray[np.int32]:
        known = self._known.get(code)
        if known is None:
            slots = self.ground.slots_of(code)
            known = self._known[code] = slots[self.ground.worth[slots] > 0]
        return known


def strongest(matrix: csr_matrix, most: int) -> csr_matrix:
    """At most so many of the greatest entries of each row; equal ones in the order of their columns."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    order = np.lexsort((matrix.indices, -matrix.data, rows))
    rank = np.arange(len(order)) - matrix.indptr[rows[order]]
    keep = order[rank < most]
    return csr_matrix((matrix.data[keep], (rows[keep], matrix.indices[keep])), shape=matrix.shape)


def joined_by(ground: Snapshot, groups: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """How much groups of entities have to do with each other, (count, count). `groups`: the group of each entity by
    code, −1 for none."""
    members = np.flatnonzero(groups >= 0)
    into = csr_matrix((np.ones(len(members)), (members, groups[members])), shape=(ground.size, count))
    named = (ground.pattern @ into).tocsr()
    named.data[:] = 1.0
    return np.asarray((named.T @ diags(ground.worth) @ named).todense(), dtype=np.float64)


# ── relations


def relation_mask(ground: Snapshot, relations: Collection[str]) -> Bools:
    """Relations that may be shown, of the types asked for (all, where none is named), by row."""
    found = ground.relations
    if not relations:
        return ground.present
    wanted = np.array([name in relations for name in found.types] or [False], dtype=np.bool_)
    asked = wanted[found.type] if len(found) else np.zeros(0, dtype=np.bool_)
    return ground.present & (asked | (found.is_a if RelationType.IS_A in relations else False))


def with_together(relations: Collection[str]) -> bool:
    """Whether entities that are only named together count as joined, too."""
    return not relations or EdgeKind.TOGETHER in relations


def bonds(ground: Snapshot, rows: Bools) -> csr_matrix:
    """How strongly entities are joined by these relations, within 0–1, symmetric, (E, E)."""
    found = ground.relations
    now = _both_ways(ground, rows & ground.holding, 0.5 + 0.5 * found.confidence)
    ended = _both_ways(ground, rows & ~ground.holding, np.ones(len(found)))
    now.data = np.minimum(now.data, 1.0)  # said in several memories: surer, and no surer than sure
    ended.data[:] = _ENDED
    joined: csr_matrix = now.maximum(ended)
    return joined


def _both_ways(ground: Snapshot, rows: Bools, strength: NDArray[np.floating[Any]]) -> csr_matrix:
    found, chosen = ground.relations, np.flatnonzero(rows)
    one, other = found.subject[chosen], found.object[chosen]
    ends = np.concatenate([one, other]), np.concatenate([other, one])
    made = csr_matrix((np.tile(strength[chosen], 2), ends), shape=(ground.size, ground.size))
    made.sum_duplicates()
    return made


def reach(
    ground: Snapshot,
    starts: Sequence[int],
    *,
    steps: int,
    limit: int,
    types: Collection[str] = (),
    relations: Collection[str] = (),
) -> Traversal:
    """Breadth-first from the starts: each step takes the strongest of all that its entities bring in, until `limit`."""
    together = Cooccurrence(ground) if with_together(relations) else None
    bound = bonds(ground, relation_mask(ground, relations))
    allowed = ground.typed(types)
    score: dict[int, float] = dict.fromkeys(starts, 1.0)
    by: dict[int, int] = dict.fromkeys(starts, -1)
    depth: dict[int, int] = dict.fromkeys(starts, 0)
    filtered: dict[int, None] = {}
    edge = list(starts)[:limit]
    for step in range(1, steps + 1):
        if not edge or len(score) >= limit:
            break
        most = (limit, limit if steps == 1 else _TOGETHER_START) if step == 1 else (_RELATED, TOGETHER)
        come: dict[int, tuple[float, int]] = {}
        matrices = _neighbour_weights(edge, bound, together)
        for source, target, strength in _strongest_neighbours(edge, matrices, most, allowed):
            worth = score[source] * strength
            if target not in score and (target not in come or worth > come[target][0]):
                come[target] = (worth, source)
        if types:
            for _, target, _ in _strongest_neighbours(edge, matrices, most, ground.there & ~allowed):
                filtered[target] = None
        order = sorted(come, key=lambda code: (-come[code][0], code))[: limit - len(score)]
        for target in order:
            score[target], by[target] = come[target]
            depth[target] = step
        edge = order
    codes = list(score)[:limit]
    return Traversal(
        np.array(codes, dtype=np.int64),
        np.array([depth[code] for code in codes], dtype=np.int64),
        np.array([by[code] for code in codes], dtype=np.int64),
        np.array([code for code in filtered if code not in score], dtype=np.int64),
    )


def _neighbour_weights(sources: Sequence[int], bound: csr_matrix, together: Cooccurrence | None) -> list[csr_matrix]:
    """How strongly each of these entities is joined to any other: by relations, and weaker by being named together."""
    codes = np.array(sources, dtype=np.int64)
    found = [csr_matrix(bound[codes])]
    if together is not None:
        named = together.of(codes)
        named.data = named.data * _NAMED
        found.append(named)
    return found


def _strongest_neighbours(
    sources: Sequence[int], matrices: Sequence[csr_matrix], most: tuple[int, int], allowed: Bools
) -> list[tuple[int, int, float]]:
    """(whence, who, strength) of the neighbours each entity brings in, among those allowed: `most` by relation, and of
    those named together."""
    codes = np.array(sources, dtype=np.int64)
    found = []
    for matrix, count in zip(matrices, most, strict=False):
        kept = matrix.copy()
        kept.data = np.where(allowed[kept.indices], kept.data, 0)
        kept.eliminate_zeros()
        kept = strongest(kept, count)
        rows = np.repeat(codes, np.diff(kept.indptr))
        found += list(zip(rows.tolist(), kept.indices.tolist(), kept.data.tolist(), strict=True))
    return found


# ── reaching outwards


@dataclass(frozen=True, slots=True)
class Traversal:
    """`codes` in the order they were reached, `depth` in steps, `by`: whence each was reached, −1 for a start.
    `filtered`: reached as well, but of a type that was not asked for."""

    codes: Codes
    depth: NDArray[np.int64]
    by: NDArray[np.int64]
    filtered: Codes
