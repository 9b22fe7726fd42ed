"""Moving over HTTP: an export out, an import in as a job that the test runs itself."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.identity import new_id
from memoryapp.jobs import run
from memoryapp.jobs.sources import upload_file
from memoryapp.spaces import close_space
from tests.api.conftest import Agent

GRAPH = """{"type":"entity","name":"Ada Lovelace","entityType":"person","observations":["Ada wrote the first program."]}
{"type":"entity","name":"Analytical Engine","entityType":"tool","observations":[]}
{"type":"relation","from":"Ada Lovelace","to":"Analytical Engine","relationType":"works_on"}
"""


def exported(agent: Agent, query: str = "") -> bytes:
    answer = agent.post(f"/export{query}")
    assert answer.status_code == 200, answer.content
    return b"".join(answer)


def sent(agent: Agent, data: bytes, *, name: str = "reeds.zip", space: str = "", **fields: str) -> Any:
    form = {"upload": SimpleUploadedFile(name, data), **fields}
    headers = {"Authorization": f"Bearer {agent.key}"}
    if agent.space or space:
        headers["X-Space"] = space or agent.space
    return Client().post("/api/v1/import", form, headers=headers)


def imported(agent: Agent, data: bytes, **more: Any) -> dict[str, Any]:
    answer = sent(agent, data, **more)
    assert answer.status_code == 202, answer.content
    job = answer.json()["job"]
    assert answer["Location"] == f"/api/v1/jobs/{job['id']}"
    run.run(job["id"])
    told: dict[str, Any] = agent.get(f"/jobs/{job['id']}").json()
    return told


@pytest.fixture
def other(db: None) -> Any:
    name = f"t-{new_id()}"
    yield create_space(name)
    close_space(name)


def test_an_export_fills_an_empty_space_with_its_settings(root: Agent, space: Space, other: Space) -> None:
    open_row(space).encoder.get(30)
    root.patch(f"/spaces/{space.name}", {"settings": {"trust_half_life_days": 30.0}})
    first = root.write("Mara lives in Lisbon.", kind="fact")
    data = exported(root)
    told = imported(root, data, space=other.name)
    assert told["status"] == "done", told
    assert told["report"]["records"]["memories"] == 1 and told["report"]["form"] == "palimpsest"
    found = root.get(f"/memories/{first['id']}", X_Space=other.name).json()
    assert found["text"] == "Mara lives in Lisbon." and found["version"] == 1
    other.refresh_from_db()
    assert other.settings == {"trust_half_life_days": 30.0}


def test_an_export_is_a_zip_with_a_name_and_holds_no_key(root: Agent, space: Space) -> None:
    root.write("Mara lives in Lisbon.")
    answer = root.post("/export?vectors=false")
    assert answer["Content-Type"] == "application/zip" and f'"{space.name}-' in answer["Content-Disposition"]
    with zipfile.ZipFile(io.BytesIO(b"".join(answer))) as archive:
        assert "embeddings.jsonl" not in archive.namelist()
        words = b"".join(archive.read(name) for name in archive.namelist())
    assert root.key.encode() not in words and b"secret_hash" not in words and b"pal_" not in words


def test_a_space_that_holds_something_is_told_what_to_do(root: Agent, space: Space) -> None:
    root.write("Mara lives in Lisbon.")
    data = exported(root)
    answer = sent(root, data)
    assert answer.status_code == 409 and "merge" in answer.json()["detail"]
    rehearsed = run_and_see(root, sent(root, data, dry_run="true"))["report"]
    assert rehearsed["records"]["memories"] == 1 and "not empty" in rehearsed["notes"][-1]


def run_and_see(agent: Agent, answer: Any) -> dict[str, Any]:
    assert answer.status_code == 202, answer.content
    run.run(answer.json()["job"]["id"])
    told: dict[str, Any] = agent.get(f"/jobs/{answer.json()['job']['id']}").json()
    return told


def test_merging_adds_the_memories_once(root: Agent, space: Space, other: Space) -> None:
    root.write("Mara lives in Lisbon.", kind="fact", ref="home")
    root.write("A note of its own.")
    data = exported(root)
    root.post("/memories", {"text": "Something is here already."}, X_Space=other.name)
    told = imported(root, data, space=other.name, merge="true")
    assert (told["report"]["written"], told["report"]["unchanged"]) == (2, 0)
    again = imported(root, data, space=other.name, merge="true")
    assert (again["report"]["written"], again["report"]["unchanged"]) == (0, 2)
    assert root.post(f"/runs/{told['run']}/undo", X_Space=other.name).status_code == 200
    held = root.get("/memories", X_Space=other.name).json()["items"]
    assert [one["text"] for one in held] == ["Something is here already."]


def test_another_programs_file_is_recognised_and_taken_in_once(root: Agent, space: Space) -> None:
    answer = sent(root, GRAPH.encode(), name="memory.json")
    assert answer.json()["form"] == "mcp-memory"
    first = run_and_see(root, answer)
    assert first["status"] == "done", first
    assert first["report"]["entities"] == 2 and first["report"]["relations"] == 1 and first["report"]["written"] >= 1
    again = imported(root, GRAPH.encode(), name="memory.json")["report"]
    assert not any(again[name] for name in ("written", "entities", "relations", "turns", "conflict", "reinforced"))


def test_a_dry_run_says_what_would_come_and_writes_nothing(root: Agent, space: Space) -> None:
    told = run_and_see(root, sent(root, GRAPH.encode(), name="memory.json", dry_run="true"))
    assert told["report"]["dry_run"] and told["report"]["entities"] == 2 and told["report"]["written"] >= 1
    assert root.get("/memories").json()["items"] == [] and root.get("/entities").json()["items"] == []


def test_what_nobody_can_read_is_refused_at_once_and_not_kept(root: Agent, space: Space) -> None:
    before = set(upload_file("").iterdir()) if upload_file("").is_dir() else set()
    answer = sent(root, b"no such thing", name="notes.bin")
    assert answer.status_code == 422 and "notes.bin is in none of the forms" in answer.json()["detail"]
    assert sent(root, GRAPH.encode(), name="m.json", form="wordperfect").json()["field"] == "/form"
    assert sent(root, b"", name="m.json").status_code == 422
    newer = io.BytesIO()
    with zipfile.ZipFile(newer, "w") as archive:
        archive.writestr("manifest.json", json.dumps({"palimpsest_export": 99}))
    assert "newer version" in sent(root, newer.getvalue()).json()["detail"]
    assert set(upload_file("").iterdir()) == before


def test_the_file_is_gone_once_it_is_in_and_stays_after_a_dry_run(root: Agent, space: Space) -> None:
    from memoryapp.jobs.models import Job

    dry = run_and_see(root, sent(root, GRAPH.encode(), name="memory.json", dry_run="true"))
    assert upload_file(Job.objects.get(pk=dry["id"]).arguments["upload"]).is_file()
    real = imported(root, GRAPH.encode(), name="memory.json")
    assert not upload_file(Job.objects.get(pk=real["id"]).arguments["upload"]).exists()


def test_only_an_administrator_takes_everything_out_or_in(curator: Agent, admin: Agent) -> None:
    assert curator.post("/export").status_code == 403
    assert sent(curator, GRAPH.encode(), name="memory.json").status_code == 403
    assert sent(admin, GRAPH.encode(), name="memory.json").status_code == 202
