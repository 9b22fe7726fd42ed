"""What is to be asked, and by what: the golden queries and the plans, or a plain refusal."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.strategies import Strategy
from memoryapp.lab.golden import Standing, golden_of
from memoryapp.retrieve import strategy_of
from memoryapp.spaces import Space

MOST_PLANS = 10  # at once


def checked(space: Space, plans: Sequence[str], k: int) -> list[Strategy]:
    """The plans as they are run, each once. Raises BadInput (/strategies, /strategies/1, /k)."""
    if isinstance(k, bool) or not 1 <= k <= LIMITS.top_k:
        raise BadInput(f"k lies between 1 and {LIMITS.top_k}, not at {k}.", field="/k")
    if not 1 <= len(plans) <= MOST_PLANS:
        raise BadInput(f"Run one to {MOST_PLANS} strategies at once, not {len(plans)}.", field="/strategies")
    found = [strategy_of(space, named, field=f"/strategies/{n}") for n, named in enumerate(plans)]
    return list({plan.name: plan for plan in found}.values())


def askable(space: Space) -> tuple[Standing, ...]:
    """All golden queries, those too that nothing is left of. Raises BadInput where there is none to ask."""
    some = golden_of(space)
    if not some:
        raise BadInput(
            "This space has no golden queries. Search for something whose answer you know, mark what should be found, "
            "and save it as a golden query; or import some."
        )
    if not any(one.left for one in some):
        raise BadInput(
            "Whatever the golden queries should find is deleted or purged. Restore it, or name other memories."
        )
    return some
