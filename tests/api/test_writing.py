"""POST /memories, /memories/batch: shapes that outside programs rely on, and what is refused."""

from __future__ import annotations

import pytest

from tests.api.conftest import Agent


def test_a_memory_is_written_and_given_back_whole(writer: Agent) -> None:
    answer = writer.post(
        "/memories",
        {
            "text": "We moved the queue to Redis.",
            "ref": "D1:3",
            "occurred_at": "2026-11-20T09:30:00",
            "session": "standup",
            "speaker": "Alice",
            "tags": ["queue"],
        },
    )
    assert answer.status_code == 201
    told = answer.json()
    assert told["outcome"] == "written" and told["kind"] == "note" and told["state"] == "held"
    assert len(told["id"]) == 16 and int(told["id"], 16) >= 0
    assert told["occurred_at"] == "2026-11-20T09:30:00Z"  # a naive time is UTC
    assert told["ref"] == "D1:3" and told["session"] == "standup" and told["tags"] == ["queue"]
    assert answer["ETag"] == '"1"' and answer["Location"].endswith(told["id"])
    again = writer.get(f"/memories/{told['id']}").json()
    assert again["text"] == "We moved the queue to Redis." and again["speaker"] == "Alice"


def test_a_time_with_an_offset_is_moved_to_utc(writer: Agent) -> None:
    assert writer.write(occurred_at="2026-11-20T09:30:00+09:00")["occurred_at"] == "2026-11-20T00:30:00Z"


def test_a_fact_has_its_category_and_confidence(writer: Agent) -> None:
    answer = writer.post(
        "/memories", {"kind": "fact", "text": "Alice prefers Python.", "category": "preferences", "confidence": 0.7}
    )
    assert answer.status_code == 201
    told = answer.json()
    assert (told["kind"], told["category"], told["confidence"]) == ("fact", "preferences", 0.7)


def test_saying_a_fact_again_reinforces_it(writer: Agent) -> None:
    first = writer.post("/memories", {"kind": "fact", "text": "Alice prefers Python."}).json()
    again = writer.post("/memories", {"kind": "fact", "text": "Alice prefers Python.", "session": "another"})
    assert again.status_code == 200
    assert again.json()["outcome"] == "reinforced" and again.json()["id"] == first["id"]
    assert again.json()["trust_parts"]["reinforcements"] == 1


def test_a_batch_gives_one_outcome_an_item_in_order(writer: Agent) -> None:
    items = [
        {"text": "I went to the support group.", "ref": "D1:1", "session": "s1", "speaker": "Caroline"},
        {"text": "How was it?", "ref": "D1:2", "session": "s1", "speaker": "Melanie", "title": "", "kind": "note"},
        {"text": "No ref here."},
    ]
    answer = writer.post("/memories/batch", {"items": items})
    assert answer.status_code == 200
    told = answer.json()["items"]
    assert all(set(one) >= {"id", "ref", "outcome"} for one in told)
    assert [one["ref"] for one in told] == ["D1:1", "D1:2", None]
    assert [one["outcome"] for one in told] == ["written"] * 3
    again = writer.post("/memories/batch", {"items": items[:2]}).json()["items"]
    assert [one["outcome"] for one in again] == ["unchanged"] * 2
    assert [one["id"] for one in again] == [one["id"] for one in told[:2]]


def test_items_of_a_session_are_neighbours_in_order_of_time(writer: Agent) -> None:
    items = [
        {"text": f"Turn {n}.", "session": "s1", "occurred_at": f"2026-11-20T09:3{n}:00Z", "ref": str(n)}
        for n in (2, 0, 1)
    ]
    ids = {one["ref"]: one["id"] for one in writer.post("/memories/batch", {"items": items}).json()["items"]}
    around = writer.get(f"/memories/{ids['1']}/neighbours").json()
    assert [one["id"] for one in around["before"]] == [ids["0"]]
    assert [one["id"] for one in around["after"]] == [ids["2"]]


def test_nothing_of_a_batch_is_written_when_one_item_cannot_be(writer: Agent) -> None:
    answer = writer.post("/memories/batch", {"items": [{"text": "Good."}, {"text": "   "}]})
    assert answer.status_code == 422
    assert answer.json()["field"] == "/items/1/text"
    assert writer.get("/memories").json()["items"] == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "/text"),
        ({"text": None}, "/text"),
        ({"text": 5}, "/text"),
        ({"text": "a", "kind": "episode"}, "/kind"),
        ({"text": "a", "confidence": 1.5}, "/confidence"),
        ({"text": "a", "occurred_at": "yesterday"}, "/occurred_at"),
        ({"text": "a", "occurred_at": 1700000000}, "/occurred_at"),
        ({"text": "a", "occurred_at": "0001-01-01T00:00:00+14:00"}, "/occurred_at"),
        ({"text": "a", "tags": ["x" * 101]}, "/tags/0"),
        ({"text": "a", "tags": "x"}, "/tags"),
        ({"text": "a", "category": "food"}, "/category"),
        ({"text": "a", "colour": "red"}, "/colour"),
        ({"text": "a", "valid_from": "2026-02-01", "valid_to": "2026-01-01"}, "/valid_to"),
    ],
)
def test_a_wrong_field_is_named(writer: Agent, body: dict[str, object], field: str) -> None:
    answer = writer.post("/memories", body)
    assert answer.status_code in (413, 422)
    assert answer["Content-Type"] == "application/problem+json"
    told = answer.json()
    assert told.get("field") == field, told
    assert told["detail"].endswith(".") and told["status"] == answer.status_code and told["title"] and told["type"]


def test_nulls_for_what_is_optional_are_as_good_as_nothing(writer: Agent) -> None:
    body = {"text": "a", "title": None, "kind": None, "ref": None, "tags": None, "session": None, "speaker": None}
    assert writer.post("/memories", body).status_code == 201


def test_control_characters_are_dropped_from_the_words(writer: Agent) -> None:
    told = writer.write("red\x1b[31m alert\x00\n\tnext line")
    assert told["text"] == "red alert\n\tnext line"


def test_a_text_over_the_limit_is_too_large(writer: Agent) -> None:
    answer = writer.post("/memories", {"text": "x" * 200_001})
    assert answer.status_code == 413
    assert answer.json()["field"] == "/text"


def test_new_words_for_an_edited_memory_become_a_conflict(writer: Agent, curator: Agent) -> None:
    told = writer.write("The queue is RabbitMQ.", ref="q")
    curator.patch(f"/memories/{told['id']}", {"text": "The queue is Redis."})
    answer = writer.post("/memories", {"text": "The queue is NATS.", "ref": "q"})
    assert answer.status_code == 200 and answer.json()["outcome"] == "conflict"
    assert answer.json()["text"] == "The queue is Redis."
    (conflict,) = writer.get("/conflicts").json()["items"]
    assert set(conflict) >= {"id", "existing", "incoming", "proposal", "status"}
    assert set(conflict["proposal"]) == {"outcome", "reason", "confidence"}
    assert conflict["incoming"]["text"] == "The queue is NATS." and conflict["status"] == "waiting"
    assert conflict["existing"]["id"] == told["id"] and conflict["existing"]["conflicts"] == [conflict["id"]]
