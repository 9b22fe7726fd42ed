"""Settings, Backups: what is kept, taken now, downloaded, restored into a new space, removed; and its health line."""

from __future__ import annotations

import gzip
import re
import shlex
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import load_command_class
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memoryapp import spaces
from memoryapp.accounts.models import Space
from memoryapp.domain.memory import Memory
from memoryapp.interfaces.api.assembly import document
from memoryapp.interfaces.health import presenter as health_page
from memoryapp.interfaces.memories.presenter import purge_word
from memoryapp.jobs import run
from memoryapp.jobs.acts import ACTS
from memoryapp.jobs.backups import folder_of, submit_backup
from memoryapp.jobs.heartbeat import set_schedule
from memoryapp.jobs.models import Beat, Job, Status
from memoryapp.spaces import close_space
from memoryapp.store.backup import note_backup
from tests.pages.conftest import ATLAS
from tests.pages.talking import HTMX
from tests.pages.test_health import health

PAGE = "/settings/backups/"
ROOT = Path(__file__).resolve().parents[2]
Write = Callable[..., Memory]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: object) -> Path:
    settings.BACKUP_DIR = tmp_path / "backups"  # type: ignore[attr-defined]
    return tmp_path / "backups"


@pytest.fixture
def owner(admin: Client, row: Space) -> Iterator[Client]:
    """Administrator of every space."""
    User.objects.filter(pk=admin.session["_auth_user_id"]).update(is_superuser=True)
    yield admin
    close_space(f"{row.name}-2")


def taken(row: Space) -> str:
    job = submit_backup(row.name, keep=7, actor=ATLAS)
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.DONE, job.error
    return str(job.report["file"])


def test_without_one_it_says_so_and_how_to_have_them(admin: Client, row: Space, folder: Path) -> None:
    page = admin.get(PAGE).content.decode()
    assert "No backups yet." in page and "Off: backups" in page and str(folder / row.name) in page
    assert 'aria-current="page">Backups<' in page and "#beat-backup" in page
    set_schedule(row, "backup", on=True, at="04:00", zone="Asia/Seoul", keep=5)
    page = admin.get(PAGE).content.decode()
    assert "Once a day, at 04:00 Asia/Seoul; next: in " in page and "The latest 5 are kept." in page


def test_one_is_taken_now_and_the_page_waits_for_it(admin: Client, row: Space, write: Write) -> None:
    write("The heron stands in the reeds.")
    answer = admin.post(f"{PAGE}take/", headers=HTMX)
    job = Job.objects.get(space=row.name, kind="backup")
    assert f"/jobs/{job.pk}/" in answer.content.decode() and answer.status_code == 200
    run.run(job.pk)
    over = admin.get(PAGE, headers=HTMX)
    job.refresh_from_db()
    assert over.status_code == 286 and job.report["file"] in over.content.decode()
    assert "1 backup, " in over.content.decode()
    assert "read again and whole." in admin.get(f"/jobs/{job.pk}/").content.decode()


def test_one_is_downloaded_as_it_is_kept(admin: Client, row: Space, write: Write, folder: Path) -> None:
    write("The heron stands in the reeds.")
    name = taken(row)
    answer = admin.get(f"{PAGE}{name}/")
    content = b"".join(answer)
    assert content == (folder / row.name / name).read_bytes() and b"reeds" in gzip.decompress(content)
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    assert (folder / row.name / name).is_file()
    assert admin.get(f"{PAGE}{row.name}-20200101-000000.palimpsest.gz/").status_code == 404


def test_one_is_restored_into_a_new_space_by_whoever_may_make_one(owner: Client, row: Space, write: Write) -> None:
    write("The heron stands in the reeds.")
    name = taken(row)
    asked = owner.get(f"{PAGE}{name}/restore/ask/", {"space": row.name}, headers=HTMX).content.decode()
    assert f'value="{row.name}-2"' in asked and "stays as it is" in asked
    answer = owner.post(f"{PAGE}{name}/restore/", {"name": f"{row.name}-2", "space": row.name})
    job = Job.objects.get(kind="restore")
    assert answer["Location"] == f"{reverse('job', args=[job.pk])}?space={row.name}-2"
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.DONE, job.error
    told = owner.get(answer["Location"]).content.decode()
    assert "1 memory with all that belongs to it, from " in told
    again = owner.post(f"{PAGE}{name}/restore/", {"name": f"{row.name}-2", "space": row.name})
    assert again.status_code == 409 and "There is already a space called" in again.content.decode()


def test_an_administrator_of_this_space_alone_cannot_make_another(admin: Client, row: Space, write: Write) -> None:
    write("The heron stands in the reeds.")
    name = taken(row)
    assert "administrator of every space" in admin.get(f"{PAGE}{name}/restore/ask/", headers=HTMX).content.decode()
    assert admin.post(f"{PAGE}{name}/restore/", {"name": "another"}).status_code == 403
    assert not Space.objects.filter(name="another").exists()


def test_one_is_removed_after_the_question(admin: Client, row: Space, write: Write, folder: Path) -> None:
    write("The heron stands in the reeds.")
    name = taken(row)
    asked = admin.get(f"{PAGE}{name}/remove/ask/", headers=HTMX).content.decode()
    assert "This cannot be undone." in asked and name in asked
    page = admin.post(f"{PAGE}{name}/remove/", follow=True).content.decode()
    assert "was deleted." in page and "No backups yet." in page
    assert list((folder / row.name).iterdir()) == []


