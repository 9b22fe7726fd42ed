"""The job that draws the map: communities first, each in a disc of its own, the discs by what joins them, and around
them, in quiet rings, whatever nothing joins to anything.

The same graph gives the same map. Discs are drawn one by one, so that the program goes on answering meanwhile.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, triu

from memoryapp.domain.errors import Cancelled
from memoryapp.graph.communities import communities, weighted
from memoryapp.graph.discs import parted, rings, sunflower
from memoryapp.graph.ground import ground_of
from memoryapp.graph.spots import ALONE, keep
from memoryapp.graph.springs import springs
from memoryapp.spaces import Space
from memoryapp.store.layout import Spot

_STAGES = 100  # a drawing's progress is told in hundredths
_SMALL = 6  # members of a community that stands by itself: drawn outside, with those that are alone
_SPACING = 1.0  # between two neighbours in a disc
_GAP = 2.0  # between two discs

Points = NDArray[np.float64]


class Progress(Protocol):
    def advance(self, done: int, total: int, counts: dict[str, int] | None = None) -> None: ...
    def say(self, message: str) -> None: ...
    def cancelled(self) -> bool: ...


def draw(space: Space, *, progress: Progress | None = None) -> dict[str, int]:
    """Draws the whole graph of a space and keeps it: {"entities", "links", "communities", "alone"}.

    Raises Cancelled; the map of before then stays.
    """
    telling = _Telling(progress)
    ground = ground_of(space)
    telling.say("weighing what joins the entities", 0)
    joined = weighted(ground, step=lambda done: telling.at(0, 30, done / max(ground.size, 1)))
    telling.say("looking for communities", 30)
    found = communities(joined, ground.standing)
    telling.say("drawing", 40)
    at = _placed(joined, found, ground.standing, telling)
    telling.say("writing the map", 80)
    standing = np.flatnonzero(ground.standing)
    spots = {
        ground.entity(code).id: Spot(float(at[code, 0]), float(at[code, 1]), int(found[code]))
        for code in standing.tolist()
    }
    keep(space, spots, at=ground.instant.timestamp())
    counts = {
        "entities": len(standing),
        "links": int(triu(joined, k=1).nnz),
        "communities": int(found.max(initial=ALONE)) + 1,
        "alone": int((found[standing] == ALONE).sum()),
    }
    telling.end(counts)
    return counts


def _placed(joined: csr_matrix, found: NDArray[np.int64], there: NDArray[np.bool_], telling: _Telling) -> Points:
    at = np.zeros((len(found), 2))
    count = int(found.max(initial=ALONE)) + 1
    alone = np.flatnonzero(there & (found == ALONE))
    order = np.argsort(found, kind="stable")
    order = order[found[order] >= 0]
    members = np.split(order, np.cumsum(np.bincount(found[order], minlength=count))[:-1]) if count else []
    radius = np.array([_SPACING * max(np.sqrt(len(part)), 0.5) for part in members])
    between = _between(joined, found, count)
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


def _between(joined: csr_matrix, found: NDArray[np.int64], count: int) -> csr_matrix:
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
        begun = springs(np.stack([part.row, part.col], axis=1), begun, weights=weight.tolist(), rounds=300)
        begun = begun - begun.mean(axis=0)
        span = float(np.sqrt((begun**2).sum(axis=1).mean())) or 1.0
        begun = begun / span * float(np.sqrt((radius**2).sum()))
    placed = parted(begun, radius + _GAP / 2)
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
        begun = springs(pairs, begun, rounds=200 if count <= 2_000 else 100)
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
