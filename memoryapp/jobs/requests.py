"""Jobs that the page, the API, a command and the heartbeat ask for in the same way: a space filled with the example,
embeddings made, daily logs consolidated, golden queries asked again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User

from memoryapp import lab
from memoryapp.accounts.encoders import check_encoder
from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.spaces import create_space, open_space
from memoryapp.consolidate import Choice
from memoryapp.domain.change import Actor
from memoryapp.domain.errors import BadInput
from memoryapp.domain.golden import GoldenRun
from memoryapp.domain.strategies import DEFAULT
from memoryapp.inference.embedding import universal
from memoryapp.jobs.models import OPEN, Job
from memoryapp.jobs.pipeline import submit
from memoryapp.spaces import Space
from memoryapp.store import golden, profiles

GOLDEN_K = 10  # places that count where nobody says how many


def submit_demo(space: str, *, actor: Actor) -> Job:
    """The job that fills the space; the one that is at it already, where there is one."""
    begun = Job.objects.filter(kind="demo", space=space, status__in=OPEN).first()
    return begun or submit("demo", space=space, arguments={}, actor=actor, subject="demo")


def submit_sample(name: str, *, actor: Actor, created_by: User | None) -> Job:
    """Makes the space of this name, and the job that fills it with the example. Raises BadInput and Clash."""
    return submit_demo(create_space(name, title="Sample", created_by=created_by).name, actor=actor)


def submit_embedding(row: Row, *, model: str = "", actor: Actor) -> Job:
    """A job that makes what is missing. By another `model` than the space has, it then switches the space to it.
    Raises BadInput for a model that nobody may name, and for the packaged one where its extra is not installed."""
    if model and model != row.encoder:
        check_encoder(model)
        if model == universal.NAME and not universal.is_installed():
            raise BadInput(universal.NOT_INSTALLED, field="/encoder")
    return submit("embed", space=row.name, arguments={"model": model or row.encoder}, actor=actor, subject="encoder")


def submit_consolidate(
    space: str,
    *,
    actor: Actor,
    ranker: str = "",
    older_than_days: int | None = None,
    choices: Sequence[Choice] | None = None,
) -> Job:
    """The job that writes the digests that are due, or only those chosen. Two of one space never run at once."""
    arguments: dict[str, Any] = {"ranker": ranker, "older_than_days": older_than_days}
    arguments["choices"] = None if choices is None else [choice_as_json(choice) for choice in choices]
    return submit("consolidate", space=space, arguments=arguments, actor=actor, subject=f"consolidate:{space}")


def choice_as_json(choice: Choice) -> dict[str, Any]:
    """A choice as a job's arguments keep it."""
    picked = None if choice.sentences is None else list(choice.sentences)
    return {"digest": choice.digest, "print": choice.print, "sentences": picked}


def choice_from_json(told: dict[str, Any]) -> Choice:
    """A choice as it was kept in a job's arguments."""
    picked = told.get("sentences")
    return Choice(told["digest"], told.get("print", ""), None if picked is None else tuple(picked))


def submit_golden(space: str, plans: Sequence[str] = (DEFAULT,), k: int = GOLDEN_K, *, actor: Actor) -> Job:
    """The job that asks every golden query by each of these plans. Two of one space never run at once. Raises BadInput
    (/strategies/1, /k, and where there is nothing to ask), before anything is queued."""
    opened = open_space(space)
    named = [plan.name for plan in lab.check_plans(opened, plans, k)]
    lab.askable_queries(opened)
    arguments: dict[str, Any] = {"plans": named, "k": k}
    return submit("golden", space=space, arguments=arguments, actor=actor, subject=f"golden:{space}")


def submit_golden_again(space: str, *, actor: Actor) -> Job:
    """As the heartbeat asks them: by the default plan, and by the profiles that were ever run, at the default's k.
    Where there is nothing to ask, the job says so."""
    opened = open_space(space)
    last = _last(opened)
    arguments = {"plans": _plans_again(opened), "k": last.k if last else GOLDEN_K, "again": True}
    return submit("golden", space=space, arguments=arguments, actor=actor, subject=f"golden:{space}")


def golden_missing_reason(space: Space) -> str:
    """Why; "" where there is something."""
    some = lab.golden_of(space)
    if not some:
        return "there are no golden queries yet"
    return "" if any(one.left for one in some) else "whatever the golden queries should find is deleted or purged"


def golden_skip_reason(space: Space) -> str:
    """Why there is nothing to ask again; "" where there is. New memories are no reason, new numbers are."""
    if why := golden_missing_reason(space):
        return why
    last = _last(space)
    if last is None or lab.is_outdated(space, last):
        return ""
    return f"neither the model nor the numbers nor the digests changed since {DEFAULT} was last run"


def _plans_again(space: Space) -> list[str]:
    ran = {run.plan for run in golden.runs(space.db, limit=500)}
    known = [one.name for one in profiles.every(space.db) if one.name in ran]
    return [DEFAULT, *known][: lab.MOST_PLANS]


def _last(space: Space) -> GoldenRun | None:
    """The last run of the default plan, without its outcomes."""
    return next(iter(golden.runs(space.db, plan=DEFAULT, limit=1)), None)
