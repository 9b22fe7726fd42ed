"""Several at once in one run, and pairs that wait again once their merge is undone."""

from __future__ import annotations

import pytest

from memoryapp import graph, review
from memoryapp.domain.entity import Alike, AlikeStatus, EntityState, EntityType, alike_id
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.relation import MadeBy, RelationState, RelationType
from memoryapp.spaces import Space
from memoryapp.store import entities, entity_pairs, relations
from tests.graph.world import World
from tests.samples import PERSON, runs_of


@pytest.fixture
def world(space: Space) -> World:
    made = World(space)
    made.has("Adam", "Mina", type=EntityType.PERSON)
    made.has("Terraform", "Ansible", "nvim", "Neovim")
    return made


def waits(world: World, one: str, other: str) -> Alike:
    pair = Alike(
        alike_id(world[one], world[other]),
        world[one],
        world[other],
        "alike",
        0.9,
        AlikeStatus.WAITING,
        world.space.clock(),
    )
    entity_pairs.propose(world.space.db, [pair])
    return pair


def test_a_type_is_given_to_several_in_one_run(space: Space, world: World) -> None:
    world.has("Kestrel", state=EntityState.PROPOSED)
    keys = [world["Terraform"], world["Ansible"], world["Kestrel"]]
    changed, run = graph.retype(space, [*keys, keys[0]], "Ritual", actor=PERSON)
    assert len(changed) == 3
    found = entities.get_many(space.db, keys).values()
    assert {(one.type, one.state) for one in found} == {("ritual", EntityState.KNOWN)}
    review.undo_run(space, run.id, actor=PERSON)
    assert {one.type for one in entities.get_many(space.db, keys).values()} == {EntityType.TOOL}
    assert entities.get(space.db, world["Kestrel"]).state is EntityState.PROPOSED


def test_what_is_so_already_makes_no_run(space: Space, world: World) -> None:
    before = runs_of(space.db)
    changed, _ = graph.decide_entities(space, [world["Adam"]], EntityState.KNOWN, actor=PERSON)
    assert changed == ()
    assert runs_of(space.db) == before


def test_nothing_too_much_and_nothing_there_are_refused(space: Space, world: World) -> None:
    with pytest.raises(BadInput, match="Nothing is picked"):
        graph.retype(space, [], "tool", actor=PERSON)
    with pytest.raises(BadInput, match="limit"):
        graph.decide_entities(space, [f"{n:016x}" for n in range(1_001)], EntityState.REFUSED, actor=PERSON)
    with pytest.raises(NotFound):
        graph.decide_entities(space, [world["Adam"], "0" * 16], EntityState.REFUSED, actor=PERSON)
    assert entities.get(space.db, world["Adam"]).state is EntityState.KNOWN


def test_what_says_the_same_is_found_through_merged_names_too(space: Space, world: World) -> None:
    first = world.told("Mina uses Neovim.", "Mina", RelationType.USES, "Neovim")
    second = world.told("Mina opened nvim.", "Mina", RelationType.USES, "nvim")
    world.told("Mina prefers Neovim.", "Mina", RelationType.PREFERS, "Neovim")
    world.told("Adam uses Neovim.", "Adam", RelationType.USES, "Neovim")
    world.merged("nvim", "Neovim")
    one = next(edge for edge in relations.of_facts(space.db, [first.id]))
    same = graph.saying_the_same(space, one.id)
    assert same[0] == one
    assert {edge.fact for edge in same} == {first.id, second.id}
    changed, run = graph.refuse_relations(space, [edge.id for edge in same], actor=PERSON)
    assert len(changed) == 2
    assert graph.saying_the_same(space, one.id)[1:] == ()
    review.undo_run(space, run.id, actor=PERSON)
    assert {edge.state for edge in relations.of_facts(space.db, [first.id, second.id])} == {RelationState.HELD}


def test_relations_are_corrected_together_and_are_a_persons_then(space: Space, world: World) -> None:
    for text in ("Adam uses Terraform.", "Adam works with Terraform."):
        world.told(text, "Adam", RelationType.USES, "Terraform")
    keys = [edge.id for edge in relations.of_entities(space.db, [world["Adam"]])]
    changed, run = graph.change_relations(space, keys, type="Works on", planned=True, actor=PERSON)
    assert {(one.type, one.planned, one.made_by) for one in changed} == {(RelationType.WORKS_ON, True, MadeBy.PERSON)}
    review.undo_run(space, run.id, actor=PERSON)
    found = relations.of_entities(space.db, [world["Adam"]])
    assert {(one.type, one.planned, one.made_by) for one in found} == {(RelationType.USES, False, MadeBy.RULES)}
    with pytest.raises(BadInput, match="hierarchy"):
        graph.change_relations(space, keys, type="is_a", actor=PERSON)


def test_a_pair_waits_again_once_its_merge_is_undone(space: Space, world: World) -> None:
    pair = waits(world, "Neovim", "nvim")
    _, run = graph.merge(space, world["Neovim"], [world["nvim"]], actor=PERSON)
    assert graph.put_again(space, run.id) == 0  # they are one still
    review.undo_run(space, run.id, actor=PERSON)
    assert entity_pairs.waiting(space.db) == ()
    assert graph.put_again(space, run.id) == 1
    assert [one.id for one in entity_pairs.waiting(space.db)] == [pair.id]
    assert graph.put_again(space, run.id) == 0


def test_what_nothing_proposed_is_not_proposed_by_an_undo(space: Space, world: World) -> None:
    _, run = graph.merge(space, world["Neovim"], [world["nvim"]], actor=PERSON)
    review.undo_run(space, run.id, actor=PERSON)
    assert graph.put_again(space, run.id) == 0
    assert entity_pairs.waiting(space.db) == ()


def test_a_refusal_of_a_pair_is_taken_back(space: Space, world: World) -> None:
    pair = waits(world, "Neovim", "nvim")
    graph.not_alike(space, pair.one, pair.other, actor=PERSON)
    assert entity_pairs.waiting(space.db) == ()
    assert graph.perhaps_alike(space, pair.id).status is AlikeStatus.WAITING
    assert [one.id for one in entity_pairs.waiting(space.db)] == [pair.id]
    with pytest.raises(NotFound):
        graph.perhaps_alike(space, "0" * 16)
