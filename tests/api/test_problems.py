"""Whatever goes wrong is told as RFC 9457, in a plain sentence, and never as a page."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from memoryapp.domain import errors
from memoryapp.domain.errors import BadInput, PalimpsestError, Stale, StoreUnavailable, TooLarge
from memoryapp.interfaces.api import problems
from memoryapp.interfaces.api.parser import DEEPEST, MOST_VALUES, Malformed, read_json
from tests.api.conftest import Agent


def told(answer: Any) -> dict[str, Any]:
    assert answer["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["status"] == answer.status_code
    assert body["detail"] and body["title"] and body["type"].startswith("/api/docs#")
    return body


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/v1/memories/", "/api/v1/memories/a/b/c", "/v2/nothing"])
def test_an_address_that_is_not_there_is_a_problem(path: str) -> None:
    assert "nothing at" in told(Client().get(path))["detail"]


def test_a_method_that_is_not_for_the_address_is_a_problem(reader: Agent) -> None:
    answer = reader.ask("PUT", "/memories")
    assert answer.status_code == 405 and set(answer["Allow"].split(", ")) == {"GET", "POST"}
    told(answer)


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"", 422),
        (b"{", 400),
        (b"[]", 422),
        (b'"text"', 422),
        (b"null", 422),
        (b"\xff\xfe", 400),
        (b'{"text": NaN}', 400),
        (b'{"text": "a", "confidence": Infinity}', 400),
        (b'{"text": "a", "confidence": 1e999}', 422),
        (b'{"text": "a", "confidence": ' + b"9" * 5_000 + b"}", 400),
        (b'{"text": "\\ud800"}', 422),
        (b"[" * 100_000, 400),
        (b'{"a":' * 50 + b"1" + b"}" * 50, 400),
        (b'{"text": "a"} trailing', 400),
    ],
)
def test_a_body_that_cannot_be_read_is_a_problem(writer: Agent, raw: bytes, status: int) -> None:
    answer = writer.ask("POST", "/memories", raw=raw)
    assert answer.status_code == status, answer.content
    told(answer)


def test_nesting_is_read_to_its_limit() -> None:
    assert read_json(b"[" * DEEPEST + b"]" * DEEPEST)
    with pytest.raises(BadInput):
        read_json(b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1))


def test_a_body_of_more_values_than_anybody_needs_is_refused_before_each_is_looked_at() -> None:
    assert read_json(b"[" + b",".join([b"1"] * MOST_VALUES) + b"]")
    with pytest.raises(TooLarge, match="250,000 values"):
        read_json(b"[" + b",".join([b"1"] * (MOST_VALUES + 1)) + b"]")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "cp949"])
def test_a_body_is_utf_8_and_nothing_is_guessed(encoding: str) -> None:
    """Half a character would come in by a guess, since what it is guessed to be holds one."""
    with pytest.raises(Malformed):
        read_json('{"text": "한국"}'.encode(encoding))
    assert read_json(b"\xef\xbb\xbf" + b'{"text": "words"}') == {"text": "words"}


def test_several_wrong_fields_are_all_told(writer: Agent) -> None:
    body = told(writer.post("/memories/batch", {"items": [{"text": 1}, {"title": "x"}, {"text": "a", "ref": 7}]}))
    assert body["field"] == "/items/0/text"
    assert [one["field"] for one in body["errors"]] == ["/items/0/text", "/items/1/text", "/items/2/ref"]


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("/search", {"query": ""}, "“query” is empty."),
        ("/memories", [], "“the body” should be an object, with a value for each name."),
        ("/memories", {"text": "a", "tags": "one"}, "“tags” should be a valid list."),
    ],
)
def test_what_a_field_should_be_is_told_without_the_words_of_the_validator(
    admin: Agent, path: str, body: object, sentence: str
) -> None:
    assert told(admin.ask("POST", path, raw=json.dumps(body).encode()))["detail"].startswith(sentence)


def test_a_pointer_escapes_what_json_pointer_reserves(writer: Agent) -> None:
    assert told(writer.post("/memories", {"text": "a", "a/b~c": 1}))["field"] == "/a~1b~0c"


def test_a_multipart_body_where_json_is_meant_is_a_problem(writer: Agent) -> None:
    answer = Client().post("/api/v1/memories", {"text": "a"}, headers={"Authorization": f"Bearer {writer.key}"})
    assert answer.status_code in (400, 415, 422)
    told(answer)


def test_what_nobody_expected_is_told_by_a_number_that_is_in_the_log(
    reader: Agent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a secret inside")

    monkeypatch.setattr("memoryapp.interfaces.audit.api.revisions.page", broken)
    answer = reader.get("/audit")
    assert answer.status_code == 500
    detail = told(answer)["detail"]
    assert "secret" not in detail
    number = detail.rstrip(".").rsplit(" ", 1)[1]
    assert any(number in record.getMessage() and record.exc_info for record in caplog.records)


def test_a_store_that_does_not_answer_says_when_to_come_back(reader: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: Any, **__: Any) -> None:
        raise StoreUnavailable("The store at ws://… cannot be opened.")

    monkeypatch.setattr("memoryapp.interfaces.api.caller.open_row", gone)
    answer = reader.get("/audit")
    assert answer.status_code == 503 and int(answer["Retry-After"]) > 0
    assert told(answer)["type"] == "/api/docs#store-unavailable"


def every(kind: type[PalimpsestError]) -> list[type[PalimpsestError]]:
    return [kind, *[deeper for sub in kind.__subclasses__() for deeper in every(sub)]]


def test_every_error_of_the_tree_has_an_answer() -> None:
    for kind in every(PalimpsestError):
        if kind.__module__ != errors.__name__:
            continue
        error = kind("It is so.", current=3) if kind is Stale else kind("It is so.", field="/a")
        answer = problems.problem(error)
        assert answer.status_code == kind.status
        body = json.loads(answer.content)
        assert body["detail"] == "It is so." and body["title"] == kind.title


def test_a_stale_write_is_told_the_present_version() -> None:
    answer = problems.problem(Stale("Changed.", current=7))
    assert answer["ETag"] == '"7"' and json.loads(answer.content)["current"] == 7


def test_a_name_becomes_the_end_of_an_address() -> None:
    assert problems.slug(TooLarge) == "too-large" and problems.slug(BadInput) == "bad-input"
