"""The map of a space: the job that draws it, and where each entity stands in it.

Entities that belong together are found by Leiden (Traag, Waltman and van Eck 2019, modularity). Each community is drawn
in a disc of its own, the discs by what joins them, and around them, in quiet rings, whatever nothing joins to anything.
The same graph gives the same map. Discs are drawn one by one, so that the program goes on answering meanwhile.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, triu, vstack

from memoryapp.domain.errors import Cancelled
from memoryapp.domain.progress import Progress
from memoryapp.graph.layout import seeded_igraph, spring_layout
from memoryapp.graph.proximity import TOGETHER, Cooccurrence, bonds, strongest
from memoryapp.graph.snapshot import Codes, Snapshot, snapshot_of
from memoryapp.spaces import Space
from memoryapp.store import entities
from memoryapp.store.entities import Spot

Points = NDArray[np.float64]
Numbers = NDArray[np.int64]
_GOLDEN = np.pi * (3 - np.sqrt(5))
_ROUNDS = 200
# The map's own row, no entity: its id is no hexadecimal number. `x` tells when the map was drawn, in epoch seconds.
DRAWN = "drawn"
ALONE = -1  # the community of those that nothing joins to anything
MOST_GROUPS = 60  # super-nodes, what is left over included
OTHER = ALONE  # the number of what is left over: small communities, and what is in none
_NOT_ON_MAP = -2
_STALE = 3  # the map is no use once so many times the entities that came since are more than all there are
_KEPT = 4  # spaces; a map of 50,000 entities takes some 10 MB
_found: OrderedDict[tuple[str, int, int], NDArray[np.int64]] = OrderedDict()
_maps: OrderedDict[str, tuple[int, float, Mapping[str, Spot]]] = OrderedDict()
_lock = threading.Lock()
_AT_ONCE = 2_000  # entities whose neighbours are weighed together
_TOGETHER_SHARE = 0.5  # of what joins two: naming them together says less than a relation
_STAGES = 100  # a drawing's progress is told in hundredths
_SMALL = 6  # members of a community that stands by itself: drawn outside, with those that are alone
_SPACING = 1.0  # between two neighbours in a disc
_GAP = 2.0  # between two discs


# ── drawing


def draw(space: Space, *, progress: Progress | None = None) -> dict[str, int]:
    """Draws the whole graph of a space and keeps it: {"entities", "links", "communities", "alone"}.

    Raises Cancelled; the map of before then stays.
    """
    telling = _Telling(progress)
    ground = snapshot_of(space)
    telling.say("weighing what joins the entities", 0)
    joined = weighted_links(ground, step=lambda done: telling.at(0, 30, done / max(ground.size, 1)))
    telling.say("looking for communities", 30)
    found = communities(joined, ground.standing)
    telling.say("drawing", 40)
    at = _place_communities(joined, found, ground.standing, telling)
    telling.say("writing the map", 80)
    standing = np.flatnonzero(ground.standing)
    spots = {
        ground.entity(code).id: Spot(float(at[code, 0]), float(at[code, 1]), int(found[code]))
        for code in standing.tolist()
    }
    save_map(space, spots, at=ground.instant.timestamp())
    counts = {
        "entities": len(standing),
        "links": int(triu(joined, k=1).nnz),
        "communities": int(found.max(initial=ALONE)) + 1,
        "alone": int((found[standing] == ALONE).sum()),
    }
    telling.end(counts)
    return counts


def _place_communities(
    joined: csr_matrix, found: NDArray[np.int64], there: NDArray[np.bool_], telling: _Telling
) -> Points:
    at = np.zeros((len(found), 2))
    count = int(found.max(initial=ALONE)) + 1
    alone = np.flatnonzero(there & (found == ALONE))
    order = np.argsort(found, kind="stable")
    order = order[found[order] >= 0]
    members = np.split(order, np.cumsum(np.bincount(found[order], minlength=count))[:-1]) if count else []
    radius = np.array([_SPACING * max(np.sqrt(len(part)), 0.5) for part in members])
    between = _links_between(joined, found, count)
    outer = np.array([len(part) <= _SMALL for part in members], dtype=np.bool_) & (np.diff(between.indptr) == 0)
    inner = np.flatnonzero(~outer)
    centre = np.zeros((count, 2))
    centre[inner] = _centres(between[inner][:, inner], radius[inner])
    reach = float((np.hypot(*centre[inner].T) + radius[inner]).max(initial=0.0))
    outside = np.flatnonzero(outer)
    ring = rings(np.concatenate([radius[outside], np.full(len(alone), _SPACING / 2)]), begin=reach + 3 * _GAP)
    centre[outside], at[alone] = ring[: len(outside)], ring[len(outside) :]
    done = 0
    for number, part in enumerate(members):
        at[part] = centre[number] + _disc(joined[part][:, part], radius[number])
        done += len(part)
        telling.at(40, 80, done / len(order))
    return at


def _links_between(joined: csr_matrix, found: NDArray[np.int64], count: int) -> csr_matrix:
    """What joins the communities, (count, count), nothing on the diagonal."""
    part = joined.tocoo()
    one, other = found[part.row], found[part.col]
    across = (one >= 0) & (other >= 0) & (one != other)
    return csr_matrix((part.data[across], (one[across], other[across])), shape=(count, count))


def _centres(between: csr_matrix, radius: NDArray[np.float64]) -> Points:
    """Where the discs lie: drawn together by what joins them, and then apart until none lies on another."""
    if not len(radius):
        return np.zeros((0, 2))
    begun = sunflower(len(radius)) * float(radius.mean()) * 2
    part = triu(between, k=1).tocoo()
    if part.nnz:
        weight = np.log1p(part.data) + 0.1
        begun = spring_layout(np.stack([part.row, part.col], axis=1), begun, weights=weight.tolist(), rounds=300)
        begun = begun - begun.mean(axis=0)
        span = float(np.sqrt((begun**2).sum(axis=1).mean())) or 1.0
        begun = begun / span * float(np.sqrt((radius**2).sum()))
    placed = push_apart(begun, radius + _GAP / 2)
    middle: Points = placed - placed.mean(axis=0)
    return middle


def _disc(joined: csr_matrix, radius: float) -> Points:
    """The members of one community around 0, 0, nearly all within the radius; the best joined begins in the middle."""
    count = joined.shape[0]
    begun = np.zeros((count, 2))
    begun[np.argsort(-np.diff(joined.indptr), kind="stable")] = sunflower(count)
    part = triu(joined, k=1).tocoo()
    if count > 2:
        pairs = np.stack([part.row, part.col], axis=1)
        begun = spring_layout(pairs, begun, rounds=200 if count <= 2_000 else 100)
    begun = begun - begun.mean(axis=0)
    far = float(np.quantile(np.hypot(*begun.T), 0.95)) or 1.0
    inside = begun / far * radius * 0.9
    # Who flies far out comes back to the edge of the disc.
    away = np.hypot(*inside.T) / radius
    disc: Points = inside / np.maximum(away, 1.0)[:, None]
    return disc


class _Telling:
    """Tells how far the drawing is, and stops it where somebody asked for that."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress

    def say(self, message: str, done: int) -> None:
        if self._progress is not None:
            self._progress.say(message)
        self.at(done, done, 0.0)

    def at(self, begin: int, end: int, share: float) -> None:
        if self._progress is None:
            return
        if self._progress.cancelled():
            raise Cancelled("Stopped. The map of before stays.")
        self._progress.advance(int(begin + (end - begin) * share), _STAGES)

    def end(self, counts: dict[str, int]) -> None:
        if self._progress is not None:
            self._progress.advance(_STAGES, _STAGES, counts)


