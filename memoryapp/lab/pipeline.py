"""check → gather → ask → measure → keep: every golden query asked by every plan, and how each plan did."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.domain.change import Actor
from memoryapp.domain.golden import GoldenRun
from memoryapp.lab.asking import askable, checked
from memoryapp.lab.changed import settings_of
from memoryapp.lab.conditions import conditions_of, encoder_of
from memoryapp.lab.evaluate import run_of
from memoryapp.lab.telling import Progress, Telling
from memoryapp.retrieve import strategy_of
from memoryapp.spaces import Space
from memoryapp.store import golden


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
