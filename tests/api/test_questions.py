"""What is asked with a key and finds nothing clear is kept, for people to see: until it is answered or deleted."""

from __future__ import annotations

import pytest

from tests.api.conftest import Agent

LOST = "when is the dentist's invoice due?"


def asked(agent: Agent, text: str = LOST, **more: object) -> None:
    answer = agent.post("/search", {"query": text, **more})
    assert answer.status_code == 200, answer.json()


def listed(agent: Agent, **more: str) -> list[str]:
    tail = "?" + "&".join(f"{name}={value}" for name, value in more.items()) if more else ""
    return [one["text"] for one in agent.get(f"/questions{tail}").json()["items"]]


@pytest.fixture(autouse=True)
def ground(writer: Agent) -> None:
    writer.write("The heron stands in the reeds.")


def test_a_question_is_kept_once_and_counted(writer: Agent, reader: Agent) -> None:
    asked(writer)
    asked(writer, LOST.upper())
    (one,) = reader.get("/questions").json()["items"]
    assert (one["times"], one["by"], one["dismissed"]) == (2, "planner", False)
    assert one["first_at"] < one["last_at"]


def test_one_that_is_answered_is_not_kept_and_goes(writer: Agent) -> None:
    asked(writer, "where does the heron stand?")
    assert listed(writer) == []
    asked(writer)
    assert listed(writer) == [LOST]
    writer.write("The dentist's invoice is due on 3 March.")
    asked(writer)
    assert listed(writer) == []


def test_what_was_narrowed_or_of_the_past_says_nothing_of_what_is_missing(writer: Agent) -> None:
    asked(writer, filters={"kinds": ["fact"]})
    asked(writer, as_of="2026-01-01")
    asked(writer, floor=0)
    assert listed(writer) == []


def test_a_message_that_asks_is_kept_and_any_other_is_not(writer: Agent) -> None:
    for message in ("Please tidy the invoices of the dentist.", LOST):
        assert writer.post("/context", {"message": message}).status_code == 200
    assert listed(writer) == [LOST]


def test_secrets_and_private_words_are_not_kept(writer: Agent) -> None:
    asked(writer, "is <private>Mara's</private> dentist paid by sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD?")
    (text,) = listed(writer)
    assert "Mara" not in text and "abcdefghijkl" not in text


def test_it_is_dismissed_brought_back_and_deleted_by_a_curator(writer: Agent, curator: Agent) -> None:
    asked(writer)
    (one,) = curator.get("/questions").json()["items"]
    path = f"/questions/{one['id']}"
    assert writer.patch(path, {"dismissed": True}).status_code == 403
    assert curator.patch(path, {"dismissed": True}).json()["dismissed"] is True
    asked(writer)
    assert listed(curator) == [] and listed(curator, dismissed="true") == [LOST], "asked again it stays aside"
    assert curator.patch(path, {"dismissed": False}).json()["times"] == 2
    assert curator.delete(path).json() == {"deleted": 1}
    assert curator.delete(path).status_code == 404 and curator.patch(path, {"dismissed": True}).status_code == 404


def test_all_are_deleted_at_once(writer: Agent, curator: Agent) -> None:
    asked(writer)
    asked(writer, "who sells the cello?")
    assert writer.delete("/questions").status_code == 403
    assert curator.delete("/questions").json() == {"deleted": 2} and listed(curator) == []
