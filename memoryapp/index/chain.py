"""What follows what in time, as it is followed. An edge may arrive before either of its ends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memoryapp.index.columns import Column, Columns, Spec
from memoryapp.index.seats import Seats

LINK: Spec = {"later": ("i4", -1), "earlier": ("i4", -1), "alive": ("?", 0)}
Key = tuple[str, str]  # later, earlier


class Chain:
    """The writer's side."""

    def __init__(self, seats: Seats, *, columns: dict[str, Column] | None = None) -> None:
        """`columns`: as they were published and kept."""
        self.seats = seats
        self.columns = Columns(LINK, arrays=columns)
        names = seats.memories.names
        rows = zip(*(self.columns.get(name).tolist() for name in LINK), strict=True)
        self._row_of: dict[Key, int] = {
            (names[later], names[earlier]): row for row, (later, earlier, alive) in enumerate(rows) if alive
        }
        self._last: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None  # of which seats, the edges

    def put(self, later: str, earlier: str, *, slots: tuple[int, int]) -> None:
        """`slots`: where the two memories sit, −1 where one is not indexed."""
        if (later, earlier) in self._row_of:
            return
        row = self._row_of[later, earlier] = self.columns.add()
        self.columns.put("later", row, self.seats.code(later, slots[0]))
        self.columns.put("earlier", row, self.seats.code(earlier, slots[1]))
        self.columns.put("alive", row, True)
        self._last = None

    def drop(self, later: str, earlier: str) -> None:
        row = self._row_of.pop((later, earlier), None)
        if row is not None:
            self.columns.put("alive", row, False)
            self._last = None

    def publish(self) -> NDArray[np.int32]:
        """Slots (later, earlier) of the edges with both ends indexed, (edges, 2)."""
        seats = self.seats.publish()
        if self._last is None or self._last[0] is not seats:
            alive = self.columns.get("alive")
            ends = np.stack([self.columns.get(name)[alive] for name in ("later", "earlier")], axis=1)
            slots = seats[ends] if ends.size else np.zeros((0, 2), dtype=np.int32)
            self._last = seats, slots[(slots >= 0).all(axis=1)]
        return self._last[1]

    @property
    def n(self) -> int:
        """Rows of edges, those that are gone included."""
        return self.columns.n

    @property
    def dead(self) -> int:
        """How many of them are gone."""
        return self.columns.n - len(self._row_of)
