"""The scene an address asks for: from where it starts, with what was expanded, without what was hidden; and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from memoryapp import graph
from memoryapp.domain.results import Query
from memoryapp.domain.scene import Edge, EdgeKind, Node, Scene, Step
from memoryapp.retrieve import search
from memoryapp.spaces import Space
from memoryapp.web.graph_asked import Asked
from memoryapp.web.graph_join import joined

_HITS = 5  # memories whose entities a search starts from, where it names none itself
_OF_MEMORY = 12  # entities that a memory starts from


@dataclass(frozen=True, slots=True)
class Shown:
    """`everything`: nothing was asked for, so the whole graph is shown, or its communities. `steps`: of the path that
    was asked for, empty where there is none. `lost`: a search or a memory that names no entity. `names` of the ends of
    the path, whether or not it was found."""

    asked: Asked
    scene: Scene
    everything: bool = False
    lost: bool = False
    steps: tuple[Step, ...] = ()
    ends: tuple[str, str] | None = None

    @property
    def overview(self) -> bool:
        return bool(self.scene.communities) and not self.scene.nodes

    def name(self, key: str) -> str:
        return next((node.name for node in self.scene.nodes if node.id == key), key)


def scene_of(space: Space, asked: Asked) -> Shown:
    """Without the words of memories: the table reads those of the rows it shows. Raises NotFound for an id or a
    community that is none."""
    shown = _begun(space, asked)
    scene = shown.scene
    for key in asked.more:
        if any(node.id == key for node in scene.nodes):
            scene = joined(scene, _around(space, asked, (key,), steps=1), key)
    return replace(shown, scene=_without(scene, asked.hidden))


def _begun(space: Space, asked: Asked) -> Shown:
    if asked.path:
        return _path(space, asked, asked.path)
    if asked.community is not None:
        scene = graph.community(space, asked.community, limit=asked.limit, as_of=asked.as_of, texts=False)
        return Shown(asked, narrowed(scene, asked))
    starts = asked.starts or _named(space, asked)
    if starts:
        return Shown(asked, _around(space, asked, starts, steps=asked.steps))
    lost = bool(asked.text or asked.memory)
    scene = narrowed(graph.overview(space, as_of=asked.as_of, texts=False), asked)
    return Shown(asked, scene, everything=not lost, lost=lost)


def _path(space: Space, asked: Asked, ends: tuple[str, str]) -> Shown:
    """The path with what is around it; where there is none, both ends with what is around them."""
    steps = graph.path(space, *ends, as_of=asked.as_of)
    on_it = tuple(dict.fromkeys((ends[0], *(step.node.id for step in steps), ends[1])))
    scene = _around(space, asked, on_it, steps=1, limit=min(asked.limit, 40 + 8 * len(on_it)))
    there = {edge.id for edge in scene.edges}
    scene = replace(scene, edges=(*scene.edges, *(step.edge for step in steps if step.edge.id not in there)))
    return Shown(asked, scene, steps=steps, ends=ends)


def _around(space: Space, asked: Asked, starts: Sequence[str], *, steps: int, limit: int | None = None) -> Scene:
    return graph.neighbourhood(
        space,
        starts,
        steps=steps,
        limit=limit or asked.limit,
        as_of=asked.as_of,
        types=asked.types,
        relations=asked.relations,
        min_trust=asked.trust,
        texts=False,
    )


def _named(space: Space, asked: Asked) -> tuple[str, ...]:
    """Entities that the memory or the words name; of words that name none, those of the memories found for them."""
    if asked.memory:
        return graph.around_query(space, "", hits=[asked.memory], limit=_OF_MEMORY)
    if not asked.text:
        return ()
    found = graph.around_query(space, asked.text)
    if found:
        return found
    hits = search(space, Query(asked.text, top_k=_HITS)).hits
    return graph.around_query(space, asked.text, hits=[hit.memory.id for hit in hits])


def narrowed(scene: Scene, asked: Asked) -> Scene:
    """The filters of an address, for scenes that are not grown from a start. Communities are shown as they are."""
    if scene.communities or not (asked.types or asked.relations or asked.trust):
        return scene
    nodes = [node for node in scene.nodes if not asked.types or node.type in asked.types]
    there = {node.id for node in nodes}
    edges = [
        edge
        for edge in scene.edges
        if edge.source in there
        and edge.target in there
        and (not asked.relations or edge.type in asked.relations or edge.kind.value in asked.relations)
        and (not asked.trust or (edge.trust or 0.0) >= asked.trust)
    ]
    return replace(scene, nodes=tuple(nodes), edges=tuple(edges))


def _without(scene: Scene, hidden: Sequence[str]) -> Scene:
    if not hidden:
        return scene
    gone = set(hidden)
    nodes = tuple(node for node in scene.nodes if node.id not in gone)
    edges = tuple(edge for edge in scene.edges if edge.source not in gone and edge.target not in gone)
    return replace(scene, nodes=nodes, edges=edges)


def types_of(scene: Scene) -> dict[str, int]:
    """How many there are of each type, the most first."""
    if scene.types:
        return scene.types
    counts = Counter(node.type for node in scene.nodes)
    for community in scene.communities:
        counts.update(community.types)
    return dict(counts.most_common())


def relations_of(scene: Scene) -> dict[str, int]:
    """How many edges there are of each type of relation, the most first."""
    return dict(Counter(type_of(edge) for edge in scene.edges).most_common())


def type_of(edge: Edge) -> str:
    return edge.kind.value if edge.kind is not EdgeKind.RELATION else edge.type


def wire(shown: Shown) -> dict[str, Any]:
    """The scene as the drawing takes it. Words of memories stay behind: the table has them."""
    scene = shown.scene
    told: dict[str, Any] = {
        "nodes": [_node(node) for node in scene.nodes],
        "edges": [_edge(edge) for edge in scene.edges],
        "communities": [
            {"number": one.number, "size": one.size, "names": one.names, "types": one.types, "x": one.x, "y": one.y}
            for one in scene.communities
        ],
        "types": types_of(scene),
        "total": scene.total,
        "starts": scene.starts,
    }
    if shown.ends:
        nodes = [shown.ends[0], *(step.node.id for step in shown.steps)] if shown.steps else []
        told["path"] = {"nodes": nodes, "edges": [step.edge.id for step in shown.steps]}
    return told


def _node(node: Node) -> dict[str, Any]:
    return {
        "id": node.id,
        "name": node.name,
        "type": node.type,
        "state": node.state,
        "memories": node.memories,
        "links": node.links,
        "hidden": node.hidden,
        "x": round(node.x, 4),
        "y": round(node.y, 4),
        "trust": None if node.trust is None else round(node.trust, 3),
        "community": node.community,
        "depth": node.depth,
    }


def _edge(edge: Edge) -> dict[str, Any]:
    return {
        "id": edge.id,
        "source": edge.source,
        "target": edge.target,
        "kind": edge.kind.value,
        "type": edge.type,
        "label": edge.label[:60],
        "state": edge.state.value,
        "hint": edge.hint,
        "weight": round(edge.weight, 2),
        "trust": None if edge.trust is None else round(edge.trust, 3),
    }
