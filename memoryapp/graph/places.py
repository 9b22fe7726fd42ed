"""Where each node of a scene stands: by itself where the scene is small, as in the drawn map where it is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from memoryapp.graph.arrange import SMALL, Points, apart, arrange, boxes_of, canvas
from memoryapp.graph.ground import Codes, Ground
from memoryapp.graph.lines import Line
from memoryapp.store.layout import Spot

_MARGIN = 0.04


def places(
    ground: Ground,
    codes: Codes,
    lines: Sequence[Line],
    *,
    spots: Mapping[str, Spot],
    start: int | None = None,
) -> Points:
    """(n, 2) within 0–1, y downwards. A part of the map is unreadable close by, so a small scene is arranged anew."""
    entities = [ground.entity(code) for code in codes.tolist()]
    place = {code: at for at, code in enumerate(codes.tolist())}
    pairs = sorted({(place[line.source], place[line.target]) for line in lines})
    known = [spots.get(entity.id) for entity in entities]
    drawn = sum(spot is not None for spot in known)
    names = [entity.name for entity in entities]
    if drawn * 2 < len(codes) or len(codes) <= SMALL:
        return arrange(names, pairs, start=None if start is None else place.get(start))
    at = np.array([(np.nan, np.nan) if spot is None else (spot.x, -spot.y) for spot in known])
    at = scaled(settled(at, pairs))
    boxes = boxes_of(names)
    width, height = canvas(boxes)
    spread: Points = apart(at * (width, height), boxes, width, height) / (width, height)
    return np.clip(spread, 0.0, 1.0)


def settled(at: Points, pairs: Sequence[tuple[int, int]]) -> Points:
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


def scaled(at: Points) -> Points:
    """Into 0–1, with a margin; each direction by itself, as the drawing is broader than high."""
    low, high = at.min(axis=0), at.max(axis=0)
    span: NDArray[np.float64] = np.maximum(high - low, 1e-9)
    inside: Points = _MARGIN + (at - low) / span * (1 - 2 * _MARGIN)
    return np.where(high - low > 1e-9, inside, 0.5)
