"""When a question is the same again, and when what it is asked of is still the same."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from memoryapp.domain.results import Query
from memoryapp.domain.strategies import Factor, Strategy
from memoryapp.retrieve.cache import Stamp
from memoryapp.spaces import Space


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
