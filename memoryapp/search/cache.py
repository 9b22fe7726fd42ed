"""The recall layer: an answer given within the last half hour is given again, as long as nothing was written."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import replace
from datetime import datetime, timedelta

from memoryapp.domain.results import Answer, Query
from memoryapp.domain.strategies import Factor, Strategy
from memoryapp.spaces import Space

PER_SPACE = 256
Stamp = tuple[Hashable, ...]


class AnswerCache:
    """Answers by space. All of a space's answers stand at one stamp of its index: a new stamp empties its shelf at
    once, so that what was purged is not kept here either."""

    def __init__(self, *, per_space: int = PER_SPACE) -> None:
        self._per_space = per_space
        self._shelves: dict[str, tuple[Stamp, OrderedDict[Hashable, Answer]]] = {}
        self._lock = threading.Lock()

    def find(self, space: str, stamp: Stamp, key: Hashable, *, now: datetime, minutes: int) -> Answer | None:
        """The answer, where it is younger than `minutes` and the stamp is still the same."""
        with self._lock:
            shelf = self._shelf(space, stamp)
            known = shelf.get(key)
            if known is None:
                return None
            if now - known.asked_at >= timedelta(minutes=minutes):
                del shelf[key]
                return None
            shelf.move_to_end(key)
            return known

    def keep(self, space: str, stamp: Stamp, key: Hashable, answer: Answer) -> None:
        with self._lock:
            shelf = self._shelf(space, stamp)
            shelf[key] = answer
            shelf.move_to_end(key)
            while len(shelf) > self._per_space:
                shelf.popitem(last=False)

    def forget(self, space: str | None = None) -> None:
        """Empties the shelf of a space, or all."""
        with self._lock:
            for name in list(self._shelves) if space is None else [space]:
                self._shelves.pop(name, None)

    def _shelf(self, space: str, stamp: Stamp) -> OrderedDict[Hashable, Answer]:
        known = self._shelves.get(space)
        if known is None or known[0] != stamp:
            known = self._shelves[space] = (stamp, OrderedDict())
        return known[1]


def stamp_of(space: Space) -> Stamp:
    """What moves with every write to the space and with every memory that expires; an access that was merely counted
    moves it not."""
    view = space.index.view()
    return (space.index.serial, view.content, *view.roster.votes, view.roster.expired(space.clock()))


def key_of(space: Space, asked: Query, plan: Strategy) -> Hashable:
    """Everything the answer depends on besides the memories."""
    weights = (plan.name, tuple(plan.weights.items()), tuple(plan.depth.items()), plan.arms, plan.factors, plan.k)
    numbers = tuple(plan.numbers.items())
    # Where strength decides, accesses do.
    counted = Factor.STRENGTH in plan.factors or asked.filters.min_strength is not None
    accesses = space.index.view().version if counted else 0
    return (
        replace(asked, floor=0.0),
        weights,
        space.tuning,
        space.encoder.name,
        space.encoder.ready,
        accesses,
        numbers,
    )
