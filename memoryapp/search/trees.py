"""The keywords of a space's Context Tree, read from the store once and again only after a node was written."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.memory import Kind, State
from memoryapp.domain.reach import Signs
from memoryapp.index import stem
from memoryapp.index.engine import View
from memoryapp.index.roster import KINDS
from memoryapp.search.state import Mask
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.nodes import Outline

_NODE = KINDS.index(Kind.NODE)
_KEPT = 32


@dataclass(frozen=True, eq=False)
class Tree:
    """`outlines`: of the nodes that stand; `unwritten`: slots of nodes without words of their own, which are no answer
    to anything."""

    outlines: tuple[Outline, ...]
    unwritten: NDArray[np.intp]

    @cached_property
    def signs(self) -> Signs:
        """Their keywords; not made for a search that asks for none."""
        return Signs(self.outlines, stem=stem)


class Trees:
    """The last few, by space and by which nodes stand. A node that is written anew has another instant of change, so
    that other writes leave what is kept as it is."""

    def __init__(self) -> None:
        self._outlines: OrderedDict[str, tuple[Hashable, tuple[Outline, ...]]] = OrderedDict()
        self._trees: OrderedDict[tuple[str, Hashable, bytes], Tree] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, space: Space, view: View, standing: Mask) -> Tree | None:
        """The tree of the nodes among `standing`; None for a space without nodes. `view`: of this space."""
        roster = view.roster
        slots = np.flatnonzero(roster.alive & (roster.kind == _NODE))
        if not slots.size:
            return None
        stamp = (space.index.serial, slots.tobytes(), roster.updated[slots].tobytes())
        key = (space.name, stamp, standing[slots].tobytes())
        with self._lock:
            if (known := self._trees.get(key)) is not None:
                self._trees.move_to_end(key)
                return known
        made = _tree(self._read(space, stamp), view, standing)
        with self._lock:
            self._trees[key] = made
            while len(self._trees) > _KEPT:
                self._trees.popitem(last=False)
        return made

    def forget(self, space: str | None = None) -> None:
        """Empties what is kept of a space, or of all."""
        with self._lock:
            for key in [key for key in self._trees if space in (None, key[0])]:
                del self._trees[key]
            for name in list(self._outlines) if space is None else [space]:
                self._outlines.pop(name, None)

    def _read(self, space: Space, stamp: Hashable) -> tuple[Outline, ...]:
        with self._lock:
            known = self._outlines.get(space.name)
        if known is not None and known[0] == stamp:
            return known[1]
        # Whatever its state: at an instant that is asked about, others were held than now.
        found = nodes.outline(space.db, states=(State.HELD, State.SUPERSEDED, State.ARCHIVED))
        with self._lock:
            for key in [key for key in self._trees if key[0] == space.name and key[1] != stamp]:
                del self._trees[key]
            self._outlines[space.name] = (stamp, found)
            while len(self._outlines) > _KEPT:
                self._outlines.popitem(last=False)
        return found


def _tree(found: tuple[Outline, ...], view: View, standing: Mask) -> Tree:
    there = [(slot, one) for one in found if (slot := view.roster.slot(one.id)) is not None]
    unwritten = [slot for slot, one in there if not one.size]
    return Tree(tuple(one for slot, one in there if standing[slot]), np.array(unwritten, dtype=np.intp))


trees = Trees()
