"""The ingest page: starting, sources and their schedule, proposed names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from memoryapp import spaces
from memoryapp.accounts.models import Space
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.entity import Entity, EntityState, EntityType
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Memory, State
from memoryapp.jobs import pipeline
from memoryapp.jobs.models import Job
from memoryapp.store import documents, entities, memories
from memoryapp.store.write import Batch, commit, new_run

HTMX = {"HX-Request": "true"}


def toast(answer: Any) -> dict[str, str]:
    return dict(json.loads(answer["HX-Trigger"])["toast"])


@pytest.fixture(autouse=True)
def unqueued(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Jobs stay where they are: no worker runs beside these tests."""
    monkeypatch.setattr(pipeline, "queue", lambda job_id: None)
    yield


@pytest.fixture
def notes(tmp_path: Path, settings: Any) -> Path:
    settings.INGEST_ROOTS = (tmp_path,)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "one.md").write_text("## One\n\nText.\n")
    return folder


def test_a_folder_becomes_a_job_that_is_then_watched(curator: Client, row: Space, notes: Path) -> None:
    answer = curator.post("/ingest/start/", {"path": str(notes), "dry_run": "1"}, headers=HTMX)
    job = Job.objects.get(space=row.name)
    assert answer["HX-Redirect"] == f"/ingest/?job={job.pk}"
    assert job.arguments["dry_run"] is True
    page = curator.get(f"/ingest/?job={job.pk}").content.decode()
    assert 'hx-trigger="every 1s"' in page
    assert "notes, dry run" in page


def test_a_folder_that_may_not_be_read_is_refused_beside_the_field(curator: Client, row: Space, notes: Path) -> None:
    for path, words in (("/etc", "outside the folders"), (str(notes / "none"), "not found"), ("", "Name a folder")):
        answer = curator.post("/ingest/start/", {"path": path}, headers=HTMX)
        assert answer.status_code == 200
        assert words in answer.content.decode()
    assert not Job.objects.filter(space=row.name).exists()


def test_the_field_offers_folders_as_one_types_and_those_of_earlier_ingests(
    curator: Client, space: spaces.Space, notes: Path
) -> None:
    def offered(typed: str) -> tuple[list[str], str]:
        html = curator.get("/ingest/folders/", {"path": typed}, headers=HTMX).content.decode()
        return re.findall(r'data-path="([^"]*)"', html), html

    paths, html = offered(f"{notes.parent}/no")
    assert paths == [f"{notes}/"] and '<span class="num">1 file</span>' in html
    paths, html = offered(f"{notes}/")
    assert paths == [] and "notes: 1 file." in html
    assert "A file: it is ingested alone." in offered(str(notes / "one.md"))[1]
    assert 'class="wrong"' in offered("/etc/")[1] and "not found" in offered(f"{notes}/none/x")[1]
    assert offered("")[0] == [f"{notes.parent}/"]
    now = space.clock()
    documents.put_source(space.db, Source("5" * 16, SourceKind.FOLDER, str(notes), "notes", now, last_ingest_at=now))
    paths, html = offered("")
    assert paths == [f"{notes}/", f"{notes.parent}/"] and ">Recent<" in html


def test_a_folders_name_is_shown_as_words(curator: Client, row: Space, notes: Path) -> None:
    (notes.parent / "<b>bold").mkdir()
    html = curator.get("/ingest/folders/", {"path": f"{notes.parent}/<"}, headers=HTMX).content.decode()
    assert "&lt;b&gt;bold" in html and "<b>bold" not in html


def test_uploads_become_one_job_each(curator: Client, row: Space) -> None:
    sent = [SimpleUploadedFile("a.md", b"## A\n\ntext\n"), SimpleUploadedFile("b.md", b"## B\n\ntext\n")]
    answer = curator.post("/ingest/upload/", {"files": sent})
    assert answer.status_code == 302
    assert Job.objects.filter(space=row.name, kind="ingest").count() == 2
    assert curator.post("/ingest/upload/", {}).status_code == 422


def test_an_upload_that_cannot_be_read_is_named_while_the_others_are_read(curator: Client, row: Space) -> None:
    bad = [("empty.md", b""), ("photo.png", b"\x89PNG")]
    sent = [SimpleUploadedFile("a.md", b"## A\n\ntext\n"), *(SimpleUploadedFile(*one) for one in bad)]
    page = curator.post("/ingest/upload/", {"files": sent}, follow=True).content.decode()
    assert Job.objects.filter(space=row.name, kind="ingest").count() == 1
    assert "1 file uploaded. empty.md is empty. photo.png is none of" in page
    alone = [SimpleUploadedFile(*one) for one in bad]
    refused = curator.post("/ingest/upload/", {"files": alone}, headers={"Referer": "http://testserver/ingest/?job=1"})
    assert refused.status_code == 422
    assert "empty.md is empty. photo.png is none of" in refused.content.decode()
    assert 'href="/ingest/?job=1">Back' in refused.content.decode()


