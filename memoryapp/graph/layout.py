"""Where the nodes of one scene stand, so that it can be read: near what they are joined to, labels beside one another.

The same scene gives the same places, on every machine and at every call. igraph draws its random numbers from one
source for the whole process: whoever uses it takes the lock and sets the seed (`seeded_igraph`). It and the solvers of
scipy are imported where they draw: they are a good part of the memory of an app with which nobody has drawn yet.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

SEED = 7
_GRID = 400  # nodes from which on forces between far ones are left out
_AT_ONCE = 4_000_000  # node visits of one call: igraph lets no other thread run meanwhile
_lock = threading.Lock()
ASPECT = 1.6  # of the drawing
SMALL = 150  # nodes up to which the stress of all pairs is minimised
_ROUNDS = 60
_PER_CHAR, _MOST_CHARS, _DOT, _LINE = 7.0, 26, 26.0, 24.0  # of a label
_LONGEST = 0.3  # of the drawing's width: a step between two nodes, where there are few
_ROOM = 8.0  # so many times what the labels take
_PUSHES = 300
_ACROSS = 1.9  # how much longer than others a step from one community to another is
_CLOSE = 0.55  # from one to the next of those that nothing joins to anything
_ASIDE = 0.6  # what is kept free around a part that nothing joins to the others
Points = NDArray[np.float64]
Pairs = Sequence[tuple[int, int]]


def arrange(
    names: Sequence[str],
    pairs: Pairs,
    *,
    start: int | None = None,
    dots: Sequence[float] | None = None,
    groups: Sequence[int] | NDArray[np.int64] | None = None,
) -> Points:
    """Places (n, 2) within 0–1 of a 16:10 drawing, each of a node's dot; its label stands to the right of it.

    `pairs`: which nodes are joined. `start` comes near the middle. `dots`: diameters, in the units of `boxes_of`.
    `groups`: the community of each node, −1 for none; members come near one another.
    """
    count = len(names)
    if count == 0:
        return np.zeros((0, 2))
    boxes = boxes_of(names, dots)
    width, height = canvas(boxes)
    group = np.full(count, -1) if groups is None else np.asarray(groups, dtype=np.int64)
    parts = _components(count, pairs)
    placed = [_turn_broad(_part(members, pairs, start, group)) for members in parts]
    points = _pack_parts(count, parts, placed) if len(parts) > 1 else _in_order(count, parts[0], placed[0])
    points = _fit_to_canvas(points, width, height, start if len(parts) == 1 else None)
    points = push_boxes_apart(points, boxes, width, height)
    result: Points = points / (width, height)
    return np.clip(result, 0.0, 1.0)


def canvas(boxes: Points) -> tuple[float, float]:
    """Width and height of a drawing on which these boxes have room."""
    least = 12 * (_DOT + 12 * _PER_CHAR) * _LINE
    height = float(np.sqrt(max(float(boxes.prod(axis=1).sum()), least) * _ROOM / ASPECT))
    return height * ASPECT, height


def boxes_of(names: Sequence[str], dots: Sequence[float] | None = None) -> Points:
    """Width and height of each node with its label, (n, 2), in pixels of a screen. Long names are cut when drawn."""
    labels = np.array([min(_width(name), _MOST_CHARS) for name in names], dtype=np.float64) * _PER_CHAR
    dot = np.full(len(names), _DOT) if dots is None else np.asarray(dots, dtype=np.float64)
    return np.stack([dot + labels, np.maximum(dot, _LINE)], axis=1)


def _width(name: str) -> float:
    """In Latin characters; a Hangul syllable or a Chinese character takes nearly two."""
    return sum(1.8 if ord(char) >= 0x1100 else 1.0 for char in name[:_MOST_CHARS])


def push_boxes_apart(points: Points, boxes: Points, width: float, height: float, *, rounds: int = _PUSHES) -> Points:
    """Pushes boxes that lie on each other apart, each pair along its shorter way, within the canvas. A place is that of
    the dot, at the left end of its box."""
    from scipy.spatial import cKDTree

    half = boxes / 2
    aside = np.stack([half[:, 0] - half[:, 1], np.zeros(len(boxes))], axis=1)
    points = points + aside
    lowest = np.minimum(half, (width / 2, height / 2))
    highest = np.array((width, height)) - lowest
    points = np.clip(points, lowest, highest)
    for _ in range(rounds):
        near = cKDTree(points / boxes.max(axis=0)).query_pairs(1.0, p=np.inf, output_type="ndarray")
        near = near[np.lexsort((near[:, 1], near[:, 0]))]
        one, other = near[:, 0], near[:, 1]
        between = points[other] - points[one]
        over = half[one] + half[other] - np.abs(between)
        hit = np.flatnonzero((over > 1e-6).all(axis=1))
        if not len(hit):
            break
        axis = np.where(over[hit, 0] < over[hit, 1], 0, 1)
        # Two at one spot part in the order they are given.
        side = np.where(between[hit, axis] < 0, -1.0, 1.0)
        push = 0.55 * over[hit, axis] * side
        np.add.at(points, (other[hit], axis), push)
        np.add.at(points, (one[hit], axis), -push)
        points = np.clip(points, lowest, highest)
    apart: Points = points - aside
    return apart


def _components(count: int, pairs: Pairs) -> list[NDArray[np.intp]]:
    """Members of each connected part, the largest first."""
    from scipy.sparse.csgraph import connected_components

    _, label = connected_components(_matrix(count, pairs), directed=False)
    order = np.argsort(label, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(label[order])) + 1)
    return sorted(parts, key=lambda part: (-len(part), int(part[0])))


def _matrix(count: int, pairs: Pairs) -> csr_matrix:
    ends = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    matrix = csr_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(count, count))
    return ((matrix + matrix.T) > 0).astype(np.float64)


def _part(members: NDArray[np.intp], pairs: Pairs, start: int | None, group: NDArray[np.int64]) -> Points:
    """Places of one connected part, joined nodes about one unit from each other."""
    number = {int(node): at for at, node in enumerate(members)}
    within = [(number[a], number[b]) for a, b in pairs if a in number and b in number and a != b]
    if len(members) == 1:
        return np.zeros((1, 2))
    joined = _matrix(len(members), within)
    degree = np.diff(joined.indptr)
    root = number.get(-1 if start is None else start, int(np.argmax(degree)))
    begun = radial_layout(joined, root)
    own = group[members]
    if len(members) > SMALL:
        weights = [1.0 if own[a] == own[b] else 1 / _ACROSS**2 for a, b in within]
        return spring_layout(within, begun, weights=weights)
    return _least_stress(joined, degree, begun, own)


def _least_stress(joined: csr_matrix, degree: NDArray[np.int32], begun: Points, group: NDArray[np.int64]) -> Points:
    """Stress majorization (Gansner, Koren and North 2004), each node moved by itself: distances on paper near those in
    the graph, where a step from one community to another counts for more."""
    from scipy.sparse.csgraph import shortest_path
    from scipy.spatial.distance import cdist

    lengths = joined.copy()
    rows = np.repeat(np.arange(len(degree)), degree)
    # The many leaves of a hub stand in two rings, not shoulder to shoulder in one.
    leaf = (degree[rows] == 1) | (degree[lengths.indices] == 1)
    hub = np.maximum(degree[rows], degree[lengths.indices])
    outer = (np.minimum(rows, lengths.indices) + np.maximum(rows, lengths.indices)) % 2
    lengths.data = np.where(leaf & (hub > 10), 1.0 + 0.5 * outer, 1.0)
    lengths.data = np.where(group[rows] == group[lengths.indices], lengths.data, lengths.data * _ACROSS)
    wanted = shortest_path(lengths, directed=False)
    weight = np.divide(1.0, wanted**2, out=np.zeros_like(wanted), where=wanted > 0)
    whole = weight.sum(axis=1)[:, None]
    pull = weight * wanted
    points = begun
    for _ in range(_ROUNDS):
        between = cdist(points, points)
        ratio = np.divide(pull, between, out=np.zeros_like(pull), where=between > 1e-9)
        points = (weight @ points + ratio.sum(axis=1)[:, None] * points - ratio @ points) / whole
    return points


def _in_order(count: int, members: NDArray[np.intp], points: Points) -> Points:
    placed = np.zeros((count, 2))
    placed[members] = points
    return placed


def _pack_parts(count: int, parts: Sequence[NDArray[np.intp]], placed: Sequence[Points]) -> Points:
    """Parts beside each other, the largest first, each where the whole stays smallest in the drawing's shape. What
    nothing joins to anything is one part, in rows."""
    alone = [at for at, members in enumerate(parts) if len(members) == 1]
    if len(alone) > 1:
        rows = max(round(float(np.sqrt(len(alone) / ASPECT))), 1)
        grid = np.stack(np.divmod(np.arange(len(alone)), rows), axis=1) * _CLOSE
        others = [at for at, members in enumerate(parts) if len(members) > 1]
        joined = [np.concatenate([parts[at] for at in alone])]
        parts, placed = [parts[at] for at in others] + joined, [placed[at] for at in others] + [grid]
    result = np.zeros((count, 2))
    boxes = np.zeros((0, 4))  # left, top, right, bottom
    for members, points in zip(parts, placed, strict=True):
        size = np.ptp(points, axis=0) + 2 * _ASIDE
        spots = np.concatenate([[(0.0, 0.0)], boxes[:, [2, 1]], boxes[:, [0, 3]]])
        at = spots[_smallest_spot(spots, size, boxes)]
        result[members] = points - points.min(axis=0) + at + _ASIDE
        boxes = np.concatenate([boxes, [(*at, *(at + size))]])
    return result


def _smallest_spot(spots: Points, size: Points, boxes: Points) -> int:
    """Which of the free spots leaves the smallest whole; the one below all others is always free."""
    if not len(boxes):
        return 0
    ends = spots + size
    over = (spots[:, None, 0] < boxes[None, :, 2] - 1e-9) & (boxes[None, :, 0] < ends[:, None, 0] - 1e-9)
    over &= (spots[:, None, 1] < boxes[None, :, 3] - 1e-9) & (boxes[None, :, 1] < ends[:, None, 1] - 1e-9)
    wide = np.maximum(ends[:, 0], boxes[:, 2].max())
    high = np.maximum(ends[:, 1], boxes[:, 3].max())
    cost = np.maximum(wide / ASPECT, high) + 1e-3 * (ends[:, 0] / ASPECT + ends[:, 1])
    return int(np.argmin(np.where(over.any(axis=1), np.inf, cost)))


def _turn_broad(points: Points) -> Points:
    """Turned so that it lies broad."""
    points = points - points.mean(axis=0)
    if len(points) <= 2:
        return points
    _, axes = np.linalg.eigh(points.T @ points)
    broad = axes[:, ::-1]
    turned: Points = points @ (broad * np.where(broad[np.abs(broad).argmax(axis=0), (0, 1)] < 0, -1.0, 1.0))
    return turned


def _fit_to_canvas(points: Points, width: float, height: float, start: int | None) -> Points:
    """Scaled to the canvas, the start half-way between its place and the middle."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle = (low + high) / 2
    if start is not None:
        middle = (middle + points[start]) / 2
    reach = np.maximum(np.maximum(high - middle, middle - low), 1e-9)
    scale = np.array((width, height)) * 0.46 / reach
    even = min(float(scale.min()), width * _LONGEST)
    scale = np.minimum(scale, even * 1.5)  # stretched a little where there is room, never out of shape
    fitted: Points = (points - middle) * scale + (width / 2, height / 2)
    return fitted


