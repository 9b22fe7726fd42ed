"""Turns become facts by a job, and no turn is forgotten, whatever became of the job."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memoryapp.accounts.opening import close_spaces
from memoryapp.accounts.spaces import DEFAULT, open_space, set_settings, space_named
from memoryapp.domain.memory import Kind
from memoryapp.domain.turn import NewTurn, ReadingStatus
from memoryapp.jobs import reading, run
from memoryapp.jobs.handlers import sessions as session_jobs
from memoryapp.jobs.models import Job, Status
from memoryapp.jobs.tasks import tick
from memoryapp.remember import append_turns
from memoryapp.spaces import Space
from memoryapp.store import memories, revisions, sessions, turns
from tests.jobs.conftest import ADA
from tests.remember.talk import LineReader

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queued")]


@pytest.fixture
def space(monkeypatch: pytest.MonkeyPatch) -> Iterator[Space]:
    monkeypatch.setattr(session_jobs, "reader_for", lambda space: LineReader())
    yield open_space(DEFAULT)
    close_spaces()  # its store is in memory: gone with the handle


def say(space: Space, *texts: str) -> list[str]:
    sessions.open_session(space.db, sessions.Session("monday", timezone.now()))
    return [turn.id for turn in append_turns(space, "monday", [NewTurn(t, "Mara") for t in texts], actor=ADA)]


def done(job: Job) -> Job:
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.DONE, job.error
    return job


def test_turns_that_were_appended_are_facts_when_the_job_is_done(space: Space) -> None:
    keys = say(space, "Mara likes tea.", "Mara owns a boat.")
    job = done(reading.submit_reading(DEFAULT, actor=ADA))
    assert (job.report["turns"], job.report["facts"]) == (2, 2)
    assert revisions.get_run(space.db, job.run).act == "extract"
    assert {one.kind for one in memories.scan(space.db)} == {Kind.FACT, Kind.TURN}
    space.index.refresh()
    assert space.index.roster.has.all()
    assert {one.status for one in turns.readings(space.db, keys).values()} == {ReadingStatus.DONE}


def test_however_many_ask_one_job_waits_and_one_runs(space: Space, queued: list[str]) -> None:
    first = reading.submit_reading(DEFAULT, actor=ADA)
    assert reading.submit_reading(DEFAULT, actor=ADA) == first
    Job.objects.filter(pk=first.pk).update(status=Status.RUNNING)
    second = reading.submit_reading(DEFAULT, actor=ADA)
    assert second != first and reading.submit_reading(DEFAULT, actor=ADA) == second
    run.run(second.pk)
    second.refresh_from_db()
    assert second.status == Status.QUEUED


@pytest.mark.django_db(transaction=True)
def test_the_tick_finds_turns_that_nobody_is_on_the_way_to(space: Space) -> None:
    tick()
    assert not Job.objects.exists()
    say(space, "Mara likes tea.")
    tick()
    tick()
    (job,) = Job.objects.all()
    assert (job.kind, job.status) == ("read", Status.QUEUED)
    done(job)
    tick()
    assert Job.objects.filter(kind="read").count() == 1


@pytest.mark.django_db(transaction=True)
def test_what_a_killed_job_left_is_read_by_the_next(space: Space) -> None:
    say(space, "Mara likes tea.")
    job = reading.submit_reading(DEFAULT, actor=ADA)
    Job.objects.filter(pk=job.pk).update(status=Status.RUNNING, heartbeat_at=timezone.now() - timedelta(hours=1))
    tick()
    job.refresh_from_db()
    assert job.status == Status.QUEUED
    assert done(job).report["facts"] == 1


def test_ended_jobs_do_not_pile_up(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "KEPT", 3)
    for n in range(6):
        say(space, f"Mara owns {'x' * (n + 1)}.")
        done(reading.submit_reading(DEFAULT, actor=ADA))
    readings = Job.objects.filter(kind="read")
    assert readings.count() == 4
    for _ in range(3):
        done(reading.submit_reading(DEFAULT, actor=ADA))
    told = [job.report["turns"] for job in readings.order_by("created_at")]
    assert told == [1, 1, 1, 0]


def test_a_space_that_reads_nothing_lets_its_turns_be(space: Space) -> None:
    keys = say(space, "Mara likes tea.")
    set_settings(space_named(DEFAULT), {"extractor": "off"})
    assert done(reading.submit_reading(DEFAULT, actor=ADA)).report["skipped"] == 1
    assert {one.status for one in turns.readings(space.db, keys).values()} == {ReadingStatus.SKIPPED}


def test_a_space_is_read_as_its_settings_say(space: Space, settings: Any) -> None:
    assert reading.reader_for(space).name == "rules"
    assert reading.judges_for(space, chat=True).model is None
    settings.LLM = settings.LLM | {"url": "http://127.0.0.1:9/v1", "name": "small"}
    assert reading.reader_for(space).name == "llm small"
    assert reading.judges_for(space, chat=True).model is not None
    assert reading.judges_for(space, chat=False).model is None
    set_settings(space_named(DEFAULT), {"extractor": "rules"})
    ruled = open_space(DEFAULT)
    assert reading.reader_for(ruled).name == "rules"
    assert reading.judges_for(ruled, chat=True).model is None


def test_an_inference_model_that_is_not_there_leaves_the_rules_to_judge(space: Space, settings: Any) -> None:
    settings.NLI_MODEL = "/nowhere/at/all"
    assert reading.judges_for(space, chat=False).nli is None


def test_turns_of_before_they_were_memories_are_taken_up_by_the_tick(space: Space) -> None:
    (key,) = say(space, "Mara likes tea.")
    done(reading.submit_reading(DEFAULT, actor=ADA))
    assert reading.submit_left_over() == []
    space.db.query("DELETE type::record('memory', $key) RETURN NONE", key=key)
    turns.set_all_remembered(space.db, to=False)
    (job,) = reading.submit_left_over()
    done(job)
    space.index.refresh()
    slot = space.index.roster.slot(key)
    assert slot is not None and space.index.roster.has[slot]
    assert reading.submit_left_over() == []
