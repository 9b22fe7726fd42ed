"""What was done to relations and entities, taken back: one change, or all that a run did."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from memoryapp.domain.entity import EntityState, EntityType
from memoryapp.domain.errors import Clash
from memoryapp.domain.memory import Kind
from memoryapp.domain.relation import Relation, RelationState
from memoryapp.domain.remembering import NewMemory
from memoryapp.graph import (
    add_relation,
    change_relation,
    decide_entity,
    edit_entity,
    find_alike,
    hold_relation,
    merge,
    part,
    put_under,
    refuse_relation,
    relate,
    take_from_under,
)
from memoryapp.remember import remember
from memoryapp.review import edit, purge, undo_revision, undo_run
from memoryapp.spaces import Space
from memoryapp.store import entities, memories, relations, revisions
from tests.graph.world import World
from tests.samples import AGENT, PERSON

Entities = dict[str, tuple[Any, ...]]


@pytest.fixture
def world(space: Space) -> World:
    return World(space)


def graph(space: Space) -> tuple[dict[str, tuple[Any, ...]], set[Any], Entities]:
    """Relations, references and entities, without what every write moves on."""
    found = {
        one.id: (one.subject, one.type, one.object, one.label, one.planned, one.state, one.made_by, one.fact, one.at)
        for table in relations.TABLES
        for one in relations.scan(space.db, table)
    }
    known = {one.id: (one.name, one.normal, one.type, one.aliases, one.merged_into) for one in entities.scan(space.db)}
    return found, set(entities.scan_references(space.db)), known


def the(space: Space, relation: Relation) -> Relation:
    return relations.get(space.db, relation.id)


def test_a_whole_reading_is_undone_and_done_again(space: Space) -> None:
    texts = ["Adam uses Terraform.", "Mina works at Hangang Labs."]
    remember(space, [NewMemory(text, kind=Kind.FACT) for text in texts], actor=AGENT)
    before = graph(space)
    told = relate(space, actor=AGENT)
    after = graph(space)
    assert told.run is not None and len(after[0]) >= 2
    undone = undo_run(space, told.run.id, actor=PERSON)
    assert undone.left == () and graph(space)[:2] == before[:2]
    undo_run(space, undone.run.id, actor=PERSON)
    assert graph(space)[:2] == after[:2]


def test_a_second_reading_undone_brings_back_what_it_took_away(space: Space) -> None:
    remember(space, [NewMemory("Adam uses Terraform.", kind=Kind.FACT)], actor=AGENT)
    relate(space, actor=AGENT)
    before = graph(space)[0]
    (fact,) = memories.scan(space.db)
    edit(space, fact.id, {"text": "Adam uses Ansible."}, actor=PERSON)
    told = relate(space, actor=AGENT)
    assert told.removed == 1 and told.run is not None
    undone = undo_run(space, told.run.id, actor=PERSON)
    assert undone.left == () and graph(space)[0] == before


def test_a_merge_nobody_asked_for_is_undone_whole(world: World, space: Space) -> None:
    world.has("nvim", "k8s", state=EntityState.PROPOSED)
    world.has("Neovim", "Kubernetes")
    world.told("nvim runs on k8s.", "nvim", "runs_on", "k8s")
    before = graph(space)
    find_alike(space)
    (run,) = {one.run for one in revisions.of_record(space.db, world["nvim"]) if one.act == "merge"}
    assert graph(space) != before
    undone = undo_run(space, run, actor=PERSON)
    assert undone.left == () and graph(space) == before
    assert entities.get(space.db, world["nvim"]).state is EntityState.PROPOSED


@pytest.mark.parametrize("act", ["merge", "part", "edit", "relate", "refuse", "change", "hold", "under", "from under"])
def test_an_act_by_hand_is_undone_and_done_again(world: World, space: Space, act: str) -> None:
    world.has("Neovim", "nvim", "Vim")
    fact = world.told("nvim is like Vim.", "nvim", "related_to", "Vim")
    (hint,) = relations.of_facts(space.db, [fact.id])
    merge(space, world["Vim"], [world["nvim"]], actor=PERSON)
    put_under(space, world["Neovim"], world["Vim"], actor=PERSON)
    before = graph(space)
    acts: dict[str, Any] = {
        "merge": lambda: merge(space, world["Vim"], [world["Neovim"]], actor=PERSON),
        "part": lambda: part(space, world["nvim"], actor=PERSON),
        "edit": lambda: edit_entity(space, world["Vim"], name="Vi", type="editor", actor=PERSON),
        "relate": lambda: add_relation(space, world["Neovim"], "uses", world["Vim"], actor=PERSON),
        "refuse": lambda: refuse_relation(space, hint.id, actor=PERSON),
        "change": lambda: change_relation(space, hint.id, type="uses", label="x", planned=True, actor=PERSON),
        "hold": lambda: hold_relation(space, hint.id, actor=PERSON),
        "under": lambda: put_under(space, world["Vim"], _new(world, "editor"), actor=PERSON),
        "from under": lambda: take_from_under(space, world["Neovim"], world["Vim"], actor=PERSON),
    }
    if act == "under":
        _new(world, "editor")
        before = graph(space)
    _, run = acts[act]()
    after = graph(space)
    assert after != before
    undone = undo_run(space, run.id, actor=PERSON)
    assert undone.left == () and graph(space) == before
    undo_run(space, undone.run.id, actor=PERSON)
    assert graph(space) == after


def _new(world: World, name: str) -> str:
    if name not in world.entities:
        world.has(name)
    return world[name]


def test_a_relation_changed_since_is_left_and_named(world: World, space: Space) -> None:
    world.has("Adam", "Terraform")
    made, run = add_relation(space, world["Adam"], "uses", world["Terraform"], actor=PERSON)
    change_relation(space, made.id, label="since May", actor=PERSON)
    with pytest.raises(Clash, match="changed since; undo that first"):
        undo_run(space, run.id, actor=PERSON)
    assert the(space, made).state is RelationState.HELD
    _first, second = revisions.of_record(space.db, made.id)
    undo_revision(space, second.id, actor=PERSON)
    assert the(space, made).label == ""


def test_what_is_gone_or_led_to_what_was_purged_does_not_come_back(world: World, space: Space) -> None:
    world.has("Adam", "Terraform")
    fact = world.told("Adam uses Terraform.", "Adam", "uses", "Terraform")
    edit(space, fact.id, {"text": "Nothing of the kind."}, actor=PERSON)
    told = relate(space, actor=AGENT)
    assert told.removed == 1 and told.run is not None
    purge(space, fact.id, actor=PERSON)
    with suppress(Clash):  # nothing of the run may be left to undo
        undo_run(space, told.run.id, actor=PERSON)
    assert tuple(relations.scan(space.db, "relates")) == ()


def test_an_old_name_that_another_took_stays_with_the_other(world: World, space: Space) -> None:
    world.has("Redis", "Valkey")
    _, run = edit_entity(space, world["Redis"], name="Cache", type=EntityType.CONCEPT, aliases=[], actor=PERSON)
    edit_entity(space, world["Valkey"], name="Redis", actor=PERSON)
    undone = undo_run(space, run.id, actor=PERSON)
    assert [why for _, why in undone.left] == [f"“Redis” is the name of another entity ({world['Valkey']}) by now."]
    after = entities.get(space.db, world["Redis"])
    assert (after.name, after.normal, after.type) == ("Cache", "cache", EntityType.TOOL)


def test_undoing_a_part_does_not_close_a_circle_of_merges(world: World, space: Space) -> None:
    world.has("Neovim", "nvim")
    merge(space, world["Neovim"], [world["nvim"]], actor=PERSON)
    _, run = part(space, world["nvim"], actor=PERSON)
    merge(space, world["nvim"], [world["Neovim"]], actor=PERSON)
    with pytest.raises(Clash, match="part them first"):
        undo_run(space, run.id, actor=PERSON)
    assert entities.get(space.db, world["nvim"]).merged_into is None


def test_a_name_taken_in_since_outlives_the_undo_of_its_finding(space: Space) -> None:
    remember(space, [NewMemory("Adam uses Terraform.", kind=Kind.FACT)], actor=AGENT)
    told = relate(space, actor=AGENT)
    name = entities.by_normals(space.db, ["adam"])["adam"]
    decide_entity(space, name.id, EntityState.KNOWN, actor=PERSON)
    assert told.run is not None
    undo_run(space, told.run.id, actor=PERSON)
    assert entities.get(space.db, name.id).state is EntityState.KNOWN
    assert tuple(relations.scan(space.db, "relates")) == ()
