"""The page of one entity: what it shows, and what a person changes on it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from memoryapp import graph, spaces
from memoryapp.domain.entity import Alike, AlikeStatus, EntityState, EntityType, alike_id
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.relation import MadeBy, RelationState, RelationType
from memoryapp.store import entities, entity_pairs, relations
from tests.graph.world import World
from tests.markup import PageClient
from tests.pages.graphs import KOREAN, LONG, workshop
from tests.pages.test_entities import HTMX, MINA, events, key, toast


def page(client: Client, name: str, **asked: Any) -> str:
    answer = client.get(f"/entities/{key(name)}/", asked)
    assert answer.status_code == 200, answer.content.decode()
    return answer.content.decode()


def act(client: Client, address: str, **sent: Any) -> Any:
    return client.post(address, sent, headers=HTMX)


@pytest.fixture
def said(space: spaces.Space) -> dict[str, Memory]:
    return workshop(space)


def related(space: spaces.Space, subject: str, type: str, object: str) -> Any:
    found = relations.of_entities(space.db, [key(subject)])
    return next(one for one in found if (one.subject, one.type, one.object) == (key(subject), type, key(object)))


# ── what it shows


def test_the_page_tells_what_it_is_joined_to_and_where_that_was_found(reader: Client, said: dict[str, Memory]) -> None:
    told = page(reader, "Jiwon")
    assert 'lang="en">Jiwon</h1>' in told
    for other in ("Mac", "Linux", "Embedding runs", "Adam"):
        assert f'href="/entities/{key(other)}/"' in told
    assert "Jiwon works on the embedding runs." in told
    assert "≠ conflict" in told
    assert ">hint</span>" in told
    assert f'href="/graph/?start={key("Jiwon")}"' in told
    assert 'href="/search/?q=Jiwon"' in told


def test_relations_are_grouped_by_what_they_say_and_which_way(reader: Client, said: dict[str, Memory]) -> None:
    groups = re.findall(r'<th scope="rowgroup"[^>]*>(.*?)</th>', page(reader, "Adam"), re.S)
    plain = [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in groups]
    assert plain == ["uses", "knows Adam"]


def test_what_is_over_is_struck_and_what_is_planned_is_marked(reader: Client, said: dict[str, Memory]) -> None:
    told = page(reader, "Embedding runs")
    row = next(one for one in re.findall(r"<tr.*?</tr>", told, re.S) if "A100" in one)
    assert 'data-state="superseded"' in row and ">superseded</span>" in row
    assert ">planned</span>" in page(reader, "Mina")


def test_the_hierarchy_is_shown_from_both_ends(reader: Client, said: dict[str, Memory]) -> None:
    assert "It is a" in page(reader, "SurrealDB") and f'href="/entities/{key("database")}/"' in page(
        reader, "SurrealDB"
    )
    assert "Children" in page(reader, "database")


def test_who_is_named_along_with_it_is_told_apart_from_relations(reader: Client, said: dict[str, Memory]) -> None:
    told = page(reader, "Mina")
    beside = told[told.index("Mentioned together with") :]
    assert f'href="/entities/{key("Jiwon")}/"' in beside
    assert "in 1 memory" in beside


def test_memories_come_with_the_role_it_has_there(reader: Client, space: spaces.Space, said: dict[str, Memory]) -> None:
    world = World(space, {"Adam": entities.get(space.db, key("Adam"))})
    world.said("Adam was asked about it.", ["Adam"], role="subject")
    told = page(reader, "Adam")
    listed = told[told.index('id="memories"') :]
    assert "Adam uses Terraform." in listed
    assert '<span class="tag">subject</span>' in listed
    assert '<span class="tag">mention</span>' not in listed


def test_many_memories_come_a_page_at_a_time(reader: Client, space: spaces.Space) -> None:
    world = World(space)
    world.has("hub")
    for n in range(45):
        world.said(f"The hub was seen at number {n}.", ["hub"])
    seen: list[str] = []
    address = f"/entities/{key('hub')}/"
    for _ in range(4):
        told = reader.get(address).content.decode()
        seen += re.findall(r'<li data-item>.*?href="/memories/([0-9a-f]{16})/"', told, re.S)
        further = re.search(r'rel="next" href="([^"]+)"', told)
        if further is None:
            break
        address = f"/entities/{key('hub')}/" + further[1].replace("&amp;", "&")
    assert len(seen) == len(set(seen)) == 45


def test_its_timeline_leads_to_the_memories_of_a_day(reader: Client, space: spaces.Space) -> None:
    world, now = World(space), space.clock()
    world.has("hub")
    for back in (2, 2, 9):
        at = now - timedelta(days=back)
        world.said(f"The hub, {back} days ago.", ["hub"], created_at=at, occurred_at=at)
    told = page(reader, "hub")
    day = (now - timedelta(days=2)).date().isoformat()
    assert f"/memories/?entity={key('hub')}&amp;since={day}&amp;until={day}" in told
    assert ": 2 memories" in told
    listed = reader.get("/memories/", {"entity": key("hub"), "since": day, "until": day}).content.decode()
    assert listed.count("The hub, 2 days ago.") == 2
    assert "<b>months</b>" in page(reader, "hub", zoom="month")
    assert reader.get(f"/entities/{key('hub')}/?zoom=hour").status_code == 422


def test_episodes_it_took_part_in_are_listed(reader: Client, space: spaces.Space) -> None:
    world = World(space)
    world.has("hub")
    world.said("They settled on the hub.", ["hub"], kind=Kind.EPISODE, title="Settling on the hub")
    told = page(reader, "hub")
    assert "Settling on the hub" in told[told.index("<h2>Episodes</h2>") :]


def test_an_entity_that_nothing_names_says_so(reader: Client, said: dict[str, Memory]) -> None:
    told = page(reader, "harbour")
    assert "No active memory mentions it." in told
    assert "No relations found." in told
    assert "ritual" in told


def test_long_and_korean_names_are_shown_as_they_are(reader: Client, said: dict[str, Memory]) -> None:
    assert f'lang="ko">{KOREAN}</h1>' in page(reader, KOREAN)
    assert f">{LONG}</h1>" in page(reader, LONG)


def test_as_of_a_day_nothing_can_be_changed(curator: Client, said: dict[str, Memory]) -> None:
    told = page(curator, "Jiwon", as_of="2020-01-01T00:00")
    assert "what was believed then" in told and "1 Jan 2020" in told
    assert "No active memory mentions it on that day." in told
    assert f'href="/memories/?entity={key("Jiwon")}' not in told  # nothing to list
    assert "Actions" not in told and "hx-post" not in told.replace('hx-post="/logout/"', "")


def test_links_stay_on_the_day_that_is_looked_at(curator: Client, space: spaces.Space, said: dict[str, Memory]) -> None:
    day = space.clock().isoformat()
    told = page(curator, "Adam", as_of=day)
    edge = related(space, "Adam", RelationType.USES, "Terraform")
    link = re.search(rf'href="(/entities/{key("Terraform")}/[^"]*)"', told)
    assert link and "what was believed then" in curator.get(link[1].replace("&amp;", "&")).content.decode()
    assert re.search(rf'href="/memories/\?entity={key("Adam")}&amp;as_of=', told)
    more = re.search(rf'hx-get="(/relations/{edge.id}/[^"]*)"', told)
    assert more and "hx-post" not in curator.get(more[1].replace("&amp;", "&"), headers=HTMX).content.decode()


def test_an_address_that_leads_nowhere_is_told(reader: Client, space: spaces.Space) -> None:
    assert reader.get("/entities/0123456789abcdef/").status_code == 404
    assert reader.get("/relations/0123456789abcdef/").status_code == 404


def test_a_full_page_stays_small(curator: PageClient, space: spaces.Space) -> None:
    world = World(space)
    others = [f"{LONG} {n:03}" for n in range(90)]
    world.has("hub", *others)
    for other in others:
        world.told(f"The hub uses it. {LONG} {LONG}", "hub", RelationType.USES, other)
    told = page(curator, "hub")
    assert curator.weight < 25_000
    assert "Show the other 66" in told
    assert page(curator, "hub", relations="all").count('class="c-with"') == 90


def test_readers_see_no_buttons_and_may_do_nothing(
    reader: Client, space: spaces.Space, said: dict[str, Memory]
) -> None:
    told = page(reader, "Jiwon")
    assert "hx-post" not in told.replace('hx-post="/logout/"', "")
    edge = related(space, "Adam", RelationType.USES, "Terraform")
    assert "hx-post" not in reader.get(f"/relations/{edge.id}/", headers=HTMX).content.decode()
    for address in ("part/", "under/", "not-under/", "state/", "edit/"):
        assert reader.post(f"/entities/{key('Mac')}/{address}").status_code == 403
    for address in ("add/", f"{edge.id}/refuse/", f"{edge.id}/hold/", f"{edge.id}/change/"):
        assert reader.post(f"/relations/{address}").status_code == 403


# ── names


def test_an_edit_changes_name_type_and_other_names_with_one_undo(
    curator: Client, space: spaces.Space, said: dict[str, Memory]
) -> None:
    form = curator.get(f"/entities/{key('Mac')}/edit/", headers=HTMX).content.decode()
    assert 'value="Mac"' in form and '<option value="ritual">' in form
    sent = {"name": "MacBook", "type": "Device", "aliases": "the Mac\nMacBook Pro\n\n", "version": "1"}
    answer = act(curator, f"/entities/{key('Mac')}/edit/", **sent)
    assert toast(answer)["text"] == "Mac is now called MacBook."
    after = entities.get(space.db, key("Mac"))
    assert (after.name, after.type, after.aliases) == ("MacBook", "device", ("the Mac", "MacBook Pro"))
    told = curator.get(f"/entities/{key('Mac')}/").content.decode()
    assert '<b class="own-name">the Mac</b>' in told
    assert "<del>Mac</del>" in told and "<ins>MacBook</ins>" in told
    act(curator, toast(answer)["undo"])
    assert entities.get(space.db, key("Mac")).name == "Mac"


def test_a_change_in_its_history_is_taken_back_there(curator: Client, space: spaces.Space, said: Any) -> None:
    act(curator, f"/entities/{key('Mac')}/edit/", name="MacBook")
    told = curator.get(f"/entities/{key('Mac')}/").content.decode()
    undo = re.search(r'hx-post="(/audit/[0-9a-f]{16}/undo/)"', told)
    assert undo
    act(curator, undo[1])
    assert entities.get(space.db, key("Mac")).name == "Mac"


def test_a_name_that_another_has_offers_to_merge_the_two(curator: Client, space: spaces.Space, said: Any) -> None:
    answer = curator.post(
        f"/entities/{key('nvim')}/edit/", {"name": "NEOVIM"}, headers=HTMX | {"HX-Target": "edit-said"}
    )
    assert answer.status_code == 422
    told = answer.content.decode()
    assert "Neovim is already a name of another entity." in told
    assert f"/entities/merge/?keep={key('nvim')}&amp;gone={key('Neovim')}&amp;go=1" in told
    assert entities.get(space.db, key("nvim")).name == "nvim"


def test_an_edit_of_what_was_changed_meanwhile_is_refused(curator: Client, space: spaces.Space, said: Any) -> None:
    graph.edit_entity(space, key("Mac"), type="device", actor=MINA)
    target = HTMX | {"HX-Target": "edit-said"}
    answer = curator.post(f"/entities/{key('Mac')}/edit/", {"name": "Apple", "version": "1"}, headers=target)
    assert "was changed while you were editing" in answer.content.decode()
    elsewhere = act(curator, f"/entities/{key('Mac')}/edit/", name="Apple", version="1")
    assert elsewhere.status_code == 412 and "toast" in events(elsewhere)
    assert entities.get(space.db, key("Mac")).name == "Mac"


@pytest.mark.parametrize("sent", [{"name": " .,"}, {"name": "x" * 500}, {"type": "<b>"}, {"aliases": "!!"}])
def test_what_is_no_name_or_type_is_refused(curator: Client, space: spaces.Space, said: Any, sent: Any) -> None:
    assert act(curator, f"/entities/{key('Mac')}/edit/", **sent).status_code == 422
    assert entities.get(space.db, key("Mac")).version == 1


def test_saving_nothing_new_makes_no_run(curator: Client, said: dict[str, Memory]) -> None:
    assert toast(act(curator, f"/entities/{key('Mac')}/edit/", name="Mac")) == {
        "text": "No change.",
        "undo": "",
    }


def test_a_refused_entity_has_a_page_from_which_it_is_taken_in(curator: Client, space: spaces.Space, said: Any) -> None:
    answer = act(curator, f"/entities/{key('Mac')}/state/", state="refused")
    assert toast(answer)["text"] == "Mac is rejected, and not proposed again."
    told = page(curator, "Mac")
    assert "It is not part of the graph" in told and "Accept" in told
    assert "Merge with" not in told
    act(curator, f"/entities/{key('Mac')}/state/", state="known")
    assert "It is not part of the graph" not in page(curator, "Mac")
    assert act(curator, f"/entities/{key('Mac')}/state/", state="lost").status_code == 422


# ── merging


def test_the_address_of_a_merged_one_leads_to_what_stands(curator: Client, space: spaces.Space, said: Any) -> None:
    answer = act(curator, "/entities/merge/", keep=key("Neovim"), gone=key("nvim"), go="1")
    assert answer["HX-Redirect"] == f"/entities/{key('Neovim')}/"
    gone = curator.get(f"/entities/{key('nvim')}/")
    assert (gone.status_code, gone["Location"]) == (302, f"/entities/{key('Neovim')}/")
    told = page(curator, "Neovim")
    assert "Merged into it" in told and f'hx-post="/entities/{key("nvim")}/part/"' in told
    assert '<b class="own-name">nvim</b>' in told


def test_what_was_merged_is_parted_again(curator: Client, space: spaces.Space, said: Any) -> None:
    act(curator, "/entities/merge/", keep=key("Neovim"), gone=key("nvim"))
    answer = act(curator, f"/entities/{key('nvim')}/part/")
    assert toast(answer)["text"] == "nvim was unmerged."
    assert page(curator, "nvim") and "Merged into it" not in page(curator, "Neovim")
    assert act(curator, f"/entities/{key('nvim')}/part/").status_code == 409
    act(curator, toast(answer)["undo"])
    assert entities.get(space.db, key("nvim")).merged_into == key("Neovim")


def test_what_may_be_the_same_is_offered_on_its_page(curator: Client, space: spaces.Space, said: Any) -> None:
    one, other = key("Neovim"), key("nvim")
    waits = Alike(alike_id(one, other), one, other, "a known other name", 0.93, AlikeStatus.WAITING, space.clock())
    entity_pairs.propose(space.db, [waits])
    for name in ("Neovim", "nvim"):
        assert "Possible duplicates" in page(curator, name)
    assert "Possible duplicates" not in page(curator, "Mac")


def test_a_name_typed_in_the_explorer_is_merged(curator: Client, space: spaces.Space, said: Any) -> None:
    answer = act(curator, "/entities/merge/", keep=key("Neovim"), name="NVIM")
    assert toast(answer)["text"] == "Merged nvim into Neovim."
    assert act(curator, "/entities/merge/", keep=key("Neovim"), name="zzz").status_code == 422


# ── the hierarchy


def test_it_is_put_under_another_and_taken_from_there(curator: Client, space: spaces.Space, said: Any) -> None:
    answer = act(curator, f"/entities/{key('Terraform')}/under/", parent="Database")
    assert toast(answer)["text"] == "Terraform is now under database."
    assert [one.id for one, _ in graph.card(space, key("Terraform")).up] == [key("database")]
    circle = act(curator, f"/entities/{key('database')}/under/", parent=key("Terraform"))
    assert circle.status_code == 409 and "circle" in toast(circle)["text"]
    taken = act(curator, f"/entities/{key('Terraform')}/not-under/", parent=key("database"))
    assert graph.card(space, key("Terraform")).up == ()
    act(curator, toast(taken)["undo"])
    assert len(graph.card(space, key("Terraform")).up) == 1
    assert act(curator, f"/entities/{key('Terraform')}/under/", parent="zzz").status_code == 422


# ── relations


def test_a_relation_is_shown_with_where_it_was_found(curator: Client, space: spaces.Space, said: Any) -> None:
    edge = related(space, "Adam", RelationType.USES, "Terraform")
    told = curator.get(f"/relations/{edge.id}/", headers=HTMX).content.decode()
    assert "Adam uses Terraform</h2>" in told
    assert "found by rules" in told and "Accept" in told
    assert "Adam uses Terraform." in told
    assert '<option value="works on">' in told


def test_a_relation_is_refused_kept_refused_and_held_again(curator: Client, space: spaces.Space, said: Any) -> None:
    edge = related(space, "Adam", RelationType.USES, "Terraform")
    answer = act(curator, f"/relations/{edge.id}/refuse/")
    assert toast(answer)["text"] == "Rejected: Adam uses Terraform."
    told = page(curator, "Adam")
    assert "1 rejected relation" in told and f'hx-post="/relations/{edge.id}/hold/"' in told
    act(curator, f"/relations/{edge.id}/hold/")
    after = relations.get(space.db, edge.id)
    assert (after.state, after.made_by) == (RelationState.HELD, MadeBy.PERSON)
    assert "1 rejected relation" not in page(curator, "Adam")


def test_a_hint_that_a_person_takes_in_is_no_hint_any_more(curator: Client, space: spaces.Space, said: Any) -> None:
    edge = related(space, "Adam", RelationType.USES, "Terraform")
    answer = act(curator, f"/relations/{edge.id}/hold/")
    assert toast(answer)["text"] == "Accepted: Adam uses Terraform."
    assert ">hint</span>" not in re.search(r"<th scope=\"rowgroup\".*?</tbody>", page(curator, "Adam"), re.S)[0]  # type: ignore[index]
    assert toast(act(curator, f"/relations/{edge.id}/hold/"))["undo"] == ""


def test_what_several_memories_say_is_changed_and_refused_as_one(
    curator: Client, space: spaces.Space, said: Any
) -> None:
    world = World(space, {name: entities.get(space.db, key(name)) for name in ("Adam", "Terraform")})
    again = world.told("Adam went on with Terraform.", "Adam", RelationType.USES, "Terraform")
    edge = related(space, "Adam", RelationType.USES, "Terraform")
    answer = act(curator, f"/relations/{edge.id}/change/", type="Works on", planned="0", every="1")
    assert toast(answer)["text"] == "It now reads: Adam works on Terraform."
    kinds = {one.type for one in relations.of_facts(space.db, [again.id, said["adam"].id])}
    assert kinds == {RelationType.WORKS_ON}
    act(curator, toast(answer)["undo"])
    refused = act(curator, f"/relations/{edge.id}/refuse/", every="1")
    found = relations.of_facts(space.db, [again.id, said["adam"].id])
    assert {(one.type, one.state) for one in found} == {(RelationType.USES, RelationState.REFUSED)}
    act(curator, toast(refused)["undo"])
    assert {one.state for one in relations.of_facts(space.db, [again.id, said["adam"].id])} == {RelationState.HELD}


def test_a_relation_changed_to_nonsense_or_into_the_hierarchy_stays(
    curator: Client, space: spaces.Space, said: Any
) -> None:
    edge = related(space, "Adam", RelationType.USES, "Terraform")
    assert act(curator, f"/relations/{edge.id}/change/", type="<b>").status_code == 422
    assert act(curator, f"/relations/{edge.id}/change/", type="is a").status_code == 422
    assert relations.get(space.db, edge.id) == edge
    assert (
        toast(act(curator, f"/relations/{edge.id}/change/", type="uses"))["text"]
        == "It now reads: Adam uses Terraform."
    )


def test_a_relation_is_made_by_hand_either_way_round(curator: Client, space: spaces.Space, said: Any) -> None:
    sent = {"subject": key("Terraform"), "type": "depends on", "object": "SurrealDB"}
    answer = act(curator, "/relations/add/", **sent)
    assert toast(answer)["text"] == "Terraform depends on SurrealDB."
    assert related(space, "Terraform", RelationType.DEPENDS_ON, "SurrealDB").made_by is MadeBy.PERSON
    act(curator, "/relations/add/", **sent | {"way": "in", "type": "uses"})
    assert related(space, "SurrealDB", RelationType.USES, "Terraform")
    assert act(curator, "/relations/add/", **sent).status_code == 409
    assert act(curator, "/relations/add/", **sent | {"object": "zzz"}).status_code == 422
    assert act(curator, "/relations/add/", **sent | {"object": key("Terraform")}).status_code == 422


# ── on the memory's page, in the audit, in another space


def test_the_memory_tells_who_is_in_it_and_what_was_found(
    curator: Client, reader: Client, space: spaces.Space, said: dict[str, Memory]
) -> None:
    address = f"/memories/{said['adam'].id}/"
    told = reader.get(address).content.decode()
    assert f'href="/entities/{key("Adam")}/"' in told
    found = told[told.index('class="found-in"') :]
    assert "found by rules" in found and ">hint</span>" in found
    edge = related(space, "Adam", RelationType.USES, "Terraform")
    assert f"/relations/{edge.id}/refuse/" not in told
    assert f"/relations/{edge.id}/refuse/" in curator.get(address).content.decode()
    act(curator, f"/relations/{edge.id}/refuse/")
    assert "found-in" not in reader.get(address).content.decode()


def test_the_audit_tells_what_was_done_in_words(curator: Client, space: spaces.Space, said: Any) -> None:
    edge = related(space, "Adam", RelationType.USES, "Terraform")
    act(curator, f"/relations/{edge.id}/refuse/")
    act(curator, "/entities/merge/", keep=key("Neovim"), gone=key("nvim"))
    told = curator.get("/audit/").content.decode()
    assert "Adam uses Terraform" in told
    assert "1 relation" in told and "merged" in told
    assert "merged into: <ins>Neovim</ins>" in " ".join(told.split())
    assert "purged since" not in told
    assert f'href="/entities/{key("nvim")}/"' in told


def test_another_space_has_none_of_it(
    space: spaces.Space, said: dict[str, Memory], people: Any, enter: Callable[..., Client], db: None
) -> None:
    from memoryapp.accounts.people import create_person
    from memoryapp.accounts.roles import Role
    from memoryapp.accounts.spaces import create_space
    from memoryapp.domain.identity import new_id

    other = create_space(f"w-{new_id()}")
    stranger = Client()
    stranger.force_login(create_person(f"s-{new_id()[:6]}", password="a long enough one", space=other, role=Role.ADMIN))
    assert stranger.get(f"/entities/{key('Jiwon')}/").status_code == 404
    assert act(stranger, "/entities/merge/", keep=key("Mac"), gone=key("Linux")).status_code == 404
    assert "No entities yet." in stranger.get("/entities/").content.decode()
    spaces.close_space(other.name)


def test_proposed_ones_are_known_once_taken_in(curator: Client, space: spaces.Space) -> None:
    World(space).has("Kestrel", type=EntityType.TOOL, state=EntityState.PROPOSED)
    assert "seen once" in page(curator, "Kestrel") and "Accept</button>" in page(curator, "Kestrel")
    act(curator, f"/entities/{key('Kestrel')}/state/", state="known")
    assert entities.get(space.db, key("Kestrel")).state is EntityState.KNOWN
