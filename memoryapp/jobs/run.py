"""One run of one job, whatever its kind: claim the row, do the work, write down how it ended. Comes in: an id off the
queue. Any id may come twice, or too late; claiming sorts that out."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db import DatabaseError, IntegrityError, close_old_connections, connection, transaction
from django.db.models import F
from django.utils import timezone

from memoryapp.domain.errors import Cancelled, PalimpsestError, StoreTimeout, StoreUnavailable, WriteConflict
from memoryapp.jobs.models import Job, JobLine, Status
from memoryapp.jobs.pipeline import queue
from memoryapp.jobs.progress import JobProgress, as_json
from memoryapp.jobs.register import handler_of
from memoryapp.observability import note
from memoryapp.observability.counts import JOB_SECONDS

log = logging.getLogger(__name__)

HEARTBEAT_EVERY = 10.0  # seconds
PASSING = (StoreUnavailable, StoreTimeout, WriteConflict)  # the store is away or overrun: later it may go well
TRIES = 30  # of a job that meets these, one a minute

# Set once, when this process is asked to end: running jobs stop at their next step and are queued again at next start.
STOPPING = threading.Event()


def run(job_id: str) -> None:
    """Runs the job to its end, good or bad. Raises nothing of the job's own: a failure is written into its row."""
    job = _claim(job_id)
    if job is None:
        return
    progress = JobProgress(job, stopping=STOPPING)
    note(job=job_id, kind=job.kind, space=job.space)
    try:
        with _heartbeat(job_id):
            report = handler_of(job.kind)(job, progress)
    except Cancelled:
        if STOPPING.is_set():
            _end(job, progress, Status.QUEUED, finished_at=None, heartbeat_at=None, deaths=0)
            return
        _end(job, progress, Status.CANCELLED)
    except PASSING as error:
        if job.attempt < TRIES:
            log.warning("Job %s (%s) waits: %s", job_id, job.kind, error.detail)
            # Not queued here: the tick sends what nobody was told of.
            waits = f"Tried again within a minute. {error.detail}"[:300]
            _end(job, progress, Status.QUEUED, finished_at=None, heartbeat_at=None, deaths=0, message=waits)
            return
        _end(job, progress, Status.FAILED, error=error.detail)
    except PalimpsestError as error:
        log.warning("Job %s (%s) failed: %s", job_id, job.kind, error.detail)
        _end(job, progress, Status.FAILED, error=error.detail)
    except Exception as error:
        log.exception("Job %s (%s) failed", job_id, job.kind)
        _end(job, progress, Status.FAILED, error=f"Unexpected {type(error).__name__}: {error}"[:1000])
    else:
        _end(job, progress, Status.DONE, report=as_json(report))
    _let_next_begin(job)


def _claim(job_id: str) -> Job | None:
    """The job, now ours and running; None if it is no longer waiting, or another on its subject runs (which queues
    it when it ends)."""
    now = timezone.now()
    try:
        with transaction.atomic():
            mine = Job.objects.filter(pk=job_id, status=Status.QUEUED).update(
                status=Status.RUNNING,
                started_at=now,
                heartbeat_at=now,
                finished_at=None,
                attempt=F("attempt") + 1,
                progress_done=0,
                progress_total=0,
                message="",
                error="",
                report={},
            )
            if mine:
                JobLine.objects.filter(job_id=job_id).delete()  # of an earlier attempt
    except IntegrityError:
        return None
    return Job.objects.get(pk=job_id) if mine else None


def _end(job: Job, progress: JobProgress, status: Status, **fields: Any) -> None:
    progress.flush()
    values = {"status": status, "finished_at": timezone.now(), "message": "", **fields}
    Job.objects.filter(pk=job.pk, status=Status.RUNNING).update(**values)
    spent = (timezone.now() - job.started_at).total_seconds() if job.started_at else 0.0
    JOB_SECONDS.labels(job.kind, status.value).observe(spent)
    if settings.LOG_REQUESTS:
        log.info("Job %s (%s) is %s after %.1f s", job.pk, job.kind, status.value, spent)


def _let_next_begin(job: Job) -> None:
    if not job.subject:
        return
    waiting = Job.objects.filter(kind=job.kind, space=job.space, subject=job.subject, status=Status.QUEUED)
    following = waiting.order_by("created_at").values_list("pk", flat=True).first()
    if following is not None:
        queue(following)


@contextlib.contextmanager
def _heartbeat(job_id: str) -> Iterator[None]:
    """A sign of life in the row, by a thread of its own: a long batch inside a model must not look like a dead
    worker."""
    over = threading.Event()

    def beat() -> None:
        while not over.wait(HEARTBEAT_EVERY):
            try:
                close_old_connections()
                Job.objects.filter(pk=job_id, status=Status.RUNNING).update(heartbeat_at=timezone.now())
            except DatabaseError as error:  # a heart that stopped would have the job taken for dead, and run twice
                log.warning("Job %s gave no sign of life: %s", job_id, error)
        connection.close()

    heart = threading.Thread(target=beat, name=f"heartbeat {job_id}", daemon=True)
    heart.start()
    try:
        yield
    finally:
        over.set()
        heart.join()
