"""From the name of a strategy, a profile of the space, or either with changes, to the strategy as it is run."""

from __future__ import annotations

from dataclasses import replace

from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import Tuning
from memoryapp.domain.plan import apply_plan, read_plan
from memoryapp.domain.strategies import BRIDGE, HYBRID, STRATEGIES, Arm, Fusion, Strategy, with_weights
from memoryapp.spaces import Space
from memoryapp.store import profiles


def strategy_of(space: Space, name: str, *, field: str = "/strategy") -> Strategy:
    """The strategy of this name with the space's own numbers put in; where there is none, the space's profile; then
    the changes that follow the name ("hybrid;vector=1.4"). It goes by the name that was asked for.

    Raises BadInput at `field` that lists the names there are, or names the change it cannot make.
    """
    plan = read_plan(name, field=field)
    strategy = STRATEGIES.get(plan.base)
    if strategy is not None:
        base = tuned_strategy(strategy, space.tuning)
    else:
        profile = profiles.find(space.db, plan.base)
        if profile is None:
            known = ", ".join(names_of(space))
            raise BadInput(f"There is no strategy “{plan.base[:40]}”. Known: {known}.", field=field)
        base = strategy_of(space, profile.plan, field=field)
    return apply_plan(plan, base, name=str(plan))


def names_of(space: Space) -> tuple[str, ...]:
    """All that may be asked for by name: strategies, then the space's profiles."""
    return (*STRATEGIES, *(profile.name for profile in profiles.every(space.db)))


def tuned_strategy(strategy: Strategy, tuning: Tuning) -> Strategy:
    """A strategy with the space's own numbers put in."""
    if strategy == HYBRID:
        return with_weights(strategy, {Arm.VECTOR: tuning.vector_weight, Arm.GRAPH: tuning.graph_weight})
    if strategy == BRIDGE:
        return with_weights(strategy, {Arm.VECTOR: tuning.vector_weight})
    return replace(strategy, k=tuning.rrf_k) if strategy.fusion == Fusion.RRF else strategy
