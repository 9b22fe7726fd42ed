"""The whole graph from far, the map that a job draws of it, and one community of it."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from memoryapp.domain.entity import EntityState
from memoryapp.domain.errors import BadInput, Cancelled, NotFound
from memoryapp.domain.memory import Kind
from memoryapp.domain.relation import MadeBy
from memoryapp.graph import community, draw, neighbourhood, overview
from memoryapp.graph.community_map import ALONE, DRAWN, drawn_at, spots_of
from memoryapp.store import entities
from tests.graph.world import pipeline, star
from tests.samples import NOON


class Progress:
    """What a job hands to a room; stops after so many looks."""

    def __init__(self, looks=10_000):
        self.looks, self.told, self.done = looks, [], []

    def advance(self, done, total, counts=None):
        self.done.append((done, total))

    def say(self, message):
        self.told.append(message)

    def cancelled(self):
        self.looks -= 1
        return self.looks < 0


@pytest.fixture
def clusters(world):
    """Five stars of seventy leaves, the first two joined by a relation; and ten names that nothing is joined to."""
    for hub in range(5):
        star(world, f"hub {hub}", [f"leaf {hub}.{n}" for n in range(70)])
    world.related("hub 0", "uses", "hub 1", made_by=MadeBy.PERSON)
    world.has(*[f"alone {n}" for n in range(10)])
    return world


def test_a_small_graph_is_shown_whole(space, world):
    pipeline(world)
    scene = overview(space)
    assert {node.name for node in scene.nodes} == set(world.entities) and not scene.far
    assert scene.total == 9 and scene.types == {"tool": 4, "person": 2, "place": 2, "project": 1}
    assert scene.nodes[0].links == max(node.links for node in scene.nodes)


def test_what_was_seen_once_is_drawn_in_a_small_graph_and_in_a_large_one_when_asked_for(space, world):
    world.has(*[f"tool {n}" for n in range(59)])
    world.has("maybe", "rumour", state=EntityState.PROPOSED)
    world.related("tool 0", "uses", "maybe")
    world.said("A rumour.", ["rumour"])
    drawn = lambda **asked: {node.name for node in overview(space, **asked).nodes}  # noqa: E731
    small = overview(space)
    assert small.shows_once and small.seen_once == 2 and "maybe" in drawn() and "rumour" not in drawn()
    assert {"maybe", "rumour"} <= drawn(seen_once=True) and not {"maybe", "rumour"} & drawn(seen_once=False)
    world.has("one more")
    large = overview(space)
    assert not large.shows_once and large.seen_once == 2 and large.total == 60 and "maybe" not in drawn()
    around = neighbourhood(space, [world["maybe"]])
    assert {node.name for node in around.nodes} == {"maybe", "tool 0"}  # what one starts from is there all the same


def test_an_empty_graph_says_so(space):
    scene = overview(space)
    assert (scene.nodes, scene.edges, scene.total) == ((), (), 0) and "nothing" in scene.notes[0]


def test_a_large_graph_is_shown_by_its_communities(space, clusters):
    draw(space)
    scene = overview(space)
    assert scene.nodes == () and scene.total == 365 and scene.notes == ()
    *found, rest = scene.communities
    assert [(one.number, one.size, one.names[0]) for one in found] == [
        (number, 71, one.names[0]) for number, one in enumerate(found)
    ]
    assert {one.names[0] for one in found} == {f"hub {n}" for n in range(5)}
    assert (rest.number, rest.size, rest.names) == (ALONE, 10, ("other",))
    assert sum(one.size for one in scene.communities) == scene.total
    numbers = {one.names[0]: str(one.number) for one in found}
    assert [{one.source, one.target} for one in scene.edges] == [{numbers["hub 0"], numbers["hub 1"]}]
    assert all(0 <= one.x <= 1 and 0 <= one.y <= 1 for one in scene.communities)
    assert overview(space) == scene


def test_without_a_map_the_communities_are_found_and_said_to_be_of_the_moment(space, clusters):
    scene = overview(space)
    assert "no map" in scene.notes[0] and [one.size for one in scene.communities] == [71] * 5 + [10]
    draw(space)
    assert overview(space).communities == scene.communities


def test_who_came_after_the_map_belongs_where_its_neighbours_do(space, clusters):
    draw(space)
    clusters.has("late", "lonely")
    clusters.said("hub 3 met late.", ("hub 3", "late"))
    scene = overview(space)
    sizes = {one.names[0]: one.size for one in scene.communities}
    assert sizes["hub 3"] == 72 and sizes["other"] == 11 and sizes["hub 2"] == 71


def test_a_community_is_shown_with_its_best_joined_members(space, clusters):
    draw(space)
    numbers = {one.names[0]: one.number for one in overview(space).communities}
    scene = community(space, numbers["hub 2"])
    assert len(scene.nodes) == 71 and scene.nodes[0].name == "hub 2" and len(scene.edges) >= 70
    assert {node.community for node in scene.nodes} == {numbers["hub 2"]}
    few = community(space, numbers["hub 2"], limit=10)
    assert len(few.nodes) == 10 and few.nodes[0].hidden == 61 and "10 of 71" in few.notes[0]
    assert {node.name for node in community(space, ALONE).nodes} == {f"alone {n}" for n in range(10)}


def test_a_community_that_is_not_there_is_told(space, clusters):
    draw(space)
    with pytest.raises(NotFound, match="no community 77"):
        community(space, 77)
    with pytest.raises(BadInput, match="1 to 500"):
        community(space, 0, limit=0)


def test_no_more_than_sixty_super_nodes(space, world):
    for hub in range(75):
        star(world, f"hub {hub}", [f"leaf {hub}.{n}" for n in range(4 + hub % 3)])
    draw(space)
    scene = overview(space)
    assert len(scene.communities) == 60 and scene.communities[-1].names == ("other",)
    assert sum(one.size for one in scene.communities) == scene.total
    assert len(community(space, ALONE, limit=500).nodes) == scene.communities[-1].size


def test_as_of_counts_what_was_there_then(space, world):
    earlier = NOON - timedelta(days=20)
    world.has(*[f"old {n}" for n in range(3)], created_at=earlier)
    world.has(*[f"new {n}" for n in range(4)])
    world.said("old 0 and old 1", ("old 0", "old 1"), created_at=earlier)
    world.said("new 0 was known long before it had a name", ("new 0", "old 0"), created_at=earlier, kind=Kind.NOTE)
    scene = overview(space, as_of=NOON - timedelta(days=10))
    assert {node.name for node in scene.nodes} == {"old 0", "old 1", "old 2", "new 0"} and scene.total == 4


def test_the_same_graph_gives_the_same_map(space, clusters):
    told = draw(space)
    first = dict(spots_of(space))
    assert told == {"entities": 365, "links": 351, "communities": 5, "alone": 10}
    assert draw(space) == told and dict(spots_of(space)) == first
    stored = entities.read_layout(space.db)
    assert stored.pop(DRAWN).x == pytest.approx(drawn_at(space)) and stored == first


def test_on_the_map_communities_lie_apart_and_the_lonely_outside(space, clusters):
    draw(space)
    spots = spots_of(space)
    at = {name: np.array((spots[clusters[name]].x, spots[clusters[name]].y)) for name in clusters.entities}
    middle = {hub: np.mean([at[f"leaf {hub}.{n}"] for n in range(70)], axis=0) for hub in range(5)}
    for hub in range(5):
        own = max(float(np.hypot(*(at[f"leaf {hub}.{n}"] - middle[hub]))) for n in range(70))
        others = min(
            float(np.hypot(*(at[f"leaf {hub}.{n}"] - middle[o]))) for n in range(70) for o in range(5) if o != hub
        )
        assert own < others
    inside = max(float(np.hypot(*place)) for name, place in at.items() if not name.startswith("alone"))
    outside = min(float(np.hypot(*place)) for name, place in at.items() if name.startswith("alone"))
    assert outside > inside and len({tuple(place) for place in at.values()}) == len(at)


def test_merged_and_refused_entities_are_not_on_the_map(space, world):
    pipeline(world)
    world.has("terraform cli")
    world.has("not a thing", state=EntityState.REFUSED)
    world.merged("terraform cli", "Terraform")
    draw(space)
    assert set(spots_of(space)) == {world[name] for name in world.entities} - {
        world["terraform cli"],
        world["not a thing"],
    }


def test_a_map_that_is_drawn_anew_forgets_who_is_gone(space, world):
    pipeline(world)
    draw(space)
    world.merged("Ansible", "Terraform")
    draw(space)
    assert world["Ansible"] not in spots_of(space) and world["Ansible"] not in entities.read_layout(space.db)


def test_an_empty_space_has_an_empty_map(space):
    assert draw(space) == {"entities": 0, "links": 0, "communities": 0, "alone": 0}
    assert spots_of(space) == {} and drawn_at(space) is not None


def test_drawing_tells_how_far_it_is(space, clusters):
    progress = Progress()
    told = draw(space, progress=progress)
    steps = [done for done, _ in progress.done]
    assert steps == sorted(steps) and progress.done[-1] == (100, 100) and "communities" in " ".join(progress.told)
    assert told["communities"] == 5


def test_a_cancelled_drawing_leaves_the_map_of_before(space, clusters):
    draw(space)
    before, at = dict(spots_of(space)), drawn_at(space)
    clusters.has("late")
    with pytest.raises(Cancelled, match="stays"):
        draw(space, progress=Progress(looks=3))
    assert dict(spots_of(space)) == before and drawn_at(space) == at


def test_a_scene_of_many_nodes_takes_its_places_from_the_map(space, clusters):
    for hub in range(1, 5):
        clusters.related(f"hub {hub - 1}", "knows", f"hub {hub}", made_by=MadeBy.PERSON)
    draw(space)
    everything = neighbourhood(space, [clusters["hub 2"]], steps=3, limit=500)
    stars = community(space, next(one.number for one in overview(space).communities if "hub 2" in one.names))
    assert len(everything.nodes) < 120, "a hub on the way brings in its strongest few alone"
    clusters.said("all hubs", [f"hub {n}" for n in range(5)])
    wide = neighbourhood(space, [clusters[f"hub {n}"] for n in range(5)], steps=1, limit=500)
    assert len(wide.nodes) == 355 and all(0 <= node.x <= 1 and 0 <= node.y <= 1 for node in wide.nodes)
    near = {node.name: (node.x, node.y) for node in wide.nodes}
    own = np.mean([np.hypot(*np.subtract(near[f"leaf 1.{n}"], near["hub 1"])) for n in range(70)])
    other = np.mean([np.hypot(*np.subtract(near[f"leaf 1.{n}"], near["hub 4"])) for n in range(70)])
    assert own < other and len(stars.nodes) == 71
