"""Spaces that nobody uses are closed, once nothing in them waits to be done."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import let_rest, may_close, open_row
from memoryapp.jobs.graphing import graph_waits
from memoryapp.jobs.models import OPEN, Job
from memoryapp.jobs.schedule import open_to
from memoryapp.jobs.sources import next_read
from memoryapp.spaces import Space
from memoryapp.store import documents, sessions, turns
from memoryapp.summaries import stale

LOOKED_AT_EVERY = timedelta(days=1)  # however little there is to do


def close_if_idle(row: Row, *, now: datetime | None = None) -> bool:
    """Closes a space that nobody has used for a while; True if it did. One in which something waits, if only for the
    next try of what failed, stays open, so that it is not opened anew every minute. Raises StoreError."""
    if not may_close(row):
        return False
    until = _quiet_until(open_row(row, passing=True), now=now or timezone.now())
    return until is not None and let_rest(row, until=until)


def _quiet_until(space: Space, *, now: datetime) -> datetime | None:
    """Until when nothing can be due in a space to which nobody writes; None where something is."""
    if (
        Job.objects.filter(space=space.name, status__in=OPEN).exists()
        or turns.count_waiting(space.db)
        or sessions.untold(space.db, limit=1)
        or graph_waits(space)
        or (open_to(space.name, "summaries") and stale(space))
    ):
        return None
    reads = (next_read(space.name, source, now=now) for source in documents.sources(space.db))
    first = min((moment for moment in reads if moment is not None), default=now + LOOKED_AT_EVERY)
    return min(first, now + LOOKED_AT_EVERY) if first > now else None
