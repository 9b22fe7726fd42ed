from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client

from memoryapp import spaces
from memoryapp.domain.entity import Alike, AlikeStatus, EntityState, EntityType, alike_id, normal_form
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Memory
from memoryapp.domain.relation import MadeBy, RelationType
from memoryapp.interfaces.graph.table import PAGE
from memoryapp.store import entity_pairs, memories
from memoryapp.store.database import Database
from tests.graph.world import World, a_relation
from tests.markup import PageClient
from tests.pages.graphs import KOREAN, LONG, workshop


def key(name: str) -> str:
    return derived_id("entity", normal_form(name))


def page(client: Client, **asked: Any) -> str:
    answer = client.get("/graph/", asked)
    assert answer.status_code == 200
    return answer.content.decode()


def scene(client: Client, **asked: Any) -> dict[str, Any]:
    answer = client.get("/graph/scene/", asked)
    assert answer.status_code == 200
    told: dict[str, Any] = answer.json()
    return told


def names(told: dict[str, Any]) -> set[str]:
    return {node["name"] for node in told["nodes"]}


@pytest.fixture
def said(space: spaces.Space) -> dict[str, Memory]:
    return workshop(space)


def test_without_entities_the_page_says_what_it_grows_out_of(
    reader: Client, writer: Client, curator: Client, row: object
) -> None:
    read, written = page(reader), page(writer)
    assert "The graph is empty." in read
    assert "Write a memory" in written and "Write a memory" not in read
    assert "Ingest notes" in page(curator) and "Ingest notes" not in written  # it is a curator who may
    assert "graph.js" not in read
    assert scene(reader)["nodes"] == []


def test_without_a_start_the_whole_of_a_small_graph_is_shown(reader: Client, said: dict[str, Memory]) -> None:
    told = scene(reader)
    assert told["total"] == len(told["nodes"]) == 17
    assert "All 17 entities of <b>" in page(reader)


def test_the_scene_is_what_is_around_a_start(reader: Client, said: dict[str, Memory]) -> None:
    told = scene(reader, start=key("Embedding runs"), steps=1)
    assert names(told) == {"Embedding runs", "Jiwon", "H100", "A100"}
    assert told["starts"] == [key("Embedding runs")]
    assert all(0 <= node["x"] <= 1 and 0 <= node["y"] <= 1 for node in told["nodes"])
    assert "Around <b>Embedding runs</b>: 4 of 17 entities, one step out." in page(
        reader, start=key("Embedding runs"), steps=1
    )


def test_the_same_address_gives_the_same_places(reader: Client, said: dict[str, Memory]) -> None:
    assert scene(reader, start=key("Jiwon")) == scene(reader, start=key("Jiwon"))


def test_states_of_edges_are_told_in_the_drawing_and_in_the_table(reader: Client, said: dict[str, Memory]) -> None:
    told = scene(reader)
    states = {(e["source"], e["target"]): e["state"] for e in told["edges"] if e["kind"] == "relation"}
    assert states[key("Jiwon"), key("Mac")] == "conflict"
    assert states[key("Embedding runs"), key("A100")] == "superseded"
    assert states[key("Mina"), key("Neovim")] == "planned"
    html = page(reader)
    assert 'data-state="superseded"' in html and 'data-state="conflict"' in html
    for mark in ("superseded", "≠ conflict", "planned", "hint"):
        assert re.search(rf'<span class="tag ?[a-z]*">{mark}</span>', html), mark
    assert re.search(r'href="/conflicts/[0-9a-f]{16}/">≠ waits for a decision', html)
    assert f'href="/memories/{said["now"].id}/"' in html


def test_what_only_rules_found_is_marked_as_a_hint(reader: Client, said: dict[str, Memory]) -> None:
    hints = {(e["source"], e["target"]): e["hint"] for e in scene(reader)["edges"] if e["kind"] == "relation"}
    assert hints[key("Adam"), key("Terraform")] and not hints[key("Jiwon"), key("Linux")]


def test_a_search_starts_from_the_entities_it_names(reader: Client, said: dict[str, Memory]) -> None:
    assert scene(reader, q="what does Adam use?")["starts"] == [key("Adam")]
    nothing = page(reader, q="zzxxqq")
    assert "<b>“zzxxqq”</b> mentions no entity" in nothing


