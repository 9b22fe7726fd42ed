"""The graph as a search or a page sees it: entities, what joins them, their names as vectors, and what follows what.

Codes of entities are those of `incidence`. A merged entity's edges are those of the one that stands for it.
"""

from __future__ import annotations

from datetime import datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from memoryapp.domain.entity import Entity
from memoryapp.index.incidence import Incidence
from memoryapp.index.links import CountedRelations, Mask, Relations
from memoryapp.index.namings import Named

__all__ = ["Graph", "Relations"]


class Graph:
    """A published state: the same object as long as nothing of it changes. Its matrices are made when first asked for.

    `names`: codes int32 (k,) and unit vectors float32 (k, dimension) of those entities that stand for themselves and
    have a vector. `follows`: int32 (edges, 2), slots (later, earlier). Nothing of it is to be written to.
    """

    def __init__(
        self,
        incidence: Incidence,
        related: CountedRelations,
        seats: NDArray[np.int32],
        names: Named,
        follows: NDArray[np.int32],
    ) -> None:
        self.incidence = incidence
        self.names = names
        self.follows = follows
        self._related = related
        self._seats = seats
        self._parts = (incidence, related, seats, names, follows)

    def is_of(self, *parts: object) -> bool:
        """Whether it was made of these."""
        return all(one is other for one, other in zip(self._parts, parts, strict=True))

    @property
    def entities(self) -> tuple[Entity | None, ...]:
        """By code; None where only edges speak of one."""
        return self.incidence.entities

    @property
    def code_of(self) -> dict[str, int]:
        """Entity id → its code, merged and refused ones too."""
        return self.incidence.code_of

    @property
    def canonical(self) -> NDArray[np.int32]:
        """The code that stands for each code, −1 for refused and unknown ones, (entities,)."""
        return self.incidence.canonical

    @cached_property
    def relations(self) -> Relations:
        return self._related.seated(self._seats)

    @cached_property
    def children(self) -> csr_matrix:
        """[parent, child], float32 (entities, entities), weight = confidence: the hierarchy as it was ever said, also
        in memories that are not held any more. What is planned is left out."""
        return self._related.joined.downwards(self.relations, ~self.relations.planned)

    def children_held(self, held: Mask, *, now: datetime | None = None, as_of: datetime | None = None) -> csr_matrix:
        """`children`, of the relations that hold: see Relations.holding."""
        return self._related.joined.downwards(self.relations, self._so(held, now, as_of))

    def neighbours(self, held: Mask, *, now: datetime | None = None, as_of: datetime | None = None) -> csr_matrix:
        """What joins which, symmetric, float32 (entities, entities), weight = confidence of the surest relation that
        holds: see Relations.holding. What is planned is left out, is_a is in."""
        return self._related.joined.both_ways(self.relations, self._so(held, now, as_of))

    @property
    def nbytes(self) -> int:
        """Bytes of what is kept of it, besides the incidence."""
        return self._related.nbytes + self.follows.nbytes + sum(array.nbytes for array in self.names)

    def _so(self, held: Mask, now: datetime | None, as_of: datetime | None) -> Mask:
        return self.relations.holding(held, now=now, as_of=as_of) & ~self.relations.planned
