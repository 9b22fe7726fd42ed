"""What the doors do with jobs: submit, cancel, retry, and pick up what an earlier process left. The row is written
before its task is queued, and the task carries the id only."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from memoryapp.domain.change import Actor
from memoryapp.domain.errors import Clash
from memoryapp.jobs.models import Job, Status
from memoryapp.jobs.queue import OF_TURNS
from memoryapp.jobs.register import handler_of
from memoryapp.observability import log_fields

log = logging.getLogger(__name__)

BUSY = 5  # times as long until the id of a waiting job counts as lost while others run
DEATHS = 5  # of the process it runs in, until a job counts as what ends it
_DIED = (
    f"The program ended {DEATHS} times while this ran, so it is not begun again by itself. It may need more memory "
    "than there is; the log of those minutes tells more."
)


def submit(kind: str, *, space: str, arguments: dict[str, Any], actor: Actor, subject: str = "") -> Job:
    """Writes a job and queues it once the transaction around it is through. Raises BadInput for an unknown kind.

    `subject` ("source:1f…") keeps two jobs about one thing from running at once. The same job asked for again while
    the first still waits is the first.
    """
    handler_of(kind)
    if subject:
        waiting = Job.objects.filter(kind=kind, space=space, subject=subject, status=Status.QUEUED)
        for job in waiting.order_by("created_at"):
            if job.arguments == arguments:
                _queue_after_commit(job.pk)  # its id may have been lost with an earlier process; twice does no harm
                return job
    job = Job.objects.create(
        kind=kind,
        space=space,
        arguments=arguments,
        subject=subject,
        created_by=actor.name[:200],
        created_by_kind=actor.kind.value,
    )
    _queue_after_commit(job.pk)
    return job


def cancel(job: Job) -> Job:
    """A waiting job is cancelled at once, a running one asked to stop. Raises Clash for one that has ended."""
    now = timezone.now()
    waiting = Job.objects.filter(pk=job.pk, status=Status.QUEUED)
    if not waiting.update(status=Status.CANCELLED, finished_at=now, cancel_requested=True):
        running = Job.objects.filter(pk=job.pk, status=Status.RUNNING)
        if not running.update(cancel_requested=True):
            raise Clash("This job has already ended; there is nothing to cancel.")
    job.refresh_from_db()
    return job


def retry(job: Job) -> Job:
    """Queues a failed or cancelled job again under its own id; its work is idempotent. Raises Clash for any other."""
    ended = Job.objects.filter(pk=job.pk, status__in=(Status.FAILED, Status.CANCELLED))
    with transaction.atomic():
        if not ended.update(status=Status.QUEUED, cancel_requested=False, error="", finished_at=None, deaths=0):
            raise Clash("Only a failed or cancelled job can be tried again.")
        _queue_after_commit(job.pk)
    job.refresh_from_db()
    return job


def requeue_left_over(*, silent_for: timedelta | None = None) -> list[str]:
    """Queues again what was waiting or running when a process ended; the ids, oldest first.

    `silent_for` None: everything, right at the start of a process that is alone. Otherwise only running jobs whose
    worker has given no sign of life for so long, waiting ones whose id could not be queued, and those whose id was
    queued so long ago that it may be lost: later where something runs, for then they may just wait for their turn.
    """
    lost = release_left_over(silent_for=silent_for)
    waiting = Job.objects.filter(status=Status.QUEUED)
    if silent_for is not None:
        busy = Job.objects.filter(status=Status.RUNNING).exists()
        long_ago = timezone.now() - silent_for * (BUSY if busy else 1)
        waiting = waiting.filter(Q(pk__in=lost) | Q(heartbeat_at=None) | Q(heartbeat_at__lt=long_ago))
    ids = list(waiting.order_by("created_at").values_list("pk", flat=True))
    for job_id in ids:
        queue(job_id)
    return ids


def release_left_over(*, silent_for: timedelta | None = None) -> list[str]:
    """Lets go of running jobs whose process has ended: they wait again, but are not queued. Returns their ids. One
    whose process ended DEATHS times may be what ends it, and is given up."""
    running = Job.objects.filter(status=Status.RUNNING)
    if silent_for is not None:
        running = running.filter(heartbeat_at__lt=timezone.now() - silent_for)
    ids = list(running.values_list("pk", flat=True))
    ours = Job.objects.filter(pk__in=ids, status=Status.RUNNING)
    ours.filter(cancel_requested=True).update(status=Status.CANCELLED, finished_at=timezone.now())
    ours.filter(deaths__gte=DEATHS - 1).update(status=Status.FAILED, finished_at=timezone.now(), error=_DIED)
    ours.update(status=Status.QUEUED, heartbeat_at=None, deaths=F("deaths") + 1)
    return ids


def queue(job_id: str) -> None:
    """Puts the id on the queue. A queue that cannot be reached is no reason to lose the job: its row waits, and the
    next tick queues it again."""
    from memoryapp.jobs.tasks import run_job, run_turns  # the task calls the runner, which comes back here

    kind = Job.objects.filter(pk=job_id).values_list("kind", flat=True).first()
    task = run_turns if kind in OF_TURNS else run_job
    try:
        task.apply_async((job_id,), headers={"caused_by": log_fields().get("request", "")})
    except OperationalError as error:
        log.warning("The queue cannot be reached (%s); job %s waits for it.", error, job_id)
        return
    Job.objects.filter(pk=job_id, status=Status.QUEUED).update(heartbeat_at=timezone.now())


def _queue_after_commit(job_id: str) -> None:
    transaction.on_commit(lambda: queue(job_id))
