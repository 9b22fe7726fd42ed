"""What one passing trouble must not end: the signs of life of a job that runs, and the rest of a tick."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.models import QuerySet

from memoryapp.accounts.models import Space
from memoryapp.accounts.spaces import default_space
from memoryapp.jobs import run, sources, tasks
from memoryapp.jobs.models import Job, Status
from tests.jobs import work
from tests.jobs.conftest import Submit


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_locked_for_a_moment_does_not_end_the_signs_of_life(
    submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    update, refused = QuerySet.update, threading.Event()

    def locked_once(self: QuerySet[Job], **values: Any) -> int:
        if values.keys() == {"heartbeat_at"} and not refused.is_set():
            refused.set()
            raise OperationalError("database is locked")
        return update(self, **values)

    monkeypatch.setattr(run, "HEARTBEAT_EVERY", 0.02)
    monkeypatch.setattr(QuerySet, "update", locked_once)
    job = submit("hold")

    def body() -> None:
        run.run(job.pk)
        connection.close()

    worker = threading.Thread(target=body)
    worker.start()
    try:
        assert refused.wait(5)
        job.refresh_from_db()
        first, until = job.heartbeat_at, time.monotonic() + 5
        while job.heartbeat_at == first and time.monotonic() < until:
            time.sleep(0.02)
            job.refresh_from_db()
        assert job.heartbeat_at != first
    finally:
        work.released.set()
        worker.join(5)
    job.refresh_from_db()
    assert job.status == Status.DONE


@pytest.mark.django_db(transaction=True)
def test_a_step_of_the_tick_that_fails_does_not_keep_the_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    called = []

    def fails(rows: list[Space]) -> None:
        raise RuntimeError("a folder that leads into itself")

    default_space()
    monkeypatch.setattr(sources, "submit_due_sources", fails)
    monkeypatch.setattr(sources, "clear_old_uploads", lambda: called.append("cleared"))
    tasks.tick()
    assert called == ["cleared"] and "leads into itself" in caplog.text
