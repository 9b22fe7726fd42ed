"""The scene an address asks for: from where it starts, with what was expanded, without what was hidden; and as JSON.

What the explorer is asked for, as its address says it: where to start, how far to go, what to leave out.

A scene that grew: what one entity is joined to comes in around it, and what was there keeps its place.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.http import QueryDict

from memoryapp import graph
from memoryapp.domain.errors import BadInput
from memoryapp.domain.results import Query
from memoryapp.domain.scene import Edge, EdgeKind, Node, Scene, Step
from memoryapp.interfaces.pages.filters import moment_of
from memoryapp.search import search
from memoryapp.spaces import Space

COLOURS = {"type": "type", "trust": "trust", "community": "community"}
SIZES = {"links": "number of links", "memories": "number of memories"}
STEPS = (1, 2, 3)
LIMITS, LIMIT = (50, 150, 300, 500), 150
_MOST = 500
_IDS = 40  # that an address may name at once: starts, what was expanded, what was hidden
_ID = re.compile(r"[0-9a-f]{16}")
_ONCE = {"": None, "show": True, "hide": False}


@dataclass(frozen=True, slots=True)
class GraphQuery:
    """`starts`, `memory`, `text`, `community` or `path` say where to look, in reverse order of preference; none of
    them means everything. `more`: entities whose neighbours are drawn as well. `hidden`: entities that are not; `off`:
    types of relations that are not. `once`: whether entities that were seen once are, None as the graph has it."""

    starts: tuple[str, ...] = ()
    text: str = ""
    memory: str = ""
    community: int | None = None
    path: tuple[str, str] | None = None
    steps: int = 2
    limit: int = LIMIT
    types: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    trust: float = 0.0
    as_of: datetime | None = None
    colour: str = "type"
    size: str = "links"
    more: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    once: bool | None = None
    at: str = ""


def asked_of(query: QueryDict) -> GraphQuery:
    """Raises BadInput that names the parameter."""
    path = _ids(query, "path")
    if path and len(path) != 2:
        raise BadInput("A path has two ends: path=<id>,<id>.", field="path")
    return GraphQuery(
        starts=_ids(query, "start"),
        text=query.get("q", "").strip()[:500],
        memory=next(iter(_ids(query, "memory")), ""),
        community=_read_integer(query, "community", None, -1, 10**6),
        path=(path[0], path[1]) if path else None,
        steps=_read_integer(query, "steps", 2, STEPS[0], STEPS[-1]) or 2,
        limit=_read_integer(query, "limit", LIMIT, 1, _MOST) or LIMIT,
        types=_names(query, "types"),
        relations=_names(query, "relations"),
        trust=_trust(query),
        as_of=moment_of(query, "as_of"),
        colour=_one_of(query, "colour", COLOURS),
        size=_one_of(query, "size", SIZES),
        more=_ids(query, "more"),
        hidden=_ids(query, "hide"),
        off=_names(query, "off"),
        once=_ONCE[_one_of(query, "once", _ONCE)],
        at=next(iter(_ids(query, "at")), ""),
    )


def _parts(query: QueryDict, name: str) -> list[str]:
    return [part.strip() for value in query.getlist(name) for part in value.split(",") if part.strip()]


def _ids(query: QueryDict, name: str) -> tuple[str, ...]:
    parts = list(dict.fromkeys(_parts(query, name)))
    if wrong := [part for part in parts if not _ID.fullmatch(part)]:
        raise BadInput(f"“{wrong[0][:60]}” is not an id: ids are 16 hexadecimal digits.", field=name)
    if len(parts) > _IDS:
        raise BadInput(f"At most {_IDS} ids at once; these are {len(parts)}.", field=name)
    return tuple(parts)


def _names(query: QueryDict, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.casefold()[:40] for part in _parts(query, name)))[:_IDS]


def _read_integer(query: QueryDict, name: str, default: int | None, low: int, high: int) -> int | None:
    text = query.get(name, "").strip()
    if not text:
        return default
    if not re.fullmatch(r"-?[0-9]{1,7}", text) or not low <= int(text) <= high:
        raise BadInput(f"“{text[:40]}” is not a whole number from {low} to {high}.", field=name)
    return int(text)


def _trust(query: QueryDict) -> float:
    text = query.get("trust", "").strip().replace(",", ".")
    try:
        value = float(text) if text else 0.0
    except ValueError:
        value = -1.0
    if not 0 <= value <= 2:
        raise BadInput("Trust runs from 0 to 1.35.", field="trust")
    return value


def _one_of(query: QueryDict, name: str, known: Mapping[str, object]) -> str:
    value = query.get(name, "").strip() or next(iter(known))
    if value not in known:
        raise BadInput(f"“{value[:40]}” is not known here. Known: {', '.join(filter(None, known))}.", field=name)
    return value


_RINGS = (0.1, 0.16, 0.22, 0.3)  # of the drawing's height, around the entity that was expanded
_ANGLES = 24
_WIDE = 1.6  # the drawing is 16:10; x is 0–1 of its width
_ROOM = 0.09  # what a node wants to itself


def merge_scenes(scene: Scene, around: Scene, key: str) -> Scene:
    """`scene` with the nodes and edges of `around` that it lacks, placed about the node `key`. The same two scenes
    give the same places."""
    known = {node.id: node for node in scene.nodes}
    centre = known[key]
    taken = [(node.x * _WIDE, node.y) for node in scene.nodes]
    new: list[Node] = []
    for node in around.nodes:
        if node.id not in known:
            x, y = _free_place(centre.x * _WIDE, centre.y, taken)
            taken.append((x, y))
            new.append(replace(node, x=x / _WIDE, y=y, depth=centre.depth + 1))
    left = {node.id: node.hidden for node in around.nodes}
    nodes = [replace(node, hidden=left[key]) if node.id == key and key in left else node for node in scene.nodes]
    there = known.keys() | {node.id for node in new}
    edges = {edge.id: edge for edge in scene.edges}
    for edge in around.edges:
        if edge.source in there and edge.target in there:
            edges.setdefault(edge.id, edge)
    return replace(scene, nodes=(*nodes, *new), edges=tuple(edges.values()), types=_types(scene, around, new))


def _free_place(x: float, y: float, taken: list[tuple[float, float]]) -> tuple[float, float]:
    """The nearest place around (x, y) with room to itself, else the roomiest."""
    best, most = (x, y), -1.0
    for ring in _RINGS:
        for n in range(_ANGLES):
            angle = 2 * math.pi * (n * 7 % _ANGLES) / _ANGLES
            spot = (x + ring * math.cos(angle), y + ring * math.sin(angle))
            room = min(math.dist(spot, other) for other in taken)
            if room >= _ROOM:
                return spot
            if room > most:
                best, most = spot, room
    return best


def _types(scene: Scene, around: Scene, new: list[Node]) -> dict[str, int]:
    counts = Counter(scene.types)
    counts.update(node.type for node in new)
    for name, count in around.types.items():
        counts[name] = max(counts[name], count)
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


_HITS = 5  # memories whose entities a search starts from, where it names none itself
_OF_MEMORY = 12  # entities that a memory starts from


@dataclass(frozen=True, slots=True)
class SceneView:
    """`everything`: nothing was asked for, so the whole graph is shown, or its communities. `steps`: of the path that
    was asked for, empty where there is none. `lost`: a search or a memory that names no entity. `names` of the ends of
    the path, whether or not it was found."""

    asked: GraphQuery
    scene: Scene
    everything: bool = False
    lost: bool = False
    steps: tuple[Step, ...] = ()
    ends: tuple[str, str] | None = None

    @property
    def overview(self) -> bool:
        return self.scene.far

    def name(self, key: str) -> str:
        return next((node.name for node in self.scene.nodes if node.id == key), key)


def scene_of(space: Space, asked: GraphQuery) -> SceneView:
    """Without the words of memories: the table reads those of the rows it shows. Raises NotFound for an id or a
    community that is none."""
    shown = _start_view(space, asked)
    scene = shown.scene
    for key in asked.more:
        if any(node.id == key for node in scene.nodes):
            scene = merge_scenes(scene, _neighbourhood(space, asked, (key,), steps=1), key)
    return replace(shown, scene=_hide_nodes(scene, asked.hidden))


def _start_view(space: Space, asked: GraphQuery) -> SceneView:
    if asked.path:
        return _path(space, asked, asked.path)
    if asked.community is not None:
        scene = graph.community(
            space, asked.community, limit=asked.limit, as_of=asked.as_of, seen_once=asked.once, texts=False
        )
        return SceneView(asked, filter_scene(scene, asked))
    starts = asked.starts or _find_starts(space, asked)
    if starts:
        return SceneView(asked, _neighbourhood(space, asked, starts, steps=asked.steps))
    lost = bool(asked.text or asked.memory)
    scene = filter_scene(graph.overview(space, as_of=asked.as_of, seen_once=asked.once, texts=False), asked)
    return SceneView(asked, scene, everything=not lost, lost=lost)


def _path(space: Space, asked: GraphQuery, ends: tuple[str, str]) -> SceneView:
    """The path with what is around it; where there is none, both ends with what is around them."""
    steps = graph.path(space, *ends, as_of=asked.as_of)
    on_it = tuple(dict.fromkeys((ends[0], *(step.node.id for step in steps), ends[1])))
    scene = _neighbourhood(space, asked, on_it, steps=1, limit=min(asked.limit, 40 + 8 * len(on_it)))
    there = {edge.id for edge in scene.edges}
    scene = replace(scene, edges=(*scene.edges, *(step.edge for step in steps if step.edge.id not in there)))
    return SceneView(asked, scene, steps=steps, ends=ends)


def _neighbourhood(
    space: Space, asked: GraphQuery, starts: Sequence[str], *, steps: int, limit: int | None = None
) -> Scene:
    return graph.neighbourhood(
        space,
        starts,
        steps=steps,
        limit=limit or asked.limit,
        as_of=asked.as_of,
        types=asked.types,
        relations=asked.relations,
        min_trust=asked.trust,
        seen_once=asked.once,
        texts=False,
    )


def _find_starts(space: Space, asked: GraphQuery) -> tuple[str, ...]:
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


def filter_scene(scene: Scene, asked: GraphQuery) -> Scene:
    """The filters of an address, for scenes that are not grown from a start. Communities are shown as they are."""
    if scene.far or not (asked.types or asked.relations or asked.trust):
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


def _hide_nodes(scene: Scene, hidden: Sequence[str]) -> Scene:
    if not hidden:
        return scene
    gone = set(hidden)
    nodes = tuple(node for node in scene.nodes if node.id not in gone)
    edges = tuple(edge for edge in scene.edges if edge.source not in gone and edge.target not in gone)
    return replace(scene, nodes=nodes, edges=edges)


def without_off(scene: Scene, asked: GraphQuery) -> Scene:
    """The scene as it is drawn: without the types of relations that were switched off. The legend tells of them all."""
    if not asked.off:
        return scene
    return replace(scene, edges=tuple(edge for edge in scene.edges if type_of(edge) not in asked.off))


def types_of(scene: Scene) -> dict[str, int]:
    """How many there are of each type, the most first."""
    if scene.types:
        return scene.types
    counts = Counter(node.type for node in scene.nodes)
    return dict(counts.most_common())


def relations_of(scene: Scene) -> dict[str, int]:
    """How many edges there are of each type of relation, the most first."""
    return dict(Counter(type_of(edge) for edge in scene.edges).most_common())


def type_of(edge: Edge) -> str:
    return edge.kind.value if edge.kind is not EdgeKind.RELATION else edge.type


def wire(shown: SceneView) -> dict[str, Any]:
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
