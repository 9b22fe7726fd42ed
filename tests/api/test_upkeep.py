"""A document as it was read, embeddings that are missing, the benchmark's figures, and one change taken back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytest_django import Settings

from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.domain.identity import new_id
from memoryapp.inference.embedding import universal
from memoryapp.jobs import run
from tests.api.conftest import Agent
from tests.chat_server import ChatServer
from tests.extraction.facts.test_fitness import able


@pytest.fixture
def notes(tmp_path: Path, settings: Settings) -> Path:
    settings.INGEST_ROOTS = (tmp_path,)
    (tmp_path / "2026-11-20.md").write_text("# Friday\n\n## Queue\n\nThe queue moved to Redis.\n\n## Tea\n\nGreen.\n")
    return tmp_path


def test_a_document_is_shown_as_it_was_read_with_what_was_cut_from_it(curator: Agent, notes: Path) -> None:
    run.run(curator.post("/ingest", {"path": str(notes)}).json()["job"]["id"])
    (first, *_) = curator.get("/memories?contains=Redis").json()["items"]
    found = curator.get(f"/documents/{first['source']['document']}")
    assert found.status_code == 200, found.content
    told = found.json()
    assert told["path"] == "2026-11-20.md" and told["daily"] and told["present"]
    lines = told["text"].splitlines()
    cut = next(one for one in told["memories"] if one["id"] == first["id"])
    assert "The queue moved to Redis." in lines[cut["first_line"] - 1 : cut["last_line"]]
    assert curator.get(f"/documents/{new_id()}").status_code == 404


def test_a_forgotten_source_takes_its_memories_along_where_asked_and_they_come_back(
    curator: Agent, notes: Path
) -> None:
    source = curator.post("/sources", {"path": str(notes)}).json()["id"]
    run.run(curator.post(f"/sources/{source}/ingest", {}).json()["job"]["id"])
    rehearsed = curator.delete(f"/sources/{source}?archive=true&dry_run=true").json()
    assert rehearsed["archived"] == 2 and rehearsed["run"] is None
    assert curator.get("/memories").json()["total"] == 2
    gone = curator.delete(f"/sources/{source}?archive=true").json()
    assert gone["archived"] == 2 and curator.get("/memories").json()["total"] == 0
    curator.post(f"/runs/{gone['run']}/undo")
    assert curator.get("/memories").json()["total"] == 2


def test_embedding_what_has_no_embedding_is_a_job(curator: Agent, writer: Agent) -> None:
    begun = curator.post("/encoder/embed")
    job = begun.json()["job"]
    assert begun.status_code == 202 and job["kind"] == "embed" and begun["Location"].endswith(job["id"])
    assert curator.post("/encoder/embed").json()["job"]["id"] == job["id"]  # asked for twice is asked for once
    assert writer.post("/encoder/embed").status_code == 403


def test_what_the_chat_model_is_fit_for_is_told_once_it_was_tested(
    admin: Agent, reader: Agent, settings: Settings, tmp_path: Path, chat_server: ChatServer
) -> None:
    assert reader.get("/chat-model").json() == {"name": "", "status": "none", "problem": "", "fitness": None}
    assert admin.post("/chat-model/test").status_code == 422
    settings.DATA_DIR, settings.LLM = tmp_path, {"url": chat_server.address, "name": "small-model"}
    chat_server.judge = able
    assert reader.get("/chat-model").json()["fitness"] is None
    assert reader.post("/chat-model/test").status_code == 403
    begun = admin.post("/chat-model/test")
    assert begun.status_code == 202
    run.run(begun.json()["job"]["id"])
    told = reader.get("/chat-model").json()
    assert (told["name"], told["status"]) == ("small-model", "ok")
    fitness = told["fitness"]
    assert (fitness["rewrites"], fitness["extracts"], fitness["sentences"]) == (True, True, 12)
    assert f"{fitness['rewritten_right']} of 12 right" in fitness["told"]
    job = reader.get(f"/jobs/{begun.json()['job']['id']}").json()
    assert job["report"]["told"] == fitness["told"]


def test_the_encoder_is_told_with_what_its_test_found(admin: Agent, reader: Agent, space: Space) -> None:
    open_row(space).encoder.get(30)
    told = reader.get("/encoder").json()
    assert (told["name"], told["status"], told["dimension"]) == (space.encoder, "ready", 384)
    assert told["trial"] is None and told["advice"] == ""
    assert reader.post("/encoder/test").status_code == 403
    begun = admin.post("/encoder/test")
    assert begun.status_code == 202 and begun["Location"].endswith(begun.json()["job"]["id"])
    run.run(begun.json()["job"]["id"])
    trial = reader.get("/encoder").json()["trial"]
    assert trial["texts_a_second"] > 0 and trial["query_ms"] >= 0
    report = reader.get(f"/jobs/{begun.json()['job']['id']}").json()["report"]
    assert report["texts_a_second"] == trial["texts_a_second"] and "384 dimensions" in report["told"]
    Space.objects.filter(pk=space.pk).update(encoder="hashing-48")
    assert reader.get("/encoder").json()["trial"] is None, "of another model"


def test_a_space_is_switched_to_another_model_by_a_job_and_back(
    admin: Agent, curator: Agent, space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    curator.write("The kettle is in the garage.")
    before = space.encoder
    refused = curator.post("/encoder/embed", {"model": "hashing-48"})
    assert refused.status_code == 403 and "administrator" in refused.json()["detail"]
    for model in ("hashing-48", before):
        run.run(admin.post("/encoder/embed", {"model": model}).json()["job"]["id"])
        space.refresh_from_db()
        assert space.encoder == model
        assert curator.get("/stats").json()["languages"]["model"] == model
        (hit,) = curator.post("/search", {"query": "kettle"}).json()["items"]
        assert "vector" in hit["arms"]
    monkeypatch.setattr(universal, "is_installed", lambda: False)
    missing = admin.post("/encoder/embed", {"model": universal.NAME})
    assert missing.status_code == 422 and universal.INSTALL in missing.json()["detail"]
    assert admin.post("/encoder/embed", {"model": "/etc"}).json()["field"] == "/model"


def test_the_languages_of_a_space_are_counted(writer: Agent) -> None:
    writer.write("Wir haben das blaue Fahrrad im Hof hinter dem Haus repariert.")
    told = writer.get("/stats").json()["languages"]
    assert told["shares"] == [{"code": "de", "name": "German", "texts": 1, "share": 1.0}]
    assert told["sampled"] == 1 and told["advice"] == ""


def test_the_figures_that_ship_and_those_of_ones_own_run_are_given(
    reader: Agent, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    assert reader.get("/benchmarks").json()["own"] is None
    (tmp_path / "bench.json").write_text(json.dumps({"encoder": "mine"}))
    told = reader.get("/benchmarks").json()
    assert told["own"] == {"encoder": "mine"} and told["shipped"]["quality"]
    (tmp_path / "bench.json").write_text("no JSON")
    assert reader.get("/benchmarks").json()["own"] is None


def test_one_change_of_the_audit_is_taken_back(writer: Agent, curator: Agent) -> None:
    key = writer.write("The lamp is green.")["id"]
    curator.patch(f"/memories/{key}", {"text": "The lamp is red."})
    (change,) = curator.get(f"/audit?record={key}&act=edit").json()["items"]
    assert curator.post(f"/audit/{change['id']}/undo", {"dry_run": True}).json()["dry_run"]
    assert curator.get(f"/memories/{key}").json()["text"] == "The lamp is red."
    undone = curator.post(f"/audit/{change['id']}/undo").json()
    assert undone["undone"] == 1 and curator.get(f"/memories/{key}").json()["text"] == "The lamp is green."
    assert curator.post(f"/audit/{change['id']}/undo").status_code == 409
    assert curator.post(f"/audit/{new_id()}/undo").status_code == 404
