"""One question answered by several plans side by side, and where one memory stands in each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memoryapp.domain.errors import BadInput
from memoryapp.domain.results import Answer, Query
from memoryapp.domain.strategies import Strategy
from memoryapp.lab.agreement import Agreement, agreement
from memoryapp.retrieve import Explanation, explain, search, strategy_of
from memoryapp.spaces import Space

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
    columns = []
    for named in _resolved(space, plans):
        columns.append(Column(named, search(space, replace(query, strategy=named.name))))
    found = [[hit.memory.id for hit in column.answer.hits] for column in columns]
    return Comparison(tuple(columns), agreement(found))


def why_not(space: Space, query: Query, plans: Sequence[str], memory: str) -> tuple[Explanation, ...]:
    """Where a memory stands by each plan, in their order. Raises as `compare`, and NotFound for the memory."""
    return tuple(explain(space, replace(query, strategy=named.name), memory) for named in _resolved(space, plans))


def _resolved(space: Space, plans: Sequence[str]) -> list[Strategy]:
    if not 1 <= len(plans) <= MOST:
        raise BadInput(f"Compare one to {MOST} strategies, not {len(plans)}.", field="/strategies")
    return [strategy_of(space, named, field=f"/strategies/{n}") for n, named in enumerate(plans)]
