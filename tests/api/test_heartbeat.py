"""The heartbeat over the API: shown to all, set by administrators, an act begun by curators."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.accounts.models import Space
from memoryapp.jobs.acts import ACTS
from memoryapp.jobs.models import Job
from tests.api.conftest import Agent


def act(agent: Agent, key: str) -> Any:
    return next(one for one in agent.get("/heartbeat").json()["items"] if one["act"] == key)


def test_every_act_is_shown_with_its_time(reader: Agent) -> None:
    items = reader.get("/heartbeat").json()["items"]
    assert [one["act"] for one in items] == list(ACTS)
    shown = act(reader, "consolidate")
    assert (shown["on"], shown["at"], shown["last_at"], shown["next_at"]) == (False, "03:00", None, None)
    assert act(reader, "expire")["next_at"]


def test_an_administrator_sets_when_an_act_is_done_and_nobody_else(admin: Agent, curator: Agent) -> None:
    change = {"act": "consolidate", "on": True, "at": "04:30", "zone": "Asia/Seoul"}
    assert curator.patch("/heartbeat", change).status_code == 403
    answer = admin.patch("/heartbeat", change)
    assert answer.status_code == 200, answer.content
    assert answer.json()["next_at"] and answer.json()["zone"] == "Asia/Seoul"
    admin.patch("/heartbeat", {"act": "consolidate", "every_minutes": 360, "at": None})
    shown = act(curator, "consolidate")
    assert (shown["on"], shown["every_minutes"], shown["at"]) == (True, 360, "")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"act": "consolidate", "at": "25:00"}, "/at"),
        ({"act": "consolidate", "zone": "Mars/Olympus"}, "/zone"),
        ({"act": "consolidate", "every_minutes": -1}, "/every_minutes"),
        ({"act": "gossip", "on": True}, "/act"),
        ({"act": "expire", "split": True}, "/split"),
        ({"act": "expire", "often": 3}, "/often"),
        ({"on": True}, "/act"),
    ],
    ids=["late", "mars", "negative", "unknown", "split", "misspelt", "none"],
)
def test_what_cannot_be_set_is_refused_at_its_field(admin: Agent, change: dict[str, Any], field: str) -> None:
    answer = admin.patch("/heartbeat", change)
    assert answer.status_code == 422
    assert answer.json()["field"] == field


def test_an_act_is_begun_at_once_by_who_asks(curator: Agent, writer: Agent, space: Space) -> None:
    assert writer.post("/heartbeat/index/run").status_code == 403
    answer = curator.post("/heartbeat/index/run")
    assert answer.status_code == 202, answer.content
    job = Job.objects.get(pk=answer.json()["job"]["id"])
    assert answer["Location"] == f"/api/v1/jobs/{job.pk}"
    assert (job.kind, job.arguments["act"], job.space, job.created_by) == ("heartbeat", "index", space.name, "planner")
    assert act(curator, "index")["running"] == job.pk
    assert curator.post("/heartbeat/gossip/run").status_code == 422
