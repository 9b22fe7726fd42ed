"""The golden queries asked by one plan: each measured by itself, and the means over all of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum

from memoryapp.domain.change import Actor
from memoryapp.domain.golden import MEASURES, GoldenRun, Outcome
from memoryapp.domain.identity import new_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.ranking import ndcg_at, precision_at, recall_at, reciprocal_rank
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import Strategy
from memoryapp.lab.conditions import conditions_of
from memoryapp.lab.golden import Standing
from memoryapp.lab.telling import Telling
from memoryapp.retrieve import search
from memoryapp.spaces import Space

LEAST_PLACES = 20  # looked at, whatever k: a run tells that something stands 14th where only ten count


def places(k: int) -> int:
    """How many places are looked at where `k` count."""
    return min(max(k, LEAST_PLACES), LIMITS.top_k)


def run_of(
    space: Space,
    plan: Strategy,
    some: Sequence[Standing],
    *,
    k: int,
    encoder: str,
    actor: Actor,
    telling: Telling,
) -> GoldenRun:
    """Not kept yet. `encoder`: the model that is waited for already. Raises Cancelled between two queries."""
    conditions = conditions_of(space, plan, encoder=encoder)
    at, began = space.clock(), time.perf_counter()
    outcomes: list[Outcome] = []
    notes = Counter[str]()
    telling.say(f"asking by {plan.name}")
    for one in some:
        telling.stop_if_asked()
        if one.left:
            outcome, noted = outcome_of(space, one, plan, k=k)
            outcomes.append(outcome)
            notes.update(noted)
        telling.step()
    left_out = [one.golden.id for one in some if not one.left]
    return GoldenRun(
        id=new_id(),
        at=at,
        by=actor.name,
        plan=plan.name,
        k=k,
        measures=means([outcome.measures for outcome in outcomes]),
        outcomes=tuple(outcomes),
        conditions={**conditions, "left_out": left_out, "notes": dict(notes)},
        took_ms=(time.perf_counter() - began) * 1000,
    )


def outcome_of(space: Space, one: Standing, plan: Strategy, *, k: int) -> tuple[Outcome, tuple[str, ...]]:
    """How a plan does on a golden query, and the notes of its answer. Relevant memories that are gone do not count; no
    access is."""
    asked = Query(one.golden.query, strategy=plan.name, top_k=places(k), filters=one.golden.filters)
    answer = search(space, asked)
    found = {hit.memory.id: rank for rank, hit in enumerate(answer.hits, start=1)}
    ranks = {key: found.get(key) for key in one.left}
    return Outcome(one.golden.id, one.golden.query, ranks, measured(ranks, k)), answer.notes


def measured(ranks: Mapping[str, int | None], k: int) -> dict[str, float]:
    """MEASURES of one question by the ranks of what is relevant to it; a place that holds none of that is empty."""
    holders = {rank: key for key, rank in ranks.items() if rank is not None}
    ranked = [holders.get(rank, "") for rank in range(1, max(holders, default=0) + 1)]
    return {
        "recall": recall_at(ranked, ranks, k),
        "mrr": reciprocal_rank(ranked, ranks),
        "ndcg": ndcg_at(ranked, ranks, k),
        "precision": precision_at(ranked, ranks, k),
    }


def means(measures: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Of each of MEASURES over the questions; nothing where there is none."""
    if not measures:
        return {}
    return {name: fsum(one[name] for one in measures) / len(measures) for name in MEASURES}
