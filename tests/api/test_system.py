"""Spaces, keys, backups, health, counts, embeddings, and the API's own pages."""

from __future__ import annotations

import base64
import gzip
import struct
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.text import slugify

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import ApiKey, Space
from memoryapp.accounts.opening import close_spaces
from memoryapp.accounts.people import create_person
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import open_space, space_named
from memoryapp.domain.errors import ModelLoading, StoreLocked
from memoryapp.domain.identity import new_id
from memoryapp.inference.embedding import EncoderSlot
from memoryapp.interfaces.api.assembly import document
from tests.api.conftest import Agent
from tests.markup import PageClient


def upload(agent: Agent, path: str, content: bytes, **fields: Any) -> Any:
    data = {"upload": SimpleUploadedFile("backup.gz", content), **fields}
    headers = {"Authorization": f"Bearer {agent.key}", "X-Space": agent.space}
    return Client().post(f"/api/v1{path}", data, headers=headers)


# --- Health -------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_it_is_alive_and_ready_without_a_key_and_tells_nothing_else() -> None:
    assert Client().get("/api/v1/health/live").json() == {"status": "alive"}
    ready = Client().get("/api/v1/health/ready")
    assert ready.status_code == 200 and ready.json()["status"] == "ready"
    assert set(ready.json()) == {"status", "store", "encoder", "encoder_error", "notes"}
    assert Client().head("/api/v1/health/ready").status_code == 200


@pytest.mark.django_db
def test_it_is_ready_while_the_model_loads_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EncoderSlot, "ready", property(lambda self: False))
    told = Client().get("/api/v1/health/ready").json()
    assert told["encoder"] == "loading" and "keyword" in told["notes"][0]


@pytest.mark.django_db
def test_it_is_ready_before_anybody_wants_the_model_and_does_not_load_it(monkeypatch: pytest.MonkeyPatch) -> None:
    close_spaces()
    monkeypatch.setattr("django.conf.settings.ENCODER", "all-MiniLM-L6-v2")
    monkeypatch.setattr("memoryapp.accounts.opening._setup", None)
    try:
        for _ in range(2):
            told = Client().get("/api/v1/health/ready").json()
            assert (told["status"], told["encoder"]) == ("ready", "idle") and "first request" in told["notes"][0]
        assert open_space("default").encoder.begun
    finally:
        close_spaces()
        monkeypatch.setattr("memoryapp.accounts.opening._setup", None)


@pytest.mark.django_db
def test_it_is_not_ready_when_the_store_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: object) -> None:
        raise ModelLoading("gone")

    monkeypatch.setattr("memoryapp.interfaces.health.api.conflicts.count_waiting", gone)
    assert Client().get("/api/v1/health/ready").status_code == 503


@pytest.mark.django_db
def test_what_is_open_to_everybody_names_no_folder_and_no_model(reader: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    path = "/home/mina/models/secret-model"
    monkeypatch.setattr(EncoderSlot, "error", property(lambda self: f"There is no model at {path}."))
    monkeypatch.setattr(EncoderSlot, "ready", property(lambda self: False))
    told = Client().get("/api/v1/health/ready")
    assert told.json()["encoder"] == "failed" and told.json()["encoder_error"]
    assert path not in told.content.decode()
    assert path in reader.get("/version").json()["encoder_error"]

    def gone(_: object) -> None:
        raise StoreLocked(f"The store at {path} is held by another program.")

    monkeypatch.setattr("memoryapp.interfaces.health.api.conflicts.count_waiting", gone)
    told = Client().get("/api/v1/health/ready")
    assert told.status_code == 503 and path not in told.content.decode()


def test_version_and_metrics(reader: Agent, root: Agent) -> None:
    assert reader.get("/version").json()["api"] == "v1"
    root.write("One memory.")
    told = root.get("/metrics")
    assert told["Content-Type"].startswith("text/plain")
    text = told.content.decode()
    assert f'palimpsest_memories_held{{space="{root.space}"}} 1.0' in text
    assert 'palimpsest_requests_total{method="GET",route="api/v1/version",status="200"}' in text
    assert "/memories/<id>" not in text or new_id() not in text


def test_counts(writer: Agent) -> None:
    writer.write("A note.")
    writer.post("/memories", {"kind": "fact", "text": "A fact."})
    told = writer.get("/stats").json()
    assert told["counts"]["memory"] == 2 and told["kinds"]["fact"] == 1 and told["states"]["held"] == 2
    assert sum(told["trust"].values()) == 2 and len(told["growth"]) == 30 and told["growth"][-1]["created"] == 2


# --- Spaces -------------------------------------------------------------------------------------------------------


def test_a_space_is_made_chosen_by_its_header_and_changed(root: Agent) -> None:
    name = f"n-{new_id()}"
    made = root.post("/spaces", {"name": name, "title": "New"})
    assert made.status_code == 201 and made.json()["name"] == name and made.json()["role"] == "admin"
    there = Agent(root.key, space=name)
    there.write("Only here.")
    assert there.get("/memories").json()["total"] == 1 and root.get("/memories").json()["total"] == 0
    changed = root.patch(f"/spaces/{name}", {"title": "Newer", "settings": {"rrf_k": 20}}).json()
    assert changed["title"] == "Newer" and changed["tuning"]["rrf_k"] == 20
    assert name in [one["name"] for one in root.get("/spaces").json()["items"]]


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"name": "Bad Name"}, 422, "/name"),
        ({"name": ""}, 422, "/name"),
        ({"name": "default"}, 409, "/name"),
        ({"name": "child", "parent": "not-there"}, 404, "/parent"),
        ({"name": "tuned", "settings": {"colour": 1}}, 422, "/settings/colour"),
    ],
)
def test_a_space_that_cannot_be_is_refused(root: Agent, body: dict[str, Any], status: int, field: str) -> None:
    space_named("default")
    answer = root.post("/spaces", body)
    assert (answer.status_code, answer.json().get("field")) == (status, field), answer.content


