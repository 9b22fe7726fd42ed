"""Ended sessions are told and summaries kept up by jobs, and nothing due is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.accounts.opening import close_spaces
from memoryapp.accounts.spaces import DEFAULT, open_space
from memoryapp.domain.memory import Category, Kind
from memoryapp.domain.turn import NewTurn
from memoryapp.jobs import narration, run
from memoryapp.jobs.models import Job, Status
from memoryapp.jobs.tasks import tick
from memoryapp.remember import append_turns
from memoryapp.spaces import Space
from memoryapp.store import revisions, sessions, turns
from memoryapp.summaries import episode_of, summaries_of
from tests.jobs.conftest import ADA
from tests.samples import a_memory, written

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queued")]


@pytest.fixture
def space() -> Iterator[Space]:
    narration._looked_at.clear()
    yield open_space(DEFAULT)
    close_spaces()  # its store is in memory: gone with the handle


def talk(space: Space, name: str, *texts: str, end: bool = True) -> None:
    sessions.open_session(space.db, sessions.Session(name, timezone.now()))
    append_turns(space, name, [NewTurn(text, "Mara") for text in texts], actor=ADA)
    if end:
        sessions.end(space.db, name, at=timezone.now())


def facts(space: Space, *texts: str, days: int = 0) -> list[str]:
    at = timezone.now() - timedelta(days=days)
    made = [a_memory(text, kind=Kind.FACT, category=Category.WORK, created_at=at, updated_at=at) for text in texts]
    return [memory.id for memory in written(space.db, *made)]


def done(job: Job) -> Job:
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.DONE, job.error
    return job


def waiting(kind: str) -> list[Job]:
    return list(Job.objects.filter(kind=kind, status=Status.QUEUED))


def test_an_ended_session_is_read_to_its_last_turn_and_told(space: Space) -> None:
    talk(space, "monday", "I live in Ulsan.", "We decided to paint the boat green.")
    job = done(narration.submit_narration(DEFAULT, "monday", actor=ADA))
    assert turns.count_waiting(space.db) == 0
    episode = episode_of(space, "monday")
    assert episode is not None
    assert "paint the boat green" in episode.detail["decision"]
    assert (job.report["episode"], job.report["changed"], job.report["by"]) == (episode.id, True, "rules")
    assert revisions.get_run(space.db, job.run).act == "narrate"


def test_the_tick_tells_a_session_whose_job_was_lost_and_only_once(space: Space) -> None:
    talk(space, "monday", "We decided to paint the boat green.")
    talk(space, "open", "We decided to sell the boat.", end=False)
    narration.submit_upkeep()
    narration.submit_upkeep()
    (job,) = waiting("narrate")
    assert job.arguments["session"] == "monday"
    done(job)
    narration.submit_upkeep()
    assert waiting("narrate") == []
    assert sessions.untold(space.db) == ()


def test_a_session_that_could_not_be_told_is_not_tried_every_minute(space: Space) -> None:
    talk(space, "monday", "We decided to paint the boat green.")
    job = narration.submit_narration(DEFAULT, "monday", actor=ADA)
    Job.objects.filter(pk=job.pk).update(status=Status.FAILED)
    assert not any(one.kind == "narrate" for one in narration.submit_upkeep())
    later = timezone.now() + narration.TRY_AGAIN + timedelta(minutes=1)
    assert [one.kind for one in narration.submit_upkeep(now=later)] == ["narrate"]


def test_a_session_with_a_very_long_name_has_a_subject_that_fits(space: Space) -> None:
    name = "monday " * 40
    talk(space, name.strip(), "We decided to paint the boat green.")
    job = narration.submit_narration(DEFAULT, name.strip(), actor=ADA)
    assert len(job.subject) <= Job._meta.get_field("subject").max_length
    assert done(job).report["episode"]


def test_the_tick_writes_a_summary_once_there_are_facts_enough(space: Space) -> None:
    facts(space, *(f"Mara repaired engine {name}." for name in ("Ash", "Birch", "Cedar", "Dogwood")))
    narration.submit_upkeep()
    assert waiting("summaries") == []
    facts(space, "Mara sold engine Elm.")
    narration.submit_upkeep()
    (job,) = waiting("summaries")
    assert done(job).report["written"] == ["work"]
    assert "Elm" in summaries_of(space)[Category.WORK].text
    assert revisions.get_run(space.db, Job.objects.get(pk=job.pk).run).actor == narration.NARRATION


def test_nothing_is_looked_at_twice_where_nothing_was_written(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    facts(space, "Mara sold engine Elm.")
    narration.submit_upkeep()
    monkeypatch.setattr(narration, "stale", lambda space: pytest.fail("looked at again"))
    narration.submit_upkeep()
    monkeypatch.undo()
    ids = facts(space, "Mara sold engine Oak.")
    assert ids
    narration.submit_upkeep()
    assert waiting("summaries") == []


def test_summaries_that_are_asked_for_are_written_by_who_asked(space: Space) -> None:
    facts(space, "Mara sold engine Elm.")
    job = done(narration.submit_summaries(DEFAULT, actor=ADA, categories=["work"], force=True))
    assert job.report["written"] == ["work"]
    assert revisions.get_run(space.db, job.run).actor == ADA


def test_old_jobs_do_not_pile_up(space: Space) -> None:
    for _ in range(narration.KEPT + 5):
        Job.objects.create(kind="expire", space=DEFAULT, status=Status.DONE)
    done(narration.submit_expiry(DEFAULT, actor=ADA))
    assert Job.objects.filter(kind="expire").count() == narration.KEPT + 1


@pytest.mark.django_db(transaction=True)
def test_the_tick_does_all_this(space: Space) -> None:
    talk(space, "monday", "We decided to paint the boat green.")
    tick()
    assert [job.arguments["session"] for job in waiting("narrate")] == ["monday"]
