"""The rows behind the hits: read from the store once, and again only after they were written."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.memory import Memory, index_text
from memoryapp.index import SearchIndex, View
from memoryapp.spaces import Space, rows_at
from memoryapp.store.memories import Sides, every_side, get_many, recall

PER_SPACE = 16_384
Row = tuple[Memory, tuple[str, ...]]  # the memory, and the ids of the conflicts that wait about it


@dataclass(slots=True)
class _Shelf:
    """`index`: the one whose states these are; `content`: the state at which they stand. `sides`: the conflicts that
    wait, once they were `asked` for; None where they are too many to keep."""

    index: weakref.ref[SearchIndex]
    content: int
    rows: OrderedDict[str, Row] = field(default_factory=OrderedDict)
    sides: Sides | None = None
    asked: bool = False


class Rows:
    """Rows by space. All of a space's rows stand at one state of its index's content, which every write but a counted
    access moves: a new state takes the memories that were written off the shelf, so that what was purged is not kept
    here either, and empties it where conflicts were written."""

    def __init__(self, *, per_space: int = PER_SPACE) -> None:
        self._per_space = per_space
        self._shelves: dict[str, _Shelf] = {}
        self._lock = threading.Lock()

    def read(self, space: Space, memories: Sequence[str], *, content: int) -> dict[str, Row]:
        """Those of the memories that exist, by id; as they stood at the space's instant, where it has one, with none of
        today's conflicts. `content`: of the view that named them."""
        if space.at is not None:
            return {key: (memory, ()) for key, memory in rows_at(space, get_many(space.db, memories)).items()}
        with self._lock:
            shelf = self._shelf(space, content)
            known = {key: shelf.rows[key] for key in memories if key in shelf.rows}
            stands_at = shelf.content
        missing = [key for key in memories if key not in known]
        if missing:
            if not shelf.asked:
                shelf.sides, shelf.asked = every_side(space.db), True
            found, waiting = recall(space.db, missing, shelf.sides)
            fresh = {key: (memory, waiting.get(key, ())) for key, memory in found.items()}
            known |= fresh
            self._keep(space.name, shelf, stands_at, fresh)
        return known

    def forget(self, space: str | None = None) -> None:
        """Empties the shelf of a space, or all."""
        with self._lock:
            for name in list(self._shelves) if space is None else [space]:
                self._shelves.pop(name, None)

    def _keep(self, space: str, shelf: _Shelf, stands_at: int, rows: dict[str, Row]) -> None:
        with self._lock:
            if self._shelves.get(space) is not shelf or shelf.content != stands_at:
                return  # somebody searched after a write meanwhile: these rows may be the old ones
            shelf.rows.update(rows)
            while len(shelf.rows) > self._per_space:
                shelf.rows.popitem(last=False)

    def _shelf(self, space: Space, content: int) -> _Shelf:
        known = self._shelves.get(space.name)
        if known is None or known.index() is not space.index:
            known = self._shelves[space.name] = _Shelf(weakref.ref(space.index), content)
        elif known.content < content:
            written = space.index.written_since(known.content)
            if written is None:
                known = self._shelves[space.name] = _Shelf(known.index, content)
            else:
                for key in written:
                    known.rows.pop(key, None)
                known.content = content
        return known


held = Rows()


def texts_at(space: Space, view: View, slots: NDArray[np.intp]) -> list[str]:
    """The words of some slots as they are indexed; "" of a memory that is gone from the store. Raises StoreError."""
    ids = [view.roster.ids[slot] for slot in slots.tolist()]
    rows = held.read(space, ids, content=view.content)
    return [index_text(rows[key][0]) if key in rows else "" for key in ids]
