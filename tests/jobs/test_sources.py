"""Ingest as it is asked for: a path, an upload, a schedule; each becomes a job that the ingest room carries out."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from memoryapp.accounts.opening import close_spaces
from memoryapp.accounts.spaces import DEFAULT, open_space
from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.errors import BadInput, Clash, OutsideRoots, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.jobs import run, sources
from memoryapp.jobs.models import Job, Status
from memoryapp.jobs.sources import is_due, submit_due_sources, submit_session_sources
from memoryapp.jobs.tasks import tick
from memoryapp.spaces import Space
from memoryapp.store import documents, memories
from tests.jobs.conftest import ADA

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queued")]


@pytest.fixture
def notes(tmp_path: Path, settings: Any) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\n## One\nThe first.\n\n## Two\nThe second.\n")
    settings.INGEST_ROOTS = (folder,)
    settings.UPLOAD_DIR = tmp_path / "uploads"
    return folder


@pytest.fixture
def space() -> Iterator[Space]:
    yield open_space(DEFAULT)
    close_spaces()  # its store is in memory: gone with the handle


def done(job: Job) -> Job:
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.DONE, job.error
    return job


def held(space: Space) -> int:
    return sum(memory.state == "held" for memory in memories.scan(space.db))


def test_a_folder_becomes_memories_and_its_job_reports_every_file(notes: Path, space: Space) -> None:
    (notes / "b.md").write_bytes(b"caf\xe9")
    job = done(sources.ingest_path(DEFAULT, str(notes), actor=ADA))
    assert (job.report["sections"], job.report["added"], held(space)) == (2, 2, 2)
    assert sorted((line.path, line.outcome) for line in job.lines.all()) == [("a.md", "read"), ("b.md", "not read")]
    assert job.run and (job.progress_done, job.progress_total) == (2, 2)


def test_a_dry_run_tells_the_same_and_changes_nothing_until_it_is_carried_out(notes: Path, space: Space) -> None:
    rehearsed = done(sources.ingest_path(DEFAULT, str(notes), actor=ADA, dry_run=True))
    assert (rehearsed.report["added"], rehearsed.run, held(space)) == (2, "", 0)
    assert documents.sources(space.db) == ()
    real = done(sources.ingest_for_real(rehearsed, actor=ADA))
    assert (real.report["added"], held(space)) == (2, 2)
    with pytest.raises(Clash):
        sources.ingest_for_real(real, actor=ADA)


def test_the_same_folder_is_the_same_source_however_it_is_spelt(notes: Path, space: Space) -> None:
    first = done(sources.ingest_path(DEFAULT, str(notes), actor=ADA))
    second = done(sources.ingest_path(DEFAULT, f"{notes}/../notes/", actor=ADA))
    assert first.subject == second.subject
    assert (second.report["added"], second.report["unchanged"], len(documents.sources(space.db))) == (0, 2, 1)


@pytest.mark.parametrize("path", ["/etc", "..", "~", "/"])
def test_a_path_outside_the_roots_is_refused_before_any_job(notes: Path, path: str) -> None:
    with pytest.raises(OutsideRoots):
        sources.ingest_path(DEFAULT, path, actor=ADA)
    assert not Job.objects.exists()


@pytest.mark.parametrize("path", ["", "  ", "a\x00b", "~nobody-of-this-name/notes"])
def test_what_is_no_path_is_refused(notes: Path, path: str) -> None:
    with pytest.raises(BadInput):
        sources.ingest_path(DEFAULT, path, actor=ADA)


@pytest.mark.parametrize("name", ["gone", "too-long-for-a-disk" * 20], ids=["gone", "too long"])
def test_a_path_where_nothing_is_is_refused(notes: Path, name: str) -> None:
    with pytest.raises(BadInput, match="not found") as caught:
        sources.ingest_path(DEFAULT, str(notes / name), actor=ADA)
    assert caught.value.field == "/path"


def test_an_upload_is_kept_until_its_job_is_done(notes: Path, space: Space) -> None:
    job = sources.ingest_upload(DEFAULT, "up.md", [b"# Up\n\n", b"## One\nSent.\n"], actor=ADA)
    kept = sources.upload_file(job.arguments["upload"])
    assert kept.is_file()
    assert done(job).report["added"] == 1
    assert not kept.exists() and held(space) == 1


def test_a_zip_is_read_file_by_file(notes: Path, space: Space) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x/one.md", "## One\nA.\n")
        archive.writestr("../../climbing.md", "## Two\nB.\n")
    job = done(sources.ingest_upload(DEFAULT, "notes.zip", [packed.getvalue()], actor=ADA))
    assert sorted(job.lines.values_list("outcome", flat=True)) == ["not read", "read"]
    assert held(space) == 1


def test_an_upload_of_the_same_name_is_a_newer_reading(notes: Path, space: Space) -> None:
    done(sources.ingest_upload(DEFAULT, "up.md", [b"## One\nBefore.\n"], actor=ADA))
    again = done(sources.ingest_upload(DEFAULT, "C:\\notes\\up.md", [b"## One\nAfter.\n"], actor=ADA))
    assert again.report["changed"] == 1 and held(space) == 1


@pytest.mark.parametrize(("name", "content"), [("", b"x"), (".hidden", b"x"), ("empty.md", b""), ("photo.png", b"x")])
def test_an_upload_that_cannot_be_used_leaves_no_file_behind(notes: Path, name: str, content: bytes) -> None:
    with pytest.raises(BadInput) as caught:
        sources.ingest_upload(DEFAULT, name, [content], actor=ADA)
    assert name.partition(".")[0] in caught.value.detail
    assert not Job.objects.exists()
    folder = Path(sources.upload_file("x")).parent
    assert not folder.exists() or os.listdir(folder) == []


def test_an_upload_over_the_limit_is_refused_while_it_comes_in(notes: Path) -> None:
    piece = b"x" * (8 * 1024 * 1024)
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while True:
            sent += len(piece)
            yield piece

    with pytest.raises(TooLarge):
        sources.ingest_upload(DEFAULT, "big.zip", endless(), actor=ADA)
    assert sent <= LIMITS.upload_bytes + len(piece)


def test_an_upload_that_is_gone_fails_in_plain_words(notes: Path) -> None:
    job = sources.ingest_upload(DEFAULT, "up.md", [b"## One\nSent.\n"], actor=ADA)
    sources.upload_file(job.arguments["upload"]).unlink()
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.FAILED and "Upload it once more" in job.error


def test_uploads_nobody_came_back_for_are_cleared_away(notes: Path) -> None:
    old = sources.ingest_upload(DEFAULT, "old.md", [b"## O\nOld.\n"], actor=ADA)
    new = sources.ingest_upload(DEFAULT, "new.md", [b"## N\nNew.\n"], actor=ADA)
    long_ago = (timezone.now() - timedelta(days=8)).timestamp()
    os.utime(sources.upload_file(old.arguments["upload"]), (long_ago, long_ago))
    sources.clear_old_uploads()
    assert not sources.upload_file(old.arguments["upload"]).exists()
    assert sources.upload_file(new.arguments["upload"]).exists()


def remembered(space: Space, root: Path, **changes: object) -> Source:
    job = done(sources.ingest_path(space.name, str(root), actor=ADA))
    source = documents.source(space.db, job.arguments["source"]["id"])
    return documents.put_source(space.db, replace(source, **changes))  # type: ignore[arg-type]


def test_a_source_is_due_when_its_time_has_passed_since_the_last_try(notes: Path, space: Space) -> None:
    source = remembered(space, notes, every_minutes=30)
    now = timezone.now()
    assert not is_due(DEFAULT, source, now=now + timedelta(minutes=29))
    assert is_due(DEFAULT, source, now=now + timedelta(minutes=31))
    assert not is_due(DEFAULT, replace(source, every_minutes=0), now=now + timedelta(days=9))


def test_the_tick_submits_what_is_due_once(notes: Path, space: Space) -> None:
    remembered(space, notes, every_minutes=30)
    assert submit_due_sources() == []
    later = timezone.now() + timedelta(minutes=31)
    [job] = submit_due_sources(now=later)
    assert (job.created_by, job.created_by_kind) == ("schedule", "machine")
    assert [again.pk for again in submit_due_sources(now=later)] in ([], [job.pk])


def test_a_source_whose_folder_may_no_longer_be_read_does_not_stop_the_others(
    notes: Path, space: Space, settings: Any
) -> None:
    other = notes / "other"
    other.mkdir()
    remembered(space, notes, every_minutes=30)
    remembered(space, other, every_minutes=30)
    settings.INGEST_ROOTS = (other,)
    assert [job.arguments["source"]["root"] for job in submit_due_sources(now=timezone.now() + timedelta(hours=1))] == [
        str(other)
    ]


def test_a_session_reads_the_sources_that_ask_for_it(notes: Path, space: Space) -> None:
    source = remembered(space, notes, on_session_start=True)
    other = replace(source, id="f" * 16, on_session_start=False)
    uploaded = replace(source, id="e" * 16, kind=SourceKind.UPLOAD, on_session_start=True)
    jobs = submit_session_sources(DEFAULT, (source, other, uploaded), actor=ADA)
    assert [job.subject for job in jobs] == [f"source:{source.id}"]


@pytest.mark.django_db(transaction=True)
def test_the_tick_takes_up_jobs_whose_worker_died(notes: Path, space: Space, queued: list[str]) -> None:
    job = sources.ingest_path(DEFAULT, str(notes), actor=ADA)
    silent = timezone.now() - timedelta(minutes=5)
    Job.objects.filter(pk=job.pk).update(status=Status.RUNNING, heartbeat_at=silent)
    queued.clear()
    tick()
    assert queued == [job.pk]
    assert done(job).report["added"] == 2
