"""Settings, Move in and out: a file in by a job that the test runs, everything out as one zip."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from memoryapp import spaces
from memoryapp.accounts.models import Space
from memoryapp.domain.memory import Memory
from memoryapp.interfaces.pages.access import STOP_POLLING
from memoryapp.jobs import run
from memoryapp.jobs.models import Job
from memoryapp.store import memories

MOVE = reverse("settings-move")
GRAPH = b"""{"type":"entity","name":"Ada","entityType":"person","observations":["Ada wrote the first program."]}
{"type":"entity","name":"","entityType":"person","observations":[]}
{"type":"relation","from":"Ada","to":"Engine","relationType":"works_on"}
"""


def sent(client: Client, row: Space, data: bytes = GRAPH, *, name: str = "memory.json", **fields: str) -> Any:
    form = {"space": row.name, "files": SimpleUploadedFile(name, data), **fields}
    return client.post(reverse("settings-move-import"), form, follow=True)


def done(row: Space) -> Job:
    job = Job.objects.filter(space=row.name, kind="import").order_by("-created_at")[0]
    run.run(job.pk)
    job.refresh_from_db()
    return job


def page(client: Client, row: Space) -> str:
    return str(client.get(MOVE, {"space": row.name}).content.decode())


def test_the_page_says_what_can_come_and_what_is_for_which(admin: Client, row: Space) -> None:
    shown = page(admin, row)
    for words in ("mem0", "basic-memory", "ChatGPT", "Claude", "For safekeeping, use", "is empty"):
        assert words in shown
    assert 'name="merge"' not in shown  # there is nothing to merge into


def test_a_dry_run_tells_and_is_then_carried_out(admin: Client, row: Space, space: spaces.Space) -> None:
    assert "Importing" not in sent(admin, row, dry_run="1").content.decode()
    job = done(row)
    shown = page(admin, row)
    assert "A dry run: nothing was changed." in shown and "new memories" in shown and "Import now" in shown
    assert tuple(memories.scan(space.db)) == ()
    admin.post(reverse("settings-move-again", args=[job.pk]), {"space": row.name})
    done(row)
    assert [memory.text for memory in memories.scan(space.db)] == ["Ada wrote the first program."]
    shown = page(admin, row)
    assert "Undo this import" in shown and "Skipped" in shown and "Earlier imports" in shown


def test_while_it_goes_on_the_page_asks_again_and_then_stops(admin: Client, row: Space) -> None:
    sent(admin, row)
    assert 'hx-trigger="every 1s"' in page(admin, row)
    fragment = admin.get(MOVE, {"space": row.name}, headers={"HX-Request": "true"})
    assert fragment.status_code == 200 and b"<html" not in fragment.content and b"Cancel" in fragment.content
    done(row)
    fragment = admin.get(MOVE, {"space": row.name}, headers={"HX-Request": "true"})
    assert fragment.status_code == STOP_POLLING and b"every 1s" not in fragment.content


def test_a_refusal_is_said_on_the_page_with_what_was_chosen(
    admin: Client, row: Space, write: Callable[..., Memory]
) -> None:
    write("Something is here.")
    answer = sent(admin, row, b"nothing of the kind", name="x.bin", form="mem0", merge="1")
    assert answer.status_code == 200  # told what it is, it is read when the job comes to it
    assert done(row).status == "failed" and "The import failed." in page(admin, row)
    refused = sent(admin, row, b"nothing of the kind", name="x.bin", merge="1")
    assert refused.status_code == 422 and b"none of the forms" in refused.content
    assert b'name="merge" value="1" checked' in refused.content


def test_everything_goes_out_as_one_zip_and_not_into_a_space_that_is_full(
    admin: Client, row: Space, write: Callable[..., Memory]
) -> None:
    write("Something is here.")
    answer = admin.post(reverse("settings-move-export"), {"space": row.name, "vectors": "1"})
    data = b"".join(answer)
    assert "attachment" in answer["Content-Disposition"] and answer["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert b"Something is here." in archive.read("memories.jsonl") and "embeddings.jsonl" in archive.namelist()
    refused = sent(admin, row, data, name="all.zip")
    assert refused.status_code == 409 and b"Make a new space for it" in refused.content
    without = admin.post(reverse("settings-move-export"), {"space": row.name})
    with zipfile.ZipFile(io.BytesIO(b"".join(without))) as archive:
        assert "embeddings.jsonl" not in archive.namelist()


def test_only_an_administrator_has_the_page(curator: Client, admin: Client, row: Space) -> None:
    assert curator.get(MOVE, {"space": row.name}).status_code == 403
    assert sent(curator, row).status_code == 403
    assert curator.post(reverse("settings-move-export"), {"space": row.name}).status_code == 403
    assert "Import &amp; export" not in curator.get(reverse("settings"), {"space": row.name}).content.decode()
    assert "Import &amp; export" in admin.get(reverse("settings"), {"space": row.name}).content.decode()


def test_one_file_at_a_time(admin: Client, row: Space) -> None:
    answer = admin.post(reverse("settings-move-import"), {"space": row.name})
    assert answer.status_code == 422 and b"Choose one file." in answer.content
