"""Query terms in, BM25 scores of every memory out, in three fields: its own words, its window, its whole group.

BM25: Σ idf · tf·(k1 + 1) / (tf + k1·(1 − b + b·length/mean length)), idf = ln(1 + (N − n + ½)/(n + ½)), each field with
its own N, n and lengths (Robertson & Zaragoza 2009). N, n and mean lengths count held memories only, so that what was
archived moves no score; archived and superseded memories are scored all the same, each by its own words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.index.columns import Column
from memoryapp.index.postings import Posting
from memoryapp.index.windows import Ints, arrange, window_counts

Floats = NDArray[np.float32]
FIELDS = ("own", "window", "whole")


@dataclass(frozen=True, slots=True)
class KeywordScores:
    """`own`, `window`, `whole`: float32 (n,), 0 where no term occurs. `idf`, `df`: of the own field, by term; terms
    that occur nowhere have df 0. `cover`: the idf of the terms in each memory's window, summed, float32 (n,).
    `fields_in(slots)`: for each of them the terms it was found by and in which of its fields."""

    own: Floats
    window: Floats
    whole: Floats
    idf: dict[str, float]
    df: dict[str, int]
    cover: Floats
    fields_in: Callable[[NDArray[np.intp]], list[dict[str, tuple[str, ...]]]] = field(repr=False)

    def fields_of(self, slot: int) -> dict[str, tuple[str, ...]]:
        return self.fields_in(np.array([slot]))[0]

    def matched(self, slot: int) -> list[str]:
        """The query's terms that stand in the memory's own words, in the query's order."""
        return [term for term, fields in self.fields_of(slot).items() if "own" in fields]


class Fields:
    """What scoring needs of one published state; made once a state and reach, shared by all its queries."""

    def __init__(self, columns: dict[str, Column], held: NDArray[np.bool_], near: list[Ints], window: Ints) -> None:
        self.n = len(held)
        self.held = held
        self.near = near
        self.length = columns["length"]
        self.window = window
        self.group = np.where(held, columns["group"], -1)  # what is not held stands alone
        self._norms: dict[tuple[float, float], dict[str, Floats]] = {}

    @cached_property
    def docs(self) -> int:
        return int(np.count_nonzero(self.held))

    @cached_property
    def terms(self) -> int:
        return int(self.length[self.held].sum())

    @cached_property
    def groups(self) -> int:
        """One more than the highest group's number."""
        return int(self.group.max(initial=-1)) + 1

    @cached_property
    def group_length(self) -> NDArray[np.float64]:
        grouped = self.group >= 0
        weights = self.length[grouped].astype(np.float64)
        return np.bincount(self.group[grouped], weights=weights, minlength=self.groups).astype(np.float64)

    @cached_property
    def wholes(self) -> int:
        """Groups with held members, and held memories outside any group."""
        alone = int(np.count_nonzero(self.held & (self.group < 0)))
        return alone + int(np.count_nonzero(np.bincount(self.group[self.group >= 0], minlength=self.groups)))

    def norms(self, k1: float, b: float) -> dict[str, Floats]:
        """k1·(1 − b + b·length/mean length) by slot for own, window and alone, by group for group."""
        known = self._norms.get((k1, b))
        if known is None:
            mean_window = int(self.window[self.held].sum()) / max(self.docs, 1)
            mean_whole = self.terms / max(self.wholes, 1)
            known = {
                "own": _norm(self.length, self.terms / max(self.docs, 1), k1, b),
                "window": _norm(self.window, mean_window, k1, b),
                "alone": _norm(self.length, mean_whole, k1, b),
                "group": _norm(self.group_length, mean_whole, k1, b),
            }
            self._norms = {(k1, b): known}
        return known


def fields_from(columns: dict[str, Column], held: NDArray[np.bool_], *, reach: int) -> Fields:
    """Fields of any reach, computed from scratch."""
    members = np.flatnonzero(held & (columns["group"] >= 0))
    near, window = arrange(columns, members, reach=reach)
    spread = []
    for beside in near:
        everywhere = np.full(len(held), -1, dtype=np.int32)
        everywhere[members] = beside
        spread.append(everywhere)
    lengths = columns["length"].copy()
    lengths[members] = window
    return Fields(columns, held, spread, lengths)


