"""A scene: a part of the graph with its nodes, their places, and the edges between them.

`neighbourhood` is the one that the explorer starts with: what is around one or more entities. A small scene is arranged
anew, as a part of the drawn map is unreadable close by; in a large one nodes stand where they do on the map.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from memoryapp.domain.errors import BadInput
from memoryapp.domain.scene import Community, Node, Scene
from memoryapp.graph.community_map import communities_of, spots_of
from memoryapp.graph.edges import Line, edges_of, pairs_of, related_lines, together_lines
from memoryapp.graph.layout import SMALL, Points, arrange, boxes_of, canvas, push_boxes_apart
from memoryapp.graph.proximity import Cooccurrence, bonds, reach, relation_mask, with_together
from memoryapp.graph.snapshot import Codes, Snapshot, snapshot_of
from memoryapp.spaces import Space

_MARGIN = 0.04
_TOGETHER = 3  # members that a scene must show of a community to name it
_NAMES = 3
MOST = 500  # nodes of one scene
STEPS = (1, 3)


def neighbourhood(
    space: Space,
    starts: Sequence[str],
    *,
    steps: int = 2,
    limit: int = 150,
    as_of: datetime | None = None,
    types: Sequence[str] = (),
    relations: Sequence[str] = (),
    min_trust: float = 0.0,
    seen_once: bool | None = None,
    texts: bool = True,
) -> Scene:
    """Breadth-first from `starts` (entity ids) by strength, `steps` 1–3, at most `limit` nodes, 1–500.

    `relations` may name “together” and “is_a” beside the types of relations. A start is always there, whatever the
    filters say. `texts`: see scene_of. Raises NotFound for an unknown start, BadInput for a number out of bounds.
    """
    _check(starts, steps, limit, min_trust)
    ground = snapshot_of(space, as_of=as_of, min_trust=min_trust, seen_once=seen_once)
    begun = list(dict.fromkeys(ground.code(key) for key in starts))[:limit]
    reached = reach(ground, begun, steps=steps, limit=limit, types=types, relations=relations)
    lines = lines_among(ground, reached.codes, by=reached.by, relations=relations)
    return scene_of(
        ground,
        reached.codes,
        lines,
        depth=reached.depth,
        starts=begun,
        types=types,
        relations=relations,
        others=reached.filtered,
        texts=texts,
    )


def lines_among(
    ground: Snapshot, codes: Codes, *, by: Codes | None = None, relations: Sequence[str] = ()
) -> list[Line]:
    """All that joins these entities to one another: relations, and the strongest of what is named together."""
    lines = related_lines(ground, relation_mask(ground, relations), codes)
    return lines + together_lines(ground, codes, by=by, joined=pairs_of(lines), relations=relations)


def _check(starts: Sequence[str], steps: int, limit: int, min_trust: float) -> None:
    if not starts:
        raise BadInput("Name at least one entity to start from.", field="/starts")
    if not STEPS[0] <= steps <= STEPS[1]:
        raise BadInput(f"Steps go from {STEPS[0]} to {STEPS[1]}.", field="/steps")
    if not 1 <= limit <= MOST:
        raise BadInput(f"A scene has 1 to {MOST} entities.", field="/limit")
    if not min_trust >= 0:  # neither is NaN
        raise BadInput("Trust is a number from 0 up.", field="/min_trust")


def scene_of(
    ground: Snapshot,
    codes: Codes,
    lines: Sequence[Line],
    *,
    depth: NDArray[np.int64] | None = None,
    starts: Sequence[int] = (),
    types: Collection[str] = (),
    relations: Collection[str] = (),
    others: Codes | None = None,
    notes: tuple[str, ...] = (),
    texts: bool = True,
) -> Scene:
    """`others`: entities that would be there but for the filter of types: the legend counts them. `texts`: whether the
    edges come with the words they were found in, which are read from the store one by one."""
    groups = communities_of(ground, codes)
    at = node_places(ground, codes, lines, groups=groups, start=starts[0] if len(starts) == 1 else None)
    hidden = count_hidden(ground, codes, types=types, relations=relations)
    trust = ground.mean_trust(codes)
    nodes = []
    for place, code in enumerate(codes.tolist()):
        entity = ground.entity(code)
        nodes.append(
            Node(
                id=entity.id,
                name=entity.name,
                type=str(entity.type),
                state=entity.state.value,
                memories=int(ground.memories[code]),
                links=int(ground.links[code]),
                hidden=int(hidden[place]),
                x=round(float(at[place, 0]), 4),
                y=round(float(at[place, 1]), 4),
                trust=None if np.isnan(trust[place]) else round(float(trust[place]), 4),
                community=int(groups[place]) if groups[place] >= 0 else None,
                depth=0 if depth is None else int(depth[place]),
            )
        )
    everybody = codes if others is None else np.concatenate([codes, others])
    return Scene(
        nodes=tuple(nodes),
        edges=edges_of(ground, lines, texts=texts),
        total=int(ground.there.sum()),
        types=count_types(ground, everybody),
        communities=_communities(ground, codes, groups, at),
        starts=tuple(ground.entity(code).id for code in starts),
        notes=notes,
        seen_once=int(ground.once.sum()),
        shows_once=ground.shows_once,
    )


def _communities(ground: Snapshot, codes: Codes, groups: NDArray[np.int64], at: Points) -> tuple[Community, ...]:
    """Those of which some are here, the largest first, each in the middle of its members."""
    numbers, sizes = np.unique(groups[groups >= 0], return_counts=True)
    found = []
    for number in numbers[sizes >= _TOGETHER].tolist():
        rows = np.flatnonzero(groups == number)
        members = foremost(ground, codes[rows])
        names = tuple(ground.entity(code).name for code in members[:_NAMES].tolist())
        x, y = np.round(at[rows].mean(axis=0), 4).tolist()
        found.append(Community(number, len(rows), names, count_types(ground, members), x, y))
    return tuple(sorted(found, key=lambda one: (-one.size, one.number)))


def foremost(ground: Snapshot, codes: Codes) -> Codes:
    """The best joined first, then those that most memories name."""
    order = np.lexsort((codes, -ground.memories[codes], -ground.links[codes]))
    return codes[order]


def count_types(ground: Snapshot, codes: Codes) -> dict[str, int]:
    """How many of each type, the most first."""
    return most_first(Counter(str(ground.entity(code).type) for code in codes.tolist()))


def most_first(counts: Counter[str]) -> dict[str, int]:
    """The most first."""
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def count_hidden(
    ground: Snapshot, codes: Codes, *, types: Collection[str] = (), relations: Collection[str] = ()
) -> NDArray[np.int64]:
    """How many neighbours of each of these entities are not among them, (len(codes),)."""
    joined = (bonds(ground, relation_mask(ground, relations))[codes] > 0).astype(np.int32)
    if with_together(relations):
        joined = joined + (Cooccurrence(ground).of(codes) > 0).astype(np.int32)
    joined = csr_matrix(joined)
    outside = ground.typed(types).copy()
    outside[codes] = False
    rows = np.repeat(np.arange(len(codes)), np.diff(joined.indptr))
    counts: NDArray[np.int64] = np.bincount(rows[outside[joined.indices]], minlength=len(codes))
    return counts


# ── places


def node_places(
    ground: Snapshot,
    codes: Codes,
    lines: Sequence[Line],
    *,
    groups: NDArray[np.int64],
    start: int | None = None,
) -> Points:
    """(n, 2) within 0–1, y downwards. A part of the map is unreadable close by, so a small scene is arranged anew, with
    the members of a community (`groups`, (n,)) near one another."""
    spots = spots_of(ground.space)
    entities = [ground.entity(code) for code in codes.tolist()]
    place = {code: at for at, code in enumerate(codes.tolist())}
    pairs = sorted({(place[line.source], place[line.target]) for line in lines})
    known = [spots.get(entity.id) for entity in entities]
    drawn = sum(spot is not None for spot in known)
    names = [entity.name for entity in entities]
    if drawn * 2 < len(codes) or len(codes) <= SMALL:
        return arrange(names, pairs, start=None if start is None else place.get(start), groups=groups)
    at = np.array([(np.nan, np.nan) if spot is None else (spot.x, -spot.y) for spot in known])
    at = scale_to_unit(place_missing(at, pairs))
    boxes = boxes_of(names)
    width, height = canvas(boxes)
    spread: Points = push_boxes_apart(at * (width, height), boxes, width, height) / (width, height)
    return np.clip(spread, 0.0, 1.0)


def place_missing(at: Points, pairs: Sequence[tuple[int, int]]) -> Points:
    """Those without a place (NaN) near the mean of their placed neighbours, else around the edge of all."""
    at = at.copy()
    for _ in range(3):  # a neighbour may itself have been placed only now
        missing = np.isnan(at[:, 0])
        if not missing.any():
            return at
        sums, counts = np.zeros_like(at), np.zeros(len(at))
        for one, other in pairs:
            for here, there in ((one, other), (other, one)):
                if missing[here] and not missing[there]:
                    sums[here] += at[there]
                    counts[here] += 1
        found = counts > 0
        span = np.nanmax(at, axis=0) - np.nanmin(at, axis=0)
        turn = np.arange(len(at)) * 2.399963  # the golden angle: those at one mean do not lie on each other
        beside = np.stack([np.cos(turn), np.sin(turn)], axis=1) * span * 0.02
        at[found] = sums[found] / counts[found, None] + beside[found]
    lost = np.flatnonzero(np.isnan(at[:, 0]))
    if len(lost):
        low, high = np.nanmin(at, axis=0), np.nanmax(at, axis=0)
        turn = np.arange(len(lost)) * 2 * np.pi / len(lost)
        ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        at[lost] = (low + high) / 2 + ring * np.maximum(high - low, 1.0) * 0.6
    return at


def scale_to_unit(at: Points) -> Points:
    """Into 0–1, with a margin; each direction by itself, as the drawing is broader than high."""
    low, high = at.min(axis=0), at.max(axis=0)
    span: NDArray[np.float64] = np.maximum(high - low, 1e-9)
    inside: Points = _MARGIN + (at - low) / span * (1 - 2 * _MARGIN)
    return np.where(high - low > 1e-9, inside, 0.5)
