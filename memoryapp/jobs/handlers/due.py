"""Sources that are read on a schedule: which are due now. Comes in: every space; goes out: ingest jobs."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.utils import timezone

from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.document import Source
from memoryapp.domain.errors import PalimpsestError
from memoryapp.jobs.models import Job
from memoryapp.jobs.sources import ingest_source
from memoryapp.store import documents

log = logging.getLogger(__name__)

SCHEDULE = Actor(ActorKind.MACHINE, "schedule")


def submit_due_sources(rows: Iterable[Space] | None = None, *, now: datetime | None = None) -> list[Job]:
    """One job for each source whose time has come. A source that cannot be read is logged, the rest go on."""
    now = now or timezone.now()
    jobs = []
    for row in Space.objects.select_related("parent") if rows is None else rows:
        try:
            found = documents.sources(open_row(row, passing=True).db)
            due = [source for source in found if is_due(row.name, source, now=now)]
        except PalimpsestError as error:
            log.warning("The schedule of space %s cannot be read: %s", row.name, error.detail)
            continue
        jobs += _submit(row.name, due, actor=SCHEDULE)
    return jobs


def submit_session_sources(space: str, sources: tuple[Source, ...], *, actor: Actor) -> list[Job]:
    """Jobs for the sources that are read again whenever an agent opens a session."""
    return _submit(space, [source for source in sources if source.on_session_start], actor=actor)


def is_due(space: str, source: Source, *, now: datetime) -> bool:
    """By the last try, not only the last success: a folder that is gone must not be tried every minute."""
    moment = next_read(space, source, now=now)
    return moment is not None and moment <= now


def next_read(space: str, source: Source, *, now: datetime) -> datetime | None:
    """When a source is, or has been, due: `now` where it was never tried; None where it has no schedule."""
    if source.every_minutes <= 0:
        return None
    pause = timedelta(minutes=source.every_minutes)
    tries = Job.objects.filter(kind="ingest", space=space, subject=f"source:{source.id}").order_by("-created_at")
    tried = tries.values_list("created_at", flat=True).first()
    last = max((moment for moment in (source.last_ingest_at, tried) if moment is not None), default=None)
    return now if last is None else last + pause


def _submit(space: str, sources: list[Source], *, actor: Actor) -> list[Job]:
    jobs = []
    for source in sources:
        try:
            jobs.append(ingest_source(space, source, actor=actor))
        except PalimpsestError as error:
            log.warning("%s in space %s is not read: %s", source.name, space, error.detail)
    return jobs
