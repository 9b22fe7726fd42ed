"""check → gather → ask → measure → keep: every golden query asked by every plan, and how each plan did."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.domain.change import Actor
from memoryapp.domain.errors import BadInput
from memoryapp.domain.golden import GoldenRun
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.strategies import Strategy
from memoryapp.lab.evaluate import Progress, Telling, conditions_of, encoder_of, run_of
from memoryapp.lab.golden import Standing, golden_of
from memoryapp.lab.regress import settings_of
from memoryapp.search import strategy_of
from memoryapp.spaces import Space
from memoryapp.store import golden

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


def evaluate(
    space: Space, plans: Sequence[str], *, k: int = 10, actor: Actor, progress: Progress | None = None
) -> tuple[GoldenRun, ...]:
    """One run for each plan, in their order, kept. `plans`: names of strategies or profiles, with changes or without.

    Beside what `GoldenRun` names, the conditions tell "left_out" (ids of golden queries of which nothing is left to be
    found) and "notes" {sentence: how many answers bore it}. Raises BadInput (/strategies/1, /k; and where there is
    nothing to ask), ModelLoading, Cancelled; nothing is kept then.
    """
    chosen = checked(space, plans, k)
    some = askable(space)
    telling = Telling(progress, total=len(chosen) * len(some))
    telling.say("waiting for the model")
    encoder = encoder_of(space)
    runs = [run_of(space, plan, some, k=k, encoder=encoder, actor=actor, telling=telling) for plan in chosen]
    telling.stop_if_asked()
    for run in runs:
        golden.keep_run(space.db, run)
    return tuple(runs)


def outdated(space: Space, run: GoldenRun) -> bool:
    """Whether the model, the digests, the numbers or the plan are others than when this run was made. A model that is
    still loading is taken for the one that comes. Raises BadInput where there is no such plan any more."""
    plan = strategy_of(space, run.plan)
    encoder = "" if space.encoder.error else space.encoder.name
    return settings_of(conditions_of(space, plan, encoder=encoder)) != settings_of(run.conditions)
