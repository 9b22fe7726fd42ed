"""Profiles over HTTP: saved, listed, asked by, deleted."""

from __future__ import annotations

import pytest

from memoryapp.domain.strategies import STRATEGIES
from tests.api.conftest import Agent

CAREFUL = {"plan": "hybrid;vector=1.4;factors=trust+feedback;date_weight=0", "note": "Trusts what was confirmed."}


def test_a_saved_profile_is_a_strategy_of_the_space(curator: Agent, reader: Agent) -> None:
    made = curator.ask("PUT", "/profiles/careful", CAREFUL)
    assert made.status_code == 201 and made["ETag"] == '"1"', made.content
    told = made.json()
    assert told["plan"] == CAREFUL["plan"] and told["by"] == "planner" and told["note"] == CAREFUL["note"]
    assert told["as_run"]["weights"]["vector"] == 1.4 and told["as_run"]["numbers"]["date_weight"] == 0
    assert told["as_run"]["factors"] == ["trust", "feedback"] and told["as_run"]["name"] == "careful"
    (listed,) = reader.get("/profiles").json()["items"]
    assert listed == told == reader.get("/profiles/careful").json()
    strategies = reader.get("/strategies").json()["items"]
    assert [one["name"] for one in strategies if not one["profile"]] == list(STRATEGIES)
    (own,) = [one for one in strategies if one["profile"]]
    assert own["name"] == "careful" and own["plan"] == CAREFUL["plan"] and not own["default"]
    assert own["summary"] == CAREFUL["note"] and own["numbers"] == {"date_weight": 0}
    curator.write("The queue moved to Redis.")
    named = reader.post("/search", {"query": "queue", "strategy": "careful"}).json()
    spelt = reader.post("/search", {"query": "queue", "strategy": CAREFUL["plan"]}).json()
    assert named["strategy"] == "careful" and set(named["items"][0]["factors"]) == {"trust", "feedback"}
    assert named["items"][0]["arms"] == spelt["items"][0]["arms"]


def test_a_profile_is_changed_only_as_it_was_read(curator: Agent) -> None:
    curator.ask("PUT", "/profiles/careful", CAREFUL)
    changed = curator.ask("PUT", "/profiles/careful", {"plan": "rrf;k=30"}, If_Match='"1"')
    assert changed.status_code == 200 and changed.json()["version"] == 2 and changed.json()["note"] == ""
    late = curator.ask("PUT", "/profiles/careful", {"plan": "vector"}, If_Match='"1"')
    assert late.status_code == 412 and late.json()["current"] == 2
    assert curator.ask("DELETE", "/profiles/careful", If_Match='"1"').status_code == 412
    assert curator.get("/profiles/careful").json()["plan"] == "rrf;k=30"
    assert curator.ask("PUT", "/profiles/new", {"plan": "vector"}, If_Match='"1"').status_code == 404


def test_one_made_from_another_stays_as_it_is_when_that_goes(curator: Agent) -> None:
    curator.ask("PUT", "/profiles/careful", CAREFUL)
    bold = curator.ask("PUT", "/profiles/bold", {"plan": "careful;vector=2"}).json()
    assert bold["plan"] == CAREFUL["plan"].replace("1.4", "2")
    rehearsed = curator.delete("/profiles/careful?dry_run=true").json()
    assert rehearsed["dry_run"] and curator.get("/profiles/careful").status_code == 200
    gone = curator.delete("/profiles/careful").json()
    assert gone["profile"] == rehearsed["profile"] and not gone["dry_run"]
    assert curator.get("/profiles/careful").status_code == 404
    assert curator.delete("/profiles/careful").status_code == 404
    assert [one["name"] for one in curator.get("/profiles").json()["items"]] == ["bold"]
    assert curator.get("/profiles/bold").json() == bold


@pytest.mark.parametrize(
    ("name", "body", "field"),
    [
        ("hybrid", {"plan": "rrf"}, "name"),
        ("-x", {"plan": "rrf"}, "name"),
        ("X", {"plan": "rrf"}, "name"),
        ("x" * 41, {"plan": "rrf"}, "name"),
        ("ok", {"plan": "magic"}, "/plan"),
        ("ok", {"plan": "hybrid;vector=much"}, "/plan"),
        ("ok", {"plan": "hybrid;vector=11"}, "/plan"),
        ("ok", {"plan": ""}, "/plan"),
        ("ok", {}, "/plan"),
        ("ok", {"plan": "rrf", "notes": "x"}, "/notes"),
    ],
)
def test_what_cannot_be_a_profile_is_refused_with_the_field_at_fault(
    curator: Agent, name: str, body: dict[str, str], field: str
) -> None:
    answer = curator.ask("PUT", f"/profiles/{name}", body)
    assert answer.status_code == 422 and answer.json()["field"] == field, answer.content
    assert curator.get("/profiles").json()["items"] == []


def test_who_may_only_read_changes_nothing(reader: Agent, writer: Agent) -> None:
    for agent in (reader, writer):
        assert agent.ask("PUT", "/profiles/careful", CAREFUL).status_code == 403
        assert agent.delete("/profiles/careful").status_code == 403
    assert reader.get("/profiles").json() == {"items": []}
