"""What the server's own files are to somebody who sends paths, archives and backups: out of reach."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import io
import json
import os
import stat
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.clock import utc_now
from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.errors import PalimpsestError
from memoryapp.ingest.walk import walk
from memoryapp.jobs.models import Job
from memoryapp.jobs.sources import ingest_upload
from memoryapp.management.door import ApiDoor
from memoryapp.store import backup
from memoryapp.transfer.export import export
from tests.api.conftest import Agent
from tests.live import Live

PATHS = (
    "/etc/passwd", "/etc", "/", "/proc/self/environ", "/dev/zero", "~root", "~/.ssh", "{root}/../outside",
    "{root}/./../outside/secret.md", "{root}/out/secret.md", "{root}/out", "{root}/.git/config", "{root}/notes/.env",
    "{root}\x00/etc", "{root}evil", "//etc/passwd", "file:///etc/passwd", "\\\\host\\share", "http://evil.example/x.md",
)  # fmt: skip


@pytest.fixture
def rooted(tmp_path: Path, settings: Any) -> Path:
    """A folder that may be read, with a link out of it, and a neighbour that may not."""
    root = tmp_path / "root"
    for folder in (root / "notes", root / ".git", tmp_path / "outside", tmp_path / "rootevil"):
        folder.mkdir(parents=True)
    (root / "notes" / "a.md").write_text("# A\n\nfine\n")
    (root / ".git" / "config").write_text("# secret\n")
    (tmp_path / "outside" / "secret.md").write_text("# secret\n")
    (root / "out").symlink_to(tmp_path / "outside")
    settings.INGEST_ROOTS = (root,)
    return root


@pytest.mark.parametrize("way", ["/ingest", "/sources", "/tree/import"])
@pytest.mark.parametrize("path", PATHS, ids=range(len(PATHS)))
def test_no_path_leads_out_of_the_folders_that_may_be_read(owner: Agent, rooted: Path, way: str, path: str) -> None:
    answer = owner.post(way, {"path": path.format(root=rooted)})
    assert answer.status_code in (403, 422), (answer.status_code, answer.content)
    assert "secret" not in answer.content.decode().replace("secret.md", "")
    assert not Job.objects.filter(kind="ingest").exists()


def test_a_folder_that_may_be_read_is(owner: Agent, rooted: Path) -> None:
    assert owner.post("/ingest", {"path": str(rooted / "notes"), "dry_run": True}).status_code == 202


def test_a_tree_is_kept_inside_the_folders_that_may_be_read_alone(owner: Agent, rooted: Path) -> None:
    owner.post("/tree", {"path": "a/b", "text": "# B\n"})
    for path in ("/tmp/taken", f"{rooted}/../outside/x", f"{rooted}/out/x", f"{rooted}/.git"):
        answer = owner.post("/tree/export/kept", {"path": path})
        assert answer.status_code in (403, 404, 422), (path, answer.status_code, answer.content)
    assert not (rooted / "out" / "x").exists() and not Path("/tmp/taken").exists()


def test_a_link_inside_a_folder_that_leads_out_of_it_is_named_and_not_read(rooted: Path) -> None:
    (rooted / "notes" / "b.md").symlink_to("/etc/passwd")
    (rooted / "notes" / "c").symlink_to(rooted.parent / "outside")
    source = Source("s", SourceKind.FOLDER, str(rooted / "notes"), "notes", utc_now())
    walked = walk(source)
    assert [one.path for one in walked.files] == ["a.md"]
    assert {one.path for one in walked.refused} == {"b.md", "c"}


@pytest.mark.parametrize(
    "name", ["../../x.md", "/etc/x.md", "..\\..\\x.md", "C:\\x.md", "x/../../y.md", "a\x00b.md", ".x.md"]
)
def test_the_name_of_an_upload_is_no_path(row: Space, name: str, settings: Any) -> None:
    before = set(Path(settings.UPLOAD_DIR).parent.iterdir())
    try:
        job = ingest_upload(row.name, name, [b"# X\n\ny\n"], actor=Actor(ActorKind.PERSON, "mina"), dry_run=True)
    except PalimpsestError:
        return
    root = job.arguments["source"]["root"]
    assert "/" not in root and "\\" not in root and not root.startswith(".")
    assert {one.name for one in set(Path(settings.UPLOAD_DIR).parent.iterdir()) - before} <= {"uploads"}


def zipped(members: dict[str, bytes], *, linked: str = "") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            if name == linked:
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, data)
    return out.getvalue()


HOSTILE = {
    "climbs": zipped({"../../out.md": b"# X\n"}),
    "absolute": zipped({"/etc/cron.d/x.md": b"# X\n"}),
    "a drive": zipped({"C:\\x.md": b"# X\n"}),
    "a link": zipped({"x.md": b"/etc/passwd"}, linked="x.md"),
    "a bomb": zipped({"x.md": b"0" * (60 * 1024 * 1024)}),
    "a bomb of many": zipped({f"{n}.md": b"0" * 1_000_000 for n in range(80)}),
    "an archive in an archive": zipped({"x.zip": zipped({"y.md": b"0" * 5_000_000})}),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_archives_harm_nothing_at_any_door(owner: Agent, row: Space, kind: str, tmp_path: Path) -> None:
    source = Source("s", SourceKind.UPLOAD, "a.zip", "a.zip", utc_now())
    walked = walk(source, upload=HOSTILE[kind])
    assert walked.files == () and (walked.refused or kind == "an archive in an archive")
    for path in ("/tree/import", "/import", "/backups/restore"):
        sent = {"upload": SimpleUploadedFile("a.zip", HOSTILE[kind]), "dry_run": "true"}
        headers = {"Authorization": f"Bearer {owner.key}"}
        answer = Client().post(f"/api/v1{path}", sent, headers=headers)
        assert answer.status_code < 500, (path, answer.content)
    assert backup.is_empty(open_row(row).db)


@pytest.mark.parametrize(
    "line", [b"0" * (80 * 1024 * 1024), b'{"palimpsest": ' + b"[" * 200_000, b"\xff\xfe"], ids=["long", "deep", "bytes"]
)
def test_a_backup_that_is_a_bomb_is_refused(owner: Agent, line: bytes) -> None:
    """A few kilobytes that unpack to one line of many megabytes, or to brackets without end."""
    packed = gzip.compress(line, compresslevel=9)
    assert len(packed) < 200_000
    headers = {"Authorization": f"Bearer {owner.key}"}
    answer = Client().post("/api/v1/backups/restore", {"upload": SimpleUploadedFile("b.gz", packed)}, headers=headers)
    assert answer.status_code == 422, answer.content
    assert "not a readable backup" in answer.json()["detail"]


def test_what_is_written_down_can_be_read_by_its_owner_alone(row: Space, tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        backup.backup(open_row(row).db, tmp_path / "b.gz")
        export(open_row(row), tmp_path / "e.zip", settings={}, vectors=False)
    finally:
        os.umask(old)
    for file in tmp_path.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def test_a_file_that_a_command_fetches_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    door = object.__new__(ApiDoor)
    old = os.umask(0)
    try:
        door._asked = lambda method, path: SimpleNamespace(content=b"all of it")  # type: ignore[method-assign]
        assert ApiDoor.fetch(door, "/backups/export", tmp_path / "b.gz") == 9
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "b.gz").stat().st_mode) == 0o600


def test_deep_and_huge_bodies_are_refused_in_plain_words(owner: Agent) -> None:
    for raw, status in (
        (b"[" * 100_000, 400),
        (b'{"text":' * 5_000 + b"1" + b"}" * 5_000, 400),
        (json.dumps({"text": "x" * 300_000}).encode(), 413),
        (b'{"text": "x", "confidence": ' + b"9" * 5_000 + b"}", 400),
        (json.dumps({"items": [{"text": "x"}] * 20_000}).encode(), 422),
        (b"0" * (33 * 1024 * 1024), 413),
    ):
        answer = owner.ask("POST", "/memories", raw=raw)
        assert answer.status_code in (status, 422), (raw[:20], answer.status_code, answer.content[:200])
        assert answer["Content-Type"] == "application/problem+json" and len(answer.content) < 20_000
    assert owner.get(f"/memories?contains={'x' * 50_000}").status_code < 500
    assert owner.get("/memories", X_Agent_ID="y" * 50_000).status_code == 200
    assert owner.get("/memories", X_Space="z" * 50_000).status_code == 404


def test_addresses_and_headers_without_end_are_refused_and_the_app_goes_on(live: Live) -> None:
    host = live.url.removeprefix("http://")
    long, many = {"X-A": "y" * 200_000}, {f"X-{n}": "y" * 1_000 for n in range(500)}
    for path, headers in ((f"/api/v1/memories?contains={'x' * 200_000}", {}), ("/login/", long), ("/login/", many)):
        connection = http.client.HTTPConnection(host, timeout=30)
        # It may stop reading, and end the connection, before all is sent.
        with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(connection):
            connection.request("GET", path, headers=headers)
            assert 400 <= connection.getresponse().status < 500
    with live.client() as api:
        assert api.get("/memories").status_code == 200
