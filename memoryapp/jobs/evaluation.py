"""Golden queries asked again: by a page, the API, a command and the heartbeat, all by one kind of job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memoryapp import lab
from memoryapp.accounts.spaces import open_space
from memoryapp.domain.change import Actor
from memoryapp.domain.golden import GoldenRun
from memoryapp.domain.strategies import DEFAULT
from memoryapp.jobs.models import Job
from memoryapp.jobs.pipeline import submit
from memoryapp.spaces import Space
from memoryapp.store import golden, profiles

K = 10  # places that count where nobody says how many


def submit_golden(space: str, plans: Sequence[str] = (DEFAULT,), k: int = K, *, actor: Actor) -> Job:
    """The job that asks every golden query by each of these plans. Two of one space never run at once. Raises BadInput
    (/strategies/1, /k, and where there is nothing to ask), before anything is queued."""
    opened = open_space(space)
    named = [plan.name for plan in lab.checked(opened, plans, k)]
    lab.askable(opened)
    arguments: dict[str, Any] = {"plans": named, "k": k}
    return submit("golden", space=space, arguments=arguments, actor=actor, subject=f"golden:{space}")


def submit_again(space: str, *, actor: Actor) -> Job:
    """As the heartbeat asks them: by the default plan, and by the profiles that were ever run, at the default's k.
    Where there is nothing to ask, the job says so."""
    opened = open_space(space)
    last = _last(opened)
    arguments = {"plans": _plans_again(opened), "k": last.k if last else K, "again": True}
    return submit("golden", space=space, arguments=arguments, actor=actor, subject=f"golden:{space}")


def nothing_to_ask(space: Space) -> str:
    """Why; "" where there is something."""
    some = lab.golden_of(space)
    if not some:
        return "there are no golden queries yet"
    return "" if any(one.left for one in some) else "whatever the golden queries should find is deleted or purged"


def why_not_again(space: Space) -> str:
    """Why there is nothing to ask again; "" where there is. New memories are no reason, new numbers are."""
    if why := nothing_to_ask(space):
        return why
    last = _last(space)
    if last is None or lab.outdated(space, last):
        return ""
    return f"neither the model nor the numbers nor the digests changed since {DEFAULT} was last run"


def _plans_again(space: Space) -> list[str]:
    ran = {run.plan for run in golden.runs(space.db, limit=500)}
    known = [one.name for one in profiles.every(space.db) if one.name in ran]
    return [DEFAULT, *known][: lab.MOST_PLANS]


def _last(space: Space) -> GoldenRun | None:
    """The last run of the default plan, without its outcomes."""
    return next(iter(golden.runs(space.db, plan=DEFAULT, limit=1)), None)
