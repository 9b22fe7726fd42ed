"""The Context Tree as files, over the API."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from memoryapp import tree
from tests.api.conftest import Agent

INDEX = '{"nodes": {\n  "identity":  {"title": "Who we are"}, "identity/values": {"keywords": ["가치관"]}}}'
FILES = {"tree-index.json": INDEX, "bank/identity/values.md": "# 가치관\r\n\r\n- 정직\r\n"}


def brought(agent: Agent, files: dict[str, str] = FILES, **more: Any) -> Any:
    answer = agent.post("/tree/import", {"files": files, **more})
    assert answer.status_code == 200, answer.content
    return answer.json()


def sent(agent: Agent, data: bytes, *, name: str = "tree.zip", **fields: str) -> Any:
    form = {"upload": SimpleUploadedFile(name, data), **fields}
    return Client().post("/api/v1/tree/import", form, headers={"Authorization": f"Bearer {agent.key}"})


def exported(agent: Agent) -> Any:
    return agent.post("/tree/export", {"format": "json"}).json()


def test_files_go_in_and_come_out_byte_for_byte(curator: Agent, reader: Agent) -> None:
    done = brought(curator)
    assert done["added"] == ["identity", "identity/values"] and done["run"]
    assert exported(reader)["files"] == FILES
    assert brought(curator)["run"] is None


def test_a_dry_run_changes_nothing(curator: Agent) -> None:
    told = brought(curator, dry_run=True)
    assert told["dry_run"] and told["added"] and told["run"] is None
    assert json.loads(exported(curator)["files"]["tree-index.json"])["nodes"] == {}


def test_a_zip_goes_in_and_a_zip_comes_out(curator: Agent) -> None:
    packed = tree.zip_files({f"my tree/{name}": text.encode() for name, text in FILES.items()})
    assert sent(curator, packed, dry_run="true").json()["run"] is None
    assert sent(curator, packed).json()["added"] == ["identity", "identity/values"]
    answer = curator.post("/tree/export")
    assert answer["Content-Type"] == "application/zip" and "-tree-" in answer["Content-Disposition"]
    assert {name: data.decode() for name, data in tree.unzip_files(answer.content).items()} == FILES
    assert tree.zip_files(tree.unzip_files(answer.content)) == answer.content
    assert curator.post("/tree/export", Accept="application/json").json()["files"] == FILES


def test_one_markdown_file_may_be_sent_as_it_is(curator: Agent) -> None:
    assert sent(curator, b"# All of it\n", name="MEMORY.md").json()["added"] == ["MEMORY"]


def test_what_is_kept_is_remembered_and_a_later_change_of_it_is_no_conflict(curator: Agent) -> None:
    brought(curator)
    path = "bank/identity/values.md"
    assert exported(curator)["last"][path] == hashlib.sha256(FILES[path].encode()).hexdigest()
    found = curator.get("/tree/nodes/identity/values").json()
    curator.patch(f"/memories/{found['id']}", {"text": "- mine"})
    taken = exported(curator)["files"]
    hashes = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in taken.items()}
    assert curator.post("/tree/export/kept", {"files": hashes}).json()["run"]
    assert curator.post("/tree/export/kept", {"files": hashes}).json()["run"] is None
    done = brought(curator, {**taken, path: "- mine\n- and more\n"})
    assert done["changed"] == ["identity/values"] and done["conflicts"] == []


def test_an_edit_meets_a_changed_file_as_a_conflict_that_can_be_decided(curator: Agent) -> None:
    brought(curator)
    node = curator.get("/tree/nodes/identity/values").json()
    curator.patch(f"/memories/{node['id']}", {"text": "- mine"})
    (raised,) = brought(curator, {**FILES, "bank/identity/values.md": "- theirs\n"})["conflicts"]
    answer = curator.post(f"/conflicts/{raised['conflict']}/resolve", {"outcome": "replace"})
    assert answer.status_code == 200, answer.content
    assert curator.get("/tree/nodes/identity/values").json()["text"] == "- theirs\n"


def test_a_broken_index_is_refused_with_line_and_column(curator: Agent) -> None:
    answer = curator.post("/tree/import", {"files": {"tree-index.json": '{"nodes": }'}})
    assert answer.status_code == 422 and "line 1, column 11" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("body", "status"),
    [({}, 422), ({"files": {}}, 422), ({"files": {"a.png": "x"}}, 422), ({"files": FILES, "path": "/etc"}, 422)],
    ids=["nothing", "no files", "no markdown", "a path of the server"],
)
def test_what_holds_no_tree_is_refused(curator: Agent, body: Any, status: int) -> None:
    assert curator.post("/tree/import", body).status_code == status


def bomb() -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bank/a.md", b"0" * 4_000_000)
    return written.getvalue()


def link() -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        info = zipfile.ZipInfo("bank/a.md")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    return written.getvalue()


@pytest.mark.parametrize(
    ("make", "told"),
    [(bomb, "zip bomb"), (link, "a link"), (lambda: b"no zip", "zip archive")],
    ids=["bomb", "link", "no archive"],
)
def test_an_archive_that_could_do_harm_is_refused_by_name(curator: Agent, make: Any, told: str) -> None:
    answer = sent(curator, make())
    assert answer.status_code == 422 and told in answer.json()["detail"]


def test_a_path_that_climbs_out_of_the_archive_is_named_and_the_rest_is_taken(curator: Agent) -> None:
    done = sent(curator, tree.zip_files({"../../evil.md": b"x", "bank/a.md": b"y"})).json()
    assert done["added"] == ["a"] and [one["where"] for one in done["problems"]] == ["../../evil.md"]


def test_a_whole_import_is_undone_as_one(curator: Agent) -> None:
    run = brought(curator)["run"]
    assert curator.post(f"/runs/{run}/undo").status_code == 200
    assert exported(curator)["files"].keys() == {"tree-index.json"}
