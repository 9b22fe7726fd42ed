from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from memoryapp.domain.errors import BadInput, Clash
from memoryapp.jobs import pipeline, tasks
from memoryapp.jobs.models import Job, Status
from tests.jobs.conftest import ADA, Submit


@pytest.mark.django_db(transaction=True)
def test_the_row_is_there_before_its_id_is_queued(submit: Submit, queued: list[str]) -> None:
    with transaction.atomic():
        job = submit(to=1)
        assert queued == []
    assert queued == [job.pk]


@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_fails_leaves_neither_row_nor_task(submit: Submit, queued: list[str]) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        submit(to=1)
        1 / 0  # noqa: B018
    assert queued == [] and not Job.objects.exists()


def test_a_job_says_who_asked_for_it(submit: Submit) -> None:
    job = submit()
    assert (job.created_by, job.created_by_kind, job.status, job.open) == ("ada", "person", Status.QUEUED, True)


def test_a_kind_nobody_knows_is_refused(submit: Submit) -> None:
    with pytest.raises(BadInput) as caught:
        submit("juggle")
    assert "juggle" in caught.value.detail and not Job.objects.exists()


def test_the_same_job_asked_for_again_while_it_waits_is_the_same_job(submit: Submit) -> None:
    first = submit(subject="source:1", to=1)
    assert submit(subject="source:1", to=1) == first
    assert submit(subject="source:1", to=2) != first
    assert submit(subject="source:2", to=1) != first
    assert submit(subject="source:1", to=1, space="other") != first
    Job.objects.filter(pk=first.pk).update(status=Status.RUNNING)
    assert submit(subject="source:1", to=1) != first


def test_a_waiting_job_is_cancelled_at_once(submit: Submit) -> None:
    job = pipeline.cancel(submit())
    assert job.status == Status.CANCELLED and job.finished_at is not None


def test_a_running_job_is_asked_to_stop(submit: Submit) -> None:
    job = submit()
    Job.objects.filter(pk=job.pk).update(status=Status.RUNNING)
    assert pipeline.cancel(job).status == Status.RUNNING
    assert job.cancel_requested


@pytest.mark.parametrize("ended", [Status.DONE, Status.FAILED, Status.CANCELLED])
def test_a_job_that_has_ended_cannot_be_cancelled(submit: Submit, ended: Status) -> None:
    job = submit()
    Job.objects.filter(pk=job.pk).update(status=ended)
    with pytest.raises(Clash):
        pipeline.cancel(job)


@pytest.mark.django_db(transaction=True)
def test_a_failed_job_is_tried_again_under_its_own_id(submit: Submit, queued: list[str]) -> None:
    job = submit()
    Job.objects.filter(pk=job.pk).update(status=Status.FAILED, error="no", cancel_requested=True)
    again = pipeline.retry(job)
    assert (again.status, again.error, again.cancel_requested) == (Status.QUEUED, "", False)
    assert queued == [job.pk, job.pk]


@pytest.mark.parametrize("status", [Status.QUEUED, Status.RUNNING, Status.DONE])
def test_a_job_that_has_not_gone_wrong_cannot_be_tried_again(submit: Submit, status: Status) -> None:
    job = submit()
    Job.objects.filter(pk=job.pk).update(status=status)
    with pytest.raises(Clash):
        pipeline.retry(job)


def test_what_an_earlier_process_left_is_queued_again_oldest_first(submit: Submit, queued: list[str]) -> None:
    jobs = [submit(to=n) for n in range(4)]
    for minutes, (job, status) in enumerate(
        zip(jobs, (Status.RUNNING, Status.DONE, Status.QUEUED, Status.RUNNING), strict=True)
    ):
        Job.objects.filter(pk=job.pk).update(status=status, created_at=timezone.now() - timedelta(minutes=minutes))
    assert pipeline.requeue_left_over() == [jobs[3].pk, jobs[2].pk, jobs[0].pk]
    assert queued == [jobs[3].pk, jobs[2].pk, jobs[0].pk]
    assert Job.objects.filter(status=Status.QUEUED).count() == 3


def test_a_job_that_was_being_cancelled_when_the_process_ended_is_cancelled(submit: Submit, queued: list[str]) -> None:
    job = submit()
    Job.objects.filter(pk=job.pk).update(status=Status.RUNNING, cancel_requested=True)
    assert pipeline.requeue_left_over() == []
    job.refresh_from_db()
    assert job.status == Status.CANCELLED


def test_a_job_whose_worker_still_shows_life_is_left_alone(submit: Submit, queued: list[str]) -> None:
    alive, dead, waiting = submit(to=1), submit(to=2), submit(to=3)
    now = timezone.now()
    Job.objects.filter(pk=alive.pk).update(status=Status.RUNNING, heartbeat_at=now)
    Job.objects.filter(pk=dead.pk).update(status=Status.RUNNING, heartbeat_at=now - timedelta(minutes=5))
    Job.objects.filter(pk=waiting.pk).update(heartbeat_at=now - timedelta(minutes=5))
    assert pipeline.requeue_left_over(silent_for=timedelta(minutes=2)) == [dead.pk]
    Job.objects.filter(pk__in=(alive.pk, dead.pk)).update(status=Status.DONE)
    assert pipeline.requeue_left_over(silent_for=timedelta(minutes=2)) == [waiting.pk]


def test_an_id_that_may_be_lost_is_queued_again_also_while_others_run(submit: Submit, queued: list[str]) -> None:
    busy, old, fresh = submit(to=1), submit(to=2), submit(to=3)
    now = timezone.now()
    Job.objects.filter(pk=busy.pk).update(status=Status.RUNNING, heartbeat_at=now)
    Job.objects.filter(pk=old.pk).update(heartbeat_at=now - timedelta(minutes=11))
    Job.objects.filter(pk=fresh.pk).update(heartbeat_at=now - timedelta(minutes=9))
    assert pipeline.requeue_left_over(silent_for=timedelta(minutes=2)) == [old.pk]


def test_a_job_whose_id_could_not_be_queued_is_queued_at_the_next_tick(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    reached = False

    def send(args: tuple[str], **_: Any) -> None:
        if not reached:
            raise OperationalError("connection refused")
        sent.append(args[0])

    monkeypatch.setattr(tasks.run_job, "apply_async", send)
    monkeypatch.setattr(transaction, "on_commit", lambda function: function())
    job = pipeline.submit("count", space="default", arguments={}, actor=ADA)
    reached = True
    for _ in range(2):  # and not once more at the tick after that
        pipeline.requeue_left_over(silent_for=timedelta(minutes=2))
    assert sent == [job.pk]


def test_a_queue_that_cannot_be_reached_does_not_lose_the_job(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*_: Any, **__: Any) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(tasks.run_job, "apply_async", down)
    monkeypatch.setattr(transaction, "on_commit", lambda function: function())
    job = pipeline.submit("count", space="default", arguments={}, actor=ADA)
    assert Job.objects.get(pk=job.pk).status == Status.QUEUED
