"""The same write sent twice is done once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.interfaces.api.idempotency import GIVEN_UP_AFTER, LASTS
from memoryapp.interfaces.api.models import SealedAnswer
from tests.api.conftest import Agent

BODY = {"text": "Say it once.", "session": "s"}  # in a session, saying it again is another memory


def count(agent: Agent) -> int:
    found: int = agent.get("/memories").json()["total"]
    return found


def test_the_same_request_again_is_answered_with_the_same_words(writer: Agent) -> None:
    first = writer.post("/memories", BODY, Idempotency_Key="k1")
    again = writer.post("/memories", BODY, Idempotency_Key="k1")
    assert first.status_code == again.status_code == 201
    assert again.content == first.content and again["ETag"] == first["ETag"] and again["Location"] == first["Location"]
    assert again["Idempotent-Replayed"] == "true" and "Idempotent-Replayed" not in first
    assert count(writer) == 1


def test_without_a_key_or_with_another_the_write_is_done_again(writer: Agent) -> None:
    for headers in ({}, {}, {"Idempotency_Key": "a"}, {"Idempotency_Key": "b"}):
        assert writer.post("/memories", BODY, **headers).status_code == 201
    assert count(writer) == 4


def test_the_same_key_with_another_body_is_refused(writer: Agent) -> None:
    writer.post("/memories", BODY, Idempotency_Key="k1")
    answer = writer.post("/memories", {**BODY, "text": "Something else."}, Idempotency_Key="k1")
    assert answer.status_code == 422 and answer.json()["field"] == "Idempotency-Key"
    assert count(writer) == 1


def test_the_same_key_at_another_address_is_refused(writer: Agent) -> None:
    one, other = (writer.post("/memories", {"text": text}).json()["id"] for text in ("Tea.", "Coffee."))
    assert writer.post(f"/memories/{one}/confirm", {}, Idempotency_Key="k1").status_code == 200
    answer = writer.post(f"/memories/{other}/confirm", {}, Idempotency_Key="k1")
    assert answer.status_code == 422 and answer.json()["field"] == "Idempotency-Key"


def test_keys_of_two_callers_do_not_meet(writer: Agent, curator: Agent) -> None:
    for agent in (writer, curator):
        assert "Idempotent-Replayed" not in agent.post("/memories", BODY, Idempotency_Key="k1")
    assert count(writer) == 2


def test_what_failed_may_be_tried_again_with_the_same_key(writer: Agent, curator: Agent) -> None:
    key = writer.write()["id"]
    path = f"/memories/{key}"
    assert curator.patch(path, {"title": "x"}, If_Match='"9"', Idempotency_Key="k").status_code == 412
    assert not SealedAnswer.objects.exists()
    assert curator.patch(path, {"title": "x"}, If_Match='"1"', Idempotency_Key="k").status_code == 200


def test_a_first_request_that_is_under_way_holds_the_second(writer: Agent) -> None:
    writer.post("/memories", BODY, Idempotency_Key="k1")
    SealedAnswer.objects.update(status=None)
    assert writer.post("/memories", BODY, Idempotency_Key="k1").status_code == 409
    SealedAnswer.objects.update(created_at=timezone.now() - GIVEN_UP_AFTER - timedelta(seconds=1))
    assert writer.post("/memories", BODY, Idempotency_Key="k1").status_code == 201


def test_an_answer_is_forgotten_after_a_day(writer: Agent) -> None:
    writer.post("/memories", BODY, Idempotency_Key="k1")
    SealedAnswer.objects.update(created_at=timezone.now() - LASTS - timedelta(seconds=1))
    assert "Idempotent-Replayed" not in writer.post("/memories", BODY, Idempotency_Key="k1")


def test_what_is_kept_holds_none_of_the_words(writer: Agent) -> None:
    writer.post("/memories", {"text": "Her code word is quokka."}, Idempotency_Key="k1")
    row = SealedAnswer.objects.get()
    assert b"quokka" not in bytes(row.sealed) and b"code word" not in bytes(row.sealed)
    assert "quokka" not in str([row.key_hash, row.fingerprint, row.headers])


@pytest.mark.parametrize("damaged", [b"", b"short", bytes(200)])
def test_an_answer_that_can_no_longer_be_read_is_not_invented(writer: Agent, damaged: bytes) -> None:
    writer.post("/memories", BODY, Idempotency_Key="k1")
    SealedAnswer.objects.update(sealed=damaged)
    answer = writer.post("/memories", BODY, Idempotency_Key="k1")
    assert answer.status_code == 409 and "can no longer be read" in answer.json()["detail"]


def test_of_one_changed_bit_the_answer_is_refused(writer: Agent) -> None:
    writer.post("/memories", BODY, Idempotency_Key="k1")
    row = SealedAnswer.objects.get()
    sealed = bytearray(row.sealed)
    sealed[-1] ^= 1
    SealedAnswer.objects.update(sealed=bytes(sealed))
    assert writer.post("/memories", BODY, Idempotency_Key="k1").status_code == 409


def test_a_key_that_is_too_long_is_refused(writer: Agent) -> None:
    assert writer.post("/memories", BODY, Idempotency_Key="k" * 256).status_code == 422


def test_a_new_api_key_is_not_kept_to_be_told_again(admin: Agent, root: Agent) -> None:
    body = {"name": "K", "role": "reader", "space": root.space}
    assert admin.post("/keys", body, Idempotency_Key="k").status_code == 201
    assert not SealedAnswer.objects.exists()