def test_a_memory_starts_from_what_it_names(reader: Client, said: dict[str, Memory]) -> None:
    assert set(scene(reader, memory=said["part"].id)["starts"]) == {key("Terraform"), key("deployment pipeline")}


def test_expanding_keeps_what_is_there_in_its_place(reader: Client, said: dict[str, Memory]) -> None:
    before = scene(reader, start=key("Embedding runs"), steps=1)
    after = scene(reader, start=key("Embedding runs"), steps=1, more=key("Jiwon"))
    assert names(before) < names(after)
    assert {"Mac", "Linux", "Adam"} <= names(after)
    place = {node["id"]: (node["x"], node["y"]) for node in before["nodes"]}
    assert {n["id"]: (n["x"], n["y"]) for n in after["nodes"] if n["id"] in place} == place
    assert len({(node["x"], node["y"]) for node in after["nodes"]}) == len(after["nodes"])
    (jiwon,) = (node for node in after["nodes"] if node["name"] == "Jiwon")
    assert jiwon["hidden"] == 0


def test_what_is_hidden_leaves_with_its_edges(reader: Client, said: dict[str, Memory]) -> None:
    told = scene(reader, hide=key("Jiwon"))
    assert "Jiwon" not in names(told)
    assert not any(key("Jiwon") in (edge["source"], edge["target"]) for edge in told["edges"])
    assert "Hidden <b>1</b>" in page(reader, hide=key("Jiwon"))


def test_types_relations_and_trust_narrow_the_graph(reader: Client, said: dict[str, Memory]) -> None:
    people = scene(reader, types="person")
    assert {node["type"] for node in people["nodes"]} == {"person"}
    assert people["types"]["tool"] > 0  # the legend still counts what is hidden
    uses = scene(reader, relations="uses")
    assert {edge["type"] for edge in uses["edges"]} == {"uses"}
    assert len(scene(reader, trust="1.3")["edges"]) < len(scene(reader)["edges"])
    html = page(reader, types="person", relations="uses", trust="0.5")
    assert "Trust at least <b>0.50</b>" in html and "Relation <b>uses</b>" in html and "Types <b>person</b>" in html
    assert re.search(r'data-type="tool"\s+aria-pressed="false"', html)
    assert re.search(r'data-type="person"\s+aria-pressed="true"', html)


def test_a_relation_that_is_switched_off_leaves_the_table_and_stays_in_the_legend(
    reader: Client, said: dict[str, Memory]
) -> None:
    whole, html = page(reader), page(reader, off="uses,works_on")
    assert scene(reader, off="uses")["edges"] == scene(reader)["edges"]  # the drawing can show them again at once
    assert whole.count('data-edge="') > html.count('data-edge="') > 0
    assert re.search(r'data-kind="uses"\s+aria-pressed="false"', html)
    assert re.search(r'data-kind="knows"\s+aria-pressed="true"', html)


def test_the_search_offers_names_and_before_anything_is_typed_the_best_joined(
    reader: Client, said: dict[str, Memory]
) -> None:
    offered = reader.get("/graph/names/").content.decode()
    assert "Most connected" in offered and "Recent" in offered
    found = re.findall(r'data-entity="([0-9a-f]{16})"', offered)
    assert found[0] == key("Jiwon") and len(found) == len(set(found)) <= 8
    typed = reader.get("/graph/names/", {"q": "terra"}).content.decode()
    assert re.findall(r'data-entity="([0-9a-f]{16})"', typed) == [key("Terraform")]
    assert "What memories of “terra” mention" in typed
    nothing = reader.get("/graph/names/", {"q": "<zzxxqq>"}).content.decode()
    assert "data-entity" not in nothing and "&lt;zzxxqq&gt;" in nothing


def test_communities_of_a_scene_are_named_by_who_is_joined_best(reader: Client, said: dict[str, Memory]) -> None:
    told = scene(reader)
    assert told["communities"] and told["nodes"]
    links = {node["name"]: node["links"] for node in told["nodes"]}
    for one in told["communities"]:
        members = [node["name"] for node in told["nodes"] if node["community"] == one["number"]]
        assert one["size"] == len(members) >= 3 and set(one["names"]) <= set(members)
        assert links[one["names"][0]] == max(links[name] for name in members)


