"""How two entities hang together."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.memory import State
from memoryapp.domain.scene import EdgeKind
from memoryapp.graph import path
from tests.graph.world import pipeline, star
from tests.samples import NOON


def way(space, world, one, other, **more):
    return [(step.edge.type, step.node.name) for step in path(space, world[one], world[other], **more)]


def test_the_pipeline_hangs_together_with_adam_through_terraform(space, world):
    pipeline(world)
    assert way(space, world, "deployment pipeline", "Adam") == [("part_of", "Terraform"), ("uses", "Adam")]
    assert way(space, world, "Adam", "Ansible") == [("uses", "Terraform"), ("together", "Ansible")]


def test_each_step_goes_from_the_node_before_to_its_own(space, world):
    pipeline(world)
    here = world["서울 사무실"]
    for step in path(space, here, world["deployment pipeline"]):
        assert here in (step.edge.source, step.edge.target) and step.node.id in (step.edge.source, step.edge.target)
        here = step.node.id
    assert here == world["deployment pipeline"]


def test_there_is_no_way_to_what_nothing_joins(space, world):
    pipeline(world)
    assert path(space, world["Adam"], world["SurrealDB"]) == ()
    assert path(space, world["Seoul"], world["Adam"]) == ()


def test_from_an_entity_to_itself_there_is_nothing_to_go(space, world):
    pipeline(world)
    assert path(space, world["Adam"], world["Adam"]) == ()
    world.has("AWS")
    world.merged("AWS", "Adam")
    assert path(space, world["AWS"], world["Adam"]) == ()


def test_a_relation_is_preferred_to_being_named_together(space, world):
    world.has("Adam", "Terraform", "Vim", "pipeline")
    world.told("Adam uses Terraform.", "Adam", "uses", "Terraform")
    world.told("Terraform is part of the pipeline.", "Terraform", "part_of", "pipeline")
    world.said("Adam, Vim.", ("Adam", "Vim"))
    world.said("Vim, pipeline.", ("Vim", "pipeline"))
    assert way(space, world, "Adam", "pipeline") == [("uses", "Terraform"), ("part_of", "pipeline")]


def test_a_way_round_a_hub_is_preferred_to_one_through_it(space, world):
    star(world, "user", [f"leaf {n}" for n in range(200)])
    world.has("bridge", "span")
    for one, other in (("leaf 1", "bridge"), ("bridge", "span"), ("span", "leaf 2")):
        world.said(f"{one} and {other}", (one, other))
    assert [name for _, name in way(space, world, "leaf 1", "leaf 2")] == ["bridge", "span", "leaf 2"]
    assert [name for _, name in way(space, world, "leaf 3", "leaf 4")] == ["user", "leaf 4"]


def test_a_way_that_is_too_long_gives_way_to_a_shorter_one(space, world):
    star(world, "user", [f"leaf {n}" for n in range(200)])
    world.has("bridge", "span")
    for one, other in (("leaf 1", "bridge"), ("bridge", "span"), ("span", "leaf 2")):
        world.said(f"{one} and {other}", (one, other))
    assert [name for _, name in way(space, world, "leaf 1", "leaf 2", longest=2)] == ["user", "leaf 2"]
    assert path(space, world["leaf 1"], world["leaf 2"], longest=1) == ()


def test_the_memories_behind_a_step_are_told(space, world):
    told = pipeline(world)
    first, second = path(space, world["Adam"], world["Ansible"])
    assert first.edge.facts == (told["uses"].id,) and first.edge.text == "Adam uses Terraform."
    assert second.edge.kind is EdgeKind.TOGETHER and set(second.edge.facts) == {told["both"].id, told["again"].id}


def test_what_does_not_hold_any_more_is_no_way_but_was_one(space, world):
    earlier = NOON - timedelta(days=20)
    world.has("Adam", "Terraform", created_at=earlier)
    uses = world.told("Adam uses Terraform.", "Adam", "uses", "Terraform", created_at=earlier)
    world.changed(uses, state=State.SUPERSEDED, valid_to=NOON - timedelta(days=5))
    assert path(space, world["Adam"], world["Terraform"]) == ()
    assert way(space, world, "Adam", "Terraform", as_of=NOON - timedelta(days=10)) == [("uses", "Terraform")]


def test_a_way_of_more_steps_than_there_can_be_and_unknown_ends_are_refused(space, world):
    pipeline(world)
    for longest in (0, 13):
        with pytest.raises(BadInput, match="1 to 12 steps"):
            path(space, world["Adam"], world["Mina"], longest=longest)
    with pytest.raises(NotFound):
        path(space, world["Adam"], "ffff")
