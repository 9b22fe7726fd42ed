"""References as they are followed. An edge may arrive before either of its ends."""

from __future__ import annotations

import numpy as np

from memoryapp.domain.entity import Reference
from memoryapp.index.columns import Column, Columns, Names, Spec
from memoryapp.index.incidence import Counted, Incidence
from memoryapp.index.register import Register
from memoryapp.index.seats import Seats

EDGE: Spec = {"memory": ("i4", -1), "entity": ("i4", -1), "role": ("i4", -1), "weight": ("f4", 0), "alive": ("?", 0)}
Key = tuple[str, str, str]  # memory, entity, role


class Links:
    """The writer's side of `incidence`."""

    def __init__(
        self,
        register: Register,
        seats: Seats,
        *,
        edges: dict[str, Column] | None = None,
        roles: list[str] | None = None,
    ) -> None:
        """`edges` and `roles`: as they were published and kept."""
        self.register = register
        self.seats = seats
        self.edges = Columns(EDGE, arrays=edges)
        self.roles = Names(roles)
        self._dead = int(np.count_nonzero(~self.edges.get("alive")))
        self._rows_of: dict[Key, int] | None = None
        self._counted: Counted | None = None
        self._last: Incidence | None = None

    def put(self, reference: Reference, *, slot: int) -> None:
        """Adds an edge or changes its weight. `slot`: where its memory sits, −1 where it is not indexed."""
        key = (reference.memory, reference.entity, reference.role)
        row = self._edge_rows.get(key)
        if row is None:
            row = self._edge_rows[key] = self.edges.add()
            self.edges.put("memory", row, self.seats.code(reference.memory, slot))
            self.edges.put("entity", row, self.register.code(reference.entity))
            self.edges.put("role", row, self.roles.code(reference.role))
            self.edges.put("alive", row, True)
        elif self.edges.get("weight")[row] == np.float32(reference.weight):
            return
        self.edges.put("weight", row, reference.weight)
        self._counted = None

    def drop(self, key: Key) -> None:
        row = self._edge_rows.pop(key, None)
        if row is not None:
            self.edges.put("alive", row, False)
            self._dead += 1
            self._counted = None

    def publish(self, n: int) -> Incidence:
        standing, seats = self.register.publish(), self.seats.publish()
        if self._counted is None or not self._counted.counts(seats, standing.canon):
            self._counted = Counted(self.edges.publish(), seats, standing.canon)
        if self._last is None or not self._last.shows(n, standing, self._counted):
            self._last = Incidence(n, standing, self._counted, self.roles.names)
        return self._last

    @property
    def n(self) -> int:
        """Rows of edges, those that are gone included."""
        return self.edges.n

    @property
    def dead(self) -> int:
        """How many of them are gone."""
        return self._dead

    @property
    def _edge_rows(self) -> dict[Key, int]:
        """Edge → its row; made at the first write, so that loading from disk does not wait for it."""
        if self._rows_of is None:
            get = self.edges.get
            memories, entities, roles = self.seats.memories.names, self.register.codes.names, self.roles.names
            columns = (get("memory").tolist(), get("entity").tolist(), get("role").tolist(), get("alive").tolist())
            self._rows_of = {
                (memories[m], entities[e], roles[r]): row
                for row, (m, e, r, alive) in enumerate(zip(*columns, strict=True))
                if alive
            }
        return self._rows_of
