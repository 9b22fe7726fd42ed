"""What no client should send. Each is answered with a plain sentence, and the app goes on."""

from __future__ import annotations

import json
import socket
from typing import Any

import httpx
import pytest

from tests.acceptance.place import Place, got, said

MIB = 2**20


def test_a_query_of_a_mebibyte_is_too_large(untouched: Place) -> None:
    for address, body in (
        ("/search", {"query": "x" * MIB}),
        ("/search/compare", {"query": "x" * MIB, "strategies": ["hybrid"]}),
        ("/search/explain", {"query": "x" * MIB, "id": "0" * 16}),
    ):
        answer = untouched.api.post(address, json=body)
        assert "8,000" in said(answer, 413) and answer.json()["field"] == "/query"


def test_a_search_page_of_a_long_query_says_so_and_does_not_break(untouched: Place) -> None:
    with httpx.Client(base_url=untouched.live.url, follow_redirects=True, timeout=60, trust_env=False) as browser:
        untouched.live.sign_in(browser)
        for query in ("x" * 20_000, "\x00\x07", "%ff%fe", "<script>alert(1)</script>", "가" * 3_000, "' OR 1=1 --"):
            page = browser.get("/search/", params={"q": query})
            assert page.status_code in (200, 413, 422), (query[:20], page.status_code)
            assert "Traceback" not in page.text and "<script>alert" not in page.text


def test_a_strange_query_is_answered_or_refused_in_a_sentence(place: Place) -> None:
    place.write("The lamp is green.")
    for query in ("\x00", "\x07\x1b", "   ", "", "\u200b", "?!…", "🐇", "a" * 8_000, "the of and"):
        answer = place.api.post("/search", json={"query": query})
        assert answer.status_code in (200, 422), (query[:20], answer.text)
        if answer.status_code == 422:
            said(answer, 422)


def test_control_characters_are_dropped_from_what_is_said_and_asked(place: Place) -> None:
    written = place.write("The la\x07mp is\x1b green.\nOn the\ttable.", title="A\x00b", tags=["x\x07y"])
    assert written["text"] == "The lamp is green.\nOn the\ttable." and written["title"] == "Ab"
    assert written["tags"] == ["xy"]
    assert place.search("la\x07mp green")["items"][0]["id"] == written["id"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"{", 400),
        (b"[]", 422),
        (b"null", 422),
        (b'"text"', 422),
        (b"\xff\xfe", 400),
        (b'{"text": "\xff"}', 400),
        (b'{"text": NaN}', 400),
        (b'{"text": "\\ud800"}', 422),
        (b'{"text": 1}', 422),
        (b'{"text": null}', 422),
        (b'{"text": "x", "confidence": 2}', 422),
        (b'{"text": "x", "confidence": ' + b"9" * 5_000 + b"}", 400),
        (b'{"text": "x", "occurred_at": "yesterday"}', 422),
        (b'{"text": "x", "occurred_at": "0001-01-01T00:00:00+14:00"}', 422),
        (b'{"text": "x", "kind": "section"}', 422),
        (b'{"text": "x", "colour": "green"}', 422),
        (b"[" * 100_000, 400),
        (b'{"a":' * 100_000, 400),
        (b'{"text": "' + b"x" * 200_001 + b'"}', 413),
        (b'{"text": "' + b"x" * (40 * MIB) + b'"}', 413),
    ],
    ids=lambda value: repr(value[:40]) if isinstance(value, bytes) else str(value),
)
def test_a_body_that_cannot_be_used_is_refused_with_a_sentence(untouched: Place, body: bytes, status: int) -> None:
    answer = untouched.api.post("/memories", content=body, headers={"Content-Type": "application/json"})
    assert said(answer, status)
    assert untouched.memories() == {}


@pytest.mark.parametrize("key", ["⟨x⟩", "%00", "a" * 3_000, "..%2f..%2fetc", "0" * 15, "G" * 16, "memory:x", "'; --"])
def test_an_id_that_is_none_is_not_found(untouched: Place, key: str) -> None:
    for kind in ("memories", "sources", "jobs", "entities", "runs"):
        answer = untouched.api.get(f"/{kind}/{key}")
        assert answer.status_code in (404, 405, 422), (kind, answer.text[:300])
        said(answer, answer.status_code)
        answer = untouched.api.post(f"/{kind}/{key}/undo" if kind == "runs" else f"/{kind}/{key}/retry")
        assert answer.status_code in (404, 405, 422), (kind, answer.text[:300])


def test_a_batch_with_one_bad_item_is_refused_as_a_whole_and_points_at_it(untouched: Place) -> None:
    items: list[Any] = [{"text": f"Note {n}."} for n in range(10)]
    items[7] = {"text": "x" * 200_001}
    answer = untouched.api.post("/memories/batch", json={"items": items})
    said(answer, 413)
    assert answer.json()["field"] == "/items/7/text"
    answer = untouched.api.post("/memories/batch", json={"items": [{"text": "x"}] * 1_001})
    said(answer, 413)
    assert untouched.memories() == {}


def test_an_address_or_method_that_is_not_there_is_a_problem_too(untouched: Place) -> None:
    said(untouched.api.get("/nothing/here"), 404)
    answer = untouched.api.put("/memories", json={})
    said(answer, 405)
    assert "POST" in answer.headers["allow"]
    said(untouched.api.get("/memories", params={"colour": "green"}), 422)
    said(untouched.api.get("/memories", params={"cursor": "x" * 500}), 422)
    said(untouched.api.get("/memories", params={"states": ["held", "deleted"]}), 422)
    said(untouched.api.get("/memories", headers={"X-Space": "../etc"}), 404)


def test_a_wrong_host_a_half_request_and_noise_do_not_disturb_others(untouched: Place) -> None:
    host, port = untouched.live.url.removeprefix("http://").split(":")
    answer = httpx.get(f"{untouched.live.url}/api/v1/health/live", headers={"Host": "evil.example"}, trust_env=False)
    assert answer.status_code == 400
    for noise in (
        b"\x16\x03\x01" * 100,
        b"GET / HTTP/1.1\r\n",
        b"POST /api/v1/memories HTTP/1.1\r\nContent-Length: 9\r\n\r\nx",
    ):
        with socket.create_connection((host, int(port)), timeout=10) as line:
            line.sendall(noise)
    assert got(untouched.api, "/stats")


def test_words_that_look_like_a_query_language_are_words(place: Place) -> None:
    sent = "'; DELETE memory; -- $x ⟨y⟩ `z` \\u0041 {{ 7 * 7 }} <b>bold</b> ${x}"
    key = place.write(sent, title="'; REMOVE TABLE memory;", tags=["'; DELETE"])["id"]
    assert got(place.api, f"/memories/{key}")["text"] == sent
    assert place.search("'; DELETE memory; --")["items"][0]["id"] == key
    assert list(place.memories(tags=["'; DELETE"])) == [key]
    assert json.dumps(place.memories())


def test_a_memory_as_long_as_may_be_is_kept_whole(place: Place) -> None:
    text = "가나다 🐇 word " * (200_000 // 12)
    written = place.write(text[:200_000].strip())
    assert got(place.api, f"/memories/{written['id']}")["text"] == text[:200_000].strip()
