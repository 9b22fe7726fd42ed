"""Sessions and their turns over HTTP. The worker is not running here: jobs are run where a test says so."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.accounts.models import Space
from memoryapp.jobs import run
from memoryapp.jobs.models import Job
from tests.api.conftest import Agent


@pytest.fixture
def session(writer: Agent) -> str:
    opened = writer.post("/sessions", {"name": "standup"})
    assert opened.status_code == 201 and opened.json()["turns"] == 0
    return str(opened.json()["id"])


def say(agent: Agent, session: str, *turns: dict[str, Any]) -> Any:
    answer = agent.post(f"/sessions/{session}/turns", {"turns": list(turns)})
    assert answer.status_code == 202, answer.content
    return answer.json()


def read(agent: Agent, taken: Any) -> None:
    run.run(taken["job"])
    assert Job.objects.get(pk=taken["job"]).status == "done", Job.objects.get(pk=taken["job"]).error


def test_turns_are_kept_at_once_and_read_later(writer: Agent, session: str) -> None:
    taken = say(
        writer, session,
        {"text": "I moved to Busan last week.", "speaker": "Minsu", "ref": "t1", "at": "2026-11-20T09:00:00Z"},
        {"text": "Noted.", "role": "assistant"},
        {"text": "exit code 0", "role": "tool"},
    )  # fmt: skip
    assert [one["number"] for one in taken["items"]] == [1, 2, 3] and taken["reading"] == "waiting"
    waiting = writer.get(f"/sessions/{session}/turns").json()["items"]
    assert [one["reading"]["status"] for one in waiting] == ["waiting", "waiting", "skipped"]
    assert writer.get(f"/sessions/{session}").json()["waiting"] == 2
    read(writer, taken)
    first, *_ = writer.get(f"/sessions/{session}/turns").json()["items"]
    assert first["reading"]["status"] == "done" and first["reading"]["extractor"] == "rules"
    (learned,) = first["reading"]["learned"]
    fact = writer.get(f"/memories/{learned['memory']}").json()
    assert fact["kind"] == "fact" and "Busan" in fact["text"]
    assert fact["turn"]["number"] == 1 and fact["turn"]["text"] == "I moved to Busan last week."
    assert fact["session"] == "standup" and fact["sessions"] == ["standup"]
    assert fact["detail"]["quote"] == "I moved to Busan last week."
    detail = writer.get(f"/sessions/{session}").json()
    assert detail["waiting"] == 0 and detail["facts"] == [fact["id"]] and detail["turns"] == 3


def test_a_session_is_found_by_its_name_as_well(writer: Agent, session: str) -> None:
    assert writer.get("/sessions/standup").json()["id"] == session
    assert writer.post("/sessions/standup/turns", {"text": "I like tea.", "speaker": "Minsu"}).status_code == 202
    missing = writer.get("/sessions/nobody%20was%20here")
    assert missing.status_code == 404 and "nobody was here" in missing.json()["detail"]


def test_the_same_ref_again_is_the_same_turn(writer: Agent, session: str) -> None:
    first = say(writer, session, {"text": "I like tea.", "ref": "a"})["items"][0]
    again = say(writer, session, {"text": "I like tea.", "ref": "a"}, {"text": "And coffee.", "ref": "b"})["items"]
    assert again[0]["id"] == first["id"] and [one["number"] for one in again] == [1, 2]


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({}, 422, "/text"),
        ({"text": " "}, 422, "/text"),
        ({"text": "a", "turns": [{"text": "b"}]}, 422, "/text"),
        ({"turns": [{"text": "a"}, {"text": ""}]}, 422, "/turns/1/text"),
        ({"turns": [{"text": "a"}, {"text": "b", "role": "king"}]}, 422, "/turns/1/role"),
        ({"text": "x" * 20_001}, 413, "/text"),
        ({"turns": [{"text": "a"}] * 201}, 413, "/turns"),
        ({"text": "a", "mood": "x"}, 422, "/mood"),
    ],
)
def test_a_turn_that_cannot_be_kept_is_pointed_at_and_none_is_kept(
    writer: Agent, session: str, body: dict[str, Any], status: int, field: str
) -> None:
    answer = writer.post(f"/sessions/{session}/turns", body)
    assert (answer.status_code, answer.json()["field"]) == (status, field), answer.content
    assert writer.get(f"/sessions/{session}/turns").json()["items"] == []


def test_nothing_is_said_in_a_session_that_has_ended(writer: Agent, session: str) -> None:
    ended = writer.post(f"/sessions/{session}/end").json()
    assert ended["ended_at"] and ended["job"] is None  # nothing was said, so there is nothing to tell
    late = writer.post(f"/sessions/{session}/turns", {"text": "One more thing."})
    assert late.status_code == 409 and "ended" in late.json()["detail"]


def test_the_pages_of_turns_and_sessions_hold_each_once(writer: Agent, session: str) -> None:
    say(writer, session, *({"text": f"Line {n}."} for n in range(5)))
    numbers, cursor = [], ""
    while True:
        page = writer.get(f"/sessions/{session}/turns?limit=2&cursor={cursor}").json()
        numbers += [one["number"] for one in page["items"]]
        cursor = page["next_cursor"]
        if not cursor:
            break
    assert numbers == [1, 2, 3, 4, 5]
    for name in ("b", "c", "d"):
        writer.post("/sessions", {"name": name})
    names, cursor = [], ""
    while True:
        page = writer.get(f"/sessions?limit=3&cursor={cursor}").json()
        names += [one["name"] for one in page["items"]]
        cursor = page["next_cursor"]
        if not cursor:
            break
    assert names == ["d", "c", "b", "standup"]


def test_turns_are_read_again_and_count_once(writer: Agent, session: str) -> None:
    taken = say(writer, session, {"text": "I work at Naver.", "speaker": "Jihye"}, {"text": "I like tea."})
    read(writer, taken)
    before = writer.get("/memories?kinds=fact").json()
    asked = writer.post(f"/sessions/{session}/read", {"turns": [1]})
    assert asked.status_code == 202 and asked.json()["waiting"] == 1
    read(writer, asked.json())
    after = writer.get("/memories?kinds=fact").json()
    assert after["total"] == before["total"]
    missing = writer.post(f"/sessions/{session}/read", {"turns": [9]})
    assert missing.status_code == 404 and missing.json()["field"] == "/turns"


def test_a_session_with_a_decision_becomes_an_episode_that_names_it(writer: Agent, session: str) -> None:
    taken = say(
        writer, session,
        {"text": "RabbitMQ lost messages on restart again.", "speaker": "Alice", "at": "2026-11-20T09:00:00Z"},
        {"text": "We decided to move the queue to Redis.", "speaker": "Minsu", "at": "2026-11-20T09:05:00Z"},
        {"text": "I work on the migration this week.", "speaker": "Alice", "at": "2026-11-20T09:06:00Z"},
    )  # fmt: skip
    read(writer, taken)
    ended = writer.post(f"/sessions/{session}/end").json()
    run.run(ended["job"])
    key = writer.get(f"/sessions/{session}").json()["episode"]
    episode = writer.get(f"/episodes/{key}").json()
    assert episode["kind"] == "episode" and "Redis" in episode["decision"]
    assert set(episode["participants"]) == {"Alice", "Minsu"} and episode["turns"] == 3
    assert episode["began_at"] == "2026-11-20T09:00:00Z" and episode["facts"]
    listed = writer.get("/episodes").json()["items"]
    assert [one["id"] for one in listed] == [key]
    assert [one["id"] for one in writer.get("/episodes?q=message%20queue").json()["items"]] == [key]
    assert writer.get("/episodes?session=other").json()["items"] == []
    assert writer.get("/episodes/days").json()["days"] == [{"day": "2026-11-20", "episodes": 1}]
    told = writer.get(f"/memories/{episode['facts'][0]}").json()
    assert key in told["derived_into"]


def test_a_purge_names_the_episode_that_goes_along_and_who_else_says_it(
    writer: Agent, curator: Agent, session: str
) -> None:
    read(writer, say(writer, session, {"text": "I work at Naver.", "speaker": "Jihye"}))
    run.run(writer.post(f"/sessions/{session}/episode").json()["job"]["id"])
    (fact,) = writer.get("/memories?kinds=fact").json()["items"]
    (episode,) = writer.get("/episodes").json()["items"]
    note = writer.write(f"Heard today: {fact['text']}")["id"]
    for dry_run in (True, False):
        receipt = curator.post(f"/memories/{fact['id']}/purge", {"dry_run": dry_run}).json()
        assert receipt["also"] == [{"id": episode["id"], "kind": "episode"}]
        assert receipt["said_by"] == [note]
    assert curator.get(f"/memories/{episode['id']}").status_code == 404
    assert curator.get(f"/memories/{note}").status_code == 200


def test_a_session_is_told_on_demand(writer: Agent, session: str) -> None:
    taken = say(writer, session, {"text": "I work at Naver.", "speaker": "Jihye"})
    read(writer, taken)
    enough = writer.post(f"/sessions/{session}/episode", {"force": False})
    assert enough.status_code == 202
    run.run(enough.json()["job"]["id"])
    assert writer.get("/episodes").json()["items"] == []
    run.run(writer.post(f"/sessions/{session}/episode").json()["job"]["id"])
    (made,) = writer.get("/episodes?session=standup").json()["items"]
    assert "Naver" in made["text"] and made["session"] == "standup" and made["decision"] is None


def test_a_fact_is_not_an_episode(writer: Agent) -> None:
    key = writer.post("/memories", {"kind": "fact", "text": "Minsu likes tea."}).json()["id"]
    answer = writer.get(f"/episodes/{key}")
    assert answer.status_code == 404 and "fact" in answer.json()["detail"]


def test_summaries_are_written_by_a_job(writer: Agent) -> None:
    for text in ("Jihye works at Naver.", "Jihye works on search.", "Jihye leads the ranking team."):
        writer.post("/memories", {"kind": "fact", "text": text, "category": "work"})
    assert writer.get("/summaries").json()["items"] == []
    begun = writer.post("/summaries/refresh", {"force": True})
    assert begun.status_code == 202
    run.run(begun.json()["job"]["id"])
    (summary,) = writer.get("/summaries").json()["items"]
    assert (
        summary["category"] == "work" and "Naver" in summary["text"] and summary["facts"] and summary["by"] == "rules"
    )


def test_a_space_that_keeps_private_words_shows_them_in_the_session_alone(
    writer: Agent, curator: Agent, admin: Agent, session: str, space: Space
) -> None:
    admin.patch(f"/spaces/{space.name}", {"settings": {"private_turns": "keep"}})
    taken = say(writer, session, {"text": "The kettle is in the cellar.", "private": True})
    assert taken["items"][0]["text"] == "The kettle is in the cellar." and taken["items"][0]["private"]
    assert writer.get(f"/sessions/{session}/turns").json()["items"][0]["text"] == "The kettle is in the cellar."
    assert taken["job"] is None
    assert writer.post("/search", {"query": "kettle cellar"}).json()["items"] == []
    assert writer.delete(f"/sessions/{session}/private").status_code == 403
    would = curator.delete(f"/sessions/{session}/private?dry_run=true").json()
    assert would == {"erased": 1, "dry_run": True}
    assert curator.delete(f"/sessions/{session}/private").json() == {"erased": 1, "dry_run": False}
    assert writer.get(f"/sessions/{session}/turns").json()["items"][0]["text"] == "[private]"


def test_a_session_is_made_private_and_open_again(writer: Agent, session: str) -> None:
    assert writer.patch(f"/sessions/{session}", {"private": True}).json()["private"]
    (turn,) = say(writer, session, {"text": "The key is under the mat."})["items"]
    assert turn["private"] and turn["text"] == "[private]"
    assert writer.post("/memories", {"text": "The key is under the mat.", "session": "standup"}).status_code == 409
    assert not writer.patch(f"/sessions/{session}", {"private": False}).json()["private"]
    (turn,) = say(writer, session, {"text": "The ladder is in the shed."})["items"]
    assert not turn["private"]


def test_a_turn_that_asks_is_found_with_its_reply(writer: Agent, session: str) -> None:
    asked = "Which berth did the harbour office give the heron?"
    say(
        writer, session,
        {"text": asked, "speaker": "Ann"},
        {"text": "The ninth.", "speaker": "Ben", "at": "2026-11-20T09:00:00Z"},
        {"text": "The heron is moored there.", "speaker": "Ann"},
    )  # fmt: skip
    hits = writer.post("/search", {"query": "berth harbour office heron"}).json()["items"]
    replies = {hit["text"]: hit["reply"] for hit in hits}
    told = replies.pop(asked)
    assert len(told.pop("id")) == 16
    assert told == {"text": "The ninth.", "speaker": "Ben", "said_at": "2026-11-20T09:00:00Z", "session": "standup"}
    assert set(replies.values()) == {None}


def test_a_fact_that_was_heard_is_deleted_and_restored_with_its_turn(
    writer: Agent, curator: Agent, session: str
) -> None:
    taken = say(writer, session, {"text": "I work at Naver in Seoul.", "speaker": "Jihye"})
    read(writer, taken)
    (fact,) = writer.get("/memories?kinds=fact").json()["items"]
    (turn,) = writer.get(f"/sessions/{session}/turns").json()["items"]
    gone = curator.delete(f"/memories/{fact['id']}")
    assert gone.status_code == 200 and gone.json()["memory"]["id"] == fact["id"]
    assert curator.get(f"/memories/{turn['id']}").json()["state"] == "deleted"
    back = curator.post(f"/memories/{fact['id']}/restore")
    assert back.status_code == 200 and back.json()["memory"]["state"] == "held"
    assert curator.get(f"/memories/{turn['id']}").json()["state"] == "held"