def test_those_from_before_a_purge_are_told_of_and_removed_together(
    admin: Client, row: Space, space: spaces.Space, write: Write
) -> None:
    memory = write("The heron nests in bay four.")
    name = taken(row)
    assert "may hold what was purged" not in admin.get(PAGE).content.decode()
    receipt = admin.post(f"/memories/{memory.id}/purge/", {"word": purge_word(memory.id)}).content.decode()
    assert "Existing backups may still contain it." in receipt and PAGE in receipt
    page = admin.get(PAGE).content.decode()
    assert "1 backup may contain purged memories." in page and "before a purge" in page
    after = admin.post(f"{PAGE}remove-purged/", follow=True).content.decode()
    assert "1 backup deleted." in after and name not in after


def test_a_purge_says_before_it_is_done_that_backups_keep_it(curator: Client, write: Write) -> None:
    memory = write("The heron nests in bay four.")
    assert "Existing backups may still contain it" in curator.get(f"/memories/{memory.id}/").content.decode()


@pytest.mark.long
def test_health_tells_when_the_last_was_taken_how_large_and_where(
    reader: Client, row: Space, space: spaces.Space, write: Write, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "none yet" in health(reader)
    monkeypatch.setattr(health_page, "_WORTH_A_BACKUP", 1)
    write("The heron stands in the reeds.")
    page = health(reader)
    assert "none yet." in page and "Schedule backups, or make one now." in page and PAGE in page
    note_backup(space.db, size=2_000_000)
    assert "made just now, 1.9 MB" in health(reader)
    space.db.query("UPDATE meta:backup SET at = time::now() - 40d RETURN NONE")
    assert "the latest was made 40 days ago" in health(reader) or "the latest was made 1 month ago" in health(reader)
    name = taken(row)
    assert str(folder / row.name / name) in health(reader)


def test_one_that_failed_is_told_with_its_reason_and_the_way_out(
    admin: Client, row: Space, write: Write, folder: Path
) -> None:
    write("The heron stands in the reeds.")
    set_schedule(row, "backup", on=True, every_minutes=1_440)
    assert "none yet; the first is scheduled" in health(admin)
    taken(row)
    folder.rename(folder.with_name("away"))
    folder.write_bytes(b"")
    job = submit_backup(row.name, keep=7, actor=ATLAS)
    run.run(job.pk)
    page = health(admin)
    assert "failed. No backup can be kept in" in page and "Fix that, then make one now" in page
    assert "The last one failed." in admin.get(PAGE).content.decode()


def test_one_that_is_overdue_or_gone_is_told(admin: Client, row: Space, write: Write, folder: Path) -> None:
    write("The heron stands in the reeds.")
    set_schedule(row, "backup", on=True, every_minutes=60)
    name = taken(row)
    assert "nothing took it" not in health(admin)
    long_ago = timezone.now() - timedelta(days=3)
    Space.objects.filter(pk=row.pk).update(created_at=long_ago)
    Beat.objects.filter(space=row).update(set_at=long_ago)
    Job.objects.filter(space=row.name).update(created_at=long_ago, finished_at=long_ago)
    page = health(admin)
    assert "one was due 2 days ago and did not run" in page and "Check that the worker and its scheduler run" in page
    (folder_of(row.name) / name).unlink()
    assert "no longer exists, and there is no other. " in health(admin)


def test_what_the_page_about_operating_says_of_them_is_so() -> None:
    page = (ROOT / "docs" / "OPERATING.md").read_text(encoding="utf-8")
    words = shlex.split(re.search(r"palimpsest (heartbeat --set backup .*)", page)[1])  # type: ignore[index]
    command = load_command_class("memoryapp", words[0])
    told = vars(command.create_parser("manage.py", words[0]).parse_args(words[1:]))
    assert (told["set"], told["on"], told["at"], told["keep"]) == (
        "backup",
        True,
        "04:00",
        ACTS["backup"].schedule.keep,
    )
    assert "`MEMORY_BACKUP_DIR`, by default `backups/` in the data folder" in page and "The last seven" in page
    for operation in re.findall(r"`(GET|POST) /api/v1(/backups\S*)`", page):
        assert operation[1] in {path.removeprefix("/api/v1") for path in document()["paths"]}, operation


@pytest.mark.parametrize(
    ("kind", "arguments", "left"),
    [
        ("ingest", {}, "What was ingested before then is kept."),
        ("import", {"form": "palimpsest", "merge": False}, "Nothing was kept: the space is empty, as it was."),
        ("import", {"form": "palimpsest", "merge": True}, "What was imported before then is kept"),
        ("import", {"form": "mem0", "dry_run": True}, "Nothing was changed: this was a dry run."),
        ("backup", {}, "earlier backups are intact."),
        ("restore", {}, "Nothing was kept: the new space is empty."),
        ("graph", {}, "What it had written before then is kept."),
    ],
    ids=["ingest", "whole-import", "merge", "dry-run", "backup", "restore", "graph"],
)
def test_a_job_that_failed_says_what_is_kept_of_its_kind(
    curator: Client, row: Space, kind: str, arguments: dict[str, object], left: str
) -> None:
    kept = {"kind": kind, "space": row.name, "arguments": arguments}
    failed = Job.objects.create(**kept, status=Status.FAILED, error="The disk is full.")
    page = curator.get(f"/jobs/{failed.pk}/").content.decode()
    assert "The disk is full. " in page and left in page
    running = Job.objects.create(**kept, status=Status.RUNNING)
    stays = curator.get(f"/jobs/{running.pk}/").content.decode()
    assert ("nothing is kept" in stays) == (left.startswith("Nothing") or kind == "backup")