def test_a_space_is_changed_by_its_own_administrator_only(admin: Agent, space: Space, root: Agent) -> None:
    assert admin.patch(f"/spaces/{space.name}", {"title": "Mine"}).json()["title"] == "Mine"
    assert admin.patch("/spaces/default", {"title": "Not mine"}).status_code == 404
    bad = admin.patch(f"/spaces/{space.name}", {"settings": {"rrf_k": -1}})
    assert bad.status_code == 422 and bad.json()["field"] == "/settings/rrf_k"
    assert admin.patch(f"/spaces/{space.name}", {"parent": space.name}).status_code == 422


def test_a_space_tells_of_each_setting_what_its_page_tells(admin: Agent, reader: Agent, space: Space) -> None:
    changed = admin.patch(f"/spaces/{space.name}", {"settings": {"rrf_k": 30, "conflict_policy": "auto"}}).json()
    told = reader.get(f"/spaces/{space.name}").json()
    assert told["fields"] == changed["fields"] and told["role"] == "reader"
    fields = {one["name"]: one for one in told["fields"]}
    assert set(fields) == set(told["tuning"])
    assert all(one["value"] == told["tuning"][name] for name, one in fields.items())
    assert {name for name, one in fields.items() if one["changed"]} == {"rrf_k", "conflict_policy"}
    k = fields["rrf_k"]
    assert (k["label"], k["group"], k["kind"], k["default"]) == ("RRF k", "Search details", "integer", 60)
    assert (k["minimum"], k["maximum"], k["general"]) == (1, 10_000, False)
    policy = fields["conflict_policy"]
    assert policy["general"] and policy["kind"] == "choice" and policy["minimum"] is None
    assert [one["value"] for one in policy["choices"]] == ["review", "auto-certain", "auto"]
    reset = admin.patch(f"/spaces/{space.name}", {"settings": {}}).json()
    assert reset["settings"] == {} and not any(one["changed"] for one in reset["fields"])
    assert reader.get("/spaces/default").status_code == 404
    assert reader.patch(f"/spaces/{space.name}", {"settings": {}}).status_code == 403


# --- Keys ---------------------------------------------------------------------------------------------------------


def test_a_key_is_shown_once_works_and_is_taken_back(admin: Agent, space: Space) -> None:
    made = admin.post("/keys", {"name": "Planner", "role": "writer", "space": space.name, "agent": "planner"})
    assert made.status_code == 201
    told = made.json()
    agent = Agent(told["key"])
    assert agent.write("By a new key.")["text"] == "By a new key."
    listed = {one["id"]: one for one in admin.get("/keys").json()["items"]}
    assert "key" not in listed[told["id"]] and listed[told["id"]]["last_used_at"]
    assert told["key"] not in str(listed) and told["key"].startswith(listed[told["id"]]["prefix"])
    assert admin.delete(f"/keys/{told['id']}?dry_run=true").json()["revoked_at"] is None
    assert agent.get("/memories").status_code == 200
    turned = admin.post(f"/keys/{told['id']}/rotate").json()
    assert (turned["name"], turned["agent"], turned["role"]) == ("Planner", "planner", "writer")
    assert agent.get("/memories").status_code == 401
    agent = Agent(turned["key"])
    assert agent.get("/memories").status_code == 200
    assert admin.post(f"/keys/{told['id']}/rotate").status_code == 409
    assert admin.delete(f"/keys/{turned['id']}").json()["revoked_at"]
    assert agent.get("/memories").status_code == 401


def test_an_administrator_of_one_space_gives_and_sees_no_keys_of_others(admin: Agent, space: Space) -> None:
    everywhere, _ = create_key("everything", role=Role.ADMIN)
    assert admin.post("/keys", {"name": "K", "role": "reader"}).status_code == 403
    assert admin.post("/keys", {"name": "K", "role": "reader", "space": "default"}).status_code == 404
    assert everywhere.pk not in [one["id"] for one in admin.get("/keys").json()["items"]]
    assert admin.delete(f"/keys/{everywhere.pk}").status_code == 404
    assert admin.post(f"/keys/{everywhere.pk}/rotate").status_code == 404
    everywhere.refresh_from_db()
    assert everywhere.revoked_at is None


