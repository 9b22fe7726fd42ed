"""Which memory refers to which entity: a sparse matrix slots × entities, made of the followed edges when asked for.

A merged entity's edges count for the one that stands for it, as if they had been its own from the beginning.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix

from memoryapp.domain.entity import Entity
from memoryapp.index.columns import Column
from memoryapp.index.register import Canon, Standing

Rows = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int32], NDArray[np.float32]]


class CountedEdges:
    """The edges that count, whatever memories without any there are besides. States that differ in those share it."""

    def __init__(self, edges: dict[str, Column], seats: NDArray[np.int32], canon: Canon) -> None:
        self._edges = edges
        self._seats = seats
        self._canon = canon

    def counts(self, seats: NDArray[np.int32], canon: Canon) -> bool:
        """Whether it was made for these."""
        return self._seats is seats and self._canon is canon

    @cached_property
    def rows(self) -> Rows:
        """By slot and standing entity: (slots, entities, roles, weights). One edge a memory, entity and role: where
        several merged ones have it, the heaviest."""
        alive = np.flatnonzero(self._edges["alive"])
        slots = self._seats[self._edges["memory"][alive]] if alive.size else np.zeros(0, dtype=np.int32)
        entities = self._canon.of[self._edges["entity"][alive]]
        known = (slots >= 0) & (entities >= 0)
        keep, slots, entities = alive[known], slots[known], entities[known]
        roles, weights = self._edges["role"][keep], self._edges["weight"][keep]
        several = np.flatnonzero(self._canon.merged[entities])
        if several.size:
            first = np.ones(len(slots), dtype=np.bool_)
            first[several] = _heaviest_mask(slots[several], entities[several], roles[several], weights[several])
            slots, entities, roles, weights = (column[first] for column in (slots, entities, roles, weights))
        width = max(len(self._canon.of), 1)
        order = np.argsort(slots.astype(np.int64) * width + entities, kind="stable")
        return slots[order].astype(np.intp), entities[order].astype(np.intp), roles[order], weights[order]

    @cached_property
    def matrix(self) -> csr_matrix:
        """As many rows as the last slot with an edge asks for."""
        slots, entities, _, weights = self.rows
        shape = (int(slots[-1]) + 1 if slots.size else 0, len(self._canon.of))
        matrix = csr_matrix((weights, (slots, entities)), shape=shape, dtype=np.float32)
        matrix.sum_duplicates()
        return matrix

    @cached_property
    def by_entity(self) -> csc_matrix:
        return self.matrix.tocsc()

    @cached_property
    def degree(self) -> NDArray[np.int32]:
        degree: NDArray[np.int32] = np.diff(self.by_entity.indptr).astype(np.int32)
        return degree


class Incidence:
    """A published state. Entities are numbered by their column; only those that stand for themselves have edges.

    `matrix` is float32 (n, entities): the sum of the weights of a memory's edges to an entity, one edge a role.
    """

    def __init__(self, n: int, standing: Standing, counted: CountedEdges, roles: list[str]) -> None:
        self.n = n
        self.entities, self._canon = standing
        self._counted = counted
        self._roles = roles

    def shows(self, n: int, standing: Standing, counted: CountedEdges) -> bool:
        """Whether it is the state of these."""
        return self.n == n and self.entities is standing.entities and self._counted is counted

    @property
    def canonical(self) -> NDArray[np.int32]:
        """The code that stands for each code, −1 for refused and unknown ones, (entities,)."""
        return self._canon.of

    @property
    def code_of(self) -> dict[str, int]:
        """Entity id → its code, merged and refused ones too."""
        return self._canon.code_of

    @cached_property
    def matrix(self) -> csr_matrix:
        made = self._counted.matrix
        padded = np.full(self.n + 1, made.nnz, dtype=made.indptr.dtype)
        padded[: len(made.indptr)] = made.indptr
        return _as_sorted(csr_matrix((made.data, made.indices, padded), shape=(self.n, made.shape[1])))

    @cached_property
    def by_entity(self) -> csc_matrix:
        """The same matrix by columns: `indices[indptr[e]:indptr[e + 1]]` are the slots that refer to entity e."""
        made = self._counted.by_entity
        return _as_sorted(csc_matrix((made.data, made.indices, made.indptr), shape=(self.n, made.shape[1])))

    @property
    def degree(self) -> NDArray[np.int32]:
        """How many indexed memories refer to each entity, (entities,)."""
        return self._counted.degree

    def code(self, entity: str) -> int:
        """The code that stands for an entity, given by id; −1 for refused and unknown ones."""
        code = self.code_of.get(entity, -1)
        return int(self.canonical[code]) if code >= 0 else -1

    def touching(self, entities: Iterable[str]) -> NDArray[np.bool_]:
        """Slots that refer to any of the entities, given by id, or to one that is merged with it, (n,)."""
        found = np.zeros(self.n, dtype=np.bool_)
        for name in entities:
            code = self.code(name)
            if code >= 0:
                start, end = self.by_entity.indptr[code : code + 2]
                found[self.by_entity.indices[start:end]] = True
        return found

    def of(self, slot: int) -> list[tuple[Entity, str, float]]:
        """(standing entity, role, weight) of each edge of one memory."""
        slots, entities, roles, weights = self._counted.rows
        found = []
        for i in range(*np.searchsorted(slots, [slot, slot + 1])):
            entity = self.entities[int(entities[i])]
            if entity is not None:
                found.append((entity, self._roles[int(roles[i])], float(weights[i])))
        return found


def _heaviest_mask(
    slots: NDArray[np.int32], entities: NDArray[np.int32], roles: NDArray[np.int32], weights: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """True for one edge of each memory, entity and role, the heaviest."""
    order = np.lexsort((-weights, roles, entities, slots))
    changes = [column[order][1:] != column[order][:-1] for column in (slots, entities, roles)]
    first = np.ones(len(order), dtype=np.bool_)
    first[order[1:]] = np.any(changes, axis=0)
    return first


def _as_sorted(matrix: csr_matrix) -> csr_matrix:
    """Says of a matrix that shares the arrays of a sorted one that it is sorted too."""
    matrix.has_sorted_indices = matrix.has_canonical_format = True
    return matrix
