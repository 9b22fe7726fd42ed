"""Where the memories sit that some edge speaks of, so that edges are kept by id and slots may move freely."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memoryapp.index.columns import Columns, Names, Spec

_SEAT: Spec = {"slot": ("i4", -1)}


class Seats:
    """The writer's side; references, relations and chains share it."""

    def __init__(self, memories: list[str] | None = None, slots: NDArray[np.int32] | None = None) -> None:
        self.memories = Names(memories)
        self._slots = Columns(_SEAT, arrays=None if slots is None else {"slot": slots})
        self._last: NDArray[np.int32] | None = None

    def code(self, memory: str, slot: int) -> int:
        """The number of a memory, −1 for "". `slot`: where it sits if it is new here, −1 where it is not indexed."""
        if not memory:
            return -1
        code = self.memories.code(memory)
        if code == self._slots.n:
            self._slots.put("slot", self._slots.add(), slot)
            self._last = None
        return code

    def seat(self, memory: str, slot: int) -> None:
        """Says where a memory sits now; −1: nowhere. Memories that no edge speaks of are not kept."""
        code = self.memories.find(memory)
        if code >= 0 and self._slots.get("slot")[code] != slot:
            self._slots.put("slot", code, slot)
            self._last = None

    def publish(self) -> NDArray[np.int32]:
        """Slots by number; the same array as long as nobody moved."""
        if self._last is None:
            self._last = self._slots.publish()["slot"]
        return self._last
