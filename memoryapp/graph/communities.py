"""Entities that belong together: the whole graph as a weighted one, cut into communities by Leiden (Traag, Waltman and
van Eck 2019, modularity)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, triu, vstack

from memoryapp.graph.ground import Ground
from memoryapp.graph.reach import TOGETHER, bonds
from memoryapp.graph.spots import ALONE
from memoryapp.graph.springs import seeded
from memoryapp.graph.together import Together, strongest

_AT_ONCE = 2_000  # entities whose neighbours are weighed together
_TOGETHER_SHARE = 0.5  # of what joins two: naming them together says less than a relation


def weighted(ground: Ground, *, step: Callable[[int], None] = lambda done: None) -> csr_matrix:
    """How strongly any two entities are joined, symmetric, (E, E): by relations, and by the strongest few namings in
    the same memory. `step` hears how many entities are done."""
    together = Together(ground)
    parts = []
    for begin in range(0, max(ground.size, 1), _AT_ONCE):
        codes = np.arange(begin, min(begin + _AT_ONCE, ground.size))
        if len(codes):
            parts.append(strongest(together.of(codes), TOGETHER))
        step(int(begin + len(codes)))
    if not parts:
        return csr_matrix((0, 0))
    named = csr_matrix(vstack(parts))
    named.data = named.data * _TOGETHER_SHARE
    joined = csr_matrix(bonds(ground, ground.present).maximum(named))
    joined = csr_matrix(joined.maximum(joined.T))
    joined.sort_indices()
    return joined


def communities(joined: csr_matrix, there: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The community of each entity, (E,): from 0 for the largest, ALONE for those that nothing joins to another."""
    import igraph

    found = np.full(len(there), ALONE, dtype=np.int64)
    members = np.flatnonzero(there & (np.diff(joined.indptr) > 0))
    if not len(members):
        return found
    part = triu(joined[members][:, members], k=1).tocoo()
    graph = igraph.Graph(n=len(members), edges=np.stack([part.row, part.col], axis=1))
    with seeded():
        cut = graph.community_leiden(objective_function="modularity", weights=part.data.tolist(), n_iterations=3)
    label = np.array(cut.membership, dtype=np.int64)
    sizes = np.bincount(label)
    first = np.full(len(sizes), len(label))
    np.minimum.at(first, label, np.arange(len(label)))
    number = np.empty(len(sizes), dtype=np.int64)
    number[np.lexsort((first, -sizes))] = np.arange(len(sizes))
    found[members] = number[label]
    return found
