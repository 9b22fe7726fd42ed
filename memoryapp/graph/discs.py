"""Discs on a plane: spread like the seeds of a sunflower, pushed apart, or laid in rings around what is there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_GOLDEN = np.pi * (3 - np.sqrt(5))
_ROUNDS = 200

Points = NDArray[np.float64]


def sunflower(count: int) -> Points:
    """(count, 2) evenly over a disc around 0, 0, the first in the middle, about one unit apart."""
    number = np.arange(count)
    turned: Points = np.stack([np.cos(number * _GOLDEN), np.sin(number * _GOLDEN)], axis=1)
    return turned * np.sqrt(number)[:, None]


def parted(centres: Points, radius: NDArray[np.float64]) -> Points:
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