def test_a_path_is_lit_and_told_in_steps(reader: Client, said: dict[str, Memory]) -> None:
    asked = f"{key('Adam')},{key('deployment pipeline')}"
    told = scene(reader, path=asked)
    assert told["path"]["nodes"] == [key("Adam"), key("Terraform"), key("deployment pipeline")]
    assert len(told["path"]["edges"]) == 2
    assert set(told["path"]["edges"]) <= {edge["id"] for edge in told["edges"]}
    html = page(reader, path=asked)
    assert "From <b>Adam</b> to <b>deployment pipeline</b> in two steps" in html
    assert "uses →" in html and "Terraform is part of the deployment pipeline." in html
    back = page(reader, path=f"{key('deployment pipeline')},{key('Adam')}")
    assert "← part of" in back


def test_no_path_is_told_as_such(reader: Client, said: dict[str, Memory]) -> None:
    asked = f"{key('Adam')},{key('SurrealDB')}"
    assert "No path of up to six steps connects <b>Adam</b> and <b>SurrealDB</b>." in page(reader, path=asked)
    assert scene(reader, path=asked)["path"] == {"nodes": [], "edges": []}


def test_a_path_is_found_by_names(reader: Client, said: dict[str, Memory]) -> None:
    found = reader.get("/graph/path/", {"from": "adam", "to": "Deployment pipeline"})
    assert found["Location"] == f"/graph/?path={key('Adam')},{key('deployment pipeline')}"
    lost = reader.get("/graph/path/", {"from": "Adam", "to": "zzxxqq"}, follow=True).content.decode()
    assert "Nothing is called “zzxxqq”." in lost
    same = reader.get("/graph/path/", {"from": "Adam", "to": "Adam"})
    assert same["Location"] == f"/graph/?start={key('Adam')}"


def test_a_name_leads_to_its_entity_and_other_words_to_a_search(reader: Client, said: dict[str, Memory]) -> None:
    assert reader.get("/graph/find/", {"q": "TERRAFORM"})["Location"] == f"/graph/?start={key('Terraform')}"
    assert (
        reader.get("/graph/find/", {"q": "zzxxqq & 배포"})["Location"] == "/graph/?q=zzxxqq%20%26%20%EB%B0%B0%ED%8F%AC"
    )


def test_the_panel_tells_of_one_entity(reader: Client, said: dict[str, Memory]) -> None:
    html = reader.get(f"/graph/panel/{key('Embedding runs')}/").content.decode()
    assert "Embedding runs" in html and "project" in html
    assert "Embedding runs go to the H100." in html
    assert 'data-graph="expand"' in html
    assert "<html" not in html
    assert reader.get(f"/graph/panel/{'0' * 16}/").status_code == 404


def test_before_anything_was_said_nothing_is_joined(reader: Client, said: dict[str, Memory]) -> None:
    told = scene(reader, as_of="2020-01-01")
    assert told["edges"] == []
    html = page(reader, as_of="2020-01-01", start=key("Jiwon"))
    assert "You are looking at" in html and "Back to now" in html


def test_what_was_superseded_later_held_at_its_time(reader: Client, said: dict[str, Memory], space: object) -> None:
    then = (said["then"].created_at + timedelta(days=1)).isoformat()
    told = scene(reader, start=key("Embedding runs"), steps=1, as_of=then)
    assert {e["state"] for e in told["edges"] if e["target"] == key("A100")} == {"held"}


def test_a_long_name_is_whole_in_the_scene_and_cut_in_the_table(reader: Client, said: dict[str, Memory]) -> None:
    assert {LONG, KOREAN} <= names(scene(reader))
    assert f">{LONG}<" not in page(reader)


def test_the_scene_is_taken_away_as_graphml(reader: Client, said: dict[str, Memory]) -> None:
    answer = reader.get("/graph/export.graphml", {"start": key("Jiwon"), "steps": 1})
    assert "attachment" in answer["Content-Disposition"]
    nodes = [e for e in ElementTree.fromstring(answer.content.decode()).iter() if e.tag.endswith("}node")]
    assert len(nodes) == len(scene(reader, start=key("Jiwon"), steps=1)["nodes"])


