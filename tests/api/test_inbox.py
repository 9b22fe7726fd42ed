"""The inbox over the API: listed with where each came from, accepted and dropped in bulk, marked as seen, excluded."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.api.conftest import Agent
from tests.api.test_turns import read, say

RAN = "I work at Naver in Seoul."


@pytest.fixture
def learned(writer: Agent) -> dict[str, Any]:
    """What waits after one session was read: a fact with its turn, beside one that an agent posted."""
    opened = writer.post("/sessions", {"name": "standup"}).json()
    read(writer, say(writer, opened["id"], {"text": RAN, "speaker": "Jihye", "role": "user"}))
    assert writer.post("/memories", {"kind": "fact", "text": "Deploys stop on Friday.", "ref": "d1"}).status_code == 201
    page: dict[str, Any] = writer.get("/inbox").json()
    return page


def waiting(agent: Agent, query: str = "") -> list[str]:
    return [item["fact"]["text"] for item in agent.get(f"/inbox{query}").json()["items"]]


def test_the_list_tells_where_each_fact_came_from(learned: dict[str, Any], reader: Agent) -> None:
    assert learned["total"] == 2 and learned["next_cursor"] is None
    posted, heard = learned["items"]
    assert posted["fact"]["text"] == "Deploys stop on Friday." and posted["turn"] is None
    assert posted["agent"] == "planner" and posted["replaces"] == []
    assert heard["turn"]["text"] == RAN and heard["fact"]["session"] == "standup"
    assert [(one["session"], one["count"]) for one in learned["sessions"]] == [("", 1), ("standup", 1)]
    assert waiting(reader, "?session=standup") == [heard["fact"]["text"]]
    assert waiting(reader, "?session=") == ["Deploys stop on Friday."]
    assert waiting(reader, "?agent=nobody") == []
    first = reader.get("/inbox?limit=1").json()
    assert waiting(reader, f"?limit=1&cursor={first['next_cursor']}") == [heard["fact"]["text"]]
    assert reader.get("/inbox?cursor=nonsense").status_code == 422


@pytest.mark.parametrize(("act", "state"), [("accept", "held"), ("drop", "deleted")])
def test_many_are_dealt_with_in_one_run_and_undone(
    learned: dict[str, Any], curator: Agent, writer: Agent, act: str, state: str
) -> None:
    ids = [item["fact"]["id"] for item in learned["items"]]
    assert writer.post(f"/inbox/{act}", {"all": True}).status_code == 403
    tried = curator.post(f"/inbox/{act}", {"all": True, "dry_run": True}).json()
    assert tried["changed"] == ids and tried["run"] is None and len(waiting(curator)) == 2
    done = curator.post(f"/inbox/{act}", {"ids": ids}).json()
    assert done["changed"] == ids and done["left"] == [] and waiting(curator) == []
    assert curator.get(f"/memories/{ids[0]}").json()["state"] == state
    again = curator.post(f"/inbox/{act}", {"ids": ids}).json()
    assert (again["run"], again["changed"], again["left"]) == (None, [], ids)
    assert curator.post(f"/runs/{done['run']}/undo").status_code == 200
    assert len(waiting(curator)) == 2


def test_all_of_a_session_and_what_is_asked_wrongly(learned: dict[str, Any], curator: Agent) -> None:
    for wrong in ({}, {"ids": [], "all": False}, {"ids": ["0123456789abcdef"], "all": True}):
        assert curator.post("/inbox/accept", wrong).status_code == 422, wrong
    assert curator.post("/inbox/accept", {"ids": ["0123456789abcdef"]}).status_code == 404
    done = curator.post("/inbox/accept", {"all": True, "session": "standup"}).json()
    assert len(done["changed"]) == 1 and waiting(curator) == ["Deploys stop on Friday."]
    none = curator.post("/inbox/drop", {"all": True, "session": "standup"}).json()
    assert (none["run"], none["changed"]) == (None, [])


def test_all_is_marked_as_seen_and_the_mark_is_undone(learned: dict[str, Any], curator: Agent, reader: Agent) -> None:
    newest = learned["items"][0]["fact"]["created_at"]
    assert reader.post("/inbox/seen", {"until": newest}).status_code == 403
    later = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    assert curator.post("/inbox/seen", {"until": later}).status_code == 422
    done = curator.post("/inbox/seen", {"until": newest}).json()
    assert done["waiting"] == 0 and waiting(reader) == []
    assert curator.post("/inbox/seen", {"until": newest}).status_code == 409
    assert curator.post(f"/runs/{done['run']}/undo").json()["undone"] == 1
    assert len(waiting(reader)) == 2


def test_never_again_is_listed_counted_changed_and_removed(
    learned: dict[str, Any], curator: Agent, writer: Agent
) -> None:
    heard = learned["items"][1]["fact"]
    assert writer.get("/exclusions").status_code == 403  # it holds the words of what was deleted
    made = curator.post("/exclusions", {"id": heard["id"]})
    assert made.status_code == 201 and made.json()["exclusion"]["text"] == heard["text"]
    assert curator.post("/exclusions", {"id": heard["id"]}).status_code == 409
    other = writer.post("/sessions", {"name": "second"}).json()
    read(writer, say(writer, other["id"], {"text": RAN, "speaker": "Jihye", "role": "user"}))
    assert waiting(curator) == ["Deploys stop on Friday."]
    (one,) = curator.get("/exclusions").json()["items"]
    assert one["kept_out"] == 1 and one["since"]
    changed = curator.patch(f"/exclusions/{heard['id']}", {"likeness": 1.0}).json()
    assert changed["run"] and changed["exclusion"]["likeness"] == 1.0
    assert curator.patch(f"/exclusions/{heard['id']}", {"likeness": 0.1}).status_code == 422
    removed = curator.delete(f"/exclusions/{heard['id']}").json()
    assert removed["run"] and curator.get("/exclusions").json()["items"] == []
    assert curator.delete(f"/exclusions/{heard['id']}").status_code == 404
    assert curator.post(f"/runs/{removed['run']}/undo").status_code == 200
    assert len(curator.get("/exclusions").json()["items"]) == 1
    assert curator.post(f"/memories/{heard['id']}/restore").status_code == 200
    assert curator.get("/exclusions").json()["items"] == []


def test_nothing_waits_in_a_new_space(reader: Agent) -> None:
    assert reader.get("/inbox").json() == {"items": [], "next_cursor": None, "total": 0, "sessions": []}
