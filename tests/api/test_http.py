"""What surrounds every operation: the document as bytes, conditional requests, compression, refusals by address."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from django.test import Client

from memoryapp.accounts.models import Space
from memoryapp.interfaces.api import assembly, docs, throttle
from memoryapp.interfaces.api.assembly import document
from tests.api.conftest import Agent

pytestmark = pytest.mark.django_db


def asked(agent: Agent, path: str, **headers: str) -> Any:
    return Client().get(path, headers={"Authorization": f"Bearer {agent.key}", **headers})


# --- The document -------------------------------------------------------------------------------------------------


def test_the_document_is_made_once_and_served_as_bytes(reader: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    document()

    def made_again(*_: object, **__: object) -> None:
        raise AssertionError("the document is made anew for a request")

    monkeypatch.setattr(assembly.PalimpsestAPI, "get_openapi_schema", made_again)
    plain = asked(reader, "/api/v1/openapi.json")
    assert plain.status_code == 200 and json.loads(plain.content) == json.loads(json.dumps(document(), default=str))
    packed = asked(reader, "/api/v1/openapi.json", **{"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip" and packed["Vary"] == "Accept-Encoding"
    assert gzip.decompress(packed.content) == plain.content and len(packed.content) < len(plain.content) / 5
    same = asked(reader, "/api/v1/openapi.json", **{"If-None-Match": plain["ETag"]})
    assert same.status_code == 304 and same.content == b"" and same["ETag"] == plain["ETag"]
    assert asked(reader, "/api/v1/openapi.json", **{"If-None-Match": '"other"'}).status_code == 200
    assert Client().head("/api/v1/openapi.json").status_code == 200


def test_whoever_asks_for_the_document_without_a_key_is_throttled(
    reader: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "buckets", throttle.Buckets(clock=lambda: 0.0))
    statuses = [Client().get("/api/v1/openapi.json").status_code for _ in range(25)]
    assert statuses[:20] == [200] * 20 and statuses[20:] == [429] * 5
    refused = Client().get("/api/v1/openapi.json")
    assert refused["Retry-After"] and refused.json()["type"] == "/api/docs#too-often"
    assert asked(reader, "/api/v1/openapi.json").status_code == 200
    assert Client().get("/api/v1/openapi.json", headers={"Authorization": "Bearer pal_x_y"}).status_code in (401, 429)
    assert docs._document_bytes.cache_info().currsize == 1


# --- Conditional requests and compression -------------------------------------------------------------------------


def test_what_is_known_is_answered_304_without_a_body(writer: Agent) -> None:
    path = f"/memories/{writer.write('김민아는 서울로 이사했다.')['id']}"
    first = writer.get(path)
    again = writer.get(path, If_None_Match=first["ETag"])
    assert again.status_code == 304 and again.content == b"" and again["ETag"] == first["ETag"]
    assert writer.ask("HEAD", path, If_None_Match=f'"0", {first["ETag"]}').status_code == 304
    assert writer.get(path, If_None_Match="*").status_code == 304
    assert writer.get(path, If_None_Match='"999"').status_code == 200


def test_a_change_of_what_is_read_or_of_what_stands_beside_it_is_no_304(curator: Agent) -> None:
    path = f"/memories/{curator.write('Kim lives in Seoul.', kind='fact')['id']}"
    first = curator.get(path)["ETag"]
    curator.write("Kim lives in Busan.", kind="fact")
    beside = curator.get(path, If_None_Match=first)
    assert beside.status_code == 200 and beside.json()["conflicts"] and beside.json()["version"] == 1
    assert curator.patch(path, {"tags": ["home"]}, If_Match=beside["ETag"]).status_code == 200
    assert curator.get(path, If_None_Match=beside["ETag"]).status_code == 200


def test_pages_and_answers_are_compressed_for_whoever_takes_it(writer: Agent) -> None:
    for number in range(30):
        writer.post("/memories", {"text": f"The heron number {number} stands in the reeds and waits for fish."})
    plain = asked(writer, "/api/v1/memories?limit=30")
    packed = asked(writer, "/api/v1/memories?limit=30", **{"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain and packed["Content-Encoding"] == "gzip"
    assert [one["id"] for one in json.loads(gzip.decompress(packed.content))["items"]] == [
        one["id"] for one in plain.json()["items"]
    ]
    assert len(packed.content) < len(plain.content) / 3
    page = Client().get("/login/", headers={"Accept-Encoding": "gzip"})
    assert page["Content-Encoding"] == "gzip" and b"Palimpsest" in gzip.decompress(page.content)


def test_an_etag_of_a_compressed_answer_is_taken_back(writer: Agent, curator: Agent) -> None:
    key = writer.post("/memories", {"text": "The lamp is green. " * 40}).json()["id"]
    packed = asked(writer, f"/api/v1/memories/{key}", **{"Accept-Encoding": "gzip"})
    assert packed["ETag"].startswith("W/")
    assert curator.patch(f"/memories/{key}", {"text": "Red."}, If_Match=packed["ETag"]).status_code == 200


# --- Times, spaces, words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("2023", "2023-01-01T00:00:00Z"),
        ("2023-11", "2023-11-01T00:00:00Z"),
        ("2023-11-05", "2023-11-05T00:00:00Z"),
        ("2023-11-05T10:00:00+09:00", "2023-11-05T01:00:00Z"),
    ],
)
def test_a_year_or_a_month_alone_is_its_first_instant(writer: Agent, written: str, kept: str) -> None:
    made = writer.post("/memories", {"text": f"Written {written}.", "occurred_at": written})
    assert made.status_code == 201
    assert writer.get(f"/memories/{made.json()['id']}").json()["occurred_at"] == kept
    assert writer.get(f"/memories?since={written.replace('+', '%2B')}").json()["items"]


@pytest.mark.parametrize("written", ["20231105", "-5", "5", "1700000000", "1700000000.5", "+2023", "2023-13", "soon"])
def test_digits_alone_and_what_is_no_time_are_refused_everywhere(writer: Agent, written: str) -> None:
    body = writer.post("/memories", {"text": "x y z", "occurred_at": written})
    assert body.status_code == 422 and body.json()["field"] == "/occurred_at"
    query = writer.get(f"/memories?until={written.replace('+', '%2B')}")
    assert query.status_code == 422 and query.json()["field"] == "until"
    search = writer.post("/search", {"query": "x", "as_of": written})
    assert search.status_code == 422 and "2026-11-21" in search.json()["detail"]


def test_an_empty_x_space_is_refused_and_nothing_is_written(root: Agent) -> None:
    headers = {"Authorization": f"Bearer {root.key}", "X-Space": " "}
    sent = Client().post("/api/v1/memories", {"text": "Astray."}, content_type="application/json", headers=headers)
    assert sent.status_code == 400 and sent.json()["field"] == "X-Space"
    assert root.get("/memories?contains=Astray").json()["items"] == []


@pytest.mark.parametrize("text", ["\u200b\u200d", "\ufeff \u2060", "\u3164", "\u00ad\n"])
def test_a_text_that_nobody_can_see_is_refused(writer: Agent, text: str) -> None:
    assert writer.post("/memories", {"text": text}).status_code == 422
    assert writer.post("/memories/batch", {"items": [{"text": text}]}).status_code == 422


def test_a_path_with_a_control_character_is_refused_and_not_cleaned_into_another(curator: Agent) -> None:
    for path in ("/tmp/\u0000", "/tmp\u0007", "/tmp\n"):
        for address in ("/ingest", "/sources"):
            answer = curator.post(address, {"path": path})
            assert answer.status_code == 422 and "control character" in answer.json()["detail"], (address, path)


def test_numbers_of_a_space_have_the_bounds_of_a_plan(root: Agent) -> None:
    name = root.space or "default"
    for number, value in (("vector_weight", 1e9), ("graph_weight", 11), ("keyword_window", 1.5), ("rrf_k", 100_000)):
        answer = root.patch(f"/spaces/{name}", {"settings": {number: value}})
        assert answer.status_code == 422 and answer.json()["field"] == f"/settings/{number}", number


def test_a_query_parameter_is_named_by_its_own_name(reader: Agent) -> None:
    answer = reader.get(f"/memories?tags={'x' * 101}")
    assert answer.status_code == 422 and answer.json()["field"] == "tags"


# --- Refusals by address ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/api/v1/stats", "/v1/models", "/v2/anything", "/v3/memories/"])
def test_a_foreign_host_is_a_problem_for_programs_and_a_page_for_people(path: str) -> None:
    answer = Client().get(path, headers={"host": "rebound.example"})
    assert answer.status_code == 400 and "MEMORY_ALLOWED_HOSTS" in str(answer.json())
    page = Client().get("/login/", headers={"host": "rebound.example"})
    assert page.status_code == 400 and page["Content-Type"].startswith("text/html")


def test_addresses_of_mem0_before_version_2_say_what_to_install(writer: Agent) -> None:
    headers = {"Authorization": f"Token {writer.key}"}
    for path in ("/v1/memories/", "/v1/memories/search/", "/v2/memories/", "/v2/memories/search/"):
        answer = Client().post(path, {}, content_type="application/json", headers=headers)
        assert answer.status_code == 501 and "mem0ai 2.2" in answer.json()["detail"], path
    unknown = Client().get("/v2/nothing/here", headers=headers)
    assert unknown.status_code == 404 and unknown["Content-Type"] == "application/problem+json"


def test_openais_clients_are_told_of_errors_in_their_own_shape(reader: Agent) -> None:
    def ask(body: dict[str, Any], key: str = reader.key) -> Any:
        headers = {"Authorization": f"Bearer {key}"}
        return Client().post("/v1/embeddings", body, content_type="application/json", headers=headers)

    unknown = ask({"model": "other", "input": "one"})
    assert unknown.status_code == 404 and unknown["Content-Type"] == "application/json"
    error = unknown.json()["error"]
    assert error["type"] == "invalid_request_error" and error["param"] == "model" and "other" in error["message"]
    assert ask({"input": "one"}, key="pal_no_no").json()["error"]["type"] == "authentication_error"
    headers = {"Authorization": f"Bearer {reader.key}"}
    assert "error" in Client().get("/v1/nothing", headers=headers).json()
    assert "detail" in Client().get("/api/v1/nothing", headers=headers).json()


def test_the_version_names_the_model_of_the_space_that_is_asked(reader: Agent, space: Space) -> None:
    Space.objects.filter(pk=space.pk).update(encoder="hashing-of-its-own")
    assert asked(reader, "/api/v1/version").json()["encoder"] == "hashing-of-its-own"
