"""The graph over HTTP: scenes, paths, the export, recall along relations, and its refreshing."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from memoryapp.accounts.spaces import create_space
from memoryapp.domain.identity import new_id
from memoryapp.jobs.models import Job
from memoryapp.spaces import close_space
from tests.api.conftest import Agent
from tests.api.test_entities import named, world

__all__ = ["world"]
PIPELINE = """
(runs_on :subject "deployment pipeline" :object Terraform) (uses :subject Adam :object Terraform)
(is_on_leave :subject Adam :attribute "until March")
"""


def names(scene: dict[str, Any]) -> set[str]:
    return {node["name"] for node in scene["nodes"]}


def test_the_whole_of_a_small_graph_is_shown_with_its_places(world: Agent) -> None:
    scene = world.get("/graph").json()
    assert scene["total"] == len(scene["nodes"]) == 8 and scene["shows_once"]
    assert {edge["type"] for edge in scene["edges"]} >= {"uses", "works_at", "is_a"}
    assert all(0 <= node["x"] <= 1 and 0 <= node["y"] <= 1 for node in scene["nodes"])
    assert scene["types"]["person"] == 3
    assert world.get("/graph").json() == scene


def test_a_scene_begins_at_entities_and_goes_some_steps(world: Agent) -> None:
    adam = named(world, "Adam")["id"]
    scene = world.get(f"/graph?start={adam}&steps=1").json()
    assert names(scene) == {"Adam", "Terraform"} and scene["starts"] == [adam]
    assert names(world.get(f"/graph?start={adam}&steps=2").json()) == {"Adam", "Terraform", "Mina"}
    two = world.get(f"/graph?start={adam}&start={named(world, 'Jihye')['id']}&steps=1").json()
    assert names(two) == {"Adam", "Terraform", "Jihye", "Neovim"}
    assert len(world.get(f"/graph?start={adam}&steps=3&limit=2").json()["nodes"]) == 2
    only = world.get(f"/graph?start={adam}&steps=3&types=person").json()
    assert "Terraform" not in names(only)


def test_a_scene_begins_at_what_a_text_is_about(world: Agent) -> None:
    scene = world.get("/graph?q=Which%20tools%20does%20Jihye%20use&steps=1").json()
    assert {"Jihye", "Neovim"} <= names(scene)
    nothing = world.get("/graph?q=zzzqqq%20xxyyzz").json()
    assert nothing["nodes"] == [] and (nothing["notes"] or nothing["starts"])


def test_a_scene_as_of_an_earlier_day_is_empty(world: Agent) -> None:
    scene = world.get("/graph?as_of=2020-01-01T00:00:00Z").json()
    assert scene["nodes"] == [] and scene["edges"] == []


@pytest.mark.parametrize(
    ("asked", "status"),
    [("steps=4", 422), ("limit=501", 422), ("start=x", 422), ("start=0123456789abcdef", 404), ("community=99", 404),
     ("trust=-1", 422), ("colour=red", 422), ("as_of=yesterday", 422)],
)  # fmt: skip
def test_a_scene_that_cannot_be_is_refused(world: Agent, asked: str, status: int) -> None:
    for path in ("/graph", "/graph/export.graphml"):
        answer = world.get(f"{path}?{asked}")
        assert answer.status_code == status, answer.content
        assert answer["Content-Type"] == "application/problem+json"


def test_a_path_leads_over_relations(world: Agent) -> None:
    adam, labs = named(world, "Adam"), named(world, "Hangang Labs")
    found = world.get(f"/graph/path?start={adam['id']}&end={labs['id']}").json()
    assert [(step["edge"]["type"], step["node"]["name"]) for step in found["steps"]] == [
        ("uses", "Terraform"),
        ("uses", "Mina"),
        ("works_at", "Hangang Labs"),
    ]
    assert (found["start"]["name"], found["end"]["name"]) == ("Adam", "Hangang Labs")
    assert world.get(f"/graph/path?start={adam['id']}&end={labs['id']}&longest=2").json()["steps"] == []
    assert world.get(f"/graph/path?start={adam['id']}&end={named(world, 'editor')['id']}").json()["steps"] == []
    assert world.get(f"/graph/path?start={adam['id']}&end={new_id()}").status_code == 404
    assert world.get(f"/graph/path?start={adam['id']}").status_code == 422


def test_the_export_is_graphml_of_the_same_scene(world: Agent) -> None:
    adam = named(world, "Adam")["id"]
    answer = world.get(f"/graph/export.graphml?start={adam}&steps=1")
    assert (
        answer["Content-Type"].startswith("application/graphml+xml")
        and "graph.graphml" in answer["Content-Disposition"]
    )
    found = ElementTree.fromstring(answer.content)
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert len(found.findall(f".//{space}node")) == 2 and len(found.findall(f".//{space}edge")) == 1


def test_recall_reaches_along_relations_and_tells_the_path(writer: Agent) -> None:
    writer.post("/memories", {"atoms": PIPELINE})
    sent = {"query": "What do I know about the deployment pipeline?", "strategy": "recall;recall_hops=2"}
    answer = writer.post("/search", sent)
    assert answer.status_code == 200, answer.content
    told = answer.json()
    assert told["strategy"] == sent["strategy"]
    hit = next(one for one in told["items"] if "on leave" in one["text"])
    steps = [step.get("name") for step in hit["evidence"]["path"]]
    assert "Terraform" in steps and "Adam" in steps
    assert writer.post("/search", sent | {"strategy": "recall;recall_hops=4"}).status_code == 422


def test_recall_of_an_empty_space_says_so_and_finds_nothing(writer: Agent) -> None:
    told = writer.post("/search", {"query": "anything", "strategy": "recall"}).json()
    assert told["items"] == []


def test_a_refresh_is_a_job_and_asked_for_twice_is_one(curator: Agent, writer: Agent, space: Any) -> None:
    answer = curator.post("/heartbeat/graph/run")
    assert answer.status_code == 202, answer.content
    job = answer.json()["job"]
    assert (job["kind"], job["status"], job["space"]) == ("graph", "queued", space.name)
    assert answer["Location"] == f"/api/v1/jobs/{job['id']}"
    assert curator.post("/heartbeat/graph/run").json()["job"]["id"] == job["id"]
    assert Job.objects.filter(space=space.name).count() == 1
    assert writer.post("/heartbeat/graph/run").status_code == 403


def test_the_graph_of_another_space_is_not_seen(world: Agent, root: Agent) -> None:
    other = create_space(f"o-{new_id()}")
    theirs = Agent(root.key, space=other.name)
    adam, labs = named(world, "Adam")["id"], named(world, "Hangang Labs")["id"]
    assert theirs.get("/graph").json()["nodes"] == []
    assert theirs.get(f"/graph?start={adam}").status_code == 404
    assert theirs.get(f"/graph/path?start={adam}&end={labs}").status_code == 404
    assert theirs.get(f"/relations?entity={adam}").status_code == 404
    assert theirs.post("/search", {"query": "Adam Terraform", "strategy": "recall"}).json()["items"] == []
    assert (
        theirs.post("/atoms/preview", {"atoms": "(uses :subject Adam :object X1)"}).json()["items"][0]["participants"][
            0
        ]["entity"]
        is None
    )
    close_space(other.name)
