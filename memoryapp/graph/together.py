"""Entities named in the same memories: what joins those between which no relation was found.

How much a memory says of two that it names falls with how many it names (`Ground.worth`), and how much two have to do
with each other with how often either is named anywhere (Salton's cosine, with two namings more for each so that a
single one counts for little).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags

from memoryapp.graph.ground import Codes, Ground

_DOUBT = 2.0


@dataclass(frozen=True)
class Together:
    """`strength` within 0–1 by construction; asked for some entities at a time."""

    ground: Ground
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


def joined_by(ground: Ground, groups: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """How much groups of entities have to do with each other, (count, count). `groups`: the group of each entity by
    code, −1 for none."""
    members = np.flatnonzero(groups >= 0)
    into = csr_matrix((np.ones(len(members)), (members, groups[members])), shape=(ground.size, count))
    named = (ground.pattern @ into).tocsr()
    named.data[:] = 1.0
    return np.asarray((named.T @ diags(ground.worth) @ named).todense(), dtype=np.float64)
