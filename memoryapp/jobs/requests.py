"""Filling a space with the example, as the doors ask for it. Goes out: a job.

Embeddings made in the background: those that are missing, or all of them by another model.

Consolidation asked for: by the page, the API, a command and the heartbeat, all by one kind of job.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memoryapp.accounts.encoders import check_encoder
from memoryapp.accounts.models import Space
from memoryapp.consolidate import Choice
from memoryapp.domain.change import Actor
from memoryapp.domain.errors import BadInput
from memoryapp.inference.embedding import universal
from memoryapp.jobs.models import OPEN, Job
from memoryapp.jobs.pipeline import submit


def submit_demo(space: str, *, actor: Actor) -> Job:
    """The job that fills the space; the one that is at it already, where there is one."""
    begun = Job.objects.filter(kind="demo", space=space, status__in=OPEN).first()
    return begun or submit("demo", space=space, arguments={}, actor=actor, subject="demo")


def submit_embedding(row: Space, *, model: str = "", actor: Actor) -> Job:
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
    picked = None if choice.sentences is None else list(choice.sentences)
    return {"digest": choice.digest, "print": choice.print, "sentences": picked}


def choice_from_json(told: dict[str, Any]) -> Choice:
    picked = told.get("sentences")
    return Choice(told["digest"], told.get("print", ""), None if picked is None else tuple(picked))