# ── solvers


def radial_layout(joined: csr_matrix, root: int) -> NDArray[np.float64]:
    """Places (n, 2) of a connected graph's nodes, the root at 0, 0 and every step one unit further out."""
    from scipy.sparse.csgraph import breadth_first_order

    count = joined.shape[0]
    order, parents = breadth_first_order(joined, root, directed=False)
    leaves = np.zeros(count)
    for node in order[::-1]:
        leaves[node] = max(leaves[node], 1.0)
        if node != root:
            leaves[parents[node]] += leaves[node]
    begin = np.zeros(count)  # where a node's slice begins, in turns; `used`: how much of it its children have so far
    used, depth = np.zeros(count), np.zeros(count)
    share = leaves / max(leaves[root], 1.0)
    for node in order[1:]:
        parent = parents[node]
        begin[node] = begin[parent] + used[parent]
        used[parent] += share[node]
        depth[node] = depth[parent] + 1
    angle = 2 * np.pi * (begin + share / 2)
    return np.stack([depth * np.cos(angle), depth * np.sin(angle)], axis=1)


@contextmanager
def seeded_igraph() -> Iterator[None]:
    """igraph begins at the seed and belongs to this thread."""
    import igraph

    with _lock:
        igraph.set_random_number_generator(random.Random(SEED))
        try:
            yield
        finally:
            igraph.set_random_number_generator(random)


def spring_layout(
    pairs: Sequence[tuple[int, int]] | NDArray[np.int64],
    begun: NDArray[np.float64],
    *,
    weights: Sequence[float] | None = None,
    rounds: int = 200,
) -> NDArray[np.float64]:
    """Places (n, 2) after so many rounds of Fruchterman and Reingold from the places given."""
    import igraph

    count = len(begun)
    graph = igraph.Graph(n=count, edges=pairs)
    points, done = begun, 0
    grid = count > _GRID
    cost = count if grid else count * count // 8
    step = max(min(rounds, _AT_ONCE // max(cost, 1)), 5)
    while done < rounds:
        now = min(step, rounds - done)
        heat = np.sqrt(count) / 10 * (1 - done / rounds)
        with seeded_igraph():
            laid = graph.layout_fruchterman_reingold(
                weights=weights, niter=now, seed=points.tolist(), start_temp=heat, grid=grid
            )
        points, done = np.array(laid.coords, dtype=np.float64), done + now
    return points
