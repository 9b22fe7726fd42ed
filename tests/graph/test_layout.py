"""Places of a scene's nodes, and of the discs of the map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.graph.community_map import push_apart, rings, sunflower
from memoryapp.graph.layout import arrange, boxes_of, canvas
from memoryapp.graph.scene import place_missing, scale_to_unit
from tests.sampling import examples


def overlaps(names, places):
    """How many pairs of labels lie on each other; a label stands to the right of its dot."""
    boxes = boxes_of(names)
    half = boxes / 2
    middle = places * canvas(boxes) + np.stack([half[:, 0] - half[:, 1], np.zeros(len(boxes))], axis=1)
    one, other = np.triu_indices(len(names), k=1)
    over = half[one] + half[other] - np.abs(middle[one] - middle[other])
    return int((over > 0.5).all(axis=1).sum())


def a_tree(count, branches):
    return [f"node number {n}" for n in range(count)], [(n, (n - 1) // branches) for n in range(1, count)]


@pytest.mark.parametrize(("count", "branches"), [(2, 1), (12, 1), (41, 40), (60, 3), (150, 4), (260, 5)])
def test_no_label_lies_on_another(count, branches):
    names, pairs = a_tree(count, branches)
    places = arrange(names, pairs, start=0)
    assert places.shape == (count, 2) and places.min() >= 0 and places.max() <= 1
    assert overlaps(names, places) <= count // 100


def test_what_is_joined_is_nearer_than_what_is_not():
    names, pairs = a_tree(40, 3)
    places = arrange(names, pairs) * (1.6, 1.0)
    far = np.hypot(*(places[:, None] - places[None, :]).transpose(2, 0, 1))
    assert np.mean([far[pair] for pair in pairs]) < far.mean() / 1.8


def test_a_start_stands_near_the_middle_even_at_the_end_of_a_chain():
    names, pairs = a_tree(9, 1)
    x, y = arrange(names, pairs, start=0)[0]
    assert 0.2 <= x <= 0.8 and 0.2 <= y <= 0.8


def test_parts_that_nothing_joins_lie_beside_each_other():
    names = [f"node {n}" for n in range(24)]
    pairs = [(n, n + 1) for n in range(0, 24, 2)]
    places = arrange(names, pairs)
    assert overlaps(names, places) == 0 and np.ptp(places[:, 0]) > 0.5


def test_members_of_a_community_come_nearer_to_one_another():
    names = [f"node {n}" for n in range(24)]
    groups = [n // 8 for n in range(24)]
    rng = np.random.default_rng(4)
    within = [(g * 8 + int(a), g * 8 + int(b)) for g in range(3) for a, b in rng.integers(0, 8, (14, 2)) if a != b]
    across = [(int(a), int(b)) for a, b in rng.integers(0, 24, (14, 2)) if a != b]
    chain = [(n, n + 1) for n in range(23)]

    def spread(places):
        far = np.hypot(*(places[:, None] - places[None, :]).transpose(2, 0, 1))
        same = np.equal.outer(groups, groups)
        return far[same].mean() / far[~same].mean()

    pairs = chain + within + across
    alike = spread(arrange(names, pairs) * (1.6, 1.0))
    grouped = spread(arrange(names, pairs, groups=groups) * (1.6, 1.0))
    assert grouped < alike * 0.9


def test_many_that_nothing_joins_leave_the_room_to_what_is_joined():
    names = [f"node {n}" for n in range(70)]
    pairs = [(0, n) for n in range(1, 30)]
    places = arrange(names, pairs) * (1.6, 1.0)
    joined, alone = places[:30], places[30:]
    assert np.prod(np.ptp(joined, axis=0)) > 0.15 * np.prod(np.ptp(places, axis=0))
    inside = (alone > joined.min(axis=0)).all(axis=1) & (alone < joined.max(axis=0)).all(axis=1)
    assert inside.mean() < 0.1


def test_there_is_nothing_to_arrange_in_an_empty_scene():
    assert arrange([], []).shape == (0, 2)
    assert arrange(["one"], []).tolist() == [[0.5, 0.5]]


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_any_scene_is_arranged_alike_twice_within_the_drawing(data):
    names = data.draw(st.lists(st.text(max_size=40), min_size=1, max_size=30))
    node = st.integers(0, len(names) - 1)
    pairs = data.draw(st.lists(st.tuples(node, node), max_size=40))
    start = data.draw(st.none() | node)
    places = arrange(names, pairs, start=start)
    assert np.isfinite(places).all() and places.min() >= 0 and places.max() <= 1
    assert np.array_equal(places, arrange(names, pairs, start=start))
    assert len({tuple(place) for place in places.tolist()}) == len(names)


def test_who_has_no_place_comes_near_its_neighbours_or_to_the_edge():
    at = np.array([(0.0, 0.0), (10.0, 0.0), (np.nan, np.nan), (np.nan, np.nan), (np.nan, np.nan)])
    placed = place_missing(at, [(0, 2), (1, 2), (2, 3)])
    assert np.allclose(placed[2], (5, 0), atol=0.3) and np.allclose(placed[3], placed[2], atol=0.5)
    assert np.hypot(*(placed[4] - (5, 0))) > 0.5 and np.isfinite(placed).all()


def test_places_in_one_line_are_scaled_without_a_fault():
    assert np.allclose(scale_to_unit(np.array([(3.0, 7.0), (5.0, 7.0)])), [(0.04, 0.5), (0.96, 0.5)])


def test_discs_are_pushed_apart_and_laid_in_rings():
    radius = np.array([5.0, 3.0, 3.0, 1.0, 1.0])
    placed = push_apart(np.zeros((5, 2)), radius)
    one, other = np.triu_indices(5, k=1)
    assert (np.hypot(*(placed[one] - placed[other]).T) >= radius[one] + radius[other] - 0.1).all()
    ring = rings(np.ones(100), begin=10.0)
    away = np.hypot(*ring.T)
    near = np.hypot(*(ring[:, None] - ring[None, :]).transpose(2, 0, 1)) + np.eye(100) * 9
    assert away.min() >= 10 and near.min() >= 2 - 1e-9
    assert rings(np.zeros(0), begin=1.0).shape == (0, 2) and len(sunflower(7)) == 7
