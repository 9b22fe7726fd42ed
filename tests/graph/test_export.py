"""A scene as GraphML, read by two other readers."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import igraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.scene import Community, Edge, EdgeKind, EdgeState, Node, Scene
from memoryapp.graph import draw, graphml, neighbourhood, overview
from tests.graph.world import pipeline, star

SPACE = "{http://graphml.graphdrawing.org/xmlns}"


def a_node(key, name="Adam", **more):
    return Node(
        key,
        name,
        **({"type": "person", "state": "known", "memories": 2, "links": 1, "hidden": 0} | more),
        x=0.5,
        y=0.25,
    )


def read(text):
    """(attributes by node, attributes by edge) as ElementTree reads them."""
    root = ElementTree.fromstring(text.encode("utf-8"))
    keys = {key.get("id"): key.get("attr.name") for key in root.iter(f"{SPACE}key")}

    def of(element):
        return {keys[data.get("key")]: data.text or "" for data in element.iter(f"{SPACE}data")}

    nodes = {node.get("id"): of(node) for node in root.iter(f"{SPACE}node")}
    edges = {(edge.get("source"), edge.get("target")): of(edge) for edge in root.iter(f"{SPACE}edge")}
    return nodes, edges


@pytest.fixture
def scene(space, world):
    pipeline(world)
    return neighbourhood(space, [world["Adam"]])


def test_nodes_and_edges_are_written_with_what_is_known_of_them(scene, world):
    nodes, edges = read(graphml(scene))
    adam = nodes[world["Adam"]]
    assert (adam["name"], adam["type"], adam["memories"]) == ("Adam", "person", "2") and float(adam["trust"]) > 0.8
    assert nodes[world["서울 사무실"]]["name"] == "서울 사무실" and len(nodes) == len(scene.nodes)
    uses = edges[world["Adam"], world["Terraform"]]
    assert (uses["type"], uses["label"], uses["state"], uses["hint"]) == ("uses", "", "held", "true")
    assert len(edges) == len(scene.edges)


def test_igraph_reads_it(scene, tmp_path):
    kept = tmp_path / "scene.graphml"
    kept.write_text(graphml(scene), encoding="utf-8")
    graph = igraph.Graph.Read_GraphML(str(kept))
    assert graph.vcount() == len(scene.nodes) and graph.ecount() == len(scene.edges)
    assert graph.vs["name"] == [node.name for node in scene.nodes]
    assert graph.es["type"] == [edge.type for edge in scene.edges] and set(graph.es["hint"]) == {True}


def test_an_overview_is_written_by_its_communities(space, world):
    for hub in range(4):
        star(world, f"hub {hub}", [f"leaf {hub}.{n}" for n in range(90)])
    draw(space)
    nodes, _ = read(graphml(overview(space)))
    assert len(nodes) == 4 and {node["memories"] for node in nodes.values()} == {"91"}


def test_an_empty_scene_is_a_document_too():
    assert read(graphml(Scene((), (), 0))) == ({}, {})


@given(st.text(), st.text(), st.text(max_size=10))
def test_any_name_can_be_written_and_what_xml_cannot_hold_is_replaced(name, label, key):
    one, other = a_node(f"a{key}", name, trust=0.5), a_node("b", "B")
    edge = Edge("e", one.id, other.id, EdgeKind.RELATION, "uses", EdgeState.CONFLICT, label=label)
    scene = Scene((one, other), (edge,), 2)
    nodes, edges = read(graphml(scene))
    assert len(nodes) == 2 and len(edges) == 1
    found = next(value["name"] for node, value in nodes.items() if node != "b")
    assert re.sub(r"\r\n?", "\n", _storable(name)) == found
    assert next(iter(edges.values()))["state"] == "conflict"


def _storable(text):
    def fits(char):
        point = ord(char)
        return point in (9, 10, 13) or 32 <= point <= 0xD7FF or 0xE000 <= point <= 0xFFFD or point >= 0x10000

    return "".join(char if fits(char) else "\ufffd" for char in text)


def test_what_is_not_known_is_left_out_rather_than_written_as_none():
    text = graphml(Scene((a_node("a"),), (), 1, communities=()))
    assert "None" not in text and "node_trust" not in text.split("<graph id")[1]
    both = replace(Scene((), (), 2), communities=(Community(-1, 3, ("other",), {}, 0.1, 0.2),))
    assert read(graphml(both))[0]["-1"]["name"] == "other"
