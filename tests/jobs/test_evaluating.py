"""The job of the golden queries: what it reports and keeps, when the heartbeat asks again, and when there is nothing
to ask."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import close_spaces
from memoryapp.accounts.spaces import DEFAULT, open_space, space_named
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Kind
from memoryapp.jobs import pipeline, run
from memoryapp.jobs.acts import ACTS
from memoryapp.jobs.heartbeat import beat, pulse, run_now, set_schedule
from memoryapp.jobs.models import Job, Status
from memoryapp.jobs.requests import submit_golden
from memoryapp.jobs.summary import summary_of
from memoryapp.lab import save_profile
from memoryapp.review import delete
from memoryapp.spaces import Space
from memoryapp.store import golden
from tests.jobs.conftest import ADA
from tests.lab.birds import birds
from tests.samples import a_memory, written

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queued")]


@pytest.fixture
def space() -> Iterator[Space]:
    opened = open_space(DEFAULT)
    opened.encoder.get(30)
    yield opened
    close_spaces()


@pytest.fixture
def row(space: Space) -> Row:
    """With nothing on but the golden queries."""
    found = space_named(DEFAULT)
    for key in ACTS:
        set_schedule(found, key, on=key == "golden")
    return found


def ended(job: Job) -> Job:
    run.run(job.pk)
    job.refresh_from_db()
    return job


def tomorrow(days: int = 1) -> datetime:
    return timezone.now() + timedelta(days=days, hours=1)


def test_the_job_asks_by_every_plan_keeps_the_runs_and_reports_them(space: Space) -> None:
    birds(space, golden=3)
    job = ended(submit_golden(DEFAULT, ["keyword", "hybrid;vector=0"], 5, actor=ADA))
    assert job.status == Status.DONE, job.error
    report = job.report
    assert (report["queries"], report["left_out"], report["k"]) == (3, 0, 5)
    assert report["plans"] == ["keyword", "hybrid;vector=0"] == [one["plan"] for one in report["runs"]]
    kept = {one.id: one for one in golden.runs(space.db)}
    assert {one["id"]: one["measures"] for one in report["runs"]} == {key: dict(r.measures) for key, r in kept.items()}
    assert {one.by for one in kept.values()} == {"ada"}
    assert (job.progress_done, job.progress_total) == (6, 6)
    assert summary_of(job.kind, report) == "3 golden queries, recall@5: keyword 1.00, hybrid;vector=0 1.00."


def test_a_run_that_got_worse_says_so_and_what_had_changed(space: Space) -> None:
    birds(space, golden=1)
    ended(submit_golden(DEFAULT, ["keyword"], 1, actor=ADA))
    written(space.db, *(a_memory("heron heron heron") for _ in range(3)))
    report = ended(submit_golden(DEFAULT, ["keyword"], 1, actor=ADA)).report
    (told,) = report["runs"]
    assert told["worse"] and told["changed"] == ["3 more memories"] and told["deltas"]["recall"] == -1
    assert summary_of("golden", report).endswith("keyword 0.00. keyword got worse (3 more memories).")


def test_what_cannot_be_run_is_refused_before_anything_is_queued(space: Space, queued: list[str]) -> None:
    with pytest.raises(BadInput, match="no golden queries"):
        submit_golden(DEFAULT, actor=ADA)
    birds(space, golden=1)
    with pytest.raises(BadInput) as refused:
        submit_golden(DEFAULT, ["hybrid", "hybris"], actor=ADA)
    assert refused.value.field == "/strategies/1"
    assert not queued and not Job.objects.exists()


def test_two_of_one_space_never_run_at_once(space: Space) -> None:
    birds(space, golden=1)
    one = submit_golden(DEFAULT, ["keyword"], actor=ADA)
    assert submit_golden(DEFAULT, ["keyword"], actor=ADA).pk == one.pk
    assert submit_golden(DEFAULT, ["vector"], actor=ADA).subject == one.subject


def test_a_stopped_job_keeps_nothing_and_can_be_tried_again(space: Space) -> None:
    birds(space, golden=2)
    job = submit_golden(DEFAULT, ["keyword"], actor=ADA)
    Job.objects.filter(pk=job.pk).update(cancel_requested=True)  # as if somebody asked right after it began
    assert ended(job).status == Status.CANCELLED and golden.runs(space.db) == ()
    assert ended(pipeline.retry(job)).status == Status.DONE and len(golden.runs(space.db)) == 1


def test_the_heartbeat_asks_where_the_numbers_or_the_digests_changed(space: Space, row: Row) -> None:
    birds(space, golden=1)
    (job,) = beat(now=tomorrow())
    assert (job.kind, job.created_by, job.arguments["plans"]) == ("golden", "heartbeat", ["hybrid"])
    assert ended(job).status == Status.DONE
    written(space.db, a_memory("One more memory."))
    assert beat(now=tomorrow(2)) == []
    skipped = pulse(row, "golden")
    assert skipped.skipped and skipped.told.startswith("neither the model nor the numbers nor the digests changed")
    written(space.db, a_memory("A digest.", kind=Kind.DIGEST))
    (job,) = beat(now=tomorrow(4))
    assert ended(job).report["runs"][0]["changed"] == ["1 more digest", "2 more memories"]
    assert beat(now=tomorrow(6)) == []
    row.settings = {"date_weight": 0.1}
    row.save()
    (job,) = beat(now=tomorrow(8))
    assert "date_weight 0.6 → 0.1" in ended(job).report["runs"][0]["changed"]


def test_it_asks_by_the_profiles_that_were_ever_run_too(space: Space, row: Row) -> None:
    birds(space, golden=1)
    for name in ("careful", "never-run"):
        save_profile(space, name, "hybrid;vector=0", actor=ADA)
    ended(submit_golden(DEFAULT, ["careful", "rrf"], 7, actor=ADA))
    ended(submit_golden(DEFAULT, ["hybrid"], 3, actor=ADA))
    job = run_now(row, "golden", actor=ADA)
    assert (job.arguments["plans"], job.arguments["k"]) == (["hybrid", "careful"], 3)


def test_without_anything_to_ask_it_skips_with_a_sentence(space: Space, row: Row) -> None:
    assert beat(now=tomorrow()) == []
    assert pulse(row, "golden").told == "there are no golden queries yet"
    job = ended(run_now(row, "golden", actor=ADA))
    assert job.status == Status.DONE and summary_of(job.kind, job.report) == "Skipped: there are no golden queries yet."
    heron, *_ = birds(space, golden=1)
    delete(space, [heron.id], actor=ADA)
    assert beat(now=tomorrow(3)) == []
    assert pulse(row, "golden").told == "whatever the golden queries should find is deleted or purged"


def test_it_is_on_once_a_day_unless_somebody_sets_it_otherwise(space: Space) -> None:
    schedule = pulse(space_named(DEFAULT), "golden").schedule
    assert schedule.on and schedule.every_minutes == 24 * 60
