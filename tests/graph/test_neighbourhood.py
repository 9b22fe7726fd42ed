"""What is around an entity: steps, limits, filters, states of edges, as of an instant."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memoryapp.domain.conflict import Conflict
from memoryapp.domain.entity import EntityState, EntityType
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.relation import MadeBy, RelationState, RelationType
from memoryapp.domain.scene import EdgeKind, EdgeState
from memoryapp.graph import neighbourhood
from tests.graph.world import pipeline, star
from tests.samples import NOON


def names(scene):
    return [node.name for node in scene.nodes]


def joined(scene):
    """Edges as (name, type, name); together ones with the names in order."""
    known = {node.id: node.name for node in scene.nodes}
    found = set()
    for edge in scene.edges:
        ends = (known[edge.source], known[edge.target])
        one, other = sorted(ends) if edge.kind is EdgeKind.TOGETHER else ends
        found.add((one, edge.type, other))
    return found


def edge(scene, type):
    return next(one for one in scene.edges if one.type == type)


def test_relations_and_what_is_named_together_are_around_an_entity(space, world):
    pipeline(world)
    scene = neighbourhood(space, [world["Adam"]], steps=2)
    assert names(scene)[0] == "Adam" and scene.nodes[0].depth == 0
    assert {(node.name, node.depth) for node in scene.nodes[1:]} == {
        ("Terraform", 1),
        ("Mina", 1),
        ("deployment pipeline", 2),
        ("Ansible", 2),
        ("서울 사무실", 2),
    }
    assert joined(scene) == {
        ("Adam", "uses", "Terraform"),
        ("Adam", "knows", "Mina"),
        ("Terraform", "part_of", "deployment pipeline"),
        ("Ansible", "together", "Terraform"),
        ("Mina", "together", "서울 사무실"),
    }
    assert scene.total == 9 and scene.starts == (world["Adam"],)
    assert scene.types == {"person": 2, "tool": 2, "place": 1, "project": 1}


def test_an_edge_tells_what_it_was_found_in(space, world):
    told = pipeline(world)
    scene = neighbourhood(space, [world["Adam"]])
    uses, together = edge(scene, "uses"), edge(scene, "together")
    assert uses.facts == (told["uses"].id,) and uses.text == "Adam uses Terraform." and uses.hint
    assert len(uses.relations) == 1 and uses.state is EdgeState.HELD and uses.until is None
    assert uses.since == NOON and uses.trust == pytest.approx(0.9, abs=0.01)
    ansible = next(one for one in scene.edges if {told["both"].id, told["again"].id} == set(one.facts))
    assert ansible.kind is EdgeKind.TOGETHER and ansible.weight == 2 and together.relations == ()


def test_one_step_leaves_out_what_is_further_and_says_how_much(space, world):
    pipeline(world)
    scene = neighbourhood(space, [world["Adam"]], steps=1)
    hidden = {node.name: node.hidden for node in scene.nodes}
    assert hidden == {"Adam": 0, "Terraform": 2, "Mina": 1}


def test_a_scene_has_no_more_nodes_than_asked_for_and_relations_come_first(space, world):
    world.has("Adam", "Terraform", "Ansible", "Vim")
    for _ in range(3):
        world.said("Adam, Ansible and Vim.", ("Adam", "Ansible", "Vim"))
    world.told("Adam uses Terraform.", "Adam", "uses", "Terraform")
    scene = neighbourhood(space, [world["Adam"]], limit=2)
    assert names(scene) == ["Adam", "Terraform"] and scene.nodes[0].hidden == 2


def test_a_hub_does_not_flood_the_scene_of_another(space, world):
    star(world, "user", [f"leaf {n}" for n in range(120)])
    around_leaf = neighbourhood(space, [world["leaf 5"]], steps=2, limit=150)
    assert len(around_leaf.nodes) <= 10
    hub = next(node for node in around_leaf.nodes if node.name == "user")
    assert hub.hidden == 120 - (len(around_leaf.nodes) - 1)
    opened = neighbourhood(space, [world["user"]], steps=1, limit=500)
    assert len(opened.nodes) == 121 and opened.nodes[0].hidden == 0


def test_what_is_named_in_a_list_of_everything_is_not_joined_by_it(space, world):
    many = [f"tool {n}" for n in range(101)]
    world.has(*many)
    world.said("All tools there are.", many)
    assert names(neighbourhood(space, [world["tool 0"]])) == ["tool 0"]
    world.said("tool 0 and tool 1", many[:2])
    assert names(neighbourhood(space, [world["tool 0"]])) == ["tool 0", "tool 1"]


def test_among_many_neighbours_each_shows_its_strongest_few(space, world):
    many = [f"tool {n}" for n in range(40)]
    world.has(*many)
    world.said("All of them.", many)
    scene = neighbourhood(space, [world["tool 7"]], steps=1, limit=40)
    degree = {key: sum(key in (one.source, one.target) for one in scene.edges) for key in map(world.__getitem__, many)}
    start = degree.pop(world["tool 7"])
    assert start == 39 and max(degree.values()) <= 6


def test_filters_leave_out_types_and_the_legend_still_counts_them(space, world):
    pipeline(world)
    scene = neighbourhood(space, [world["Adam"]], steps=2, types=[EntityType.TOOL])
    assert names(scene) == ["Adam", "Terraform", "Ansible"]
    assert scene.types["person"] == 2 and scene.types["project"] == 1


def test_filters_choose_among_relations(space, world):
    pipeline(world)
    key = world["Adam"]
    assert names(neighbourhood(space, [key], relations=["uses"])) == ["Adam", "Terraform"]
    assert joined(neighbourhood(space, [key], relations=["uses", "together"])) == {
        ("Adam", "uses", "Terraform"),
        ("Ansible", "together", "Terraform"),
        ("Terraform", "together", "deployment pipeline"),
        ("Adam", "together", "Mina"),
        ("Mina", "together", "서울 사무실"),
    }
    assert joined(neighbourhood(space, [world["SurrealDB"]], relations=["is_a"])) == {("SurrealDB", "is_a", "database")}
    assert names(neighbourhood(space, [key], relations=["no such thing"])) == ["Adam"]


def test_what_is_trusted_too_little_is_left_out(space, world):
    world.has("Adam", "Terraform", "Vim", "Emacs")
    world.told("Adam uses Terraform.", "Adam", "uses", "Terraform", confidence=0.9)
    world.told("Adam may use Vim.", "Adam", "uses", "Vim", confidence=0.5)
    world.related("Adam", "uses", "Emacs", made_by=MadeBy.PERSON)
    assert set(names(neighbourhood(space, [world["Adam"]], min_trust=0.7))) == {"Adam", "Terraform", "Emacs"}


def test_several_memories_that_say_the_same_are_one_edge(space, world):
    world.has("Adam", "Terraform")
    weak = world.told("Adam uses Terraform, it seems.", "Adam", "uses", "Terraform", confidence=0.5)
    sure = world.told("Adam works with Terraform.", "Adam", "uses", "Terraform", relation={"label": "works with"})
    scene = neighbourhood(space, [world["Adam"]])
    assert len(scene.edges) == 1
    one = scene.edges[0]
    assert one.facts == (sure.id, weak.id) and one.label == "works with" and one.weight == 2
    assert one.text == "Adam works with Terraform." and len(one.relations) == 2


def test_a_relation_of_a_superseded_memory_is_superseded_and_one_of_a_deleted_memory_is_not_there(space, world):
    world.has("Jiwon", "A100", "H100", "Mac")
    old = world.told("Jiwon runs it on an A100.", "Jiwon", "uses", "A100")
    gone = world.told("Jiwon uses a Mac.", "Jiwon", "uses", "Mac")
    world.told("Jiwon runs it on an H100.", "Jiwon", "uses", "H100")
    world.changed(old, state=State.SUPERSEDED, valid_to=NOON + timedelta(hours=1))
    world.changed(gone, state=State.DELETED)
    scene = neighbourhood(space, [world["Jiwon"]])
    states = {world.name(one.target): one.state for one in scene.edges}
    assert states == {"A100": EdgeState.SUPERSEDED, "H100": EdgeState.HELD}
    assert next(one.until for one in scene.edges if one.state is EdgeState.SUPERSEDED) == NOON + timedelta(hours=1)
    assert scene.nodes[0].links == 1 and names(scene) == ["Jiwon", "H100", "A100"]


def test_an_edge_is_in_dispute_while_its_memory_is(space, world):
    world.has("Jiwon", "Mac", "PC")
    mac = world.told("Jiwon uses a Mac.", "Jiwon", "uses", "Mac")
    pc = world.told("Jiwon uses a PC.", "Jiwon", "uses", "PC")
    world.write(conflicts=[Conflict(new_id(), mac.id, "rules", "two machines", NOON, incoming=pc.id)])
    assert {one.state for one in neighbourhood(space, [world["Jiwon"]]).edges} == {EdgeState.CONFLICT}


def test_what_is_planned_is_shown_as_planned(space, world):
    world.has("Adam", "Rust")
    world.told("Adam wants to use Rust.", "Adam", "uses", "Rust", relation={"planned": True})
    assert neighbourhood(space, [world["Adam"]]).edges[0].state is EdgeState.PLANNED
    world.told("Adam uses Rust.", "Adam", "uses", "Rust")
    assert neighbourhood(space, [world["Adam"]]).edges[0].state is EdgeState.HELD


def test_a_relation_that_has_ended_or_was_refused_does_not_hold(space, world):
    world.has("Adam", "Perl", "PHP")
    world.related("Adam", "uses", "Perl", made_by=MadeBy.PERSON, valid_to=NOON - timedelta(days=1))
    world.related("Adam", "uses", "PHP", made_by=MadeBy.PERSON, state=RelationState.REFUSED)
    scene = neighbourhood(space, [world["Adam"]])
    assert [(one.state, one.until) for one in scene.edges] == [(EdgeState.SUPERSEDED, NOON - timedelta(days=1))]
    assert scene.edges[0].trust is None and scene.edges[0].facts == () and not scene.edges[0].hint


def test_as_of_shows_what_held_then(space, world, clock):
    world.has("Jiwon", "A100", "H100", "Later", created_at=NOON - timedelta(days=40))
    first, second = NOON - timedelta(days=30), NOON - timedelta(days=10)
    old = world.told("It runs on an A100.", "Jiwon", "uses", "A100", created_at=first)
    world.told("It runs on an H100.", "Jiwon", "uses", "H100", created_at=second)
    world.changed(old, state=State.SUPERSEDED, valid_to=second)
    world.related("Jiwon", "uses", "Later", made_by=MadeBy.PERSON)

    def then(days):
        scene = neighbourhood(space, [world["Jiwon"]], as_of=NOON - timedelta(days=days))
        return {(world.name(one.target), one.state.value) for one in scene.edges}

    assert then(35) == set()
    assert then(20) == {("A100", "held")}
    assert then(5) == {("H100", "held")}
    clock.move(days=1)
    assert {world.name(one.target) for one in neighbourhood(space, [world["Jiwon"]]).edges} == {"A100", "H100", "Later"}


def test_a_merged_entity_is_the_one_it_was_merged_into(space, world):
    world.has("Adam", type=EntityType.PERSON)
    world.has("Neovim", "nvim", "Lua")
    world.told("Adam uses nvim.", "Adam", RelationType.USES, "nvim")
    world.said("Neovim speaks Lua.", ("Neovim", "Lua"))
    world.merged("nvim", "Neovim")
    scene = neighbourhood(space, [world["nvim"]])
    assert scene.starts == (world["Neovim"],) and set(names(scene)) == {"Neovim", "Adam", "Lua"}
    assert scene.nodes[0].memories == 2 and scene.nodes[0].links == 1


def test_an_entity_that_nothing_joins_is_a_scene_by_itself(space, world):
    world.has("Alone")
    scene = neighbourhood(space, [world["Alone"]])
    node = scene.nodes[0]
    assert (len(scene.nodes), scene.edges) == (1, ()) and (node.memories, node.links, node.hidden) == (0, 0, 0)
    assert node.trust is None and (node.x, node.y) == (0.5, 0.5)


def test_two_starts_are_both_there(space, world):
    pipeline(world)
    scene = neighbourhood(space, [world["Adam"], world["SurrealDB"]], steps=1)
    assert scene.starts == (world["Adam"], world["SurrealDB"])
    assert {"Adam", "SurrealDB", "database", "Terraform", "Mina"} == set(names(scene))


def test_the_same_scene_is_given_twice_and_lies_within_the_drawing(space, world):
    pipeline(world)
    once, again = (neighbourhood(space, [world["Adam"]]) for _ in range(2))
    assert once == again
    assert all(0 <= node.x <= 1 and 0 <= node.y <= 1 for node in once.nodes)
    start = once.nodes[0]
    assert 0.25 <= start.x <= 0.75 and 0.25 <= start.y <= 0.75
    assert len({(node.x, node.y) for node in once.nodes}) == len(once.nodes)


def test_long_texts_are_cut_and_strange_names_are_kept(space, world):
    world.has("x" * 200, "<b>&\x00")
    world.said("word " * 200, ("x" * 200, "<b>&\x00"), kind=Kind.NOTE)
    scene = neighbourhood(space, [world["x" * 200]])
    assert len(scene.edges[0].text) == 280 and names(scene) == ["x" * 200, "<b>&\x00"]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"steps": 0}, "/steps"),
        ({"steps": 4}, "/steps"),
        ({"limit": 0}, "/limit"),
        ({"limit": 501}, "/limit"),
        ({"min_trust": float("nan")}, "/min_trust"),
    ],
)
def test_numbers_out_of_bounds_are_refused(space, world, asked, field):
    world.has("Adam")
    with pytest.raises(BadInput) as told:
        neighbourhood(space, [world["Adam"]], **asked)
    assert told.value.field == field


def test_unknown_and_refused_starts_are_told(space, world):
    world.has("No", state=EntityState.REFUSED)
    for key in (world["No"], "ffff", "가" * 300):
        with pytest.raises(NotFound, match="There is no entity"):
            neighbourhood(space, [key])
    with pytest.raises(BadInput, match="at least one"):
        neighbourhood(space, [])


def test_a_type_asked_for_is_found_behind_stronger_neighbours_of_another(space, world):
    people = [f"person {n}" for n in range(20)]
    world.has("Adam", "middle", "tool")
    world.has(*people, type=EntityType.PERSON)
    world.related("Adam", "uses", "middle")
    for name in people:
        world.related("middle", "knows", name, confidence=0.9)
    world.related("middle", "uses", "tool", confidence=0.3)
    assert "tool" not in names(neighbourhood(space, [world["Adam"]], steps=2))
    scene = neighbourhood(space, [world["Adam"]], steps=2, types=[EntityType.TOOL])
    assert names(scene) == ["Adam", "middle", "tool"] and scene.types["person"] == 12
