"""The consolidation job: what it reports, and that it does not look twice at what did not change."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.accounts.opening import close_spaces
from memoryapp.accounts.spaces import DEFAULT, open_space
from memoryapp.consolidate import Choice, preview
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.jobs import run
from memoryapp.jobs.models import Job, Status
from memoryapp.jobs.requests import submit_consolidate
from memoryapp.review import undo_run
from memoryapp.spaces import Space
from memoryapp.store import memories
from tests.consolidate.logs import FREEZE, H100, H100_LATER, ROLLBACK, a_section, kept
from tests.jobs.conftest import ADA

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queued")]


@pytest.fixture
def space() -> Iterator[Space]:
    opened = open_space(DEFAULT)
    opened.encoder.get(30)
    yield opened
    close_spaces()


def ended(job: Job) -> Job:
    run.run(job.pk)
    job.refresh_from_db()
    return job


def logs(space: Space) -> list[Memory]:
    """Two sections on the H100, two on Hangang, from ten days before now on."""
    today = timezone.now()
    sections = [
        a_section(text, days=0, title=f"Log {n}", occurred_at=today - timedelta(days=10 - n))
        for n, text in enumerate((H100, H100_LATER, FREEZE, ROLLBACK))
    ]
    kept(space, *sections, names={"H100": tuple(sections[:2]), "Hangang": tuple(sections[2:])})
    return sections


def test_the_job_folds_what_is_due_and_can_be_undone(space: Space) -> None:
    sections = logs(space)
    job = ended(submit_consolidate(DEFAULT, actor=ADA))
    assert job.status == Status.DONE, job.error
    report = job.report
    assert (report["digests"], report["archived"], report["skipped"]) == (2, 4, "")
    assert report["taken"] == report["sentences"] == 8 and report["links"] == 2
    assert job.run == report["run"]
    undo_run(space, job.run, actor=ADA)
    assert {memories.get(space.db, one.id).state for one in sections} == {State.HELD}


def test_without_old_logs_it_skips_at_once(space: Space) -> None:
    job = ended(submit_consolidate(DEFAULT, actor=ADA))
    assert job.report["skipped"] == "No daily log is older than 3 days."
    assert job.run in (None, "")
    logs(space)
    job = ended(submit_consolidate(DEFAULT, actor=ADA, older_than_days=30))
    assert job.report["skipped"] == "No daily log is older than 30 days."


def test_where_nothing_changed_it_skips_and_where_something_did_it_looks_again(space: Space) -> None:
    alone = a_section("Lunch by the river.", days=0, occurred_at=timezone.now() - timedelta(days=9))
    kept(space, alone)
    first = ended(submit_consolidate(DEFAULT, actor=ADA))
    assert (first.report["skipped"], first.report["staying"], first.report["digests"]) == ("", 1, 0)
    again = ended(submit_consolidate(DEFAULT, actor=ADA))
    assert again.report["skipped"].startswith("Nothing changed since the last time")
    third = ended(submit_consolidate(DEFAULT, actor=ADA, ranker="central"))
    assert third.report["skipped"] == ""
    logs(space)
    fourth = ended(submit_consolidate(DEFAULT, actor=ADA))
    assert (fourth.report["skipped"], fourth.report["digests"]) == ("", 2)


def test_only_what_was_chosen_is_written_and_what_changed_since_is_named(space: Space) -> None:
    logs(space)
    one, other = preview(space).digests
    picked = tuple(said.id for said in one.taken[:1])
    choices = [Choice(one.id, one.print, picked), Choice(other.id, "0" * 16)]
    job = ended(submit_consolidate(DEFAULT, actor=ADA, choices=choices))
    assert job.report["digests"] == 1 and job.report["taken"] == 1
    assert [left["id"] for left in job.report["left"]] == [other.id]
    assert "changed since the preview" in job.report["left"][0]["why"]
    digests = [memory for memory in memories.scan(space.db) if memory.kind is Kind.DIGEST]
    assert [memory.text.count("- ") for memory in digests] == [1]


def test_two_of_one_space_never_run_at_once(space: Space) -> None:
    one = submit_consolidate(DEFAULT, actor=ADA)
    assert submit_consolidate(DEFAULT, actor=ADA).pk == one.pk
    assert submit_consolidate(DEFAULT, actor=ADA, ranker="central").subject == one.subject
