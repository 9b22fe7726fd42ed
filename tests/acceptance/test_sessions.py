"""The blue bunny: what is written into today's note is recalled by the agent whose session begins."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from tests.acceptance.place import Place, got

PHRASE = "the blue bunny sleeps in the third drawer"


def test_todays_note_is_read_when_a_session_opens_and_recalled_with_its_score(place: Place) -> None:
    place.note("2026-01-05.md", "## Standup\n\nNothing new, the deploy waits.\n\n## Lunch\n\nSoup.\n")
    place.note("about.md", "## Team\n\nFour people and a cat.\n\n## Drawers\n\nThere are five of them.\n")
    source = place.api.post("/sources", json={"path": str(place.folder), "on_session_start": True})
    assert source.status_code == 201, source.text
    place.read()
    today = datetime.now(UTC).date().isoformat()
    place.note(f"{today}.md", f"## Morning\n\nNote to self: {PHRASE}.\n")

    agent = place.key("writer")
    opened = agent.post("/sessions", json={"name": "evening", "agent": "planner"})
    assert opened.status_code == 201, opened.text
    (job,) = opened.json()["jobs"]
    assert place.ended(job)["report"]["added"] == 1

    hit = agent.post("/search", json={"query": PHRASE}).json()["items"][0]
    assert PHRASE in hit["text"] and hit["source"]["path"] == f"{today}.md"
    assert hit["occurred_at"].startswith(today)
    shares = [hit["arms"][name]["share"] for name in hit["arms"]]
    assert hit["score"] == sum(shares) * math.prod(hit["factors"].values()) > 0
    assert {"blue", "bunni"} <= {term["term"] for term in hit["evidence"]["terms"]}


@pytest.mark.long
def test_a_session_opened_twice_is_one_session(place: Place) -> None:
    first = place.api.post("/sessions", json={"name": "evening"}).json()
    second = place.api.post("/sessions", json={"name": "evening"}).json()
    assert first["id"] == second["id"] and second["jobs"] == []
    ended = place.act(f"/sessions/{first['id']}/end")
    assert ended["ended_at"] and got(place.api, "/jobs")["items"] == []


def test_a_source_that_is_gone_does_not_stop_the_session_from_opening(place: Place) -> None:
    folder = place.folder / "gone"
    folder.mkdir()
    place.api.post("/sources", json={"path": str(folder), "on_session_start": True}).raise_for_status()
    folder.rmdir()
    opened = place.api.post("/sessions", json={"name": "evening"})
    assert opened.status_code == 201
    for job in opened.json()["jobs"]:
        ended = place.ended(job)
        assert ended["status"] == "failed" and str(folder) in ended["error"]
