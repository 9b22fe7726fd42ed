"""What Celery knows: one task that runs a job by its id, and the tick of every minute."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from celery import current_task
from celery.signals import worker_shutting_down
from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import rests
from memoryapp.jobs import run
from memoryapp.jobs.pipeline import requeue_left_over
from memoryapp.jobs.queue import app, turns_app
from memoryapp.observability import work

log = logging.getLogger(__name__)

DEAD_AFTER = timedelta(minutes=2)  # twelve missed heartbeats


def _run_job(job_id: str) -> None:
    close_old_connections()
    try:
        with work(request=_caused_by(), job=job_id):
            run.run(job_id)
    finally:
        close_old_connections()


def _caused_by() -> str:
    """The id of the request that queued this job; "" for one that the tick sent, or a process that ended since."""
    headers = getattr(current_task.request, "headers", None) if current_task else None
    return str((headers or {}).get("caused_by") or "")


# By one name, so that whoever takes it knows it; each puts it into the queue of its own application.
run_job = app.task(name="memoryapp.jobs.tasks.run_job")(_run_job)
run_turns = turns_app.task(name="memoryapp.jobs.tasks.run_job")(_run_job)


@app.task(name="memoryapp.jobs.tasks.tick")
def tick() -> None:
    """Every minute: jobs of workers that died are queued again, sources that are due and turns that wait are read, and
    each space is kept up: sessions told, summaries written anew, its graph read and drawn, and whatever its heartbeat
    has at this time. A space that is closed and has nothing due is not opened; one that nobody uses is closed."""
    from memoryapp.jobs.graphing import submit_graphs
    from memoryapp.jobs.heartbeat import beat, close_if_idle
    from memoryapp.jobs.narration import submit_upkeep
    from memoryapp.jobs.reading import submit_left_over
    from memoryapp.jobs.sources import (
        clear_old_uploads,
        submit_due_sources,  # reaches the store; a process that only queues need not
    )

    _step(partial(requeue_left_over, silent_for=DEAD_AFTER))
    for row in _rows():
        # All of one space before the next: of those that are opened only to be looked at, one is open at a time.
        if not rests(row, now=timezone.now()):
            for submit in (submit_due_sources, submit_left_over, submit_upkeep, submit_graphs):
                _step(partial(submit, [row]))
        _step(partial(beat, [row]))
        _step(partial(close_if_idle, row))
    _step(clear_old_uploads)
    close_old_connections()


def _rows() -> list[Space]:
    close_old_connections()
    try:
        return list(Space.objects.select_related("parent"))
    except DatabaseError:
        log.exception("The spaces cannot be listed; the next tick looks again")
        return []


def _step(step: Callable[[], object]) -> None:
    close_old_connections()
    try:
        step()
    except Exception:  # of one space or folder, or passing: what comes after it is about others
        log.exception("A step of the tick failed")


@worker_shutting_down.connect
def let_go(**_: Any) -> None:
    """A worker process that is asked to end does not wait for a long job: the job stops at its next step, and the
    next tick queues it for another worker."""
    run.STOPPING.set()