def score(fields: Fields, postings: dict[str, Posting], *, k1: float, b: float) -> KeywordScores:
    """Scores of all slots for the terms' postings. A term counts once, however often it was asked."""
    norms = fields.norms(k1, b)
    own, window, whole, cover = (np.zeros(fields.n, dtype=np.float32) for _ in (*FIELDS, "cover"))
    by_group = np.zeros(fields.groups, dtype=np.float32)
    scratch = np.zeros(fields.n, dtype=np.float32)
    idf: dict[str, float] = {}
    df: dict[str, int] = {}
    groups: dict[str, NDArray[np.bool_]] = {}
    for term, (slots, counts) in postings.items():
        df[term] = int(np.count_nonzero(fields.held[slots]))
        idf[term] = rarity_of(fields.docs, df[term])
        if not len(slots):
            continue
        own[slots] += gain(counts, norms["own"][slots], k1, idf[term])
        reached, sums = window_counts(slots, counts, fields.near, scratch)
        rarity = rarity_of(fields.docs, int(np.count_nonzero(fields.held[reached])))
        cover[reached] += np.float32(idf[term])
        window[reached] += gain(sums, norms["window"][reached], k1, rarity)
        groups[term] = _score_wholes(fields, (slots, counts), norms, k1, whole, by_group)
    if fields.groups:
        grouped = np.flatnonzero(fields.group >= 0)
        whole[grouped] = by_group[fields.group[grouped]]
    return KeywordScores(own, window, whole, idf, df, cover, _finder(fields, postings, groups))


def _score_wholes(
    fields: Fields, posting: Posting, norms: dict[str, Floats], k1: float, whole: Floats, by_group: Floats
) -> NDArray[np.bool_]:
    """Adds a term's gain to the groups in `by_group`, and to the memories outside any in `whole`. Returns which groups
    hold it, and False for −1."""
    slots, counts = posting
    group = fields.group[slots]
    grouped = group >= 0
    sums = np.bincount(group[grouped], weights=counts[grouped], minlength=fields.groups)
    hit = np.flatnonzero(sums)
    alone = slots[~grouped]
    rarity = rarity_of(fields.wholes, len(hit) + int(np.count_nonzero(fields.held[alone])))
    by_group[hit] += gain(sums[hit].astype(np.float32), norms["group"][hit], k1, rarity)
    whole[alone] += gain(counts[~grouped], norms["alone"][alone], k1, rarity)
    return np.append(sums > 0, False)


def _finder(
    fields: Fields, postings: dict[str, Posting], groups: dict[str, NDArray[np.bool_]]
) -> Callable[[NDArray[np.intp]], list[dict[str, tuple[str, ...]]]]:
    def fields_in(slots: NDArray[np.intp]) -> list[dict[str, tuple[str, ...]]]:
        window = np.stack([slots, *(near[slots] for near in fields.near)], axis=1)  # −1 for nobody
        group = fields.group[slots]
        found: list[dict[str, tuple[str, ...]]] = [{} for _ in slots]
        for term, (holders, _) in postings.items():
            if not len(holders):
                continue
            there = _membership_mask(holders, window)
            own, beside = there[:, 0].tolist(), np.logical_or.reduce(there, axis=1)
            for row in np.flatnonzero(beside | groups[term][group]).tolist():
                found[row][term] = FIELDS if own[row] else FIELDS[1:] if beside[row] else FIELDS[2:]
        return found

    return fields_in


def _membership_mask(slots: Ints, wanted: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """For each wanted slot whether it is among `slots`, which ascend and are some."""
    place = np.minimum(slots.searchsorted(wanted), len(slots) - 1)
    return slots[place] == wanted  # type: ignore[no-any-return]


def rarity_of(docs: int, df: int) -> float:
    """BM25's idf of a term that `df` of `docs` documents hold; never negative."""
    return math.log(1 + (docs - df + 0.5) / (df + 0.5))


def _norm(lengths: NDArray[np.int32] | NDArray[np.float64], mean: float, k1: float, b: float) -> Floats:
    return (k1 * (1 - b + b * lengths / max(mean, 1e-9))).astype(np.float32)


def gain(counts: Floats, norm: Floats, k1: float, idf: float) -> Floats:
    """BM25's share of one term, (n,): idf · (k1 + 1) · count / (count + norm)."""
    return np.float32(idf * (k1 + 1)) * counts / (counts + norm)


def unique_terms(terms: Sequence[str]) -> list[str]:
    """Each term once, in the order of its first appearance."""
    return list(dict.fromkeys(terms))
