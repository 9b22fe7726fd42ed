"""The list of entities: what passes, in what order, page by page."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp.domain.entity import EntityState, EntityType
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import State
from memoryapp.graph import listing
from tests.graph.world import World, day, pipeline
from tests.samples import HandClock, a_space
from tests.sampling import examples


def names(page):
    return [row.entity.name for row in page.items]


def every_page(space, limit, **asked):
    found, after = [], None
    while True:
        page = listing(space, after=after, limit=limit, **asked)
        found += names(page)
        after = page.next
        if after is None:
            assert len(found) == page.total
            return found


def test_the_most_named_come_first_with_their_numbers(space, world):
    pipeline(world)
    page = listing(space)
    first = page.items[0]
    assert (first.entity.name, first.memories, first.links) == ("Terraform", 4, 2)
    assert page.total == 9 and page.next is None and first.latest is not None
    assert [row.memories for row in page.items] == sorted((row.memories for row in page.items), reverse=True)
    assert page.items[-1].entity.name == "Seoul" and page.items[-1].latest is None


def test_each_order_is_what_it_says(space, world):
    world.has("b", "가", "a", "C")
    world.said("b of the third", ("b",), created_at=day(3))
    world.said("a of the second", ("a",), created_at=day(2))
    world.said("a of the first", ("a",), occurred_at=day(1), created_at=day(9))
    world.related("C", "uses", "가")
    world.related("C", "knows", "b")
    assert names(listing(space, sort="name")) == ["a", "b", "C", "가"]
    assert names(listing(space, sort="newest"))[:2] == ["b", "a"]
    assert names(listing(space, sort="links"))[0] == "C"
    assert names(listing(space, sort="memories"))[:2] == ["a", "b"]


def test_a_part_of_a_name_or_an_alias_finds_it_and_its_beginning_comes_first(space, world):
    world.has("Terraform", "Terra", "Mediterranean", "New Terra")
    world.has("HashiCorp tool", aliases=("terraform cli",))
    assert names(listing(space, text="terra", sort="name")) == [
        "Terra",
        "HashiCorp tool",
        "Terraform",
        "New Terra",
        "Mediterranean",
    ]
    assert names(listing(space, text="  TERRAFORM  ")) == ["Terraform", "HashiCorp tool"]
    assert listing(space, text="nothing like it").total == 0
    assert listing(space, text="   ").total == 5


def test_korean_and_accented_names_are_found_however_they_are_typed(space, world):
    import unicodedata

    world.has("서울 사무실", "Café Zoë", "사무")
    assert names(listing(space, text="사무")) == ["사무", "서울 사무실"]
    assert names(listing(space, text=unicodedata.normalize("NFD", "서울"))) == ["서울 사무실"]
    assert names(listing(space, text=unicodedata.normalize("NFD", "café"))) == ["Café Zoë"]


def test_a_merged_entity_is_found_by_its_name_and_shown_as_the_one_it_is_part_of(space, world):
    world.has("Neovim", "nvim", "vi")
    world.merged("nvim", "Neovim")
    page = listing(space, text="nvim")
    assert names(page) == ["Neovim"] and page.total == 1
    assert set(names(listing(space))) == {"Neovim", "vi"}


def test_states_and_types_narrow(space, world):
    world.has("known")
    world.has("seen once", state=EntityState.PROPOSED, type=EntityType.CONCEPT)
    world.has("refused", state=EntityState.REFUSED)
    assert set(names(listing(space))) == {"known", "seen once"}
    assert names(listing(space, state=EntityState.PROPOSED)) == ["seen once"]
    assert names(listing(space, state=EntityState.REFUSED)) == ["refused"]
    assert names(listing(space, types=[EntityType.CONCEPT])) == ["seen once"]
    assert names(listing(space, types=["ship"])) == []


def test_orphans_are_those_that_no_held_memory_names(space, world):
    world.has("named", "forgotten", "never named")
    world.said("named", ("named",))
    gone = world.said("forgotten", ("forgotten",))
    assert names(listing(space, orphans=True)) == ["never named"]
    world.changed(gone, state=State.ARCHIVED)
    assert set(names(listing(space, orphans=True))) == {"forgotten", "never named"}


@pytest.mark.parametrize("sort", ["memories", "links", "newest", "name"])
def test_pages_hold_everything_once_in_the_order_of_the_whole(space, world, sort):
    pipeline(world)
    world.has(*[f"tool {n}" for n in range(11)])
    whole = names(listing(space, sort=sort))
    assert len(whole) == 20
    for limit in (1, 3, 7, 20):
        assert every_page(space, limit, sort=sort) == whole
    assert every_page(space, 2, sort=sort, text="o") == names(listing(space, sort=sort, text="o"))


@pytest.mark.parametrize("sort", ["memories", "name"])
def test_a_page_goes_on_where_it_was_although_its_last_entity_went_away(space, world, sort):
    world.has(*[f"tool {n}" for n in range(6)])
    whole = names(listing(space, sort=sort))
    page = listing(space, sort=sort, limit=3)
    world.merged(whole[2], whole[0])
    assert names(listing(space, sort=sort, after=page.next)) == whole[3:]


def test_what_cannot_be_asked_is_refused_with_its_field(space, world):
    world.has("a", "b")
    for asked, field in (
        ({"sort": "size"}, "/sort"),
        ({"limit": 0}, "/limit"),
        ({"limit": 201}, "/limit"),
        ({"after": "x"}, "/after"),
        ({"after": "0~a~nan"}, "/after"),
        ({"after": "0~a~many"}, "/after"),
        ({"after": "0~a"}, "/after"),
    ):
        with pytest.raises(BadInput) as told:
            listing(space, **asked)
        assert told.value.field == field


def test_there_is_nothing_to_list_in_an_empty_space(space):
    page = listing(space, text="x")
    assert (page.items, page.total, page.next) == ((), 0, None)


def test_a_newest_list_tells_the_newest_memory_of_each(space, world):
    world.has("a")
    world.said("a", ("a",), created_at=day(2))
    world.said("a again", ("a",), created_at=day(4))
    for sort in ("newest", "memories"):
        assert listing(space, sort=sort).items[0].latest == day(4)
    assert listing(space).items[0].latest - day(4) == timedelta(0)


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=8, unique_by=str.casefold), st.data())
def test_any_part_of_any_name_finds_it(spelled, data):
    with a_space(clock=HandClock()) as space:
        world = World(space)
        known = {}
        for name in spelled:
            world.has(name)
            known[world[name]] = name
        name = data.draw(st.sampled_from(sorted(set(known.values()))))
        begin = data.draw(st.integers(0, len(name) - 1))
        part = name[begin : data.draw(st.integers(begin + 1, len(name)))]
        found = names(listing(space, text=part, limit=200))
        if part.strip() and len(part) == len(name):
            assert name in found
        assert len(found) <= len(known)
