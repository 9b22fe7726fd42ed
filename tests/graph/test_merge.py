"""Several entities become one to look at, and several again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module

import pytest

from memoryapp.domain.entity import AlikeStatus, EntityState, EntityType, alike_id
from memoryapp.domain.errors import BadInput, Clash, NotFound, PalimpsestError
from memoryapp.extraction.entities.lexicon import lexicon_of
from memoryapp.graph import (
    add_relation,
    decide_entity,
    merge,
    not_alike,
    part,
    preview_merge,
    put_under,
    refuse_relation,
)
from memoryapp.graph.canonical import canonical, members
from memoryapp.spaces import Space
from memoryapp.store import entities, entity_pairs, relations
from memoryapp.store.write import Batch, commit, new_run
from tests.graph.world import World
from tests.samples import NOON, PERSON


def stands_for(world: World, name: str) -> str:
    return canonical(world.space.db, world[name]).name


def edges(space: Space) -> tuple[object, ...]:
    return (
        tuple(entities.scan_references(space.db)),
        tuple(relations.scan(space.db, "relates")),
        tuple(relations.scan(space.db, "is_a")),
    )


@pytest.fixture
def editors(world: World) -> World:
    world.has("Neovim", "nvim", "Vim", "editor")
    world.has("Adam", type=EntityType.PERSON)
    world.told("Adam uses nvim.", "Adam", "uses", "nvim")
    world.told("Adam prefers Neovim.", "Adam", "prefers", "Neovim")
    world.said("nvim is short for Neovim.", ("nvim", "Neovim"))
    return world


def test_a_merge_moves_no_edge_and_parting_leaves_each_with_its_own(editors: World, space: Space) -> None:
    before = edges(space)
    kept, run = merge(space, editors["Neovim"], [editors["nvim"]], actor=PERSON, reason="short form")
    assert (kept.name, stands_for(editors, "nvim"), run.act, run.reason) == ("Neovim", "Neovim", "merge", "short form")
    assert edges(space) == before
    parted, _ = part(space, editors["nvim"], actor=PERSON)
    assert parted.merged_into is None and stands_for(editors, "nvim") == "nvim"
    assert edges(space) == before


def test_a_preview_counts_what_would_come_together_and_changes_nothing(editors: World, space: Space) -> None:
    add_relation(space, editors["nvim"], "part_of", editors["Neovim"], actor=PERSON)
    hidden, _ = add_relation(space, editors["nvim"], "uses", editors["Vim"], actor=PERSON)
    refuse_relation(space, hidden.id, actor=PERSON)
    before = edges(space)
    shown = preview_merge(space, editors["Neovim"], [editors["nvim"]])
    assert (shown.name, shown.names, shown.types) == ("Neovim", ("Neovim", "nvim"), (EntityType.TOOL,))
    assert [(one.entity.name, one.memories, one.shared, one.relations) for one in shown.parts] == [
        ("Neovim", 2, 1, 2),
        ("nvim", 2, 1, 2),
    ]
    assert (shown.memories, shown.relations, shown.between, shown.circles) == (3, 3, 1, ())
    assert edges(space) == before and stands_for(editors, "nvim") == "nvim"


def test_merging_into_a_merged_one_goes_to_what_stands_and_a_merged_one_brings_its_own(
    editors: World, space: Space
) -> None:
    merge(space, editors["Neovim"], [editors["nvim"]], actor=PERSON)
    kept, _ = merge(space, editors["nvim"], [editors["Vim"]], actor=PERSON)
    assert kept.name == "Neovim" and stands_for(editors, "Vim") == "Neovim"
    kept, _ = merge(space, editors["editor"], [editors["nvim"]], actor=PERSON)
    assert {stands_for(editors, name) for name in ("nvim", "Vim", "Neovim", "editor")} == {"editor"}
    assert {one.name for one in members(space.db, kept)} == {"nvim", "Vim", "Neovim", "editor"}
    part(space, editors["Neovim"], actor=PERSON)
    assert {stands_for(editors, name) for name in ("nvim", "Vim", "Neovim")} == {"Neovim"}


def test_several_are_merged_at_once_and_are_known_by_it(world: World, space: Space) -> None:
    world.has("a1", "b1", "c1", state=EntityState.PROPOSED)
    merge(space, world["a1"], [world["b1"], world["c1"], world["b1"]], actor=PERSON)
    assert {stands_for(world, name) for name in world.entities} == {"a1"}
    assert {one.state for one in entities.scan(space.db)} == {EntityState.KNOWN}


@pytest.mark.parametrize("act", [preview_merge, lambda *asked: merge(*asked, actor=PERSON)])
def test_what_cannot_be_merged_says_why(editors: World, space: Space, act) -> None:  # type: ignore[no-untyped-def]
    one, other = editors["Neovim"], editors["nvim"]
    with pytest.raises(BadInput, match="into itself"):
        act(space, one, [one])
    with pytest.raises(BadInput, match="at least one"):
        act(space, one, [])
    with pytest.raises(BadInput, match="the limit is"):
        act(space, one, [f"{n:016x}" for n in range(1_001)])
    with pytest.raises(NotFound):
        act(space, one, ["0" * 16])
    merge(space, one, [other], actor=PERSON)
    with pytest.raises(Clash, match="are one already"):
        act(space, one, [other])
    with pytest.raises(Clash, match="are one already"):
        act(space, other, [one])
    decide_entity(space, editors["Vim"], EntityState.REFUSED, actor=PERSON)
    with pytest.raises(Clash, match="was refused"):
        act(space, one, [editors["Vim"]])


def test_a_merge_that_would_put_something_above_itself_is_refused_and_previewed(world: World, space: Space) -> None:
    world.has("SurrealDB", "database", "tool")
    put_under(space, world["SurrealDB"], world["database"], actor=PERSON)
    put_under(space, world["database"], world["tool"], actor=PERSON)
    way = "“SurrealDB” → “database” → “tool”"
    assert preview_merge(space, world["tool"], [world["SurrealDB"]]).circles == (way,)
    with pytest.raises(Clash, match=way):
        merge(space, world["tool"], [world["SurrealDB"]], actor=PERSON)
    merge(space, world["database"], [world["SurrealDB"]], actor=PERSON)
    assert stands_for(world, "SurrealDB") == "database", "what stands directly above is no circle"


def test_of_two_merges_that_would_make_a_circle_one_is_told(editors: World, space: Space) -> None:
    def merged(pair: tuple[str, str]) -> bool:
        try:
            merge(space, editors[pair[0]], [editors[pair[1]]], actor=PERSON)
        except PalimpsestError:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(merged, [("Neovim", "nvim"), ("nvim", "Neovim")]))
    assert sorted(done) == [False, True]
    assert stands_for(editors, "nvim") == stands_for(editors, "Neovim")


def test_a_merge_that_another_process_was_quicker_with_is_told(
    editors: World, space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module("memoryapp.graph.merge")  # the room gives the function that name
    real = module.commit

    def late(db, run, batch, *, now):  # type: ignore[no-untyped-def]
        before = entities.get(db, editors["nvim"])
        if before.merged_into is None:
            other = replace(before, merged_into=editors["Vim"], version=before.version + 1)
            commit(db, new_run("merge", PERSON, now=NOON), Batch(entities=[(before, other)]), now=NOON)
        return real(db, run, batch, now=now)

    monkeypatch.setattr(module, "commit", late)
    with pytest.raises(Clash, match="somebody else just now"):
        merge(space, editors["Neovim"], [editors["nvim"]], actor=PERSON)
    assert stands_for(editors, "nvim") == "Vim"


def test_a_circle_of_merges_does_not_hang_and_has_one_that_stands(world: World, space: Space) -> None:
    world.has("a1", "b1")
    ids = sorted(world.entities.values(), key=lambda one: one.id)
    world.write(entities=[(one, replace(one, merged_into=other.id, version=2)) for one, other in (ids, ids[::-1])])
    assert {canonical(space.db, one.id).id for one in ids} == {ids[0].id}
    assert {one.id for one in members(space.db, ids[0])} == {one.id for one in ids}


def test_parting_sticks_and_what_is_not_merged_cannot_be_parted(editors: World, space: Space) -> None:
    with pytest.raises(Clash, match="not merged into anything"):
        part(space, editors["nvim"], actor=PERSON)
    merge(space, editors["Neovim"], [editors["nvim"]], actor=PERSON)
    key = alike_id(editors["Neovim"], editors["nvim"])
    assert (found := entity_pairs.find(space.db, key)) is not None and found.status is AlikeStatus.MERGED
    part(space, editors["nvim"], actor=PERSON)
    assert (found := entity_pairs.find(space.db, key)) is not None and found.status is AlikeStatus.REFUSED
    kept, _ = merge(space, editors["Neovim"], [editors["nvim"]], actor=PERSON)
    assert kept.name == "Neovim", "a person may think again"


def test_two_are_said_to_be_two(editors: World, space: Space) -> None:
    one, other = editors["Neovim"], editors["nvim"]
    assert not_alike(space, one, other, actor=PERSON).status is AlikeStatus.REFUSED
    with pytest.raises(BadInput, match="alike to itself"):
        not_alike(space, one, one, actor=PERSON)
    with pytest.raises(NotFound):
        not_alike(space, one, "0" * 16, actor=PERSON)
    merge(space, one, [other], actor=PERSON)
    with pytest.raises(Clash, match="one at present"):
        not_alike(space, one, other, actor=PERSON)


def test_a_merged_name_is_still_found_and_is_its_own_entitys(editors: World, space: Space) -> None:
    merge(space, editors["Neovim"], [editors["nvim"]], actor=PERSON)
    assert lexicon_of(space.db).names.entities("nvim or Neovim") == (editors["nvim"], editors["Neovim"])
