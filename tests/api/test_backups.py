"""Kept backups over the API: listed, sent, removed, restored into a new space; administrators alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.spaces import space_named
from memoryapp.domain.identity import new_id
from memoryapp.jobs import run
from memoryapp.jobs.models import Job, Status
from memoryapp.spaces import close_space
from memoryapp.store import memories
from tests.api.conftest import Agent


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.BACKUP_DIR = tmp_path / "backups"
    return tmp_path / "backups"


def done(answer: Any) -> Job:
    assert answer.status_code == 202, answer.content
    job = Job.objects.get(pk=answer.json()["job"]["id"])
    run.run(job.pk)
    job.refresh_from_db()
    assert job.status == Status.DONE, job.error
    return job


def test_one_is_taken_listed_sent_and_removed(admin: Agent, curator: Agent, space: Space, folder: Path) -> None:
    admin.write("We moved the queue to Redis.")
    empty = admin.get("/backups").json()
    assert empty == {"folder": str(folder / space.name), "items": [], "purged_at": None}
    name = done(admin.post("/heartbeat/backup/run")).report["file"]
    (one,) = admin.get("/backups").json()["items"]
    assert (one["name"], one["before_purge"]) == (name, False)
    sent = admin.get(f"/backups/{name}")
    content = b"".join(sent)
    assert content == (folder / space.name / name).read_bytes() and len(content) == one["size"]
    assert sent["Content-Type"] == "application/gzip"
    for method, path in (
        ("GET", ""),
        ("GET", f"/{name}"),
        ("DELETE", f"/{name}"),
        ("POST", "/remove-purged"),
    ):
        assert curator.ask(method, f"/backups{path}").status_code == 403
    assert admin.delete(f"/backups/{name}?dry_run=true").json() == {"removed": [name], "dry_run": True}
    assert admin.delete(f"/backups/{name}").json() == {"removed": [name], "dry_run": False}
    assert admin.delete(f"/backups/{name}?dry_run=true").status_code == 404
    assert admin.delete(f"/backups/{name}").status_code == 404
    assert admin.get("/backups").json()["items"] == []


@pytest.mark.parametrize("name", ["..%2F..%2Fpeople.sqlite3", "people.sqlite3", "x" * 300, "%00", "secret.key"])
def test_no_other_file_is_reached(admin: Agent, name: str) -> None:
    assert admin.get(f"/backups/{name}").status_code == 404
    assert admin.delete(f"/backups/{name}").status_code == 404


def test_how_many_are_kept_is_set_and_only_of_backup(admin: Agent) -> None:
    answer = admin.patch("/heartbeat", {"act": "backup", "on": True, "at": "04:00", "keep": 3})
    assert answer.status_code == 200 and (answer.json()["keep"], answer.json()["at"]) == (3, "04:00")
    refused = admin.patch("/heartbeat", {"act": "expire", "keep": 3})
    assert refused.status_code == 422 and refused.json()["field"] == "/keep"
    assert admin.patch("/heartbeat", {"act": "backup", "keep": 0}).status_code == 422


def test_what_was_purged_is_told_of_and_removed(admin: Agent) -> None:
    made = admin.write("The heron nests in bay four.")
    name = done(admin.post("/heartbeat/backup/run")).report["file"]
    assert admin.post("/backups/remove-purged").json() == {"removed": [], "dry_run": False}
    assert admin.post(f"/memories/{made['id']}/purge").status_code == 200
    found = admin.get("/backups").json()
    assert found["purged_at"] and found["items"][0]["before_purge"] is True
    would = admin.post("/backups/remove-purged", {"dry_run": True}).json()
    assert would == {"removed": [name], "dry_run": True} and len(admin.get("/backups").json()["items"]) == 1
    assert admin.post("/backups/remove-purged").json() == {"removed": [name], "dry_run": False}


def test_one_is_restored_into_a_new_space_by_a_key_for_every_space(root: Agent, admin: Agent, space: Space) -> None:
    admin.write("We moved the queue to Redis.")
    name = done(admin.post("/heartbeat/backup/run")).report["file"]
    owner, new = Agent(root.key, space=space.name), f"r-{new_id()}"
    assert admin.post(f"/backups/{name}/restore", {"space": new}).status_code == 403
    job = done(owner.post(f"/backups/{name}/restore", {"space": new}))
    assert job.report["told"] == f"1 memory with all that belongs to it, from {name}."
    (memory,) = memories.scan(open_row(space_named(new)).db)
    assert memory.text == "We moved the queue to Redis."
    assert owner.post(f"/backups/{name}/restore", {"space": new}).status_code == 409
    assert owner.post(f"/backups/{name}/restore", {"space": "No Name"}).status_code == 422
    close_space(new)
