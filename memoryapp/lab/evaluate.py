"""Evaluation: every golden query asked by every plan, each measured by itself, and the means over all of them. The
course is check → gather → ask → measure → keep.

A run keeps the conditions its figures stand under, so that two runs can be compared; whoever watches it is told how
far it is, and may stop it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any

import numpy as np

from memoryapp.domain.change import Actor
from memoryapp.domain.errors import BadInput, Cancelled, EncoderError, ModelLoading
from memoryapp.domain.golden import MEASURES, GoldenRun, Outcome
from memoryapp.domain.identity import new_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind
from memoryapp.domain.plan import numbers_as_run, with_numbers
from memoryapp.domain.progress import Progress
from memoryapp.domain.ranking import ndcg_at, precision_at, recall_at, reciprocal_rank
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import Strategy
from memoryapp.index.roster import KINDS
from memoryapp.lab.golden import Standing, golden_of
from memoryapp.search import search, strategy_of
from memoryapp.spaces import Space
from memoryapp.store import golden

PATIENCE = 90.0  # seconds that a model which is still loading is waited for
# Numbers of a space that decide how it is indexed, and so what is found; no plan has its own of these.
_INDEXING = ("window_tokens", "neighbours", "bm25_k1", "bm25_b")
_DIGEST = KINDS.index(Kind.DIGEST)
LEAST_PLACES = 20  # looked at, whatever k: a run tells that something stands 14th where only ten count
MOST_PLANS = 10  # at once


def conditions_of(space: Space, plan: Strategy, *, encoder: str) -> dict[str, Any]:
    """Return what the figures of a run stand under: {"encoder", "memories": held, with a parent's, "digests",
    "numbers", "strategy"}. `encoder`: as `encoder_of` names it."""
    space.index.refresh()
    memories, digests = _count_memories(space)
    tuning = with_numbers(space.tuning, plan.numbers)
    return {
        "encoder": encoder,
        "memories": memories,
        "digests": digests,
        "numbers": numbers_as_run(space.tuning, plan.numbers) | {name: getattr(tuning, name) for name in _INDEXING},
        "strategy": {
            "weights": {arm.value: plan.weight(arm) for arm in plan.arms},
            "k": plan.k,
            "factors": [factor.value for factor in plan.factors],
        },
    }


def encoder_of(space: Space, *, patience: float = PATIENCE) -> str:
    """The model by which questions are compared; "" where there is none and all is answered by words. Raises
    ModelLoading where it does not come in time: figures without it would say nothing of the plan."""
    try:
        space.encoder.get(patience)
    except ModelLoading:
        raise
    except EncoderError:
        return ""
    return space.encoder.name


def _count_memories(space: Space) -> tuple[int, int]:
    roster = space.index.view().roster
    own = int(np.count_nonzero(roster.held)), int(np.count_nonzero(roster.held & (roster.kind == _DIGEST)))
    if space.parent is None:
        return own
    space.parent.index.refresh()
    theirs = _count_memories(space.parent)
    return own[0] + theirs[0], own[1] + theirs[1]


class Telling:
    """Counts the steps; `progress` None: nobody watches."""

    def __init__(self, progress: Progress | None, *, total: int) -> None:
        self._progress, self._done, self._total = progress, 0, total

    def say(self, message: str) -> None:
        if self._progress is not None:
            self._progress.say(message)

    def step(self) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress.advance(self._done, self._total)

    def stop_if_asked(self) -> None:
        """Raises Cancelled."""
        if self._progress is not None and self._progress.cancelled():
            raise Cancelled("Stopped; no run was kept.")


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
    return Outcome(one.golden.id, one.golden.query, ranks, measure_ranks(ranks, k)), answer.notes


def measure_ranks(ranks: Mapping[str, int | None], k: int) -> dict[str, float]:
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


def check_plans(space: Space, plans: Sequence[str], k: int) -> list[Strategy]:
    """The plans as they are run, each once. Raises BadInput (/strategies, /strategies/1, /k)."""
    if isinstance(k, bool) or not 1 <= k <= LIMITS.top_k:
        raise BadInput(f"k lies between 1 and {LIMITS.top_k}, not at {k}.", field="/k")
    if not 1 <= len(plans) <= MOST_PLANS:
        raise BadInput(f"Run one to {MOST_PLANS} strategies at once, not {len(plans)}.", field="/strategies")
    found = [strategy_of(space, named, field=f"/strategies/{n}") for n, named in enumerate(plans)]
    return list({plan.name: plan for plan in found}.values())


def askable_queries(space: Space) -> tuple[Standing, ...]:
    """All golden queries, those too that nothing is left of. Raises BadInput where there is none to ask."""
    some = golden_of(space)
    if not some:
        raise BadInput(
            "This space has no golden queries. Search for something whose answer you know, mark what should be found, "
            "and save it as a golden query; or import some."
        )
    if not any(one.left for one in some):
        raise BadInput(
            "Whatever the golden queries should find is deleted or purged. Restore it, or name other memories."
        )
    return some


def evaluate(
    space: Space, plans: Sequence[str], *, k: int = 10, actor: Actor, progress: Progress | None = None
) -> tuple[GoldenRun, ...]:
    """One run for each plan, in their order, kept. `plans`: names of strategies or profiles, with changes or without.

    Beside what `GoldenRun` names, the conditions tell "left_out" (ids of golden queries of which nothing is left to be
    found) and "notes" {sentence: how many answers bore it}. Raises BadInput (/strategies/1, /k; and where there is
    nothing to ask), ModelLoading, Cancelled; nothing is kept then.
    """
    chosen = check_plans(space, plans, k)
    some = askable_queries(space)
    telling = Telling(progress, total=len(chosen) * len(some))
    telling.say("waiting for the model")
    encoder = encoder_of(space)
    runs = [run_of(space, plan, some, k=k, encoder=encoder, actor=actor, telling=telling) for plan in chosen]
    telling.stop_if_asked()
    for run in runs:
        golden.keep_run(space.db, run)
    return tuple(runs)
