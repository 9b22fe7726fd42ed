"""All there is to know of one entity."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memoryapp.domain.entity import Alike, AlikeStatus, EntityState, Reference, alike_id
from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.relation import RelationType
from memoryapp.domain.scene import EdgeKind, EdgeState
from memoryapp.graph import card, listing
from memoryapp.store import entity_pairs
from tests.graph.world import day, pipeline
from tests.samples import NOON


def test_a_card_tells_what_names_an_entity_and_what_it_is_joined_to(space, world):
    told = pipeline(world)
    found = card(space, world["Terraform"])
    assert found.entity.name == "Terraform" and (found.count, found.links) == (4, 2)
    assert {memory.id for memory, _ in found.memories} == {told[key].id for key in ("uses", "part", "both", "again")}
    assert {role for _, role in found.memories} == {"mention"}
    kinds = [edge.kind for edge in found.edges]
    assert kinds == [EdgeKind.RELATION, EdgeKind.RELATION, EdgeKind.TOGETHER]
    assert set(found.neighbours) == {world[name] for name in ("Adam", "deployment pipeline", "Ansible")}
    assert found.neighbours[world["Adam"]].links == 2
    assert (found.merged, found.up, found.down, found.alike, found.episodes) == ((), (), (), (), ())


def test_the_best_trusted_memories_come_first_with_the_role_they_give(space, world):
    world.has("Adam", "Terraform")
    world.said("Adam may know Terraform.", ("Adam",), confidence=0.5)
    sure = world.said("Adam uses Terraform.", ("Adam",), role="mention", confidence=0.9)
    world.write(references_added=[Reference(sure.id, world["Adam"], "subject", 1.0)])
    found = card(space, world["Adam"])
    assert [(memory.text, role) for memory, role in found.memories] == [
        ("Adam uses Terraform.", "subject"),
        ("Adam may know Terraform.", "mention"),
    ]
    assert found.count == 2


def test_no_more_than_twenty_memories_are_shown_and_all_are_counted(space, world):
    world.has("Adam")
    for n in range(25):
        world.said(f"Adam, number {n}.", ("Adam",))
    found = card(space, world["Adam"])
    assert (len(found.memories), found.count) == (20, 25)


def test_its_days_and_episodes_are_told(space, world):
    world.has("Adam")
    for number in (2, 2, 5):
        world.said(
            f"Adam on the {number}.", ("Adam",), occurred_at=day(number) + timedelta(hours=number), created_at=day(9)
        )
    episode = world.said("Adam had a week.", ("Adam",), kind=Kind.EPISODE, occurred_at=day(7), created_at=day(9))
    found = card(space, world["Adam"])
    midnight = timedelta(hours=12)
    assert found.days == ((day(2) - midnight, 2), (day(5) - midnight, 1), (day(7) - midnight, 1))
    assert found.first_seen == day(2) + timedelta(hours=2) and found.last_seen == day(7)
    assert [memory.id for memory in found.episodes] == [episode.id]


def test_a_day_that_is_only_spoken_of_is_no_sighting(space, world):
    world.has("Mina")
    learned = world.said("Mina will present on Monday", ["Mina"], occurred_at=space.clock() + timedelta(days=7))
    found = card(space, world["Mina"])
    assert found.last_seen == learned.created_at
    assert listing(space).items[0].latest == learned.created_at


def test_its_place_in_the_hierarchy_names_the_relation_that_says_so(space, world):
    world.has("SurrealDB", "database", "tool", "Postgres")
    world.told("SurrealDB is a database.", "SurrealDB", RelationType.IS_A, "database")
    by_hand = world.related("database", RelationType.IS_A, "tool")
    world.related("Postgres", RelationType.IS_A, "database")
    found = card(space, world["database"])
    assert [(one.name, relation.id) for one, relation in found.up] == [("tool", by_hand.id)]
    assert [one.name for one, _ in found.down] == ["Postgres", "SurrealDB"]


def test_a_merged_entity_has_the_card_of_the_one_that_stands_for_it(space, world):
    world.has("Neovim", "nvim", "nv")
    world.said("nvim is fast", ("nvim",))
    world.merged("nv", "nvim")
    world.merged("nvim", "Neovim")
    found = card(space, world["nv"])
    assert found.entity.name == "Neovim" and [one.name for one in found.merged] == ["nv", "nvim"]
    assert found.count == 1 and [memory.text for memory, _ in found.memories] == ["nvim is fast"]


def test_pairs_that_wait_are_told_with_their_other_side(space, world):
    world.has("Neovim", "nvim", "vi")
    pair = Alike(
        alike_id(world["nvim"], world["Neovim"]),
        world["Neovim"],
        world["nvim"],
        "the same without vowels",
        0.9,
        AlikeStatus.WAITING,
        NOON,
    )
    entity_pairs.propose(space.db, [pair])
    assert [(one.id, other.name) for one, other in card(space, world["Neovim"]).alike] == [(pair.id, "nvim")]
    assert [other.name for _, other in card(space, world["nvim"]).alike] == ["Neovim"]
    assert card(space, world["vi"]).alike == ()


def test_what_is_superseded_stands_last_among_the_edges_and_is_not_counted(space, world):
    world.has("Jiwon", "A100", "H100")
    old = world.told("It runs on an A100.", "Jiwon", "uses", "A100")
    world.told("It runs on an H100.", "Jiwon", "uses", "H100")
    world.changed(old, state=State.SUPERSEDED)
    found = card(space, world["Jiwon"])
    assert [edge.state for edge in found.edges] == [EdgeState.HELD, EdgeState.SUPERSEDED]
    assert (found.count, found.links) == (1, 1)


def test_as_of_an_instant_the_card_is_that_of_then(space, world):
    world.has("Adam", "Vim", created_at=day(1))
    world.told("Adam uses Vim.", "Adam", "uses", "Vim", created_at=day(1) - timedelta(days=9))
    world.said("Adam was here.", ("Adam",))
    found = card(space, world["Adam"], as_of=day(1) - timedelta(days=3))
    assert (found.count, found.links) == (1, 1) and found.last_seen == day(1) - timedelta(days=9)
    before = card(space, world["Adam"], as_of=day(1) - timedelta(days=20))
    assert (before.count, before.edges, before.first_seen, before.days) == (0, (), None, ())


def test_an_entity_that_nothing_names_has_an_empty_card(space, world):
    world.has("Alone")
    found = card(space, world["Alone"])
    assert (found.count, found.links, found.memories, found.edges) == (0, 0, (), ())
    assert (found.neighbours, found.first_seen, found.last_seen, found.days) == ({}, None, None, ())


def test_there_is_no_card_of_what_is_refused_or_unknown(space, world):
    world.has("No", state=EntityState.REFUSED)
    for key in (world["No"], "nobody"):
        with pytest.raises(NotFound, match="There is no entity"):
            card(space, key)
