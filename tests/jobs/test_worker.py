from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator

import pytest

from memoryapp.jobs import pipeline, register
from memoryapp.jobs.models import Job, Status
from memoryapp.jobs.worker import InProcessWorker
from tests.jobs import work
from tests.jobs.conftest import ADA

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def worker() -> Iterator[InProcessWorker]:
    worker = InProcessWorker(beat=False)
    worker.start()
    yield worker
    worker.stop()
    worker.join()


def wait_for(job: Job, *statuses: Status, within: float = 10) -> Job:
    until = time.monotonic() + within
    while time.monotonic() < until:
        job.refresh_from_db()
        if job.status in statuses:
            return job
        time.sleep(0.02)
    raise AssertionError(f"{job} is {job.status}")


def submit(kind: str, *, subject: str = "", **arguments: object) -> Job:
    return pipeline.submit(kind, space="default", arguments=dict(arguments), actor=ADA, subject=subject)


# First, while no other worker listens to the same queue.
def test_a_stop_ends_the_threads_and_leaves_the_job_to_the_next_start() -> None:
    worker = InProcessWorker()
    worker.start()
    job = wait_for(submit("hold"), Status.QUEUED, Status.RUNNING)
    wait_for(job, Status.RUNNING)
    began = time.monotonic()
    assert worker.stop()
    assert time.monotonic() - began < 5
    job.refresh_from_db()
    assert job.status == Status.QUEUED
    worker.join()
    assert not [thread for thread in threading.enumerate() if thread.name in ("worker", "worker of turns", "Beat")]

    following = InProcessWorker(beat=False)
    work.released.set()
    assert job.pk in pipeline.requeue_left_over()
    following.start()
    try:
        assert wait_for(job, Status.DONE).attempt == 2
    finally:
        following.stop()
        following.join()


def test_a_submitted_job_is_done_by_the_worker_inside_the_process(worker: InProcessWorker) -> None:
    assert wait_for(submit("count", to=3), Status.DONE).report == {"counted": 3}


def test_three_jobs_run_at_a_time_and_a_fourth_waits(worker: InProcessWorker) -> None:
    held = [submit("hold") for _ in range(3)]
    for job in held:
        wait_for(job, Status.RUNNING)
    fourth = submit("count", to=1)
    time.sleep(0.3)
    fourth.refresh_from_db()
    assert fourth.status == Status.QUEUED
    work.released.set()
    for job in (*held, fourth):
        wait_for(job, Status.DONE)


def test_turns_are_read_while_three_long_jobs_run(worker: InProcessWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(register.HANDLERS, "read", work.KINDS["count"])
    held = [submit("hold") for _ in range(3)]
    for job in held:
        wait_for(job, Status.RUNNING)
    assert wait_for(submit("read", to=2), Status.DONE).report == {"counted": 2}
    assert {job.status for job in map(wait_for, held, [Status.RUNNING] * 3)} == {Status.RUNNING}
    work.released.set()
    for job in held:
        wait_for(job, Status.DONE)


def test_two_jobs_on_one_subject_run_one_after_the_other(worker: InProcessWorker) -> None:
    jobs = [submit("count", subject="source:1", to=5, pause=0.02, n=n) for n in range(3)]
    spans = sorted((wait_for(job, Status.DONE).started_at, job.finished_at) for job in jobs)
    for (_, ended), (began, _) in itertools.pairwise(spans):
        assert ended is not None and began is not None and ended <= began
