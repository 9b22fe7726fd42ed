"""Turns that wait for a reader become a job: asked for by whoever appended them, and by the tick for what was left."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from django.db.models import QuerySet

from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.errors import PalimpsestError
from memoryapp.jobs.models import OPEN, Job
from memoryapp.jobs.pipeline import submit
from memoryapp.store import turns

log = logging.getLogger(__name__)

EXTRACTION = Actor(ActorKind.MACHINE, "extraction")
KEPT = 20  # ended reading jobs of a space: there may be one for every turn, and what they learned stands in their runs


def submit_reading(space: str, *, actor: Actor) -> Job:
    """The job that reads all waiting turns of a space. However many ask, one waits and one runs."""
    return submit("read", space=space, arguments={}, actor=actor, subject=f"read:{space}")


def submit_left_over(rows: Iterable[Space] | None = None) -> list[Job]:
    """Jobs for those of these spaces, or of all, whose turns wait and for whom nobody is on the way: their job was
    lost, or never written."""
    jobs = []
    for row in Space.objects.select_related("parent") if rows is None else rows:
        if _reading(row.name).filter(status__in=OPEN).exists():
            continue
        try:
            db = open_row(row, passing=True).db
            if turns.count_waiting(db) or not turns.all_remembered(db):
                jobs.append(submit_reading(row.name, actor=EXTRACTION))
        except PalimpsestError as error:
            log.warning("Turns of space %s cannot be looked for: %s", row.name, error.detail)
    return jobs


def clear_old_readings(space: str) -> None:
    """Drops ended reading jobs: those that found nothing to read, and all but the last KEPT."""
    ended = _reading(space).exclude(status__in=OPEN)
    ended.filter(report__turns=0, report__given_up=0, report__skipped=0).delete()
    old = list(ended.order_by("-created_at", "-id").values_list("pk", flat=True)[KEPT:])
    Job.objects.filter(pk__in=old).delete()


def _reading(space: str) -> QuerySet[Job]:
    return Job.objects.filter(kind="read", space=space)