# ── the drawn map


def spots_of(space: Space) -> Mapping[str, Spot]:
    """By entity id; empty where no map was drawn yet. One question to the store as long as no other map was drawn."""
    stamp = drawn_at(space)
    if stamp is None:
        return {}
    with _lock:
        kept = _maps.get(space.name)
        if kept is not None and kept[:2] == (space.index.serial, stamp):
            _maps.move_to_end(space.name)
            return kept[2]
    found = entities.read_layout(space.db)
    found.pop(DRAWN, None)
    _remember(space, stamp, found)
    return found


def drawn_at(space: Space) -> float | None:
    """When the map was drawn, in epoch seconds; None where there is none."""
    found = entities.read_layout(space.db, [DRAWN]).get(DRAWN)
    return None if found is None else found.x


def save_map(space: Space, spots: Mapping[str, Spot], *, at: float) -> None:
    """Writes a newly drawn map. The row that says so comes last, so that nobody keeps half a map for a whole one."""
    entities.write_layout(space.db, {**spots, DRAWN: Spot(at, 0.0, ALONE)})
    _remember(space, at, spots)


def _remember(space: Space, stamp: float, spots: Mapping[str, Spot]) -> None:
    with _lock:
        _maps[space.name] = (space.index.serial, stamp, spots)
        while len(_maps) > _KEPT:
            _maps.popitem(last=False)


