"""Graph mass: a walk between memories and the names and rare words in them, started at those the query names.

It finds the second half of a bridge: the memory that shares a name with the one that answers the first half.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memoryapp.index.phrases import Phrases
from memoryapp.search.state import Scores

ROUNDS = 5
TELEPORT = 0.3
CLOSENESS = 4  # power of the cosine: the walk keeps to memories that are near the query
COMMON_WORD = 0.01  # share of the memories above which a word is no landmark
COMMON_SEED = 0.02  # share above which a name in the query is no start
FEW = 10  # … but a name in so few memories always is


@dataclass(frozen=True)
class Mass:
    """`mass`: of each candidate, (candidates,). `landmarks`: the numbers of the phrases walked over; `weight`: their
    part in the walk's end state, by landmark; `owner`, `landmark`: the edges, as positions in both, owners ascending;
    `counts`: in how many memories each landmark stands."""

    mass: NDArray[np.float64]
    landmarks: NDArray[np.int32]
    weight: NDArray[np.float64]
    owner: NDArray[np.intp]
    landmark: NDArray[np.intp]
    counts: NDArray[np.int32]

    @cached_property
    def carried(self) -> NDArray[np.float64]:
        """What the walk brings from each landmark to each memory that holds it, (landmarks,)."""
        return np.round(self.weight / np.maximum(self.counts, 1), 9)


def walk(
    phrases: Phrases,
    *,
    seeds: NDArray[np.int32],
    candidates: NDArray[np.intp],
    cosines: Scores,
    total: int,
    lone: bool = False,
    least: float = 0.0,
    rarity: float = 1.0,
) -> Mass | None:
    """Mass of the candidates after personalised PageRank on the bipartite graph memory – phrase.

    p₀ = seeds by 1/df; five rounds of m = (X·(p/df))·cos⁴ and p = .3·p₀ + .7·Xᵀ(m/phrases in m), both normalised
    (after Hypabase's QB-PPR). `cosines`: of the candidates; `total`: living memories; `lone`: whether a phrase of the
    query that stands in one memory alone is walked from; `least`: the cosine of those that are farther; `rarity`: power
    of df by which a phrase gives less to each memory. None where no seed is left.
    """
    named = phrases.count(seeds)
    seeds = seeds[(named > 0) & (named <= max(FEW, COMMON_SEED * total))]
    if not seeds.size:
        return None
    codes, owner = phrases.rows(candidates)
    df = phrases.count(codes)
    kept = (df >= 2) & (~phrases.is_word(codes) | (df <= max(2, COMMON_WORD * total)))
    if lone:
        kept |= np.isin(codes, seeds)
    landmarks, landmark = _number_codes(codes[kept])
    owner = owner[kept]
    if not landmarks.size:
        return None
    start = _start(phrases, seeds, landmarks)
    if start is None:
        return None
    near = np.maximum(cosines.astype(np.float64), least) ** CLOSENESS
    counts = phrases.count(landmarks)
    spread = np.maximum(counts, 1).astype(np.float64) ** rarity
    degree = np.maximum(np.bincount(owner, minlength=len(candidates)), 1)
    weight = start
    for _ in range(ROUNDS):
        mass = np.bincount(owner, (weight / spread)[landmark], len(candidates)) * near
        if mass.sum() <= 0:
            return None
        flow = np.bincount(landmark, (mass / degree / mass.sum())[owner], len(landmarks))
        weight = TELEPORT * start + (1 - TELEPORT) * flow / flow.sum()
    mass = np.bincount(owner, (weight / spread)[landmark], len(candidates)) * near
    return Mass(mass, landmarks, weight, owner, landmark, counts)


def _number_codes(codes: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """(distinct codes ascending, the place of each code among them): np.unique without its sort."""
    there = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.bool_)
    there[codes] = True
    distinct = np.flatnonzero(there).astype(np.int32)
    place = np.empty(len(there), dtype=np.intp)
    place[distinct] = np.arange(len(distinct))
    return distinct, place[codes]


def _start(phrases: Phrases, seeds: NDArray[np.int32], landmarks: NDArray[np.int32]) -> NDArray[np.float64] | None:
    """Seeds' weights 1/df by landmark; they are shared out over all seeds, those that no candidate holds included."""
    worth = 1 / np.maximum(phrases.count(seeds), 1).astype(np.float64)
    place = np.searchsorted(landmarks, seeds)
    there = (place < len(landmarks)) & (landmarks[np.minimum(place, len(landmarks) - 1)] == seeds)
    if not there.any():
        return None
    start = np.zeros(len(landmarks))
    start[place[there]] = worth[there] / worth.sum()
    return start
