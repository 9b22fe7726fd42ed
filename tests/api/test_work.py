"""Ingest, sources, jobs and sessions over HTTP. The worker is not running here: a job stays where it was put."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import AsyncClient, Client
from pytest_django import Settings

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.identity import new_id
from memoryapp.jobs import run
from memoryapp.jobs.models import Job, JobLine, Status
from tests.api.conftest import Agent


@pytest.fixture
def notes(tmp_path: Path, settings: Settings) -> Path:
    settings.INGEST_ROOTS = (tmp_path,)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "redis.md").write_text(
        "# Redis\n\n## Queue\n\nThe queue moved to Redis.\n\n## Cache\n\nSo did the cache.\n"
    )
    (folder / "bad.md").write_bytes(b"caf\xe9")
    return folder


def test_a_folder_is_ingested_by_a_job_whose_report_counts(curator: Agent, notes: Path) -> None:
    answer = curator.post("/ingest", {"path": str(notes)})
    assert answer.status_code == 202
    job = answer.json()["job"]
    assert job["status"] == "queued" and answer["Location"] == f"/api/v1/jobs/{job['id']}"
    run.run(job["id"])
    told = curator.get(f"/jobs/{job['id']}").json()
    assert told["status"] == "done", told
    assert told["progress"] == {
        "done": 2, "total": 2, "phase": "", "sections": 0, "sections_total": 0, "exact": True, "seconds_left": None,
    }  # fmt: skip
    assert set(told["report"]) >= {
        "files", "sections", "added", "changed", "unchanged", "archived", "linked", "embedded", "failed", "seconds",
    }  # fmt: skip
    assert told["report"]["added"] == 2 and [one["path"] for one in told["report"]["failed"]] == ["bad.md"]
    lines = curator.get(f"/jobs/{job['id']}/files").json()["items"]
    assert {line["path"] for line in lines} == {"redis.md", "bad.md"}
    unread = curator.get(f"/jobs/{job['id']}/files?outcome=not%20read").json()["items"]
    assert [line["path"] for line in unread] == ["bad.md"] and unread[0]["note"]
    assert curator.post("/search", {"query": "queue"}).json()["items"][0]["source"]["path"] == "redis.md"
    run_told = curator.get(f"/runs/{told['run']}").json()
    assert run_told["act"] == "ingest" and run_told["total"] >= 2


def test_a_dry_run_counts_the_same_and_changes_nothing(curator: Agent, notes: Path) -> None:
    job = curator.post("/ingest", {"path": str(notes), "dry_run": True}).json()["job"]
    run.run(job["id"])
    assert curator.get(f"/jobs/{job['id']}").json()["report"]["added"] == 2
    assert curator.get("/memories").json()["total"] == 0 and curator.get("/sources").json()["items"] == []


def test_folders_that_may_be_ingested_are_listed_with_their_files_and_those_ingested_before(
    curator: Agent, writer: Agent, notes: Path
) -> None:
    found = curator.get(f"/folders?path={notes.parent}").json()
    assert found["folder"]["path"] == str(notes.parent) and found["parent"] is None and found["recent"] == []
    assert [(one["path"], one["files"], one["exact"]) for one in found["items"]] == [(str(notes), 2, True)]
    assert curator.get(f"/folders?path={notes.parent}&begins=zz").json()["items"] == []
    run.run(curator.post("/ingest", {"path": str(notes)}).json()["job"]["id"])
    start = curator.get("/folders").json()
    assert start["folder"] is None and [one["path"] for one in start["items"]] == [str(notes.parent)]
    assert [one["path"] for one in start["recent"]] == [str(notes)]
    assert writer.get("/folders").status_code == 403


def test_a_folder_that_cannot_be_listed_is_a_problem_that_names_the_field(curator: Agent, notes: Path) -> None:
    for path, status, told in (
        ("/etc", 403, "outside the folders"),
        (notes / "none", 422, "not found"),
        (notes / "redis.md", 422, "is a file"),
    ):
        answer = curator.get(f"/folders?path={path}")
        assert answer.status_code == status and told in answer.json()["detail"]
        assert answer.json()["field"] == "/path"


def test_an_upload_is_ingested(curator: Agent) -> None:
    data = {"upload": SimpleUploadedFile("talk.md", b"# Talk\n\n## Opening\n\nHello there.\n"), "dry_run": "false"}
    answer = Client().post("/api/v1/ingest", data, headers={"Authorization": f"Bearer {curator.key}"})
    assert answer.status_code == 202, answer.content
    run.run(answer.json()["job"]["id"])
    assert curator.get("/memories").json()["items"][0]["text"].endswith("Hello there.")


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({}, 422, "/path"),
        ({"path": "/etc"}, 403, None),
        ({"path": "../../etc"}, 403, None),
        ({"path": ""}, 422, "/path"),
        ({"path": "a\x00b"}, None, None),
        ({"path": 5}, 422, "/path"),
        ({"path": "/x", "dry": True}, 422, "/dry"),
    ],
)
def test_a_path_that_may_not_be_read_is_refused(
    curator: Agent, notes: Path, body: dict[str, Any], status: int | None, field: str | None
) -> None:
    answer = curator.post("/ingest", body)
    assert 400 <= answer.status_code < 500
    assert status is None or answer.status_code == status, answer.content
    assert field is None or answer.json()["field"] == field


def test_an_upload_of_nothing_or_of_two_is_refused(curator: Agent) -> None:
    headers = {"Authorization": f"Bearer {curator.key}"}
    assert Client().post("/api/v1/ingest", {"dry_run": "true"}, headers=headers).status_code == 422
    two = {"a": SimpleUploadedFile("a.md", b"a"), "b": SimpleUploadedFile("b.md", b"b")}
    assert Client().post("/api/v1/ingest", two, headers=headers).status_code == 422
    empty = {"upload": SimpleUploadedFile("a.md", b"")}
    assert Client().post("/api/v1/ingest", empty, headers=headers).status_code == 422


def test_a_source_is_remembered_changed_read_again_and_forgotten(curator: Agent, notes: Path) -> None:
    made = curator.post("/sources", {"path": str(notes), "every_minutes": 60})
    assert made.status_code == 201
    source = made.json()
    assert (source["kind"], source["name"], source["every_minutes"]) == ("folder", "notes", 60)
    assert curator.post("/sources", {"path": str(notes)}).json()["id"] == source["id"]
    changed = curator.patch(f"/sources/{source['id']}", {"name": "My notes", "on_session_start": True}).json()
    assert changed["name"] == "My notes" and changed["on_session_start"] is True
    again = curator.post(f"/sources/{source['id']}/ingest", {})
    assert again.status_code == 202
    run.run(again.json()["job"]["id"])
    assert curator.get("/sources").json()["items"][0]["last_report"]["added"] == 2
    assert curator.delete(f"/sources/{source['id']}?dry_run=true").json()["dry_run"] is True
    assert len(curator.get("/sources").json()["items"]) == 1
    assert curator.delete(f"/sources/{source['id']}").json()["id"] == source["id"]
    assert curator.get("/sources").json()["items"] == [] and curator.get("/memories").json()["total"] == 2


def test_a_session_reads_the_sources_that_are_marked_for_it(curator: Agent, writer: Agent, notes: Path) -> None:
    curator.post("/sources", {"path": str(notes), "on_session_start": True})
    opened = writer.post("/sessions", {"name": "standup", "metadata": {"topic": "queue"}})
    assert opened.status_code == 201
    session = opened.json()
    assert len(session["jobs"]) == 1 and session["ended_at"] is None and session["metadata"] == {"topic": "queue"}
    assert writer.post("/sessions", {"name": "standup"}).json()["id"] == session["id"]
    ended = writer.post(f"/sessions/{session['id']}/end", {"ended_at": "2026-11-21T10:00:00"}).json()
    assert ended["ended_at"] == "2026-11-21T10:00:00Z"
    assert writer.post(f"/sessions/{session['id']}/end").json()["ended_at"] == ended["ended_at"]
    assert writer.post(f"/sessions/{new_id()}/end").status_code == 404


def make_job(space: Space, **more: Any) -> Job:
    return Job.objects.create(kind="ingest", space=space.name, **more)


def test_jobs_are_listed_newest_first_page_by_page(reader: Agent, space: Space) -> None:
    ids = [make_job(space).pk for _ in range(5)]
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = reader.get(f"/jobs?limit=2&cursor={cursor}").json()
        seen += [job["id"] for job in page["items"]]
        cursor = page["next_cursor"]
    assert seen == ids[::-1]
    assert reader.get("/jobs?status=failed").json()["items"] == []
    assert reader.get("/jobs?status=gone").status_code == 422


def test_a_job_is_cancelled_and_tried_again(curator: Agent, space: Space) -> None:
    job = make_job(space)
    assert curator.post(f"/jobs/{job.pk}/retry").status_code == 409
    assert curator.post(f"/jobs/{job.pk}/cancel").json()["status"] == "cancelled"
    assert curator.post(f"/jobs/{job.pk}/cancel").status_code == 409
    assert curator.post(f"/jobs/{job.pk}/retry").json()["status"] == "queued"


def test_a_job_of_another_space_is_not_there(reader: Agent, curator: Agent) -> None:
    job = make_job(create_space(f"o-{new_id()}"))
    for answer in (
        reader.get(f"/jobs/{job.pk}"),
        curator.post(f"/jobs/{job.pk}/cancel"),
        reader.get(f"/jobs/{new_id()}"),
    ):
        assert answer.status_code == 404


def test_the_files_of_a_job_are_paged(reader: Agent, space: Space) -> None:
    job = make_job(space)
    JobLine.objects.bulk_create(JobLine(job=job, n=n, path=f"{n}.md", outcome="read") for n in range(1, 6))
    page = reader.get(f"/jobs/{job.pk}/files?limit=3").json()
    assert [line["n"] for line in page["items"]] == [1, 2, 3]
    rest = reader.get(f"/jobs/{job.pk}/files?limit=3&cursor={page['next_cursor']}").json()
    assert [line["n"] for line in rest["items"]] == [4, 5] and rest["next_cursor"] is None


def read_events(raw: bytes) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for block in raw.decode().strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        if "event" in fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


@pytest.mark.django_db(transaction=True)
def test_a_job_is_followed_to_its_end() -> None:
    space = create_space(f"s-{new_id()}")
    headers = {"Authorization": f"Bearer {create_key('k', role=Role.READER, space=space)[1]}"}
    job = make_job(space, status=Status.RUNNING, progress_total=10)

    async def follow() -> bytes:
        answer = await AsyncClient().get(f"/api/v1/jobs/{job.pk}/events", headers=headers)
        assert answer.status_code == 200 and answer["Content-Type"] == "text/event-stream"
        raw = b""
        async for chunk in answer.streaming_content:
            raw += chunk
            if b'"done":4' not in raw:
                await sync_to_async(Job.objects.filter(pk=job.pk).update)(progress_done=4)
            else:
                await sync_to_async(Job.objects.filter(pk=job.pk).update)(status=Status.DONE, progress_done=10)
        return raw

    events = read_events(asyncio.run(follow()))
    assert [name for name, _ in events] == ["progress", "progress", "end"]
    assert [told["progress"]["done"] for _, told in events] == [0, 4, 10]
    assert events[-1][1]["status"] == "done"


@pytest.mark.django_db(transaction=True)
def test_who_comes_back_to_a_stream_is_told_what_is_new_and_the_end_in_any_case() -> None:
    space = create_space(f"s-{new_id()}")
    headers = {"Authorization": f"Bearer {create_key('k', role=Role.READER, space=space)[1]}"}
    job = make_job(space, status=Status.RUNNING, progress_total=10)

    async def follow(last: str, *, then: dict[str, Any] | None = None) -> bytes:
        more = headers | ({"Last-Event-ID": last} if last else {})
        answer = await AsyncClient().get(f"/api/v1/jobs/{job.pk}/events", headers=more)
        raw = b""
        async for chunk in answer.streaming_content:
            raw += chunk
            if then is None and b"event: progress" in raw:
                break  # the connection breaks off
            if then is not None:
                await sync_to_async(Job.objects.filter(pk=job.pk).update)(**then)
        return raw

    first = asyncio.run(follow(""))
    assert first.startswith(b"retry: 2000\n\n")
    (number,) = re.findall(rb"^id: ([0-9a-f]{8})$", first, re.MULTILINE)
    again = asyncio.run(follow(number.decode(), then={"status": Status.CANCELLED}))
    assert [name for name, _ in read_events(again)] == ["end"]  # the progress it has is not told twice
    assert read_events(again)[0][1]["status"] == "cancelled"
    (last,) = re.findall(rb"^id: ([0-9a-f]{8})$", again, re.MULTILINE)
    assert [name for name, _ in read_events(asyncio.run(follow(last.decode(), then={})))] == ["end"]


@pytest.mark.django_db(transaction=True)
def test_a_job_that_is_not_there_cannot_be_followed() -> None:
    space = create_space(f"s-{new_id()}")
    headers = {"Authorization": f"Bearer {create_key('k', role=Role.READER, space=space)[1]}"}

    async def follow(path: str, **more: Any) -> Any:
        return await AsyncClient().get(path, **more)

    assert asyncio.run(follow(f"/api/v1/jobs/{new_id()}/events", headers=headers)).status_code == 404
    assert asyncio.run(follow(f"/api/v1/jobs/{new_id()}/events")).status_code == 401
