"""Which entities a search text is about."""

from __future__ import annotations

from memoryapp.domain.entity import EntityState, EntityType
from memoryapp.graph import around_query
from tests.graph.world import pipeline, star


def told(space, world, text, **more):
    return [world.name(key) for key in around_query(space, text, **more)]


def test_names_in_the_text_come_first_in_its_order(space, world):
    pipeline(world)
    assert told(space, world, "What does the deployment pipeline need of Adam?") == ["deployment pipeline", "Adam"]
    assert told(space, world, "미나는 서울 사무실에서 일해?") == ["서울 사무실"]


def test_the_beginning_of_a_name_finds_it(space, world):
    pipeline(world)
    world.has("Terrier", state=EntityState.PROPOSED, type=EntityType.CONCEPT)
    assert told(space, world, "terr") == ["Terraform", "Terrier"]
    assert told(space, world, "errafor") == [] and told(space, world, "te") == [] and told(space, world, "") == []


def test_the_hits_of_a_search_tell_what_it_is_about_and_hubs_less_than_others(space, world):
    memories = pipeline(world)
    assert (
        told(space, world, "who builds it?", hits=[memories["part"].id, memories["both"].id])[0]
        == "deployment pipeline"
    )
    star(world, "user", [f"leaf {n}" for n in range(30)])
    hit = world.said("user likes Seoul", ("user", "Seoul"))
    assert told(space, world, "where to?", hits=[hit.id, "gone"]) == ["Seoul", "user"]


def test_a_merged_name_stands_for_the_whole(space, world):
    world.has("Neovim", "nvim")
    world.merged("nvim", "Neovim")
    assert told(space, world, "set up nvim again") == ["Neovim"]


def test_no_more_than_asked_for_and_nobody_twice(space, world):
    memories = pipeline(world)
    found = told(space, world, "Adam, Mina and Terraform", hits=[one.id for one in memories.values()])
    assert found[:3] == ["Adam", "Mina", "Terraform"] and len(found) == len(set(found)) == 5
    assert told(space, world, "Adam, Mina and Terraform", limit=2) == ["Adam", "Mina"]