def test_only_who_may_decide_is_offered_to_merge(
    reader: Client, curator: Client, space: spaces.Space, said: dict[str, Memory]
) -> None:
    one, other = key("Neovim"), key("nvim")
    pair = Alike(alike_id(one, other), one, other, "a known alias", 0.94, AlikeStatus.WAITING, space.clock())
    entity_pairs.propose(space.db, [pair])
    for client in (reader, curator):
        assert "a known alias" in page(client)
    assert "hx-post" not in page(reader)
    assert "hx-post" not in page(curator, as_of="2026-03-02")  # of the past nothing is changed


def test_a_large_graph_opens_as_communities_and_stays_small(reader: PageClient, space: spaces.Space) -> None:
    world = World(space)
    groups = [[f"g{g} thing {n}" for n in range(40)] for g in range(9)]
    world.has(*(name for group in groups for name in group), type=EntityType.CONCEPT)
    for group in groups:
        made = [
            (world.entities[one], world.entities[other])
            for at, one in enumerate(group)
            for other in (group[(at + 1) % 40], group[0])
            if one != other
        ]
        edges = {r.id: r for r in (a_relation(a, RelationType.USES, b, made_by=MadeBy.PERSON) for a, b in made)}
        world.write(relations=[(None, relation) for relation in edges.values()])
    told = scene(reader)
    assert told["nodes"] == [] and len(told["communities"]) >= 5
    assert "360 entities in" in page(reader)
    number = told["communities"][0]["number"]
    inside = scene(reader, community=number)
    assert 30 <= len(inside["nodes"]) <= 60
    panel = reader.get(f"/graph/community/{number}/").content.decode()
    assert inside["nodes"][0]["name"] in panel and "Show only these" in panel and "<html" not in panel
    assert reader.get("/graph/community/4711/").status_code == 404
    html = page(reader, community=number, rows=4000)
    assert "The community of <b>" in html
    for asked in ({}, {"community": number}, {"start": inside["nodes"][0]["id"], "limit": 500}):
        page(reader, **asked)
        assert reader.weight < 25_000


def test_a_damaged_address_is_refused(reader: Client, said: dict[str, Memory]) -> None:
    for asked in (
        {"start": "nonsense"}, {"start": ",".join(f"{n:016x}" for n in range(41))}, {"steps": "9"}, {"limit": "0"},
        {"limit": "x"}, {"trust": "7"}, {"trust": "high"}, {"colour": "mood"}, {"size": "age"}, {"as_of": "soon"},
        {"path": "0123456789abcdef"}, {"community": "none"}, {"steps": "٣"}, {"once": "never"},
    ):  # fmt: skip
        for address in ("/graph/", "/graph/scene/", "/graph/beside/", "/graph/export.graphml"):
            assert reader.get(address, asked).status_code == 422, (address, asked)


def test_an_unknown_start_or_community_is_not_found(reader: Client, said: dict[str, Memory]) -> None:
    for asked in ({"start": "0" * 16}, {"community": "77"}, {"path": f"{'0' * 16},{key('Adam')}"}):
        assert reader.get("/graph/scene/", asked).status_code == 404
    assert reader.get("/graph/scene/", {"more": "0" * 16}).status_code == 200  # it may have gone since


def test_the_words_behind_an_edge_are_read_for_the_rows_that_the_table_shows(
    reader: Client, space: spaces.Space, said: dict[str, Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    sent = memories.openings

    def openings(db: Database, keys: Sequence[str], *, chars: int) -> dict[str, str]:
        asked.append(len(keys))
        return sent(db, keys, chars=chars)

    monkeypatch.setattr(memories, "openings", openings)
    edges = scene(reader)["edges"]
    assert sum(asked) == 0 and len(edges) > 3  # the drawing takes none
    page(reader)
    assert 0 < sum(asked) <= PAGE


def test_in_a_large_graph_what_was_seen_once_waits_to_be_shown(reader: Client, space: spaces.Space) -> None:
    world = World(space)
    world.has(*[f"tool {n}" for n in range(61)])
    world.has("maybe", state=EntityState.PROPOSED)
    world.related("tool 0", RelationType.USES, "maybe")
    assert "maybe" not in names(scene(reader)) and scene(reader)["total"] == 61
    html = page(reader)
    assert "1 seen once, hidden" in " ".join(html.split())
    shown = re.search(r'href="/graph/(\?once=show)"', html)
    assert shown and "maybe" in names(reader.get(f"/graph/scene/{shown[1]}").json())
    assert "1 seen once, shown" in " ".join(page(reader, once="show").split())
