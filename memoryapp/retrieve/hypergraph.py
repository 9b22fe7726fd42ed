"""Memories as edges that each join any number of entities: what the structural walk and recall go over."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from memoryapp.index.engine import View
from memoryapp.retrieve.found import Mask

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
