"""Entities over HTTP: listed, looked at, corrected, merged and parted."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from memoryapp.accounts.spaces import create_space
from memoryapp.domain.identity import new_id
from memoryapp.spaces import close_space
from tests.api.conftest import Agent

WORLD = """
(uses :subject Adam :object Terraform) (uses :subject Mina :object Terraform) (uses :subject Mina :object nvim)
(works_at :subject Mina :object "Hangang Labs")
(uses :subject Jihye :object Neovim) (is_a :subject Neovim :object editor)
"""


@pytest.fixture
def world(writer: Agent) -> Agent:
    answer = writer.post("/memories", {"atoms": WORLD})
    assert answer.status_code == 201, answer.content
    return writer


def named(agent: Agent, name: str) -> dict[str, Any]:
    found = agent.get(f"/entities?text={quote(name)}").json()["items"]
    return next(one for one in found if one["name"] == name)


def test_entities_are_listed_with_what_refers_to_them(world: Agent) -> None:
    page = world.get("/entities").json()
    assert page["total"] == len(page["items"]) == 8 and page["next_cursor"] is None
    assert page["items"][0]["memories"] == max(one["memories"] for one in page["items"]) == 3
    terraform = named(world, "Terraform")
    assert (terraform["memories"], terraform["links"], terraform["type"], terraform["state"]) == (2, 2, "tool", "known")
    assert terraform["latest"] and terraform["merged_into"] is None


def test_a_list_is_narrowed_by_text_type_state_and_orphans(world: Agent, curator: Agent) -> None:
    def names(narrow: str) -> set[str]:
        answer = world.get(f"/entities?{narrow}")
        assert answer.status_code == 200, answer.content
        return {one["name"] for one in answer.json()["items"]}

    assert names("type=organization&type=person") >= {"Mina", "Hangang Labs"} and "nvim" not in names("type=person")
    assert names("text=hang") == {"Hangang Labs"}
    assert names("state=proposed") == set()
    editor = named(world, "editor")
    assert curator.post("/entities/bulk", {"ids": [editor["id"]], "act": "refuse"}).status_code == 200
    assert names("state=refused") == {"editor"} and "editor" not in names("")
    memory = world.get("/memories?contains=hangang").json()["items"][0]
    curator.delete(f"/memories/{memory['id']}")
    assert names("orphans=true") == {"Hangang Labs"}


@pytest.mark.parametrize("sort", ["memories", "links", "newest", "name"])
def test_the_pages_of_entities_hold_each_once(world: Agent, sort: str) -> None:
    seen, cursor = [], ""
    while True:
        page = world.get(f"/entities?sort={sort}&limit=3&cursor={cursor}").json()
        seen += [one["name"] for one in page["items"]]
        cursor = page["next_cursor"]
        if not cursor:
            break
    assert len(seen) == len(set(seen)) == 8
    if sort == "name":
        assert seen == sorted(seen, key=str.casefold)
    foreign = world.get("/entities?sort=links&limit=1").json()["next_cursor"]
    assert world.get(f"/entities?sort=name&cursor={foreign}").status_code == 422


def test_a_very_long_korean_name_pages_too(writer: Agent) -> None:
    for n in range(3):
        writer.post("/memories", {"atoms": f'(likes :subject 민수 :object "{"가" * 290}{n}")'})
    page = writer.get("/entities?sort=name&limit=1").json()
    seen = 1
    while page["next_cursor"]:
        answer = writer.get(f"/entities?sort=name&limit=1&cursor={page['next_cursor']}")
        assert answer.status_code == 200, answer.content
        page = answer.json()
        seen += len(page["items"])
    assert seen == 4


@pytest.mark.parametrize(
    "narrow", ["sort=best", "state=lost", "type=%20%20", "type=a%3Cb", "cursor=nothing", "kind=tool", "limit=0"]
)
def test_a_list_that_cannot_be_is_refused(world: Agent, narrow: str) -> None:
    answer = world.get(f"/entities?{narrow}")
    assert answer.status_code == 422 and answer.json()["field"]


def test_an_entity_comes_with_its_roles_its_relations_and_its_place(world: Agent) -> None:
    neovim = named(world, "Neovim")
    answer = world.get(f"/entities/{neovim['id']}")
    card = answer.json()
    assert answer["ETag"].startswith(f'W/"{card["version"]}-')
    assert {one["role"] for one in card["memories"]} == {"subject", "object"} and card["memories_in_all"] == 2
    assert [one["entity"]["name"] for one in card["parents"]] == ["editor"] and card["children"] == []
    assert {edge["type"] for edge in card["edges"]} >= {"uses", "is_a"}
    assert {node["name"] for node in card["neighbours"]} >= {"Jihye", "editor"}
    assert sum(day["memories"] for day in card["days"]) == 2 and card["first_seen"] and card["last_seen"]
    parent = world.get(f"/entities/{card['parents'][0]['entity']['id']}").json()
    assert [one["entity"]["name"] for one in parent["children"]] == ["Neovim"]
    assert world.get(f"/entities/{new_id()}").status_code == 404
    assert world.get("/entities/neovim").status_code == 404


def test_an_entity_as_of_an_earlier_day_is_without_what_came_later(world: Agent) -> None:
    neovim = named(world, "Neovim")
    card = world.get(f"/entities/{neovim['id']}?as_of=2020-01-01T00:00:00Z").json()
    assert card["memories"] == [] and card["edges"] == []
    listed = world.get("/entities?as_of=2020-01-01T00:00:00Z").json()
    assert listed["items"] == [] and world.get("/entities").json()["total"] > listed["total"] == 0


def test_a_refused_entity_can_still_be_looked_at_and_taken_in(world: Agent, curator: Agent) -> None:
    editor = named(world, "editor")
    curator.post("/entities/bulk", {"ids": [editor["id"]], "act": "refuse"})
    card = world.get(f"/entities/{editor['id']}").json()
    assert card["state"] == "refused" and card["edges"] == []
    done = curator.post("/entities/bulk", {"ids": [editor["id"]], "act": "take-in"}).json()
    assert [one["state"] for one in done["items"]] == ["known"] and done["run"]


def test_an_edit_changes_what_is_sent_and_can_be_undone(world: Agent, curator: Agent) -> None:
    before = named(world, "nvim")
    tag = f'"{before["version"]}"'
    answer = curator.patch(f"/entities/{before['id']}", {"name": "vim-classic", "type": "Text Editor"}, If_Match=tag)
    assert answer.status_code == 200, answer.content
    done = answer.json()
    assert (done["entity"]["name"], done["entity"]["type"]) == ("vim-classic", "text editor")
    assert done["entity"]["aliases"] == ["nvim"] and answer["ETag"] == f'"{done["entity"]["version"]}"'
    stale = curator.patch(f"/entities/{before['id']}", {"type": "tool"}, If_Match=tag)
    assert stale.status_code == 412 and stale.json()["current"] == done["entity"]["version"]
    same = curator.patch(f"/entities/{before['id']}", {"type": "text editor"})
    assert same.json()["run"] is None
    assert curator.post(f"/runs/{done['run']}/undo").json()["undone"] == 1
    assert named(world, "nvim")["type"] == before["type"]


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({}, 422, ""),
        ({"name": "  "}, 422, "/name"),
        ({"name": "..."}, 422, "/name"),
        ({"type": "<b>"}, 422, "/type"),
        ({"state": "known"}, 422, "/state"),
        ({"name": "terraform"}, 409, "/name"),
        ({"aliases": ["Terraform"]}, 409, "/aliases"),
        ({"name": None}, 422, "/name"),
    ],
)
def test_an_edit_that_cannot_be_is_refused(
    world: Agent, curator: Agent, body: dict[str, Any], status: int, field: str
) -> None:
    before = named(world, "nvim")
    answer = curator.patch(f"/entities/{before['id']}", body)
    assert answer.status_code == status and answer.json().get("field", "") == field, answer.content
    assert named(world, "nvim")["version"] == before["version"]


def test_two_are_merged_after_a_dry_run_and_parted_with_all_they_had(world: Agent, curator: Agent) -> None:
    keep, gone = named(world, "Neovim"), named(world, "nvim")
    asked = {"keep": keep["id"], "gone": [gone["id"]]}
    rehearsed = curator.post("/entities/merge", asked | {"dry_run": True}).json()
    assert rehearsed["dry_run"] is True and rehearsed["run"] is None
    assert rehearsed["preview"]["names"] == ["Neovim", "nvim"] and rehearsed["preview"]["memories"] == 3
    assert named(world, "nvim")["merged_into"] is None
    before = {key: world.get(f"/entities/{key}").json()["edges"] for key in (keep["id"], gone["id"])}
    done = curator.post("/entities/merge", asked).json()
    assert done["entity"]["id"] == keep["id"] and done["run"]
    card = world.get(f"/entities/{gone['id']}").json()
    assert card["id"] == keep["id"] and card["memories_in_all"] == 3
    assert [one["name"] for one in card["merged"]] == ["nvim"]
    assert {one["id"] for one in world.get("/entities?text=nvim").json()["items"]} == {keep["id"]}
    again = curator.post("/entities/merge", asked)
    assert again.status_code == 409
    parted = curator.post("/entities/unmerge", {"entity": gone["id"]}).json()
    assert parted["entity"]["merged_into"] is None and parted["run"]
    assert {key: world.get(f"/entities/{key}").json()["edges"] for key in before} == before
    assert curator.post("/entities/unmerge", {"entity": gone["id"]}).status_code == 409


def test_a_merge_is_undone_by_its_run(world: Agent, curator: Agent) -> None:
    keep, gone = named(world, "Neovim"), named(world, "nvim")
    run = curator.post("/entities/merge", {"keep": keep["id"], "gone": [gone["id"]]}).json()["run"]
    assert curator.post(f"/runs/{run}/undo").json()["undone"] == 1
    assert named(world, "nvim")["id"] == gone["id"]


def test_merging_what_cannot_be_merged_says_why(world: Agent, curator: Agent) -> None:
    one = named(world, "Neovim")["id"]
    assert curator.post("/entities/merge", {"keep": one, "gone": [one]}).status_code == 422
    assert curator.post("/entities/merge", {"keep": one, "gone": [new_id()]}).status_code == 404
    assert curator.post("/entities/merge", {"keep": one, "gone": []}).status_code == 422


def test_two_that_are_said_to_be_two_are_not_proposed(world: Agent, curator: Agent) -> None:
    one, other = named(world, "Mina"), named(world, "Jihye")
    pair = {"one": one["id"], "other": other["id"]}
    assert curator.post("/entities/alike", pair | {"alike": True}).status_code == 404
    said = curator.post("/entities/alike", pair | {"alike": False}).json()
    assert said["status"] == "refused" and {said["one"]["name"], said["other"]["name"]} == {"Mina", "Jihye"}
    assert world.get("/entities/alike").json() == {"items": [], "next_cursor": None}
    again = curator.post("/entities/alike", {"one": other["id"], "other": one["id"], "alike": True}).json()
    assert (again["id"], again["status"]) == (said["id"], "waiting")
    assert [one["id"] for one in world.get("/entities/alike").json()["items"]] == [said["id"]]


def test_pairs_that_may_be_one_wait_page_by_page(world: Agent, curator: Agent, memory: Any) -> None:
    from memoryapp.domain.entity import Alike, AlikeStatus, alike_id
    from memoryapp.store import entity_pairs

    keys = [one["id"] for one in world.get("/entities").json()["items"]]
    pairs = [
        Alike(alike_id(keys[0], key), keys[0], key, "alike", 0.5, AlikeStatus.WAITING, memory.clock())
        for key in keys[1:6]
    ]
    entity_pairs.propose(memory.db, pairs)
    seen, cursor = [], ""
    while True:
        page = world.get(f"/entities/alike?limit=2&cursor={cursor}").json()
        seen += [one["id"] for one in page["items"]]
        cursor = page["next_cursor"]
        if not cursor:
            break
    assert sorted(seen) == sorted(pair.id for pair in pairs)
    card = world.get(f"/entities/{keys[1]}").json()
    assert [one["one"]["id"] for one in card["alike"]] == [keys[0]]


def test_a_writer_corrects_nothing(world: Agent) -> None:
    one = named(world, "Neovim")["id"]
    asked = (
        world.patch(f"/entities/{one}", {"type": "tool"}),
        world.post("/entities/merge", {"keep": one, "gone": [new_id()]}),
        world.post("/entities/unmerge", {"entity": one}),
        world.post("/entities/bulk", {"ids": [one], "act": "refuse"}),
        world.post("/entities/alike", {"one": one, "other": new_id(), "alike": False}),
    )
    assert [answer.status_code for answer in asked] == [403] * 5


def test_entities_of_another_space_are_not_seen(world: Agent, root: Agent) -> None:
    other = create_space(f"o-{new_id()}")
    theirs = Agent(root.key, space=other.name)
    mine = named(world, "Neovim")["id"]
    assert theirs.get("/entities").json()["total"] == 0
    assert theirs.get(f"/entities/{mine}").status_code == 404
    theirs.post("/memories", {"atoms": "(uses :subject Eve :object Secrets)"})
    secret = named(theirs, "Secrets")["id"]
    assert root.get(f"/entities/{secret}").status_code == 404
    merged = root.post("/entities/merge", {"keep": mine, "gone": [secret]})
    assert merged.status_code == 404
    close_space(other.name)


def test_merging_under_one_idempotency_key_is_done_once(world: Agent, curator: Agent) -> None:
    asked = {"keep": named(world, "Neovim")["id"], "gone": [named(world, "nvim")["id"]]}
    first = curator.post("/entities/merge", asked, Idempotency_Key="m")
    again = curator.post("/entities/merge", asked, Idempotency_Key="m")
    assert first.status_code == again.status_code == 200 and first.json() == again.json()


def test_an_entity_is_named_by_hand_and_what_is_in_the_way_is_told_with_its_address(
    writer: Agent, curator: Agent
) -> None:
    memory = writer.post("/memories", {"text": "the pool is on zfs now"}).json()["id"]
    made = curator.post("/entities", {"name": "ZFS", "type": "tool", "aliases": ["zpool"]})
    assert made.status_code == 201, made.content
    entity = made.json()["entity"]
    assert made["Location"] == f"/api/v1/entities/{entity['id']}"
    assert (entity["state"], entity["aliases"], made.json()["linked"]) == ("known", ["zpool"], 1)
    assert [one["id"] for one in writer.get(f"/entities/{entity['id']}").json()["memories"]] == [memory]
    again = curator.post("/entities", {"name": "Zpool"})
    assert (again.status_code, again.json()["address"]) == (409, f"/api/v1/entities/{entity['id']}")
    assert writer.post("/entities", {"name": "Borg"}).status_code == 403
    assert curator.post("/entities", {"name": " "}).status_code == 422
    undone = curator.post(f"/runs/{made.json()['run']}/undo")
    assert undone.status_code == 200, undone.content
    assert "ZFS" not in {one["name"] for one in writer.get("/entities?state=known").json()["items"]}
