"""Conflicts over HTTP: listed with all that speaks for each side, decided, suggested, put off, undone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Agent


def clash(agent: Agent, who: str = "Minsu", **more: Any) -> tuple[str, str, str]:
    """(id of the conflict, the held fact, the incoming one)"""
    held = agent.post("/memories", {"kind": "fact", "text": f"{who} lives in Seoul.", "ref": f"{who}-1"}).json()
    told = agent.post("/memories", {"kind": "fact", "text": f"{who} lives in Busan.", "ref": f"{who}-2", **more}).json()
    assert told["outcome"] == "conflict", told
    return told["conflict"], held["id"], told["id"]


def found(agent: Agent, query: str) -> list[str]:
    return [hit["text"] for hit in agent.post("/search", {"query": query}).json()["items"]]


def test_a_conflict_shows_both_sides_their_trust_the_proposal_and_what_each_outcome_changes(writer: Agent) -> None:
    key, held, incoming = clash(writer)
    page = writer.get("/conflicts").json()
    (one,) = page["items"]
    assert page["total"] == 1 and one["id"] == key and one["status"] == "waiting"
    assert one["existing"]["id"] == held and one["incoming"]["id"] == incoming
    assert one["proposal"]["outcome"] == "replace" and one["proposal"]["reason"]
    assert one["existing_trust"]["confidence"] == one["incoming_trust"]["confidence"] == 0.9
    assert one["gate"] is None and one["attribute"] and one["precedents"] == []
    detail = writer.get(f"/conflicts/{key}").json()
    assert set(detail["impact"]) == {"keep", "replace", "both", "merge", "neither"}
    assert all(detail["impact"].values())
    assert writer.get("/conflicts").json()["tallies"] == {"waiting": 1, "automatic": 0, "decided": 0, "snoozed": 0}


def test_a_decision_changes_the_search_at_once_and_is_undone(writer: Agent, curator: Agent) -> None:
    key, held, incoming = clash(writer)
    done = curator.post(f"/conflicts/{key}/resolve", {"outcome": "replace", "reason": "He moved."})
    assert done.status_code == 200 and done.json()["status"] == "decided" and done.json()["run"]
    assert found(writer, "Where does Minsu live?") == ["Minsu lives in Busan."]
    old = writer.get(f"/memories/{held}").json()
    assert old["state"] == "superseded" and old["superseded_by"] == [incoming] and old["valid_to"]
    assert writer.get(f"/memories/{incoming}").json()["supersedes"] == [held]
    (decided,) = writer.get("/conflicts?status=decided").json()["items"]
    assert decided["decision"]["outcome"] == "replace" and decided["decision"]["reason"] == "He moved."
    again = curator.post(f"/conflicts/{key}/resolve", {"outcome": "keep"})
    assert again.status_code == 409
    undone = curator.post(f"/conflicts/{key}/undo")
    assert undone.status_code == 200 and undone.json()["conflict"]["status"] == "waiting"
    assert len(found(writer, "Where does Minsu live?")) == 2
    assert writer.get(f"/memories/{held}").json()["superseded_by"] == []


def test_what_a_writer_says_is_kept_as_a_proposal(writer: Agent, curator: Agent) -> None:
    key, held, _ = clash(writer)
    suggested = writer.post(f"/conflicts/{key}/resolve", {"outcome": "keep", "reason": "It was a trip."})
    assert suggested.status_code == 202
    assert suggested.json()["status"] == "proposed" and suggested.json()["run"] is None
    (one,) = curator.get("/conflicts").json()["items"]
    assert one["status"] == "waiting"
    (proposal,) = one["proposals"]
    assert proposal["outcome"] == "keep" and proposal["reason"] == "It was a trip." and proposal["by"] == "planner"
    assert writer.get(f"/memories/{held}").json()["state"] == "held"
    assert writer.post(f"/conflicts/{key}/undo").status_code == 403


def test_a_proposal_is_kept_with_who_and_when_and_decides_nothing_whoever_makes_it(
    writer: Agent, curator: Agent, reader: Agent
) -> None:
    key, held, _ = clash(writer)
    sent = {"outcome": "keep", "reason": "Busan was a trip.", "propose": True}
    first = writer.post(f"/conflicts/{key}/resolve", sent, X_Agent_ID="scout")
    assert first.status_code == 202, first.content
    assert first.json()["conflict"]["status"] == "waiting"
    other = curator.post(
        f"/conflicts/{key}/resolve", {"outcome": "merge", "text": "Both.", "propose": True}, X_Agent_ID="judge"
    )
    kept = other.json()["conflict"]["proposals"]
    assert [(one["by"], one["outcome"], one["by_kind"]) for one in kept] == [
        ("planner/scout", "keep", "agent"),
        ("planner/judge", "merge", "agent"),
    ]
    assert kept[0]["reason"] == "Busan was a trip." and kept[0]["at"] and kept[1]["text"] == "Both."
    again = writer.post(f"/conflicts/{key}/resolve", {"outcome": "both"}, X_Agent_ID="scout").json()["conflict"]
    assert [one["outcome"] for one in again["proposals"]] == ["merge", "both"]  # one's own earlier one gives way
    assert writer.get(f"/memories/{held}").json()["state"] == "held"
    told = curator.get(f"/audit?record={key}&act=propose").json()["items"]
    assert {one["actor"] for one in told} == {"planner/scout", "planner/judge"}
    assert reader.post(f"/conflicts/{key}/resolve", sent).status_code == 403
    assert writer.post(f"/conflicts/{key}/resolve", {"outcome": "merge", "propose": True}).status_code == 422
    curator.post(f"/conflicts/{key}/resolve", {"outcome": "keep"})
    assert writer.post(f"/conflicts/{key}/resolve", sent).status_code == 409


@pytest.mark.parametrize(
    ("body", "states"),
    [
        ({"outcome": "keep"}, ("held", "superseded")),
        ({"outcome": "replace"}, ("superseded", "held")),
        ({"outcome": "both", "scope": {"existing": "weekdays", "incoming": "weekends"}}, ("held", "held")),
        ({"outcome": "both", "scope": {"ended_at": "2026-11-01"}}, ("held", "held")),
        ({"outcome": "merge", "text": "Minsu lives in Seoul and in Busan."}, ("held", "superseded")),
        ({"outcome": "neither"}, ("archived", "archived")),
    ],
    ids=["keep", "replace", "both in scopes", "both in time", "merge", "neither"],
)
def test_each_outcome_does_what_it_says(
    writer: Agent, curator: Agent, body: dict[str, Any], states: tuple[str, str]
) -> None:
    key, held, incoming = clash(writer)
    done = curator.post(f"/conflicts/{key}/resolve", body)
    assert done.status_code == 200, done.content
    sides = [curator.get(f"/memories/{one}").json() for one in (held, incoming)]
    assert tuple(one["state"] for one in sides) == states
    if "text" in body:
        assert sides[0]["text"] == body["text"]
    if "existing" in body.get("scope", {}):
        assert "weekdays" in sides[0]["tags"] and "weekends" in sides[1]["tags"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "/outcome"),
        ({"outcome": "perhaps"}, "/outcome"),
        ({"outcome": "merge"}, "/text"),
        ({"outcome": "both", "scope": {"until": "x"}}, "/scope/until"),
        ({"outcome": "keep", "note": "x"}, "/note"),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused(
    writer: Agent, curator: Agent, body: dict[str, Any], field: str
) -> None:
    key, _, _ = clash(writer)
    answer = curator.post(f"/conflicts/{key}/resolve", body)
    assert answer.status_code == 422 and answer.json()["field"] == field, answer.content
    assert curator.get("/conflicts").json()["tallies"]["waiting"] == 1


def test_many_are_decided_in_one_run_that_is_undone_as_one(writer: Agent, curator: Agent) -> None:
    keys = {clash(writer, who)[0] for who in ("Minsu", "Jihye", "Tomas")}
    said = {"all": True, "outcome": "proposal", "dry_run": True}
    rehearsed = curator.post("/conflicts/resolve", said).json()
    assert set(rehearsed["decided"]) == keys and rehearsed["run"] is None and rehearsed["dry_run"]
    assert curator.get("/conflicts").json()["tallies"]["waiting"] == 3
    done = curator.post("/conflicts/resolve", said | {"dry_run": False}).json()
    assert set(done["decided"]) == keys and done["left"] == []
    assert found(writer, "Where does Jihye live?")[0] == "Jihye lives in Busan."
    assert curator.get("/conflicts").json()["tallies"] == {"waiting": 0, "automatic": 0, "decided": 3, "snoozed": 0}
    assert curator.post(f"/runs/{done['run']}/undo").json()["undone"] > 0
    assert curator.get("/conflicts").json()["tallies"]["waiting"] == 3


def test_of_many_those_that_are_decided_are_named(writer: Agent, curator: Agent) -> None:
    first, _, _ = clash(writer, "Minsu")
    second, _, _ = clash(writer, "Jihye")
    curator.post(f"/conflicts/{first}/resolve", {"outcome": "keep"})
    done = curator.post("/conflicts/resolve", {"ids": [first, second, "0" * 16], "outcome": "keep"}).json()
    assert done["decided"] == [second] and {one["id"] for one in done["left"]} == {first, "0" * 16}
    both = curator.post("/conflicts/resolve", {"ids": [first], "all": True, "outcome": "keep"})
    assert both.status_code == 422 and both.json()["field"] == "/ids"
    assert curator.post("/conflicts/resolve", {"outcome": "keep"}).status_code == 422


def test_a_snoozed_conflict_is_out_of_the_queue_until_it_is_woken(writer: Agent, curator: Agent) -> None:
    key, _, _ = clash(writer)
    put_off = curator.post(f"/conflicts/{key}/snooze", {"until": "2199-01-01T00:00:00Z"})
    assert put_off.status_code == 200 and put_off.json()["conflict"]["snoozed_until"] == "2199-01-01T00:00:00Z"
    assert curator.get("/conflicts").json()["items"] == []
    assert [one["id"] for one in curator.get("/conflicts?status=snoozed").json()["items"]] == [key]
    assert curator.get("/stats").json()["conflicts_waiting"] == 0
    assert len(found(writer, "Where does Minsu live?")) == 2
    curator.post(f"/conflicts/{key}/snooze", {"until": None})
    assert [one["id"] for one in curator.get("/conflicts").json()["items"]] == [key]
    assert curator.post(f"/conflicts/{key}/snooze", {}).json()["field"] == "/until"


def test_the_pages_of_conflicts_hold_each_once_in_any_order(writer: Agent) -> None:
    keys = [clash(writer, who)[0] for who in ("Minsu", "Jihye", "Tomas", "Ada", "Linus")]
    for sort in ("newest", "oldest", "confidence", "trust"):
        seen, cursor = [], ""
        while True:
            page = writer.get(f"/conflicts?limit=2&sort={sort}&cursor={cursor}").json()
            assert page["total"] == 5
            seen += [one["id"] for one in page["items"]]
            cursor = page["next_cursor"]
            if not cursor:
                break
        assert sorted(seen) == sorted(keys), sort
        if sort in ("newest", "oldest"):
            assert seen == (keys if sort == "oldest" else keys[::-1])
    other = writer.get("/conflicts?limit=2&sort=newest").json()["next_cursor"]
    assert writer.get(f"/conflicts?sort=oldest&cursor={other}").status_code == 422


def test_a_low_confidence_mention_cannot_replace_a_trusted_belief(writer: Agent) -> None:
    for _ in range(4):
        writer.post("/memories", {"kind": "fact", "text": "Minsu lives in Seoul.", "confidence": 0.9})
    told = writer.post("/memories", {"kind": "fact", "text": "Minsu lives in Busan.", "confidence": 0.5}).json()
    one = writer.get(f"/conflicts/{told['conflict']}").json()
    assert one["proposal"]["outcome"] == "keep" and one["gate"]


def test_the_policy_of_a_space_decides_by_itself_and_is_undone(root: Agent, writer: Agent, curator: Agent) -> None:
    name = root.space
    assert root.patch(f"/spaces/{name}", {"settings": {"conflict_policy": "auto"}}).status_code == 200
    key, held, _ = clash(writer)
    (one,) = writer.get("/conflicts?status=automatic").json()["items"]
    assert one["id"] == key and one["decision"]["by_kind"] == "machine"
    assert writer.get(f"/memories/{held}").json()["state"] == "superseded"
    assert curator.post(f"/conflicts/{key}/undo").status_code == 200
    assert writer.get(f"/memories/{held}").json()["state"] == "held"
    refused = root.patch(f"/spaces/{name}", {"settings": {"conflict_policy": "whatever"}})
    assert refused.status_code == 422 and refused.json()["field"] == "/settings/conflict_policy"


def test_a_conflict_nobody_raised_is_not_there(curator: Agent) -> None:
    for method, path, body in (
        ("GET", "", None), ("POST", "/resolve", {"outcome": "keep"}), ("POST", "/undo", None),
        ("POST", "/snooze", {"until": None}),
    ):  # fmt: skip
        assert curator.ask(method, f"/conflicts/{'0' * 16}{path}", body).status_code == 404
        assert curator.ask(method, f"/conflicts/none{path}", body).status_code == 404
