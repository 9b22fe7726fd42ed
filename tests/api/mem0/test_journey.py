"""mem0's own client against the live app: what it adds it finds, corrects and takes away."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mem0.client.types import AddMemoryOptions, DeleteAllMemoryOptions, GetAllMemoryOptions, SearchMemoryOptions

from tests.api.mem0.conftest import Place

MINA, JON = {"user_id": "mina"}, {"user_id": "jon"}


def words(answer: dict[str, Any]) -> list[str]:
    return [one["memory"] for one in answer["results"]]


def test_the_client_calls_nobody_but_the_app() -> None:
    from mem0.memory.telemetry import client_telemetry

    assert client_telemetry.posthog is None


def test_what_is_said_is_learned_found_corrected_and_taken_away(client: Any, place: Place) -> None:
    said = [
        {"role": "user", "content": "I moved to Busan last week. My dog is called Rex."},
        {"role": "assistant", "content": "How is Rex?"},
    ]
    added = client.add(said, user_id="mina", metadata={"project": "atlas", "n": 3})
    assert added["status"] == "SUCCEEDED"
    assert [one["event"] for one in added["results"]] == ["ADD", "ADD"]

    found = client.search("What is the name of the dog?", filters=MINA, top_k=1)["results"]
    assert [one["memory"] for one in found] == ["Mina's dog is called Rex."]
    assert 0 < found[0]["score"] < 1
    key = found[0]["id"]
    got = client.get(key)
    assert got["metadata"] == {"project": "atlas", "n": 3}
    assert (got["user_id"], got["agent_id"]) == ("mina", None)

    client.update(key, text="Mina's dog is called Max.", metadata={"project": "zeus"})
    assert client.get(key)["memory"] == "Mina's dog is called Max."
    assert client.search("dog", filters=MINA, top_k=1)["results"][0]["metadata"] == {"project": "zeus"}
    assert client.delete(key)["message"] == "Memory deleted successfully!"
    told = [(one["event"], one["old_memory"], one["new_memory"]) for one in client.history(key)]
    assert told == [
        ("ADD", None, "Mina's dog is called Rex."),
        ("UPDATE", "Mina's dog is called Rex.", "Mina's dog is called Max."),
        ("DELETE", "Mina's dog is called Max.", None),
    ]
    assert key not in [one["id"] for one in client.get_all(filters=MINA)["results"]]
    # It was a soft deletion, by the key's own name: a person can take it back.
    assert place.ask("GET", f"/memories/{key}")["state"] == "deleted"
    assert client.history(key)[-1]["actor_id"] == "mem0 curator"


def test_two_users_are_told_apart_by_every_filter(client: Any) -> None:
    client.add("I live in Seoul. My cat is called Nabi.", user_id="mina")
    client.add("I live in Seoul. My cat is called Tom.", options=AddMemoryOptions(filters={"user_id": "jon"}))
    client.add("I see herons.", user_id="mina", run_id="trip", infer=False)
    mine = {"Mina lives in Seoul.", "Mina's cat is called Nabi.", "I see herons."}
    his = {"Jon lives in Seoul.", "Jon's cat is called Tom."}
    for filters, expected in (
        (MINA, mine),
        ({"AND": [JON]}, his),
        ({"OR": [MINA, JON]}, mine | his),
        ({"user_id": {"in": ["jon", "nobody"]}}, his),
        ({"AND": [{"user_id": "*"}, {"NOT": [JON]}]}, mine),
        ({"AND": [{"user_id": "*"}, {"run_id": "trip"}]}, {"I see herons."}),
        ({"user_id": "*"}, mine | his),
        ({"user_id": "min"}, set()),
    ):
        assert set(words(client.get_all(filters=filters))) == expected, filters
        assert set(words(client.search("Who lives in Seoul, and how is the cat?", filters=filters))) <= expected
    assert set(words(client.search("Seoul cat", options=SearchMemoryOptions(filters=JON)))) == his


def test_conditions_on_metadata_categories_and_dates_are_kept(client: Any) -> None:
    client.add("I like green tea.", user_id="mina", metadata={"project": "atlas", "tags": ["a", "b"]})
    client.add("I work at Acme.", user_id="mina", metadata={"project": "zeus", "n": 7}, timestamp=1_700_000_000)
    for condition, expected in (
        ({"metadata": {"project": "atlas"}}, ["Mina likes green tea."]),
        ({"metadata": {"tags": "b"}}, ["Mina likes green tea."]),
        ({"metadata": {"n": {"gte": 5}}}, ["Mina works at Acme."]),
        ({"NOT": [{"metadata": {"project": "atlas"}}]}, ["Mina works at Acme."]),
        ({"categories": {"in": ["preferences"]}}, ["Mina likes green tea."]),
        ({"created_at": {"lt": "2024-01-01"}}, ["Mina works at Acme."]),
        ({"created_at": "2023-11-14"}, ["Mina works at Acme."]),
        ({"keywords": {"icontains": "GREEN"}}, ["Mina likes green tea."]),
    ):
        asked = {"AND": [MINA, condition]}
        assert words(client.get_all(filters=asked)) == expected, condition
        assert words(client.search("tea at Acme", filters=asked)) == expected, condition
    assert words(client.get_all(filters=MINA, options=GetAllMemoryOptions(end_date="2024-01-01"))) == [
        "Mina works at Acme."
    ]
    assert words(client.search("Acme", filters=MINA, categories=["preferences"])) == []
    assert words(client.search("tea", filters=MINA, categories=["preferences"])) == ["Mina likes green tea."]
    assert words(client.search("tea", filters=MINA, threshold=0.99)) == []
    (only,) = client.search("tea", filters=MINA, top_k=1, fields=["user_id"], rerank=True)["results"]
    assert set(only) == {"id", "memory", "score", "user_id"}


def test_without_inference_the_words_stay_as_they_are(client: Any) -> None:
    said = [
        {"role": "system", "content": "You are helpful."},
        {"role": "user", "content": "blue bunny :: drawer 2"},
        {"role": "user", "content": [{"type": "text", "text": "blue bunny :: drawer 2"}, {"type": "image_url"}]},
    ]
    added = client.add(said, user_id="mina", infer=False, metadata={"k": True})
    assert [one["memory"] for one in added["results"]] == ["blue bunny :: drawer 2"] * 2
    assert len({one["id"] for one in added["results"]}) == 2
    assert client.search("bunny", filters=MINA)["results"][0]["metadata"] == {"k": True}


def test_private_words_are_kept_neither_with_nor_without_inference(client: Any, place: Place) -> None:
    said = [
        {"role": "user", "content": "<private>My name is Bertha.</private>"},
        {"role": "user", "content": "Please don't remember this: Bertha moved to Oslo."},
        {"role": "user", "content": "The heron is <private>Bertha</private>."},
    ]
    added = client.add(said, user_id="user_42", infer=False)
    assert [one["memory"] for one in added["results"]] == ["The heron is [private]."]
    assert added["message"] == "Messages that are private as a whole, and were not kept: 2."
    added = client.add(said, user_id="user_42")
    assert added["results"] == [] and "message" not in added
    client.add("I live in Busan.", user_id="user_42")
    assert words(client.get_all(filters={"user_id": "user_42"})) == [
        "The user lives in Busan.",
        "The heron is [private].",
    ]
    (heron,) = (one for one in client.get_all(filters={"user_id": "user_42"})["results"] if "heron" in one["memory"])
    client.update(heron["id"], text="The heron left <private>Bertha</private>.")
    client.batch_update([{"memory_id": heron["id"], "text": "It left <private>Bertha</private>."}])
    assert client.get(heron["id"])["memory"] == "It left [private]."
    with pytest.raises(Exception, match="All of the text is private"):
        client.update(heron["id"], text="<private>Bertha</private>")
    assert "Bertha" not in str(client.history(heron["id"])) + str(client.users())
    for path in ("/memories?limit=200", "/audit?limit=200", "/sessions", "/entities"):
        assert "Bertha" not in str(place.ask("GET", path)), path


def test_an_owner_whose_session_somebody_ended_is_heard_on(client: Any, place: Place) -> None:
    client.add("I like green tea.", user_id="mina")
    (session,) = place.ask("GET", "/sessions")["items"]
    place.ask("POST", f"/sessions/{session['id']}/end", json={})
    client.add("I live in Busan.", user_id="mina")
    assert words(client.get_all(filters=MINA)) == ["Mina lives in Busan.", "Mina likes green tea."]
    assert [one["total_memories"] for one in client.users()["results"]] == [2]


def test_what_has_expired_is_shown_only_on_request(client: Any) -> None:
    (old,) = client.add("The blue bunny sleeps.", user_id="mina", infer=False, expiration_date="2020-01-31")["results"]
    assert client.get(old["id"])["expiration_date"] == "2020-01-31"
    for show, expected in ((None, []), (True, ["The blue bunny sleeps."])):
        assert words(client.get_all(filters=MINA, show_expired=show)) == expected
        assert words(client.search("bunny", filters=MINA, show_expired=show)) == expected
    client.update(old["id"], expiration_date=None)
    assert words(client.get_all(filters=MINA)) == ["The blue bunny sleeps."]


def test_pages_follow_one_another(client: Any) -> None:
    client.add([{"role": "user", "content": f"Bunny number {n}"} for n in range(5)], user_id="mina", infer=False)
    pages = [client.get_all(filters=MINA, page=n, page_size=2) for n in (1, 2, 3)]
    assert [words(page) for page in pages] == [
        ["Bunny number 4", "Bunny number 3"], ["Bunny number 2", "Bunny number 1"], ["Bunny number 0"],
    ]  # fmt: skip
    assert [page["count"] for page in pages] == [5, 5, 5]
    assert pages[0]["previous"] is None
    assert "page=2" in pages[0]["next"]
    assert pages[2]["next"] is None


def test_saying_it_again_is_no_event_and_a_policy_that_replaces_tells_what_went(client: Any, place: Place) -> None:
    place.ask("PATCH", f"/spaces/{place.space}", json={"settings": {"conflict_policy": "auto"}})
    (first,) = client.add("I live in Seoul.", user_id="mina", metadata={"n": 1})["results"]
    (again,) = client.add("I live in Seoul.", user_id="mina", metadata={"n": 2})["results"]
    assert (again["id"], again["event"]) == (first["id"], "NONE")
    assert client.get(first["id"])["metadata"] == {"n": 1}
    new, gone = client.add("I live in Busan.", user_id="mina")["results"]
    assert (new["event"], gone["event"], gone["id"]) == ("ADD", "DELETE", first["id"])
    assert words(client.get_all(filters=MINA)) == ["Mina lives in Busan."]
    client.delete(new["id"], delete_linked=True)
    assert place.ask("GET", f"/memories/{first['id']}")["state"] == "deleted"


def test_many_are_changed_and_taken_away_at_once_or_none_is(client: Any) -> None:
    from mem0.exceptions import MemoryNotFoundError

    said = [{"role": "user", "content": f"Bunny number {n}"} for n in range(3)]
    keys = [one["id"] for one in client.add(said, user_id="mina", infer=False)["results"]]
    changes = [{"memory_id": key, "text": f"Heron number {n}"} for n, key in enumerate(keys)]
    with pytest.raises(MemoryNotFoundError):
        client.batch_update([*changes, {"memory_id": "0" * 16, "text": "Nobody"}])
    assert client.get(keys[0])["memory"] == "Bunny number 0"
    assert client.batch_update(changes)["count"] == 3
    assert client.get(keys[2])["memory"] == "Heron number 2"
    with pytest.raises(MemoryNotFoundError):
        client.batch_delete([{"memory_id": keys[0]}, {"memory_id": "0" * 16}])
    assert client.batch_delete([{"memory_id": key} for key in keys[:2]])["count"] == 2
    assert words(client.get_all(filters=MINA)) == ["Heron number 2"]


def test_owners_are_listed_and_what_they_have_is_taken_away_together(client: Any) -> None:
    client.add("I like tea.", user_id="mina/원 1", agent_id="planner")
    client.add("I like tea.", user_id="jon")
    client.add("I like tea.", user_id="ann")
    told = {(one["type"], one["name"]): one["total_memories"] for one in client.users()["results"]}
    assert told == {("agent", "planner"): 1, ("user", "mina/원 1"): 1, ("user", "jon"): 1, ("user", "ann"): 1}
    assert client.delete_all(user_id="jon", dry_run=True)["count"] == 1
    assert client.delete_all(user_id="jon")["count"] == 1
    client.delete_users(user_id="mina/원 1")
    assert [one["name"] for one in client.users()["results"]] == ["ann"]
    client.delete_all(options=DeleteAllMemoryOptions(filters={"user_id": "*"}))
    assert client.users()["results"] == []


def test_an_immutable_memory_is_not_changed_and_feedback_counts(client: Any, place: Place) -> None:
    from mem0.exceptions import ValidationError

    (one,) = client.add("I like tea.", user_id="mina", immutable=True)["results"]
    with pytest.raises(ValidationError, match="immutable"):
        client.update(one["id"], text="Mina likes coffee.")
    client.feedback(one["id"], feedback="POSITIVE")
    used = place.ask("POST", f"/memories/{one['id']}/feedback", json={"used": True})["used"]
    assert used == 2


def test_the_asynchronous_client_is_answered_likewise(place: Place) -> None:
    from mem0 import AsyncMemoryClient

    async def journey() -> list[str]:
        async with AsyncMemoryClient(api_key=place.keys["writer"], host=place.live.url) as client:
            await client.add("My cat is called Nabi.", user_id="mina")
            return words(await client.search("cat", filters=MINA))

    assert asyncio.run(journey()) == ["Mina's cat is called Nabi."]
