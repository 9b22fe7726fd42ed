"""One question answered by several plans side by side: how far they agree, and where a memory stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from memoryapp.domain.errors import BadInput
from memoryapp.domain.ranking import jaccard, rbo
from memoryapp.domain.results import Answer, Query
from memoryapp.domain.strategies import Strategy
from memoryapp.search import Explanation, explain, search, strategy_of
from memoryapp.spaces import Space


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
    """Return how far several answers to one question agree. `columns`: ids of each answer, best first."""
    places = [{key: rank for rank, key in enumerate(column, start=1)} for column in columns]
    everything = dict.fromkeys(key for column in columns for key in column)
    ranks = {key: tuple(place.get(key) for place in places) for key in everything}
    overlap = tuple(
        Overlap(a, b, len(places[a].keys() & places[b].keys()), jaccard(left, right), rbo(left, right))
        for (a, left), (b, right) in combinations(enumerate(columns), 2)
    )
    return Agreement(ranks, overlap, tuple(key for key, found in ranks.items() if None not in found))


MOST = 4  # columns


@dataclass(frozen=True, slots=True)
class Column:
    """`plan` as it was run, with the space's numbers and all changes put in; its name is what was asked for."""

    plan: Strategy
    answer: Answer


@dataclass(frozen=True, slots=True)
class Comparison:
    columns: tuple[Column, ...]
    agreement: Agreement


def compare(space: Space, query: Query, plans: Sequence[str]) -> Comparison:
    """`plans`: one to four names of strategies or profiles, each with changes or without (domain.plan).

    Raises BadInput that points at the plan at fault ("/strategies/1"), and what `search` raises.
    """
    columns = [
        Column(named, search(space, replace(query, strategy=named.name))) for named in _resolve_strategies(space, plans)
    ]
    found = [[hit.memory.id for hit in column.answer.hits] for column in columns]
    return Comparison(tuple(columns), agreement(found))


def why_not(space: Space, query: Query, plans: Sequence[str], memory: str) -> tuple[Explanation, ...]:
    """Where a memory stands by each plan, in their order. Raises as `compare`, and NotFound for the memory."""
    return tuple(
        explain(space, replace(query, strategy=named.name), memory) for named in _resolve_strategies(space, plans)
    )


def _resolve_strategies(space: Space, plans: Sequence[str]) -> list[Strategy]:
    if not 1 <= len(plans) <= MOST:
        raise BadInput(f"Compare one to {MOST} strategies, not {len(plans)}.", field="/strategies")
    return [strategy_of(space, named, field=f"/strategies/{n}") for n, named in enumerate(plans)]
