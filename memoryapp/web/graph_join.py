"""A scene that grew: what one entity is joined to comes in around it, and what was there keeps its place."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

from memoryapp.domain.scene import Node, Scene

_RINGS = (0.1, 0.16, 0.22, 0.3)  # of the drawing's height, around the entity that was expanded
_ANGLES = 24
_WIDE = 1.6  # the drawing is 16:10; x is 0–1 of its width
_ROOM = 0.09  # what a node wants to itself


def joined(scene: Scene, around: Scene, key: str) -> Scene:
    """`scene` with the nodes and edges of `around` that it lacks, placed about the node `key`. The same two scenes
    give the same places."""
    known = {node.id: node for node in scene.nodes}
    centre = known[key]
    taken = [(node.x * _WIDE, node.y) for node in scene.nodes]
    new: list[Node] = []
    for node in around.nodes:
        if node.id not in known:
            x, y = _free(centre.x * _WIDE, centre.y, taken)
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


def _free(x: float, y: float, taken: list[tuple[float, float]]) -> tuple[float, float]:
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