# ── communities


def weighted_links(ground: Snapshot, *, step: Callable[[int], None] = lambda done: None) -> csr_matrix:
    """How strongly any two entities are joined, symmetric, (E, E): by relations, and by the strongest few namings in
    the same memory. `step` hears how many entities are done."""
    together = Cooccurrence(ground)
    parts = []
    for begin in range(0, max(ground.size, 1), _AT_ONCE):
        codes = np.arange(begin, min(begin + _AT_ONCE, ground.size))
        if len(codes):
            parts.append(strongest(together.of(codes), TOGETHER))
        step(int(begin + len(codes)))
    if not parts:
        return csr_matrix((0, 0))
    named = csr_matrix(vstack(parts))
    named.data = named.data * _TOGETHER_SHARE
    joined = csr_matrix(bonds(ground, ground.present).maximum(named))
    joined = csr_matrix(joined.maximum(joined.T))
    joined.sort_indices()
    return joined


def communities(joined: csr_matrix, there: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The community of each entity, (E,): from 0 for the largest, ALONE for those that nothing joins to another."""
    import igraph

    found = np.full(len(there), ALONE, dtype=np.int64)
    members = np.flatnonzero(there & (np.diff(joined.indptr) > 0))
    if not len(members):
        return found
    part = triu(joined[members][:, members], k=1).tocoo()
    graph = igraph.Graph(n=len(members), edges=np.stack([part.row, part.col], axis=1))
    with seeded_igraph():
        cut = graph.community_leiden(objective_function="modularity", weights=part.data.tolist(), n_iterations=3)
    label = np.array(cut.membership, dtype=np.int64)
    sizes = np.bincount(label)
    first = np.full(len(sizes), len(label))
    np.minimum.at(first, label, np.arange(len(label)))
    number = np.empty(len(sizes), dtype=np.int64)
    number[np.lexsort((first, -sizes))] = np.arange(len(sizes))
    found[members] = number[label]
    return found


# ── the community of each entity, on the map or where there is none


def group_entities(ground: Snapshot) -> tuple[Numbers, tuple[str, ...]]:
    """The super-node of each entity by code, (E,): its community, or OTHER; and what there is to say about it.

    Who came after the map was drawn belongs to the community that most of its neighbours belong to.
    """
    group, drawn = _numbers(ground)
    notes = (
        ()
        if drawn
        else ("There is no map of this graph yet, or an old one: these are the communities of this moment.",)
    )
    sizes = np.bincount(group[ground.standing & (group >= 0)])
    if np.count_nonzero(sizes) >= MOST_GROUPS:
        kept = np.lexsort((np.arange(len(sizes)), -sizes))[: MOST_GROUPS - 1]
        group = np.where(np.isin(group, kept), group, OTHER)
    return group, notes


def communities_of(ground: Snapshot, codes: Codes) -> Numbers:
    """The community of each of these entities, small ones too, ALONE for none, (len(codes),)."""
    spots = spots_of(ground.space)
    found = [spots.get(ground.entity(code).id) for code in codes.tolist()]
    numbers = [spot.community for spot in found if spot is not None]
    if len(numbers) == len(codes):
        return np.array(numbers, dtype=np.int64)
    return _numbers(ground)[0][codes]


def _numbers(ground: Snapshot) -> tuple[Numbers, bool]:
    """The community of each entity by code, (E,), and whether it is that of the map."""
    spots = spots_of(ground.space)
    drawn = (spots.get(entity.id) if entity is not None else None for entity in ground.entities)
    group = np.fromiter((_NOT_ON_MAP if spot is None else spot.community for spot in drawn), np.int64, ground.size)
    new = np.flatnonzero((group == _NOT_ON_MAP) & ground.standing)
    if len(new) * _STALE > np.count_nonzero(ground.standing):
        return _just_now(ground), False
    group[group == _NOT_ON_MAP] = OTHER
    group[new] = _join_communities(ground, new, group)
    return group, True


def _just_now(ground: Snapshot) -> Numbers:
    """Communities of the graph as it is now, whatever instant is looked at, so that they stay the same beside it."""
    key = (ground.space.name, ground.space.index.serial, ground.view.content)
    with _lock:
        known = _found.get(key)
    if known is None:
        now = ground if ground.as_of is None else snapshot_of(ground.space)
        known = communities(weighted_links(now), now.standing)[: ground.size]
        with _lock:
            _found[key] = known
            while len(_found) > _KEPT:
                _found.popitem(last=False)
    return known.copy()


def _join_communities(ground: Snapshot, new: Codes, group: Numbers) -> Numbers:
    if not len(new):
        return np.zeros(0, dtype=np.int64)
    count = max(int(group.max(initial=0)) + 1, 1)
    members = np.flatnonzero(group >= 0)
    into = csr_matrix((np.ones(len(members)), (members, group[members])), shape=(ground.size, count))
    named = csr_matrix(ground.pattern.T)[new] @ (ground.pattern @ into)
    votes = csr_matrix(named + bonds(ground, ground.present)[new] @ into)
    best = np.asarray(votes.argmax(axis=1)).ravel()
    return np.where(np.diff(votes.indptr) > 0, best, OTHER)


# ── discs on a plane


def sunflower(count: int) -> Points:
    """(count, 2) evenly over a disc around 0, 0, the first in the middle, about one unit apart."""
    number = np.arange(count)
    turned: Points = np.stack([np.cos(number * _GOLDEN), np.sin(number * _GOLDEN)], axis=1)
    return turned * np.sqrt(number)[:, None]


def push_apart(centres: Points, radius: NDArray[np.float64]) -> Points:
    """Moves discs until hardly one lies on another, the larger of two the less."""
    from scipy.spatial import cKDTree

    centres = centres.copy()
    mass = radius**2
    for _ in range(_ROUNDS):
        near = cKDTree(centres).query_pairs(2 * float(radius.max()), output_type="ndarray")
        near = near[np.lexsort((near[:, 1], near[:, 0]))]
        one, other = near[:, 0], near[:, 1]
        between = centres[other] - centres[one]
        away = np.hypot(*between.T)
        over = radius[one] + radius[other] - away
        hit = np.flatnonzero(over > 1e-3)
        if not len(hit):
            break
        one, other, away = one[hit], other[hit], away[hit]
        # Two in one spot part in a direction of their own.
        turn = _GOLDEN * (one + other)
        aside = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        way = np.where(away[:, None] > 1e-9, between[hit] / np.maximum(away, 1e-9)[:, None], aside)
        push = way * over[hit][:, None] * 0.6
        share = (mass[other] / (mass[one] + mass[other]))[:, None]
        np.add.at(centres, one, -push * share)
        np.add.at(centres, other, push * (1 - share))
    return centres


def rings(radius: NDArray[np.float64], *, begin: float, gap: float = 0.5) -> Points:
    """Discs side by side on circles around 0, 0, from the distance `begin` outwards, in their order."""
    placed = np.zeros((len(radius), 2))
    far, first = begin, 0
    while first < len(radius):
        widest = float(radius[first])
        far += widest
        # As many as have room on this circle, taken at the width of the first: the list goes from large to small.
        room = max(int(2 * np.pi * far / (2 * widest + gap)), 1)
        last = min(first + room, len(radius))
        turn = 2 * np.pi * np.arange(last - first) / (last - first)
        placed[first:last] = far * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        far += widest + gap
        first = last
    return placed
