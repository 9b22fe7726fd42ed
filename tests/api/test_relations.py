"""Relations and the hierarchy over HTTP: listed, stated, corrected, refused."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.domain.identity import new_id
from tests.api.conftest import Agent
from tests.api.test_entities import named, world

__all__ = ["world"]


def relations(agent: Agent, **narrow: str) -> list[dict[str, Any]]:
    asked = "&".join(f"{name}={value}" for name, value in narrow.items())
    answer = agent.get(f"/relations?{asked}")
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


def told(edge: dict[str, Any]) -> tuple[str, str, str]:
    return edge["subject"]["name"], edge["type"], edge["object"]["name"]


def test_relations_are_listed_by_entity_and_by_the_memory_they_were_found_in(world: Agent) -> None:
    mina = named(world, "Mina")["id"]
    found = relations(world, entity=mina)
    assert sorted(map(told, found)) == [
        ("Mina", "uses", "Terraform"),
        ("Mina", "uses", "nvim"),
        ("Mina", "works_at", "Hangang Labs"),
    ]
    assert {(one["made_by"], one["hint"], one["holds"], one["state"]) for one in found} == {
        ("atom", False, True, "held")
    }
    (edge,) = relations(world, fact=found[0]["fact"])
    assert edge["id"] == found[0]["id"]
    assert len(relations(world, entity=mina, type="uses")) == 2
    assert relations(world, entity=mina, fact=found[0]["fact"]) == [edge]
    assert world.get(f"/relations?entity={new_id()}").status_code == 404


def test_all_relations_are_listed_page_by_page_oldest_first(world: Agent, curator: Agent) -> None:
    every, cursor = [], ""
    while cursor is not None:
        page = world.get(f"/relations?limit=2&cursor={cursor}").json()
        assert len(page["items"]) <= 2
        every += page["items"]
        cursor = page["next_cursor"]
    assert len({one["id"] for one in every}) == len(every) >= 4
    assert [one["created_at"] for one in every] == sorted(one["created_at"] for one in every)
    assert {told(one) for one in every} >= {("Mina", "uses", "Terraform"), ("Mina", "works_at", "Hangang Labs")}
    assert {one["type"] for one in relations(world, type="uses")} == {"uses"}
    assert curator.delete(f"/relations/{every[0]['id']}").status_code == 200
    assert every[0]["id"] not in {one["id"] for one in relations(world)}
    assert every[0]["id"] in {one["id"] for one in relations(world, state="all")}


def test_the_pages_of_relations_hold_each_once(world: Agent) -> None:
    mina, seen, cursor = named(world, "Mina")["id"], [], ""
    while True:
        page = world.get(f"/relations?entity={mina}&limit=1&cursor={cursor}").json()
        seen += [one["id"] for one in page["items"]]
        cursor = page["next_cursor"]
        if not cursor:
            break
    assert len(seen) == len(set(seen)) == 3


def test_a_relation_no_longer_holds_when_its_memory_does_not(world: Agent, curator: Agent) -> None:
    (edge, *_) = relations(world, entity=named(world, "Adam")["id"])
    curator.post(f"/memories/{edge['fact']}/archive")
    (edge, *_) = relations(world, entity=named(world, "Adam")["id"])
    assert edge["holds"] is False and edge["state"] == "held"


def test_a_merged_entity_brings_its_relations_along(world: Agent, curator: Agent) -> None:
    keep, gone = named(world, "Neovim")["id"], named(world, "nvim")["id"]
    curator.post("/entities/merge", {"keep": keep, "gone": [gone]})
    found = {told(edge) for edge in relations(world, entity=keep)}
    assert ("Mina", "uses", "nvim") in found and ("Jihye", "uses", "Neovim") in found
    assert {told(edge) for edge in relations(world, entity=gone)} == found


def test_a_relation_is_stated_corrected_refused_and_held_again(world: Agent, curator: Agent) -> None:
    adam, labs = named(world, "Adam")["id"], named(world, "Hangang Labs")["id"]
    body = {"subject": adam, "type": "works at", "object": labs, "label": "interns at"}
    made = curator.post("/relations", body)
    assert made.status_code == 201, made.content
    edge = made.json()["relation"]
    assert told(edge) == ("Adam", "works_at", "Hangang Labs") and edge["label"] == "interns at"
    assert (edge["made_by"], edge["fact"], edge["holds"]) == ("person", None, True)
    assert curator.post("/relations", body).status_code == 409
    at = f"/relations/{edge['id']}"
    tag = world.get(at)["ETag"]
    changed = curator.patch(at, {"type": "member_of", "planned": True}, If_Match=tag)
    assert changed.json()["relation"]["type"] == "member_of" and changed.json()["relation"]["planned"]
    stale = curator.patch(at, {"label": ""}, If_Match=tag)
    assert stale.status_code == 412 and stale.json()["current"] == 2
    rehearsed = curator.delete(f"{at}?dry_run=true").json()
    assert rehearsed["dry_run"] and rehearsed["relation"]["state"] == "held"
    refused = curator.delete(at).json()
    assert (refused["relation"]["state"], refused["relation"]["holds"]) == ("refused", False)
    assert curator.delete(at).json()["run"] is None
    assert edge["id"] not in [one["id"] for one in relations(world, entity=adam)]
    assert edge["id"] in [one["id"] for one in relations(world, entity=adam, state="refused")]
    assert len(relations(world, entity=adam, state="all")) == 2
    held = curator.patch(at, {"state": "held"}).json()
    assert held["relation"]["state"] == "held" and held["run"]
    assert curator.post(f"/runs/{held['run']}/undo").status_code == 200
    assert world.get(at).json()["state"] == "refused"


@pytest.mark.parametrize(
    ("change", "status"),
    [({}, 422), ({"state": "held", "label": "x"}, 422), ({"type": "is_a"}, 422), ({"type": "<b>"}, 422),
     ({"subject": "0a1b2c3d4e5f6071"}, 422), ({"label": "x" * 200}, 422)],
)  # fmt: skip
def test_a_correction_that_cannot_be_is_refused(
    world: Agent, curator: Agent, change: dict[str, Any], status: int
) -> None:
    edge = relations(world, entity=named(world, "Adam")["id"])[0]
    answer = curator.patch(f"/relations/{edge['id']}", change)
    assert answer.status_code == status, answer.content
    assert world.get(f"/relations/{edge['id']}").json() == edge


def test_a_relation_to_itself_or_to_nothing_is_refused(world: Agent, curator: Agent) -> None:
    adam = named(world, "Adam")["id"]
    assert curator.post("/relations", {"subject": adam, "type": "uses", "object": adam}).status_code == 422
    assert curator.post("/relations", {"subject": adam, "type": "uses", "object": new_id()}).status_code == 404
    assert world.get(f"/relations/{new_id()}").status_code == 404
    assert curator.delete(f"/relations/{new_id()}").status_code == 404


def test_one_is_put_under_another_and_taken_away_again(world: Agent, curator: Agent) -> None:
    neovim, editor, tool = (named(world, name)["id"] for name in ("Neovim", "editor", "Terraform"))
    made = curator.ask("PUT", f"/entities/{editor}/parents/{tool}")
    assert made.status_code == 200 and told(made.json()["relations"][0]) == ("editor", "is_a", "Terraform")
    assert curator.ask("PUT", f"/entities/{editor}/parents/{tool}").status_code == 409
    circle = curator.ask("PUT", f"/entities/{tool}/parents/{neovim}")
    assert circle.status_code == 409 and "circle" in circle.json()["detail"]
    at = f"/entities/{neovim}/parents/{editor}"
    assert curator.delete(f"{at}?dry_run=true").json()["dry_run"] is True
    gone = curator.delete(at).json()
    assert [one["state"] for one in gone["relations"]] == ["refused"] and gone["run"]
    assert world.get(f"/entities/{neovim}").json()["parents"] == []
    assert curator.delete(at).status_code == 409
    assert curator.ask("PUT", at).status_code == 200


def test_a_writer_states_and_refuses_nothing(world: Agent) -> None:
    edge = relations(world, entity=named(world, "Adam")["id"])[0]
    body = {"subject": edge["subject"]["id"], "type": "knows", "object": edge["object"]["id"]}
    asked = (
        world.post("/relations", body),
        world.patch(f"/relations/{edge['id']}", {"label": "x"}),
        world.delete(f"/relations/{edge['id']}"),
        world.ask("PUT", f"/entities/{edge['subject']['id']}/parents/{edge['object']['id']}"),
    )
    assert [answer.status_code for answer in asked] == [403] * 4
