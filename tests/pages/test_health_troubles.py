"""Each trouble is made to happen; the page tells it in plain words, with what to do."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from memoryapp import spaces
from memoryapp.domain.memory import Memory
from memoryapp.index.local import LocalIndex
from memoryapp.interfaces.health import presenter as page_of
from memoryapp.interfaces.health import presenter as troubles
from memoryapp.jobs.models import Job
from memoryapp.store.database import Database
from tests.pages.test_health import health

Write = Callable[..., Memory]


def test_a_store_that_answers_late_is_told(
    reader: Client, space: spaces.Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Database.query

    def slow(self: Database, statement: str, **more: Any) -> list[Any]:
        if statement == "RETURN 1":
            time.sleep(0.03)
        return real(self, statement, **more)

    monkeypatch.setattr(troubles, "SLOW", 0.02)
    monkeypatch.setattr(Database, "query", slow)
    page = health(reader)
    assert "took 0.0 s to answer. Check the disk and its load." in page and "all well" not in page


def test_an_index_far_behind_is_told(reader: Client, space: spaces.Space, monkeypatch: pytest.MonkeyPatch) -> None:
    real = LocalIndex.status
    monkeypatch.setattr(LocalIndex, "status", lambda self: replace(real(self), behind=5_000))
    assert "5,000 changes behind; the latest writes are not searchable yet. It catches up automatically" in health(
        reader
    )


def test_a_clock_behind_what_was_written_is_told(reader: Client, space: spaces.Space, write: Write) -> None:
    write("The heron stands in the reeds.")
    space.db.query("UPDATE memory SET created_at = time::now() + 1d RETURN NONE")
    page = health(reader)
    assert "and the newest memory was written on" in page and "timedatectl set-ntp true" in page


def test_a_clock_before_the_programs_time_is_told(space: spaces.Space) -> None:
    line = troubles.clock(SimpleNamespace(clock=lambda: datetime(1970, 1, 2, tzinfo=UTC), index=space.index))  # type: ignore[arg-type]
    assert line.level == "bad" and "2 Jan 1970" in line.told and line.fix


def test_a_folder_that_is_mostly_what_once_was_is_told(
    reader: Client, space: spaces.Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_of, "folder_size", lambda folder: 2 * 1024**3)
    page = health(reader)
    assert "most of it is old versions." in page and f"manage.py compact --space {space.name}" in page


def test_a_job_that_waits_for_long_beside_a_running_one_is_told(reader: Client, space: spaces.Space) -> None:
    now = timezone.now()
    Job.objects.create(kind="ingest", space=space.name, status="running", started_at=now, heartbeat_at=now)
    Job.objects.create(kind="golden", space=space.name, created_at=now - timedelta(minutes=45))
    page = health(reader)
    assert (
        "1 job waiting for a long time; the oldest was queued 45 minutes ago." in page
        and "Start another worker" in page
    )


def test_a_disk_that_is_nearly_full_is_told(
    reader: Client, space: spaces.Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_of.shutil, "disk_usage", lambda _: SimpleNamespace(free=200 * 2**20))
    assert "free. Free up space before you ingest." in health(reader)


def test_a_model_that_is_missing_is_told(reader: Client, space: spaces.Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(space.encoder), "error", property(lambda self: "There is no model there."))
    assert "There is no model there. Search uses keywords only." in health(reader)
