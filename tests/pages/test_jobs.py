from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memoryapp import spaces
from memoryapp.accounts.models import Space
from memoryapp.domain.memory import Memory
from memoryapp.interfaces.jobs.presenter import job_view
from memoryapp.jobs import pipeline
from memoryapp.jobs.models import Job, JobLine, Status
from memoryapp.store import revisions
from tests.markup import PageClient

HTMX = {"HX-Request": "true"}


def test_the_list_is_paged_without_a_gap(reader: Client, row: Space) -> None:
    import re

    now = timezone.now()
    for n in range(50):
        Job.objects.create(kind="ingest", space=row.name, status="done", created_at=now - timedelta(minutes=n // 3))
    first = reader.get("/jobs/").content.decode()
    older = re.search(r'rel="next" href="([^"]+)"', first)
    assert older
    second = reader.get("/jobs/" + older[1].replace("&amp;", "&")).content.decode()
    ids = [re.findall(r'href="/jobs/([0-9a-f]{16})/"', page) for page in (first, second)]
    assert [len(page) for page in ids] == [40, 10]
    assert len({*ids[0], *ids[1]}) == 50


def test_a_failed_job_says_why_and_can_be_tried_again(
    curator: Client, row: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "queue", lambda job_id: None)
    job = Job.objects.create(kind="ingest", space=row.name, status="failed", error="The folder is gone.")
    assert "The folder is gone." in curator.get("/jobs/").content.decode()
    assert curator.post(f"/jobs/{job.pk}/retry/", headers=HTMX)["HX-Refresh"] == "true"
    job.refresh_from_db()
    assert job.status == Status.QUEUED


def test_cancelling_a_job_that_has_ended_is_refused(curator: Client, row: Space) -> None:
    job = Job.objects.create(kind="ingest", space=row.name, status="done")
    answer = curator.post(f"/jobs/{job.pk}/cancel/", headers=HTMX)
    assert answer.status_code == 409
    assert "already ended" in answer["HX-Trigger"]


def test_a_running_job_is_asked_to_stop_and_the_page_says_so(curator: Client, row: Space) -> None:
    job = Job.objects.create(kind="ingest", space=row.name, status="running")
    answer = curator.post(f"/jobs/{job.pk}/cancel/", headers={**HTMX, "HX-Target": "progress"})
    assert "Cancelling" in answer.content.decode()
    job.refresh_from_db()
    assert job.cancel_requested


def test_the_lines_of_a_long_job_are_paged(reader: PageClient, row: Space) -> None:
    job = Job.objects.create(kind="ingest", space=row.name, status="done")
    JobLine.objects.bulk_create(JobLine(job=job, n=n, path=f"{n:04}.md", outcome="read") for n in range(1, 451))
    first = reader.get(f"/jobs/{job.pk}/").content.decode()
    assert "0001.md" in first and "0200.md" in first and "0201.md" not in first
    assert "0201.md" in reader.get(f"/jobs/{job.pk}/?after=200").content.decode()
    assert reader.weight < 25_000


@pytest.mark.parametrize("kind", ["layout", "graph", "narrate", "summaries", "backup", "ingest", "import"])
def test_only_a_job_that_reads_files_tells_of_files(reader: Client, row: Space, kind: str) -> None:
    job = Job.objects.create(kind=kind, space=row.name, status="done")
    page = reader.get(f"/jobs/{job.pk}/").content.decode()
    assert ("<h2>Files</h2>" in page) == (kind in ("ingest", "import"))


def test_a_job_is_told_in_words() -> None:
    now = timezone.now()
    phase = {"name": "embedding", "done": 50, "total": 200, "exact": False, "seconds": 10.0}
    job = Job(
        kind="ingest", space="x", status="running", progress_done=1, progress_total=400, created_by="mina",
        arguments={"source": {"name": "notes"}, "dry_run": True}, report={"sections": 5, "phase": phase},
        started_at=now - timedelta(seconds=60), heartbeat_at=now,
    )  # fmt: skip
    shown = job_view(job, you="mina")
    assert shown.name == "notes, dry run"
    assert shown.when.endswith("by you · about 30 s left")  # by its sections, not by its files
    assert (shown.rate, shown.progress.told) == ("5 sections/s", "Embedding, 50 of about 200 sections")
    assert shown.counts[0] == (1, "of 400 files")
    assert not shown.real  # it has not ended yet
    job.kind, job.report, job.progress_done = "embed", {}, 100
    assert job_view(job).when.endswith("by mina · 3 min 0 s left") and job_view(job).progress.told == "100 of 400 texts"
    job.kind, job.status = "ingest", "done"
    assert "left" not in job_view(job).when


def test_only_a_job_that_changed_something_offers_to_take_it_back(
    curator: Client, row: Space, space: spaces.Space, write: Callable[..., Memory]
) -> None:
    written = revisions.of_record(space.db, write("The heron stands in the reeds.").id)[0].run
    for run, offered in ((written, True), ("0" * 16, False)):
        job = Job.objects.create(kind="ingest", space=row.name, status="done", run=run, report={"sections": 3})
        page = curator.get(f"/jobs/{job.pk}/").content.decode()
        assert ("Undo the whole run" in page) is offered
        assert "3 sections can be searched now" in page and 'href="/search/"' in page


@pytest.mark.parametrize(
    ("kind", "report", "said"),
    [
        ("graph", {"read": 5, "relations": 3, "proposals": 1}, "5 memories read: 3 relations, 1 possible duplicate."),
        ("graph", {"read": 1, "problem": "The model is down."}, "1 memory read: nothing new. The model is down."),
        ("layout", {"entities": 412, "communities": 1}, "412 entities in 1 community."),
    ],
)
def test_a_job_of_the_graph_says_what_it_did(
    reader: Client, row: Space, kind: str, report: dict[str, object], said: str
) -> None:
    Job.objects.create(kind=kind, space=row.name, status="done", report=report)
    assert said in reader.get("/jobs/").content.decode()
