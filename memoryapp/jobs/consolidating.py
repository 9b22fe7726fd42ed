"""Consolidation asked for: by the page, the API, a command and the heartbeat, all by one kind of job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memoryapp.consolidate import Choice
from memoryapp.domain.change import Actor
from memoryapp.jobs.models import Job
from memoryapp.jobs.pipeline import submit


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
    arguments["choices"] = None if choices is None else [as_json(choice) for choice in choices]
    return submit("consolidate", space=space, arguments=arguments, actor=actor, subject=f"consolidate:{space}")


def as_json(choice: Choice) -> dict[str, Any]:
    picked = None if choice.sentences is None else list(choice.sentences)
    return {"digest": choice.digest, "print": choice.print, "sentences": picked}


def from_json(told: dict[str, Any]) -> Choice:
    picked = told.get("sentences")
    return Choice(told["digest"], told.get("print", ""), None if picked is None else tuple(picked))
