from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from memoryapp import review, spaces, summaries
from memoryapp.domain.memory import Category, Kind, Memory
from memoryapp.jobs.models import Job
from tests.pages.talking import ATLAS, HTMX

Write = Callable[..., Memory]
FACTS = (
    "Mina works at Hangang Labs.",
    "The nightly backup runs at 03:00 KST.",
    "Adam upgraded the production database.",
    "Deploys stop on Friday at 16:00.",
    "The staging server listens on port 8080.",
)


@pytest.fixture
def work(write: Write) -> list[Memory]:
    return [write(text, kind=Kind.FACT, category=Category.WORK) for text in FACTS]


def test_without_facts_there_is_nothing_to_sum_up(reader: Client, space: spaces.Space) -> None:
    assert "Nothing to summarize yet." in reader.get("/summaries/").content.decode()


def test_a_summary_is_shown_with_the_facts_it_was_told_from(
    reader: Client, space: spaces.Space, work: list[Memory]
) -> None:
    (made,) = summaries.refresh_summaries(space, model=None, actor=ATLAS)
    page = reader.get("/summaries/").content.decode()
    assert f'href="/memories/{made.id}/"' in page
    assert "Based on 5 facts" in page
    for fact in work:
        assert f'href="/memories/{fact.id}/"' in page
    assert "written by rules (no LLM)" in page
    assert "Nothing is known in this category yet." in page  # the other categories


def test_a_summary_that_no_longer_holds_is_marked(writer: Client, space: spaces.Space, work: list[Memory]) -> None:
    summaries.refresh_summaries(space, model=None, actor=ATLAS)
    review.archive(space, [work[0].id], actor=ATLAS)
    page = writer.get("/summaries/").content.decode()
    assert "1 summary is out of date and will be updated automatically soon." in page
    assert "a fact that it tells is no longer held" in page


def test_it_is_written_anew_by_a_job_and_the_page_waits_for_it(
    writer: Client, space: spaces.Space, work: list[Memory]
) -> None:
    answer = writer.post("/summaries/refresh/", {"category": "work"}, headers=HTMX).content.decode()
    assert 'hx-trigger="every 1s"' in answer
    job = Job.objects.get(kind="summaries", space=space.name)
    assert job.arguments == {"categories": ["work"], "force": True}
    job.status = "done"
    job.save()
    assert "hx-trigger" not in writer.get("/summaries/", headers=HTMX).content.decode()
    assert writer.post("/summaries/refresh/", {"category": "gossip"}, headers=HTMX).status_code == 422


def test_too_few_facts_are_told_from_so_many_on(reader: Client, space: spaces.Space, write: Write) -> None:
    write("Mina likes tea.", kind=Kind.FACT, category=Category.PREFERENCES)
    assert "Needs at least 5 facts." in reader.get("/summaries/").content.decode()
