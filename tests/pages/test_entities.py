"""The list of entities: tabs, filters, pages, what is done to the picked; and the pairs that may be one."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from memoryapp import graph, spaces
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.entity import Alike, AlikeStatus, EntityState, EntityType, alike_id, normal_form
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Memory
from memoryapp.store import entities, entity_pairs
from tests.graph.world import World
from tests.markup import PageClient
from tests.pages.graphs import KOREAN, LONG, workshop

HTMX = {"HX-Request": "true"}
MINA = Actor(ActorKind.PERSON, "mina")


def key(name: str) -> str:
    return derived_id("entity", normal_form(name))


def page(client: Client, address: str = "/entities/", **asked: Any) -> str:
    answer = client.get(address, asked)
    assert answer.status_code == 200, answer.content.decode()
    return answer.content.decode()


def shown(client: Client, address: str = "/entities/", **asked: Any) -> list[str]:
    """Ids of the rows, in their order."""
    return re.findall(r'<tr id="e-([0-9a-f]{16})"', page(client, address, **asked))


def toast(answer: Any) -> dict[str, str]:
    return dict(json.loads(answer["HX-Trigger"])["toast"])


def events(answer: Any) -> set[str]:
    return set(json.loads(answer["HX-Trigger"]))


@pytest.fixture
def said(space: spaces.Space) -> dict[str, Memory]:
    return workshop(space)


@pytest.fixture
def pair(space: spaces.Space, said: dict[str, Memory]) -> Alike:
    """Neovim and nvim wait for a person."""
    one, other = key("Neovim"), key("nvim")
    waits = Alike(alike_id(one, other), one, other, "a known other name", 0.93, AlikeStatus.WAITING, space.clock())
    entity_pairs.propose(space.db, [waits])
    return waits


# ── the list


def test_an_empty_space_says_where_entities_come_from(
    reader: Client, writer: Client, curator: Client, space: spaces.Space
) -> None:
    assert "No entities yet." in page(reader)
    assert "Write a memory" in page(writer) and "Write a memory" not in page(reader)
    assert "Ingest notes" in page(curator) and "Ingest notes" not in page(writer)  # it is a curator who may
    assert "No names are waiting." in page(reader, tab="once")
    assert "Every entity is mentioned somewhere." in page(reader, tab="nowhere")
    assert "No possible duplicates." in page(reader, tab="alike")


def test_the_list_tells_what_each_is_and_how_much_names_it(reader: Client, said: dict[str, Memory]) -> None:
    told = page(reader)
    row = re.search(rf'<tr id="e-{key("Jiwon")}".*?</tr>', told, re.S)
    assert row
    assert f'href="/entities/{key("Jiwon")}/"' in row[0]
    assert f'href="/memories/?entity={key("Jiwon")}">5</a>' in row[0]
    assert "person" in row[0]
    assert "17 entities" in told
    assert KOREAN in told and 'lang="ko"' in told
    assert LONG in told


def test_the_most_named_come_first_and_any_column_sorts(reader: Client, said: dict[str, Memory]) -> None:
    assert shown(reader)[0] == key("Jiwon")
    names = shown(reader, sort="name")
    assert names[0] == key(LONG) and names[-1] == key(KOREAN)
    assert set(names) == set(shown(reader, sort="newest")) == set(shown(reader, sort="links"))
    assert reader.get("/entities/?sort=height").status_code == 422


def test_filters_in_the_address_narrow_the_list(reader: Client, said: dict[str, Memory]) -> None:
    assert set(shown(reader, type="person")) == {key("Jiwon"), key("Mina"), key("Adam")}
    assert shown(reader, q="배포") == [key(KOREAN)]
    assert shown(reader, q="neov", type="tool") == [key("Neovim")]
    assert shown(reader, type="ritual") == [key("harbour")]
    assert "Nothing matches these filters." in page(reader, q="zzz")
    assert reader.get("/entities/?state=lost").status_code == 422
    assert reader.get("/entities/?tab=lost").status_code == 422
    assert reader.get("/entities/?type=%3Cb%3E").status_code == 422


def test_states_are_told_and_refused_ones_are_listed_by_themselves(
    reader: Client, space: spaces.Space, said: dict[str, Memory]
) -> None:
    World(space).has("Kestrel", state=EntityState.PROPOSED)
    graph.decide_entities(space, [key("Mac")], EntityState.REFUSED, actor=MINA)
    assert shown(reader, tab="once") == shown(reader, state="proposed") == [key("Kestrel")]
    assert shown(reader, state="refused") == [key("Mac")]
    assert key("Mac") not in shown(reader)
    both = page_ids(reader, "/entities/?state=known&state=proposed")
    assert set(both) == {*shown(reader), key("Kestrel")} and both[-1] == key("Kestrel")
    assert "; 1 more name seen once." in page(reader)
    assert reader.get("/entities/?state=known&state=refused").status_code == 422


def page_ids(client: Client, address: str) -> list[str]:
    return re.findall(r'<tr id="e-([0-9a-f]{16})"', client.get(address).content.decode())


def test_a_person_names_an_entity_and_is_led_to_it_or_to_the_one_that_is_there(
    curator: Client, writer: Client, said: dict[str, Memory]
) -> None:
    assert "New entity" in page(curator) and "New entity" not in page(writer)
    made = curator.post(
        "/entities/add/", {"name": "하버 항구", "type": "place", "aliases": "the old port\n"}, headers=HTMX
    )
    assert (made.status_code, made.headers["HX-Redirect"]) == (204, f"/entities/{key('하버 항구')}/")
    assert "the old port" in page(curator, made.headers["HX-Redirect"])
    target = HTMX | {"HX-Target": "new-entity-said"}
    again = curator.post("/entities/add/", {"name": "The Old Port"}, headers=target)
    assert again.status_code == 422
    assert f'href="/entities/{key("하버 항구")}/"' in again.content.decode()
    assert curator.post("/entities/add/", {"name": "-"}, headers=target).status_code == 422
    assert writer.post("/entities/add/", {"name": "Borg"}, headers=HTMX).status_code == 403


def test_what_no_memory_names_stands_under_nowhere_named(reader: Client, said: dict[str, Memory]) -> None:
    assert set(shown(reader, tab="nowhere")) == {key("nvim"), key("harbour"), key("A100")}


def test_pages_follow_each_other_without_a_gap_or_a_repeat(reader: Client, space: spaces.Space) -> None:
    World(space).has(*(f"tool {n:03}" for n in range(120)))
    for sort in ("name", "memories", "newest"):
        seen: list[str] = []
        address = f"/entities/?sort={sort}"
        for _ in range(4):
            told = reader.get(address).content.decode()
            seen += re.findall(r'<tr id="e-([0-9a-f]{16})"', told)
            further = re.search(r'rel="next" href="([^"]+)"', told)
            if further is None:
                break
            address = "/entities/" + further[1].replace("&amp;", "&")
        assert len(seen) == len(set(seen)) == 120
    assert reader.get("/entities/?after=nonsense").status_code == 422


def test_a_full_page_stays_small(curator: PageClient, space: spaces.Space) -> None:
    aliases = tuple(f"another name of it that is long enough {n}" for n in range(20))
    World(space).has(*(f"{LONG} {n:03}" for n in range(60)), aliases=aliases, state=EntityState.PROPOSED)
    for tab in ("", "once"):
        page(curator, tab=tab)
        assert curator.weight < 25_000


def test_names_are_escaped(reader: Client, space: spaces.Space) -> None:
    World(space).has("<img src=x>", aliases=("<b>bold</b>",))
    told = page(reader)
    assert "<img src" not in told and "<b>bold" not in told
    assert "&lt;img src=x&gt;" in told


# ── what is done to the picked


def test_picked_entities_get_a_type_in_one_run_with_one_undo(
    curator: Client, space: spaces.Space, said: dict[str, Memory]
) -> None:
    ids = [key("Mac"), key("Linux")]
    answer = curator.post("/entities/bulk/", {"act": "type", "type": "Operating System", "ids": ids}, headers=HTMX)
    assert toast(answer)["text"] == "2 entities are now of type “operating system”."
    assert "graph-changed" in events(answer)
    assert {one.type for one in entities.get_many(space.db, ids).values()} == {"operating system"}
    curator.post(toast(answer)["undo"], headers=HTMX)
    assert {one.type for one in entities.get_many(space.db, ids).values()} == {EntityType.TOOL}


def test_picked_entities_are_taken_in_or_refused(curator: Client, space: spaces.Space) -> None:
    World(space).has("Kestrel", "Merlin", state=EntityState.PROPOSED)
    ids = [key("Kestrel"), key("Merlin")]
    assert (
        "2 entities are accepted"
        in toast(curator.post("/entities/bulk/", {"act": "take-in", "ids": ids}, headers=HTMX))["text"]
    )
    again = curator.post("/entities/bulk/", {"act": "take-in", "ids": ids}, headers=HTMX)
    assert toast(again) == {"text": "No change.", "undo": ""}
    answer = curator.post("/entities/bulk/", {"act": "refuse", "ids": ids[:1]}, headers=HTMX)
    assert toast(answer)["text"] == "Kestrel is rejected, and not proposed again."
    assert shown(curator) == [key("Merlin")]


def test_a_bulk_act_that_is_none_changes_nothing(curator: Client, said: dict[str, Memory]) -> None:
    assert curator.post("/entities/bulk/", {"act": "type", "ids": [key("Mac")], "type": "<b>"}).status_code == 422
    assert curator.post("/entities/bulk/", {"act": "burn", "ids": [key("Mac")]}).status_code == 422
    assert curator.post("/entities/bulk/", {"act": "refuse"}).status_code == 422
    assert curator.post("/entities/bulk/", {"act": "refuse", "ids": ["0" * 16]}).status_code == 404


def test_readers_see_no_buttons_and_may_do_nothing(reader: Client, writer: Client, pair: Alike) -> None:
    for client in (reader, writer):
        for told in (page(client), page(client, tab="alike"), page(client, tab="nowhere")):
            assert "hx-post" not in told.replace('hx-post="/logout/"', "")
        for address in ("bulk/", "merge/", "not-alike/", f"{key('Mac')}/edit/", f"{key('Mac')}/state/"):
            assert client.post(f"/entities/{address}", {"ids": [key("Mac")], "act": "refuse"}).status_code == 403


# ── pairs


def test_a_pair_shows_both_sides_the_reason_and_what_they_share(
    curator: Client, space: spaces.Space, pair: Alike
) -> None:
    told = page(curator, tab="alike")
    assert "a known other name" in told and "0.93 sure" in told
    assert "Mina wants to use Neovim." in told
    assert "never mentioned together" in told
    assert "Merge into Neovim" in told and "into nvim" in told
    assert '<span class="n">1</span>' in told


def test_a_pair_is_merged_and_comes_back_when_that_is_undone(curator: Client, space: spaces.Space, pair: Alike) -> None:
    answer = curator.post("/entities/merge/", {"keep": pair.one, "gone": pair.other}, headers=HTMX)
    assert answer.status_code == 204
    assert toast(answer)["text"] == "Merged nvim into Neovim."
    assert entities.get(space.db, pair.other).merged_into == pair.one
    assert "No possible duplicates." in page(curator, tab="alike")
    undone = curator.post(toast(answer)["undo"], headers=HTMX)
    assert undone.status_code == 204
    assert entities.get(space.db, pair.other).merged_into is None
    assert "Merge into Neovim" in page(curator, tab="alike")


def test_two_that_are_not_the_same_stay_two_until_that_is_taken_back(
    curator: Client, space: spaces.Space, pair: Alike
) -> None:
    answer = curator.post("/entities/not-alike/", {"one": pair.one, "other": pair.other}, headers=HTMX)
    assert toast(answer)["text"] == "Neovim and nvim stay separate."
    assert entity_pairs.waiting(space.db) == ()
    curator.post(toast(answer)["undo"], headers=HTMX)
    assert [one.id for one in entity_pairs.waiting(space.db)] == [pair.id]


def test_a_merge_by_hand_that_is_undone_proposes_nothing(curator: Client, space: spaces.Space, said: Any) -> None:
    answer = curator.post("/entities/merge/", {"keep": key("Mac"), "gone": key("Linux")}, headers=HTMX)
    curator.post(toast(answer)["undo"], headers=HTMX)
    assert entities.get(space.db, key("Linux")).merged_into is None
    assert entity_pairs.waiting(space.db) == ()


def test_pairs_come_a_page_at_a_time_the_likeliest_first(reader: Client, space: spaces.Space) -> None:
    names = [f"thing {n:02}" for n in range(30)]
    World(space).has(*names, "thing")
    waits = [
        Alike(
            alike_id(key("thing"), key(name)),
            key("thing"),
            key(name),
            "like",
            0.5 + n / 100,
            AlikeStatus.WAITING,
            space.clock(),
        )
        for n, name in enumerate(names)
    ]
    entity_pairs.propose(space.db, waits)
    seen: list[str] = []
    address = "/entities/?tab=alike"
    for _ in range(4):
        told = reader.get(address).content.decode()
        seen += re.findall(r'data-pair="([0-9a-f]{16})"', told)
        further = re.search(r'rel="next" href="([^"]+)"', told)
        if further is None:
            break
        address = "/entities/" + further[1].replace("&amp;", "&")
    assert seen == [one.id for one in reversed(waits)]
    assert reader.get("/entities/?tab=alike&after=x").status_code == 422


def test_a_merge_is_told_before_it_is_made(curator: Client, space: spaces.Space, said: dict[str, Memory]) -> None:
    told = curator.get("/entities/merge/", {"ids": [key("Mac"), key("Jiwon")]}, headers=HTMX).content.decode()
    assert "Merge into Jiwon" in told  # the one that more memories name stays, unless the other is chosen
    assert "of different types: person, tool" in told
    assert "1 relation leads from one of them to another" in told
    chosen = curator.get("/entities/merge/", {"keep": key("Mac"), "name": "jiwon"}, headers=HTMX).content.decode()
    assert "Merge into Mac" in chosen
    assert entities.get(space.db, key("Mac")).merged_into is None
    assert "<html" not in told
    assert "<html" in page(curator, "/entities/merge/", keep=key("Mac"), gone=key("Linux"))


def test_a_merge_that_cannot_be_is_said_where_it_was_asked(curator: Client, said: dict[str, Memory]) -> None:
    def asked(**more: str) -> str:
        return curator.get("/entities/merge/", more, headers=HTMX).content.decode()

    assert "Nothing is called “zzz”" in asked(keep=key("Mac"), name="zzz")
    assert "already the same entity" in asked(keep=key("Mac"), name="mac")
    assert "Select at least two" in asked(ids=key("Mac"))
    assert "Choose the entity" in asked(keep=key("Mac"), name=" ")


def test_a_name_is_suggested_while_it_is_typed(reader: Client, said: dict[str, Memory]) -> None:
    for field in ("q", "name", "object", "parent", "from", "to"):
        assert '<option value="Neovim">' in reader.get("/entities/suggest/", {field: "neo"}).content.decode()
    assert reader.get("/entities/suggest/", {"q": ""}).content.decode().strip() == ""
    items = reader.get("/entities/suggest/", {"q": "a", "format": "json"}).json()["items"]
    assert 0 < len(items) <= 12
    left = reader.get("/entities/suggest/", {"q": "Mac", "format": "json", "not": key("Mac")}).json()["items"]
    assert key("Mac") not in {one["id"] for one in left}


def test_without_scripts_an_act_leads_back_to_its_page(curator: Client, space: spaces.Space, pair: Alike) -> None:
    sent = {"keep": pair.one, "gone": pair.other}
    answer = curator.post("/entities/merge/", sent, headers={"Referer": "http://testserver/entities/?tab=alike"})
    assert (answer.status_code, answer["Location"]) == (302, "/entities/?tab=alike")
    told = page(curator, tab="alike")
    assert "Merged nvim into Neovim." in told and 'data-undo="/runs/' in told
    elsewhere = curator.post(
        "/entities/not-alike/", {"one": key("Mac"), "other": key("Linux")}, headers={"Referer": "https://example.org/"}
    )
    assert elsewhere["Location"] == "/entities/"
