from __future__ import annotations

import threading
import time

import pytest
from django.db import connection

from memoryapp.jobs import pipeline, run, tasks
from memoryapp.jobs.models import Job, Status
from tests.jobs import work
from tests.jobs.conftest import Submit


def again(job: Job) -> Job:
    job.refresh_from_db()
    return job


def test_a_job_runs_to_its_end(submit: Submit) -> None:
    job = submit(to=3)
    run.run(job.pk)
    again(job)
    assert (job.status, job.report, job.progress_done, job.progress_total) == (Status.DONE, {"counted": 3}, 3, 3)
    assert job.attempt == 1 and job.started_at and job.finished_at and job.started_at <= job.finished_at


def test_a_refusal_is_told_in_its_own_words(submit: Submit) -> None:
    job = submit("refuse")
    run.run(job.pk)
    assert (again(job).status, job.error) == (Status.FAILED, "That folder is empty.")


def test_a_job_that_finds_its_store_gone_waits_for_the_next_tick_and_then_goes_on(
    submit: Submit, queued: list[str]
) -> None:
    job = submit("unstored", subject="source:1", until=2)
    queued.clear()
    run.run(job.pk)
    assert (again(job).status, job.error, job.finished_at) == (Status.QUEUED, "", None)
    assert "cannot be reached" in job.message and queued == [], "it would spin"
    assert pipeline.requeue_left_over(silent_for=tasks.DEAD_AFTER) == [job.pk]
    run.run(job.pk)
    assert (again(job).status, job.report, job.message) == (Status.DONE, {"tries": 2}, "")


def test_a_store_that_stays_away_fails_the_job_in_the_end_and_says_why(submit: Submit) -> None:
    job = submit("unstored")
    for _ in range(run.TRIES + 3):
        run.run(job.pk)
    assert again(job).status == Status.FAILED and job.attempt == run.TRIES
    assert job.error == "The store cannot be reached."


def test_a_crash_is_told_plainly_and_keeps_what_was_reported(submit: Submit) -> None:
    job = submit("crash")
    run.run(job.pk)
    assert again(job).status == Status.FAILED
    assert job.error == "Unexpected ZeroDivisionError: division by zero"
    assert list(job.lines.values_list("path", flat=True)) == ["half.md"]


def test_a_job_is_done_once_however_often_its_id_comes(submit: Submit) -> None:
    job = submit(to=1)
    for _ in range(3):
        run.run(job.pk)
    assert again(job).attempt == 1
    run.run("0" * 16)


def test_a_second_try_starts_its_report_afresh(submit: Submit) -> None:
    job = submit("crash")
    run.run(job.pk)
    pipeline.retry(job)
    run.run(job.pk)
    assert again(job).attempt == 2 and job.lines.count() == 1


def test_a_report_by_file_is_written(submit: Submit) -> None:
    job = submit("walk")
    run.run(job.pk)
    assert again(job).status == Status.DONE
    assert [(line.outcome, line.sections, line.note) for line in job.lines.all()] == [
        ("read", 2, ""),
        ("not read", 0, "not UTF-8 at byte 7"),
    ]


def test_while_one_runs_on_a_subject_the_next_waits_and_is_queued_after_it(submit: Submit, queued: list[str]) -> None:
    first, second = submit(subject="source:1", to=1), submit(subject="source:1", to=2)
    Job.objects.filter(pk=first.pk).update(status=Status.RUNNING)
    run.run(second.pk)
    assert again(second).status == Status.QUEUED
    Job.objects.filter(pk=first.pk).update(status=Status.QUEUED)
    queued.clear()
    run.run(first.pk)
    assert queued == [second.pk]
    run.run(second.pk)
    assert again(second).status == Status.DONE


def test_jobs_on_other_subjects_and_spaces_do_not_wait(submit: Submit) -> None:
    busy = submit(subject="source:1", to=1)
    Job.objects.filter(pk=busy.pk).update(status=Status.RUNNING)
    for job in (submit(subject="source:2"), submit(subject="source:1", space="other"), submit()):
        run.run(job.pk)
        assert again(job).status == Status.DONE


@pytest.mark.django_db(transaction=True)
def test_a_running_job_stops_within_two_seconds_of_being_cancelled(submit: Submit) -> None:
    job = submit("hold")
    worker = in_thread(job)
    pipeline.cancel(again(job))
    asked = time.monotonic()
    worker.join(5)
    assert time.monotonic() - asked < 2
    assert again(job).status == Status.CANCELLED and job.finished_at is not None


@pytest.mark.django_db(transaction=True)
def test_a_job_that_a_stop_of_the_program_cut_short_waits_for_the_next_start(submit: Submit) -> None:
    job = submit("hold")
    worker = in_thread(job)
    run.STOPPING.set()
    worker.join(5)
    assert again(job).status == Status.QUEUED and job.finished_at is None
    run.STOPPING.clear()
    work.released.set()
    assert pipeline.requeue_left_over() == [job.pk]
    run.run(job.pk)
    assert again(job).status == Status.DONE and job.attempt == 2


@pytest.mark.django_db(transaction=True)
def test_a_busy_job_gives_signs_of_life(submit: Submit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "HEARTBEAT_EVERY", 0.05)
    job = submit("hold")
    worker = in_thread(job)
    first = again(job).heartbeat_at
    time.sleep(0.3)
    later = again(job).heartbeat_at
    work.released.set()
    worker.join(5)
    assert first is not None and later is not None and later > first


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_with_the_same_id_one_runs_it(submit: Submit) -> None:
    job = submit("hold")
    workers = [in_thread(job, wait=False) for _ in range(4)]
    time.sleep(0.3)
    work.released.set()
    for worker in workers:
        worker.join(5)
    assert again(job).attempt == 1 and job.status == Status.DONE


def in_thread(job: Job, *, wait: bool = True) -> threading.Thread:
    def body() -> None:
        try:
            run.run(job.pk)
        finally:
            connection.close()

    thread = threading.Thread(target=body)
    thread.start()
    until = time.monotonic() + 5
    while wait and again(job).status != Status.RUNNING and time.monotonic() < until:
        time.sleep(0.01)
    return thread