def test_a_key_answers_to_the_person_who_made_the_key_that_made_it(space: Space) -> None:
    person = create_person("zoe", space=space, role=Role.ADMIN)
    _, text = create_key("k", role=Role.ADMIN, space=space, created_by=person)
    made = Agent(text).post("/keys", {"name": "child", "role": "reader", "space": space.name}).json()
    assert made["created_by"] == "zoe" and ApiKey.objects.get(pk=made["id"]).created_by == person


# --- Backup -------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")
def test_a_space_goes_into_a_file_and_back_into_an_empty_one(root: Agent) -> None:
    key = root.write("Keep this.", tags=["x"])["id"]
    answer = root.post("/backups/export")
    assert answer.status_code == 200 and answer["Content-Type"] == "application/gzip"
    assert root.space in answer["Content-Disposition"]
    file = b"".join(answer)
    assert gzip.decompress(file).startswith(b'{"palimpsest"')

    name = f"r-{new_id()}"
    root.post("/spaces", {"name": name})
    empty = Agent(root.key, space=name)
    rehearsed = upload(empty, "/backups/restore", file, dry_run="true").json()
    assert rehearsed["rows"]["memory"] == 1 and rehearsed["dry_run"]
    assert empty.get("/memories").json()["total"] == 0
    assert upload(empty, "/backups/restore", file).json()["rows"]["memory"] == 1
    assert empty.get(f"/memories/{key}").json()["tags"] == ["x"]
    assert empty.post("/search", {"query": "keep"}).json()["items"][0]["id"] == key
    assert upload(empty, "/backups/restore", file).status_code == 409  # no longer empty


def test_a_file_that_is_no_backup_is_refused(root: Agent) -> None:
    for content in (b"", b"not gzip", gzip.compress(b"not json\n"), gzip.compress(b'{"palimpsest": {"format": 9}}\n')):
        answer = upload(root, "/backups/restore", content)
        assert answer.status_code == 422, answer.content
    assert root.post("/backups/restore", {}).status_code == 415


# --- Embeddings ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["/api/v1", "/v1"])
def test_embeddings_are_given_in_the_shape_that_openai_clients_read(reader: Agent, prefix: str) -> None:
    def ask(body: dict[str, Any]) -> Any:
        headers = {"Authorization": f"Bearer {reader.key}"}
        return Client().post(f"{prefix}/embeddings", body, content_type="application/json", headers=headers)

    listed = Client().get(f"{prefix}/models", headers={"Authorization": f"Bearer {reader.key}"}).json()
    model = listed["data"][0]["id"]
    assert listed["object"] == "list"
    told = ask({"model": model, "input": ["one", "two"]}).json()
    assert (told["object"], told["model"]) == ("list", model) and told["usage"]["prompt_tokens"] > 0
    assert [one["index"] for one in told["data"]] == [0, 1]
    vector = told["data"][0]["embedding"]
    assert sum(x * x for x in vector) == pytest.approx(1, abs=1e-4)
    packed = ask({"model": model, "input": "one", "encoding_format": "base64"}).json()["data"][0]["embedding"]
    raw = base64.b64decode(packed)
    assert struct.unpack(f"<{len(vector)}f", raw) == pytest.approx(vector, abs=1e-6)
    assert ask({"model": "other", "input": "one"}).status_code == 404
    assert ask({"model": model, "input": "one", "dimensions": 7}).status_code == 422
    assert ask({"model": model, "input": "one", "user": "somebody"}).status_code == 200  # more than we read is no harm
    assert ask({"model": model, "input": []}).status_code == 422


# --- The API's own pages ------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_pages_work_with_the_net_unplugged_and_under_the_policy() -> None:
    client = PageClient()
    everything = ""
    for name in ("", *(f"/{slugify(tag['name'])}" for tag in document()["tags"])):
        page = client.get(f"/api/docs{name}")
        text = page.content.decode()
        everything += text
        assert page.status_code == 200 and client.weight < 25_000
        assert "style=" not in text and "<style" not in text and "<script>" not in text and "onclick" not in text
        for piece in text.split("<script ")[1:] + text.split("<link ")[1:]:
            assert "://" not in piece.split(">")[0]
        assert "default-src 'self'" in page["Content-Security-Policy"]
    for path, methods in document()["paths"].items():
        for method in methods:
            assert f"<b>{method.upper()}</b> {path}" in everything
    assert Client().get("/api/docs/nothing").status_code == 404


@pytest.mark.django_db
def test_every_problem_that_is_answered_is_explained() -> None:
    front = Client().get("/api/docs").content.decode()
    for slug in (
        "not-valid",
        "stale",
        "not-allowed",
        "not-known",
        "too-often",
        "store-locked",
        "outside-roots",
        "clash",
    ):
        assert f'id="{slug}"' in front
