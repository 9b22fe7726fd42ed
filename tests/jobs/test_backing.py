"""Backups by schedule: done when due, the last ones kept, restored into a new space, removed after a purge."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import close_spaces
from memoryapp.accounts.spaces import DEFAULT, open_space, set_settings, space_named
from memoryapp.domain.errors import BadInput, Clash, NotFound
from memoryapp.jobs import run
from memoryapp.jobs.acts import ACTS
from memoryapp.jobs.backups import remove_before_purge, standing, submit_backup, submit_restore
from memoryapp.jobs.heartbeat import beat, due_at, pulse, set_schedule
from memoryapp.jobs.models import Job, Status
from memoryapp.jobs.pipeline import cancel
from memoryapp.review import purge
from memoryapp.spaces import Space
from memoryapp.store import memories
from memoryapp.store.backup import last_backup
from tests.jobs.conftest import ADA
from tests.samples import a_memory, written

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queued", "folder")]


@pytest.fixture
def folder(tmp_path: Path, settings: object) -> Path:
    settings.BACKUP_DIR = tmp_path / "backups"  # type: ignore[attr-defined]
    return tmp_path / "backups" / DEFAULT


@pytest.fixture
def space() -> Iterator[Space]:
    yield open_space(DEFAULT)
    close_spaces()  # its store is in memory: gone with the handle


@pytest.fixture
def row(space: Space) -> Row:
    found = space_named(DEFAULT)
    for key in ACTS:
        set_schedule(found, key, on=False)
    return found


def done(job: Job) -> Job:
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.DONE, job.error
    return job


def taken(space: Space, text: str, *, keep: int = 7) -> str:
    written(space.db, a_memory(text))
    return str(done(submit_backup(space.name, keep=keep, actor=ADA)).report["file"])


def test_it_is_taken_at_its_time_and_told(row: Row, space: Space, folder: Path) -> None:
    set_schedule(row, "backup", on=True, every_minutes=1_440, keep=3)
    assert beat() == []
    tomorrow = timezone.now() + timedelta(hours=25)
    assert beat(now=tomorrow) == [], "there is nothing in it yet"
    assert pulse(row, "backup").told == "there is nothing in this space yet"
    written(space.db, a_memory("The heron"))
    (job,) = beat(now=tomorrow + timedelta(hours=25))
    assert (job.kind, job.arguments) == ("backup", {"keep": 3})
    report = done(job).report
    assert [file.name for file in folder.iterdir()] == [report["file"]] and report["rows"]["memory"] == 1
    assert "read again and whole." in pulse(row, "backup").told
    last = last_backup(space.db)
    assert last is not None and last.place == str(folder / report["file"]) and last.size == report["size"]


def test_by_default_it_is_off_and_keeps_seven(row: Row) -> None:
    assert (ACTS["backup"].schedule.on, ACTS["backup"].schedule.keep) == (False, 7)
    assert pulse(row, "backup").schedule.keep == 7
    assert due_at(row, "backup") is None
    with pytest.raises(BadInput, match="only “backup” does"):
        set_schedule(row, "expire", keep=3)
    with pytest.raises(BadInput, match="Between 1 and 366"):
        set_schedule(row, "backup", keep=1_000)


def test_the_oldest_go_once_the_new_one_is_whole(space: Space, folder: Path) -> None:
    names = [taken(space, f"Memory {n}", keep=2) for n in range(4)]
    assert sorted(file.name for file in folder.iterdir()) == sorted(names[2:])
    job = Job.objects.filter(kind="backup").order_by("-created_at").first()
    assert job is not None and job.report["removed"] == [names[1]]


def test_one_that_fails_leaves_the_others_and_says_why(row: Row, space: Space, folder: Path) -> None:
    set_schedule(row, "backup", on=True, every_minutes=1_440)
    folder.parent.mkdir(parents=True)
    folder.write_bytes(b"a file where the folder should be")
    written(space.db, a_memory("The heron"))
    job = submit_backup(space.name, keep=7, actor=ADA)
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.FAILED and "No backup can be kept in" in job.error
    assert pulse(row, "backup").failed and pulse(row, "backup").told == job.error
    assert last_backup(space.db) is None


def test_two_of_one_space_never_run_at_once(space: Space) -> None:
    first = submit_backup(space.name, keep=7, actor=ADA)
    assert submit_backup(space.name, keep=7, actor=ADA).pk == first.pk
    Job.objects.filter(pk=first.pk).update(status=Status.RUNNING)
    second = submit_backup(space.name, keep=7, actor=ADA)
    run.run(second.pk)
    second.refresh_from_db()
    assert second.status == Status.QUEUED


def test_one_that_is_cancelled_is_not_kept(space: Space, folder: Path) -> None:
    written(space.db, a_memory("The heron"))
    job = submit_backup(space.name, keep=7, actor=ADA)
    Job.objects.filter(pk=job.pk).update(status=Status.RUNNING)
    cancel(job)
    Job.objects.filter(pk=job.pk).update(status=Status.QUEUED)
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.CANCELLED and list(folder.iterdir()) == []


def test_one_is_restored_into_a_new_space_with_its_numbers(row: Row, space: Space) -> None:
    set_settings(row, {"rrf_k": 20})
    name = taken(space, "The heron")
    taken(space, "The bittern")
    job = done(submit_restore(row, name, to="again", actor=ADA, created_by=None))
    assert job.space == "again" and job.report["rows"]["memory"] == 1
    assert [one.text for one in memories.scan(open_space("again").db)] == ["The heron"]
    made = space_named("again")
    assert (made.encoder, made.settings) == (row.encoder, {"rrf_k": 20})
    with pytest.raises(Clash, match="already a space called again"):
        submit_restore(row, name, to="again", actor=ADA, created_by=None)
    with pytest.raises(NotFound):
        submit_restore(row, "default-20200101-000000.palimpsest.gz", to="third", actor=ADA, created_by=None)
    assert not Row.objects.filter(name="third").exists()


def test_a_restore_whose_file_is_damaged_leaves_the_new_space_empty(row: Row, space: Space, folder: Path) -> None:
    name = taken(space, "The heron")
    job = submit_restore(row, name, to="again", actor=ADA, created_by=None)
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[:-40])
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.FAILED and f"{name} is not a readable backup" in job.error
    assert tuple(memories.scan(open_space("again").db)) == ()
    (folder / name).write_bytes(whole)
    Job.objects.filter(pk=job.pk).update(status=Status.QUEUED)
    done(job)


def test_what_was_made_before_a_purge_is_known_and_removed_on_demand(row: Row, space: Space, folder: Path) -> None:
    old = taken(space, "The heron nests in bay four.")
    assert standing(row).before_purge == () and remove_before_purge(row) == []
    (memory,) = memories.scan(space.db)
    purge(space, memory.id, actor=ADA)
    found = standing(row)
    assert [one.name for one in found.before_purge] == [old] and found.purged_at is not None
    fresh = taken(space, "The bittern")
    assert remove_before_purge(row) == [old]
    assert [file.name for file in folder.iterdir()] == [fresh]