def test_a_refused_upload_is_told_beside_the_form(curator: Client, row: Space) -> None:
    for sent, words in (
        ([SimpleUploadedFile("photo.png", b"\x89PNG")], "photo.png is none of"),
        ([SimpleUploadedFile("empty.md", b""), SimpleUploadedFile("photo.png", b"\x89PNG")], "empty.md is empty."),
        ([], "No file was chosen"),
    ):
        answer = curator.post("/ingest/upload/", {"files": sent}, headers=HTMX)
        assert answer.status_code == 200 and 'role="alert"' in answer.content.decode()
        assert words in answer.content.decode() and "<html" not in answer.content.decode()
    assert not Job.objects.filter(space=row.name).exists()


def test_progress_is_asked_for_until_the_job_has_ended(reader: Client, row: Space) -> None:
    job = Job.objects.create(kind="ingest", space=row.name, status="running", progress_done=3, progress_total=12)
    running = reader.get(f"/jobs/{job.pk}/progress/", headers=HTMX)
    assert running.status_code == 200
    assert 'aria-valuenow="3"' in running.content.decode()
    Job.objects.filter(pk=job.pk).update(status="done")
    ended = reader.get(f"/jobs/{job.pk}/progress/", headers=HTMX)
    assert ended.status_code == 286
    assert "every 1s" not in ended.content.decode()
    assert "job-ended" in json.loads(ended["HX-Trigger"])


def test_a_schedule_is_kept_with_its_source(curator: Client, space: spaces.Space, section: Memory) -> None:
    source = documents.sources(space.db)[0]
    sent = {"every_minutes": "60", "on_session_start": "1"}
    answer = curator.post(f"/sources/{source.id}/schedule/", sent, headers=HTMX)
    assert "every hour, when a session opens" in answer.content.decode()
    kept = documents.source(space.db, source.id)
    assert (kept.every_minutes, kept.on_session_start) == (60, True)
    assert curator.post(f"/sources/{source.id}/schedule/", {"every_minutes": "7"}, headers=HTMX).status_code == 422


def test_a_source_is_forgotten_with_or_without_its_memories(
    curator: Client, space: spaces.Space, section: Memory
) -> None:
    source = documents.sources(space.db)[0]
    answer = curator.post(f"/sources/{source.id}/forget/", {"archive": "1"}, headers=HTMX)
    assert documents.sources(space.db) == ()
    assert memories.get(space.db, section.id).state == State.ARCHIVED
    curator.post(toast(answer)["undo"], headers=HTMX)
    assert memories.get(space.db, section.id).state == State.HELD


def test_a_proposed_name_is_taken_in_or_refused(curator: Client, space: spaces.Space) -> None:
    now = space.clock()
    names = [
        Entity(new_id(), name, name.lower(), EntityType.CONCEPT, EntityState.PROPOSED, now, sightings=1)
        for name in ("Seoul contract", "Never mind")
    ]
    batch = Batch(entities=[(None, one) for one in names])
    commit(space.db, new_run("ingest", Actor(ActorKind.MACHINE, "ingest"), now=now), batch, now=now)
    assert "Seoul contract" in curator.get("/ingest/").content.decode()
    taken = curator.post(f"/entities/{names[0].id}/take-in/", headers=HTMX)
    assert "Seoul contract was accepted." in toast(taken)["text"]
    refused = curator.post(f"/entities/{names[1].id}/refuse/", headers=HTMX)
    assert "None waiting." in refused.content.decode()
    found = entities.get_many(space.db, [one.id for one in names])
    assert [found[one.id].state for one in names] == [EntityState.KNOWN, EntityState.REFUSED]


def test_files_that_need_a_look_are_filtered_out_of_the_rest(reader: Client, row: Space) -> None:
    from memoryapp.jobs.models import JobLine

    job = Job.objects.create(kind="ingest", space=row.name, status="done", report={"files": 2, "failed": [{}]})
    JobLine.objects.create(job=job, n=1, path="good.md", outcome="read", sections=3)
    JobLine.objects.create(job=job, n=2, path="bad.md", outcome="not read", note="not UTF-8 at byte 212.")
    every = reader.get("/ingest/").content.decode()
    assert "good.md" in every and "bad.md" in every
    look = reader.get(f"/ingest/?job={job.pk}&only=look").content.decode()
    assert "good.md" not in look and "not UTF-8 at byte 212." in look
