"""Lines of the health page about what grows or ages unseen: the clock, the folder, the queue."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import numpy as np
from django.urls import reverse
from django.utils import timezone

from memoryapp.jobs.models import Job, Status
from memoryapp.program import program_name
from memoryapp.spaces import Space
from memoryapp.store.database import Database
from memoryapp.web import human
from memoryapp.web.health_line import HealthLine

SLOW = 0.25  # seconds for the smallest question there is
_CLOCK_OFF = timedelta(minutes=5)
_EARLIEST = datetime(2025, 1, 1, tzinfo=UTC)  # before it this program was not
_LONG_QUEUE = timedelta(minutes=30)
_LARGE, _LARGE_EACH = 512 * 1024**2, 200 * 1024  # bytes of a folder, and for each memory in it


def answered_in(db: Database) -> float:
    """Seconds of the quickest of three answers: a moment's load is no slow store. Raises as `query` does."""
    quickest = float("inf")
    for _ in range(3):
        began = time.perf_counter()
        db.query("RETURN 1")
        quickest = min(quickest, time.perf_counter() - began)
        if quickest < SLOW:
            break
    return quickest


def clock(space: Space) -> HealthLine:
    """What was written last must not lie ahead: trust, decay and what is due go by the clock."""
    now, roster = space.clock(), space.index.roster
    written = roster.created[roster.alive]
    newest = datetime.fromtimestamp(float(np.nanmax(written)), UTC) if written.size else now
    fix = "Set the clock of this machine (timedatectl set-ntp true): trust, decay and schedules depend on it."
    if now < _EARLIEST:
        return HealthLine("Clock", "bad", f"it says {human.day(now)}.", fix)
    if newest > now + _CLOCK_OFF:
        told = f"it says {human.moment(now)}, and the newest memory was written on {human.moment(newest)}."
        return HealthLine("Clock", "warn", told, fix)
    return HealthLine("Clock", "ok", human.moment(now))


def folder(space: Space, size: int) -> HealthLine:
    """`size`: bytes of the space's folder. The engine keeps what was overwritten until the folder is rewritten."""
    known = max(1, int(space.index.roster.alive.sum()))
    if size > _LARGE and size > _LARGE_EACH * known:
        told = f"{human.size(size)} for {human.counted(known, 'memory', 'memories')}; most of it is old versions."
        fix = f"Stop the app and compact it: {program_name()} compact --space {space.name}"
        return HealthLine("Data folder", "warn", told, fix)
    return HealthLine("Data folder", "ok", human.size(size))


def long_queue(space: str) -> HealthLine | None:
    """None where no job waits too long."""
    since = timezone.now() - _LONG_QUEUE
    late = Job.objects.filter(space=space, status=Status.QUEUED, created_at__lt=since).order_by("created_at")
    oldest = late.first()
    if oldest is None:
        return None
    late_told = human.counted(late.count(), "job")
    told = f"{late_told} waiting for a long time; the oldest was queued {human.ago(oldest.created_at)}."
    return HealthLine("Queue", "warn", told, "Start another worker, or see what is running", reverse("jobs"))
