"""A job that ends the process it runs in is not begun again for ever: the program would never come up."""

from __future__ import annotations

from memoryapp.jobs import pipeline, run
from memoryapp.jobs.models import Job, Status
from tests.jobs.conftest import Submit


def died(job: Job) -> list[str]:
    """Its process ends while it runs, and the next one starts."""
    Job.objects.filter(pk=job.pk).update(status=Status.RUNNING)
    left = pipeline.requeue_left_over()
    job.refresh_from_db()
    return left


def test_a_job_whose_process_ended_time_and_again_is_given_up_and_says_why(submit: Submit) -> None:
    job = submit()
    for _ in range(pipeline.DEATHS - 1):
        assert died(job) == [job.pk] and job.status == Status.QUEUED
    assert died(job) == [] and job.status == Status.FAILED
    assert job.finished_at and "ended 5 times" in job.error
    pipeline.retry(job)
    assert died(job) == [job.pk], "who tries it again means it"


def test_a_job_that_came_to_an_orderly_stop_between_is_not_given_up(submit: Submit) -> None:
    job = submit("unstored")
    for _ in range(2 * pipeline.DEATHS):
        assert died(job) == [job.pk]
        run.run(job.pk)
        job.refresh_from_db()
        assert job.status == Status.QUEUED
