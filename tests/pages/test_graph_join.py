from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.scene import Edge, EdgeKind, EdgeState, Node, Scene
from memoryapp.interfaces.graph.scene import merge_scenes


def node(n: int, x: float = 0.5, y: float = 0.5, *, hidden: int = 0) -> Node:
    return Node(f"{n:016x}", f"n{n}", "tool", "known", 1, 1, hidden, x, y)


def edge(a: int, b: int) -> Edge:
    return Edge(f"{a}-{b}", f"{a:016x}", f"{b:016x}", EdgeKind.RELATION, "uses", EdgeState.HELD)


def test_only_edges_between_what_is_there_come_in() -> None:
    scene = Scene((node(1, hidden=2),), (), 9, {"tool": 1})
    around = Scene((node(1), node(2)), (edge(1, 2), edge(2, 3)), 9, {"tool": 2})
    grown = merge_scenes(scene, around, f"{1:016x}")
    assert [one.id for one in grown.edges] == ["1-2"]
    assert grown.types == {"tool": 2}
    assert grown.nodes[0].hidden == 0


@given(st.integers(1, 60), st.floats(0, 1), st.floats(0, 1))
def test_newcomers_stand_apart_and_the_rest_stays(count: int, x: float, y: float) -> None:
    scene = Scene((node(0, x, y), node(1, 0.3, 0.3)), (), 99, {})
    around = Scene(tuple(node(n) for n in range(count + 2)), tuple(edge(0, n) for n in range(1, count)), 99, {})
    grown = merge_scenes(scene, around, f"{0:016x}")
    assert [(one.x, one.y) for one in grown.nodes[:2]] == [(x, y), (0.3, 0.3)]
    assert merge_scenes(scene, around, f"{0:016x}") == grown
    places = [(one.x * 1.6, one.y) for one in grown.nodes[2:]]
    assert len(places) == count
    if count <= 10:
        assert all(math.dist(a, b) > 0.05 for i, a in enumerate(places) for b in places[:i])
