"""A space below another: it reads the parent's memories, marked, and changes none of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from pytest_django import Settings

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import space_named
from memoryapp.domain.identity import new_id
from memoryapp.jobs import run
from memoryapp.search import settle
from tests.api.conftest import Agent
from tests.samples import REVIEW


@pytest.fixture
def child(root: Agent) -> Agent:
    """An administrator of the child alone."""
    name = f"c-{new_id()}"
    made = root.post("/spaces", {"name": name, "parent": root.space, "settings": REVIEW})
    assert made.status_code == 201
    return Agent(create_key("sub", role=Role.ADMIN, space=space_named(name), agent="sub")[1])


def asking(path: str, what: dict[str, str]) -> str:
    return f"{path}?{urlencode(what)}"


@pytest.fixture
def theirs(root: Agent) -> Any:
    return root.post("/memories", {"kind": "fact", "text": "Minsu lives in Seoul.", "entities": ["Seoul"]}).json()


def test_what_is_inherited_is_marked_in_every_answer(root: Agent, child: Agent, theirs: Any) -> None:
    own = child.post("/memories", {"kind": "fact", "text": "Minsu cycles to work."}).json()
    hits = {hit["id"]: hit["inherited_from"] for hit in child.post("/search", {"query": "Minsu"}).json()["items"]}
    assert hits == {theirs["id"]: root.space, own["id"]: None}
    assert child.get(f"/memories/{theirs['id']}").json()["inherited_from"] == root.space
    assert child.get(f"/memories/{own['id']}").json()["inherited_from"] is None
    assert child.get(f"/memories/{theirs['id']}/history").status_code == 200
    given = child.post("/context", {"message": "Where does Minsu live?"}).json()
    items = {item["id"]: item["inherited_from"] for layer in given["layers"] for item in layer["items"]}
    assert items[theirs["id"]] == root.space and items.get(own["id"]) is None
    assert [one["id"] for one in child.get("/memories").json()["items"]] == [own["id"]]  # the list is the space's own


def test_a_story_and_a_file_of_the_parent_are_read_by_the_ids_that_a_search_gives(
    root: Agent, child: Agent, tmp_path: Path, settings: Settings
) -> None:
    settings.INGEST_ROOTS = (tmp_path,)
    (tmp_path / "queue.md").write_text("# Queue\n\n## Redis\n\nThe queue moved to Redis.\n")
    run.run(root.post("/ingest", {"path": str(tmp_path)}).json()["job"]["id"])
    root.post("/sessions", {"name": "standup"})
    turns = [{"text": f"We decided to move the {what} to Redis.", "speaker": "Minsu"} for what in ("queue", "cache")]
    run.run(root.post("/sessions/standup/turns", {"turns": turns}).json()["job"])
    run.run(root.post("/sessions/standup/end").json()["job"])
    hits = child.post("/search", {"query": "Redis", "filters": {"kinds": ["section", "episode"]}}).json()["items"]
    by_kind = {hit["kind"]: hit for hit in hits}
    story = child.get(f"/episodes/{by_kind['episode']['id']}")
    assert story.status_code == 200 and story.json()["inherited_from"] == root.space
    file = child.get(f"/documents/{by_kind['section']['source']['document']}")
    assert file.status_code == 200 and file.json()["path"] == "queue.md"
    assert child.get(f"/documents/{new_id()}").status_code == 404


def test_nothing_is_written_upward(root: Agent, child: Agent, theirs: Any) -> None:
    before = root.get(f"/memories/{theirs['id']}").json()
    for method, path, body in (
        ("PATCH", "", {"text": "Minsu lives in Busan."}),
        ("DELETE", "", None),
        ("POST", "/archive", {}),
        ("POST", "/restore", {}),
        ("POST", "/confirm", {}),
        ("POST", "/pin", {"pinned": True}),
        ("POST", "/feedback", {"used": True}),
        ("POST", "/purge", {}),
        ("POST", "/purge", {"dry_run": True}),
    ):
        answer = child.ask(method, f"/memories/{theirs['id']}{path}", body)
        assert answer.status_code == 403 and root.space in answer.json()["detail"], (method, path, answer.content)
        after = root.get(f"/memories/{theirs['id']}").json()
        assert after | {"trust": 0, "trust_parts": 0, "strength": 0} == before | {
            "trust": 0, "trust_parts": 0, "strength": 0,
        }, (method, path)  # fmt: skip


def test_what_is_said_in_the_child_stays_there(root: Agent, child: Agent, theirs: Any) -> None:
    told = child.post("/memories", {"kind": "fact", "text": "Minsu lives in Seoul."}).json()
    assert told["outcome"] == "written" and told["id"] != theirs["id"]
    child.post("/memories", {"kind": "fact", "text": "Minsu lives in Busan."})
    assert len(child.get("/conflicts").json()["items"]) == 1 and root.get("/conflicts").json()["items"] == []
    assert root.get("/memories").json()["total"] == 1
    assert root.get(f"/memories/{theirs['id']}").json()["trust_parts"]["reinforcements"] == 0


def test_a_recall_from_below_does_not_count_above(root: Agent, child: Agent, theirs: Any) -> None:
    child.post("/search", {"query": "Where does Minsu live?"})
    child.post("/context", {"message": "Where does Minsu live?"})
    settle()
    assert root.get(f"/memories/{theirs['id']}").json()["usage"]["accesses"] == 0


def test_each_space_has_its_own_policy(root: Agent, child: Agent) -> None:
    (mine,) = child.get("/spaces").json()["items"]
    assert mine["tuning"]["conflict_policy"] == "review" and mine["parent"] == root.space
    child.patch(f"/spaces/{mine['name']}", {"settings": {"conflict_policy": "auto", "trust_gate": 2.0}})
    child.post("/memories", {"kind": "fact", "text": "Minsu lives in Seoul."})
    child.post("/memories", {"kind": "fact", "text": "Minsu lives in Busan."})
    assert child.get("/conflicts").json()["tallies"]["automatic"] == 1
    root.post("/memories", {"kind": "fact", "text": "Minsu lives in Seoul."})
    root.post("/memories", {"kind": "fact", "text": "Minsu lives in Busan."})
    assert root.get("/conflicts").json()["tallies"] == {"waiting": 1, "automatic": 0, "decided": 0, "snoozed": 0}


def test_the_child_knows_nothing_of_what_the_parent_has_deleted(root: Agent, child: Agent, theirs: Any) -> None:
    root.delete(f"/memories/{theirs['id']}")
    assert child.get(f"/memories/{theirs['id']}").status_code == 404
    assert child.post("/search", {"query": "Minsu"}).json()["items"] == []


def test_the_parent_does_not_see_the_child(root: Agent, child: Agent) -> None:
    own = child.post("/memories", {"kind": "fact", "text": "Minsu cycles to work."}).json()
    assert root.get(f"/memories/{own['id']}").status_code == 404
    assert root.post("/search", {"query": "cycles"}).json()["items"] == []


def test_a_parents_lists_and_its_graph_are_read_from_below(root: Agent, child: Agent, theirs: Any) -> None:
    run.run(root.post("/heartbeat/graph/run").json()["job"]["id"])
    seoul = root.post("/entities", {"name": "Seoul", "type": "place"}).json()["entity"]
    minsu = root.post("/entities", {"name": "Minsu", "type": "person"}).json()["entity"]
    above = {"inherited_from": root.space}
    assert child.get("/memories").json()["items"] == []
    (shown,) = child.get(asking("/memories", above)).json()["items"]
    assert (shown["id"], shown["inherited_from"]) == (theirs["id"], root.space)
    assert child.get("/entities").json()["total"] == 0
    assert {one["id"] for one in child.get(asking("/entities", above)).json()["items"]} == {seoul["id"], minsu["id"]}
    assert {one["id"] for one in child.get(asking("/graph", above)).json()["nodes"]} == {seoul["id"], minsu["id"]}
    ends = {"start": minsu["id"], "end": seoul["id"]}
    assert child.get(asking("/graph/path", {**ends, **above})).json()["end"]["id"] == seoul["id"]
    whole = child.get(f"/entities/{seoul['id']}").json()
    assert whole["inherited_from"] == root.space
    assert [one["inherited_from"] for one in whole["memories"]] == [root.space]
    assert root.get(f"/entities/{seoul['id']}").json()["inherited_from"] is None
    assert child.patch(f"/entities/{seoul['id']}", {"name": "Busan"}).status_code == 404


def test_only_a_parent_is_read_and_not_what_it_has_deleted(root: Agent, child: Agent, theirs: Any) -> None:
    for path in ("/memories", "/entities", "/graph"):
        refused = child.get(asking(path, {"inherited_from": "elsewhere"}))
        assert (refused.status_code, refused.json()["field"]) == (422, "inherited_from"), path
        assert root.get(asking(path, {"inherited_from": root.space})).status_code == 422
    root.delete(f"/memories/{theirs['id']}")
    assert child.get(asking("/memories", {"inherited_from": root.space, "states": "deleted"})).status_code == 422
    assert child.get(asking("/memories", {"inherited_from": root.space})).json()["items"] == []


def test_deleted_facts_are_listed_for_curators_alone(root: Agent, theirs: Any) -> None:
    root.delete(f"/memories/{theirs['id']}")
    writer = Agent(create_key("w", role=Role.WRITER, space=space_named(root.space), agent="w")[1])
    assert writer.get(asking("/memories", {"states": "deleted"})).status_code == 403
    assert [one["id"] for one in root.get(asking("/memories", {"states": "deleted"})).json()["items"]] == [theirs["id"]]
