"""The Context Tree fed over HTTP: routing, retaining, what waits, what is stale."""

from __future__ import annotations

import pytest

from memoryapp.accounts.models import Space
from tests.api.conftest import Agent

POSTGRES, MYSQL = "The queue is stored in Postgres.", "The queue is stored in MySQL."


def taken(agent: Agent, text: str, path: str = "infra/queue") -> str:
    key: str = agent.write(text)["id"]
    answer = agent.post("/tree/retain", {"memories": [key], "path": path})
    assert answer.status_code == 200, answer.content
    return key


def test_routing_says_where_and_why_and_changes_nothing(curator: Agent, writer: Agent) -> None:
    taken(curator, POSTGRES)
    key = writer.write("The queue is slow on Mondays.")["id"]
    for body in ({"memories": [key]}, {"texts": [{"text": "The queue is slow on Mondays.", "tags": ["x"]}]}):
        (found,) = writer.post("/tree/route", body).json()["items"]
        assert (found["path"], found["by"], found["certain"]) == ("infra/queue", "keyword", True)
    assert writer.post("/tree/route", {}).status_code == 422
    assert writer.post("/tree/route", {"memories": ["0" * 16]}).status_code == 404


def test_a_space_routes_by_its_own_table(space: Space, admin: Agent, curator: Agent) -> None:
    put = admin.patch(f"/spaces/{space.name}", {"settings": {"tree_routing": "W=values"}})
    assert put.status_code == 200, put.content
    done = curator.post("/tree/retain", {"text": "[W] Plain words before clever ones."}).json()
    assert (done["items"][0]["path"], done["items"][0]["line"]) == ("values", "Plain words before clever ones.")
    wrong = admin.patch(f"/spaces/{space.name}", {"settings": {"tree_routing": "W"}})
    assert wrong.status_code == 422 and wrong.json()["field"].endswith("tree_routing")


def test_a_text_said_three_times_is_one_line_and_its_contradiction_one_conflict(curator: Agent) -> None:
    said = [curator.post("/tree/retain", {"text": POSTGRES, "path": "queue"}).json() for _ in range(3)]
    assert [one["items"][0]["outcome"] for one in said] == ["written", "unchanged", "unchanged"]
    assert [one["run"] is None for one in said] == [False, True, True]
    against = [curator.post("/tree/retain", {"text": MYSQL, "path": "queue"}).json()["items"][0] for _ in range(2)]
    assert {one["outcome"] for one in against} == {"conflict"}
    (waits,) = curator.get("/conflicts").json()["items"]
    assert waits["id"] == against[0]["conflict"] == against[1]["conflict"]
    decided = curator.post(f"/conflicts/{waits['id']}/resolve", {"outcome": "replace"})
    assert decided.status_code == 200, decided.content
    assert decided.json()["conflict"]["status"] == "decided"
    undone = curator.post(f"/runs/{said[0]['run']}/undo")
    assert undone.status_code in (200, 409), undone.content


def test_a_dry_run_writes_neither_a_note_nor_a_line(curator: Agent) -> None:
    before = curator.get("/memories").json()["total"]
    done = curator.post("/tree/retain", {"text": POSTGRES, "path": "queue", "dry_run": True}).json()
    assert done["dry_run"] is True and done["run"] is None
    assert (done["items"][0]["outcome"], done["items"][0]["memory"]) == ("written", None)
    assert curator.get("/memories").json()["total"] == before


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"memories": ["0" * 16], "text": "both"}, 422),
        ({"memories": ["0" * 16]}, 404),
        ({"text": "x", "path": "../up"}, 422),
        ({"text": "x", "unknown": 1}, 422),
    ],
)
def test_what_cannot_be_taken_in_is_a_problem_that_says_so(
    curator: Agent, body: dict[str, object], status: int
) -> None:
    answer = curator.post("/tree/retain", body)
    assert answer.status_code == status, answer.content
    assert answer.json()["detail"]


def test_what_waits_is_listed_left_out_and_let_in(curator: Agent, reader: Agent) -> None:
    key = curator.write("Herons stand in reeds.")["id"]
    listed = reader.get("/tree/waiting").json()
    assert [one["memory"]["id"] for one in listed["items"]] == [key]
    assert (listed["items"][0]["route"]["path"], listed["total"], listed["left_out"]) == ("inbox", 1, 0)
    assert reader.get("/tree/waiting?path=infra").json()["items"] == []
    out = curator.patch(f"/tree/waiting/{key}", {"left_out": True}).json()
    assert out["left_out"] is True
    assert reader.get("/tree/waiting").json() == {"items": [], "total": 0, "left_out": 1}
    assert curator.patch(f"/tree/waiting/{key}", {"left_out": True}).status_code == 409
    assert curator.patch(f"/tree/waiting/{key}", {"left_out": False}).json()["left_out"] is False
    assert curator.post(f"/runs/{out['run']}/undo").status_code in (200, 409)
    assert reader.get("/tree/waiting").json()["total"] == 1


def test_stale_lines_are_listed_and_freshened(curator: Agent, reader: Agent) -> None:
    key = taken(curator, "Tea is green.", "tea")
    curator.patch(f"/memories/{key}", {"text": "Tea is black."})
    listed = reader.get("/tree/stale?path=tea").json()
    (one,) = listed["items"]
    assert (one["line"], one["now_says"], one["by"]) == ("Tea is green.", "Tea is black.", key)
    stale = curator.post("/tree/freshen", {"path": "tea", "version": listed["version"] + 1})
    assert stale.status_code == 412
    done = curator.post("/tree/freshen", {"path": "tea", "keys": [one["key"]], "version": listed["version"]}).json()
    assert done["text"] == "# tea\n\n- Tea is black.\n"
    assert curator.post("/tree/freshen", {"path": "tea"}).status_code == 409
    assert reader.get("/tree/stale?path=nowhere").status_code == 404


def test_a_writer_may_route_and_only_a_curator_takes_in(writer: Agent, reader: Agent) -> None:
    assert reader.post("/tree/route", {"texts": [{"text": "x"}]}).status_code == 403
    for path, body in (("/tree/retain", {"text": "x"}), ("/tree/freshen", {"path": "x"})):
        assert writer.post(path, body).status_code == 403
    assert writer.patch(f"/tree/waiting/{'0' * 16}", {"left_out": True}).status_code == 403


def test_the_same_request_sent_twice_is_done_once(curator: Agent) -> None:
    sent = {"text": POSTGRES, "path": "queue"}
    first = curator.post("/tree/retain", sent, Idempotency_Key="once").json()
    assert curator.post("/tree/retain", sent, Idempotency_Key="once").json() == first
    assert first["run"]
