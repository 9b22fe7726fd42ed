"""How far several answers to one question agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from memoryapp.domain.ranking import jaccard, rbo


@dataclass(frozen=True, slots=True)
class Overlap:
    """Of the columns at `a` and `b`, from 0. `common`: how many results are in both."""

    a: int
    b: int
    common: int
    jaccard: float
    rbo: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """`ranks`: of each memory, from 1, by column, None where it is absent; in the order in which they are met, column
    by column. `in_all`: those that every column holds."""

    ranks: Mapping[str, tuple[int | None, ...]]
    overlap: tuple[Overlap, ...]
    in_all: tuple[str, ...]


def agreement(columns: Sequence[Sequence[str]]) -> Agreement:
    """`columns`: ids of each answer, best first."""
    places = [{key: rank for rank, key in enumerate(column, start=1)} for column in columns]
    everything = dict.fromkeys(key for column in columns for key in column)
    ranks = {key: tuple(place.get(key) for place in places) for key in everything}
    overlap = tuple(
        Overlap(a, b, len(places[a].keys() & places[b].keys()), jaccard(left, right), rbo(left, right))
        for (a, left), (b, right) in combinations(enumerate(columns), 2)
    )
    return Agreement(ranks, overlap, tuple(key for key, found in ranks.items() if None not in found))
