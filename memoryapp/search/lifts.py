"""What would bring a memory among the results: a larger top_k, a filter less, one weight at another place.

Fusions are linear in each of their weights, so where a memory overtakes another follows from two sums. Nothing is told
that was not tried: the query is answered anew with the change, and the rank is read off there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Memory
from memoryapp.domain.plan import MOST_CHARS, MOST_WEIGHT, Plan, read_plan
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import Arm, Factor, Fusion
from memoryapp.search.admission import without
from memoryapp.search.plans import strategy_of
from memoryapp.search.runs import Run, rank_of, reweigh_run, runs
from memoryapp.search.stages import a, join_words
from memoryapp.spaces import Space
from memoryapp.text.wording import ordinal

_DECIMALS = (2, 3, 4)  # of a weight that is proposed: the fewest that do
_TRIED = 50  # stretches of a weight in which the memory would be among the first, until one holds a short number
_NUMBERS = {
    "date_weight": "date",
    "speaker_boost": "speaker",
    "quoted_weight": "quoted",
}  # of a plan, by the share that is linear in them
_DIVERSITY = "diversity"  # a number of the plan, and the share that it makes
_ONE_EACH = frozenset({Fusion.SCORES, Fusion.MASS, Fusion.RRF, Fusion.TREE})


@dataclass(frozen=True, slots=True)
class Lift:
    """`change`: "top_k" · "filter" · "factor" · the name of a weight or number of the plan. With it the memory has the
    rank; a filter lifted may still leave it too late. `plan`: the plan with the change in it, where it is one of the
    plan; `before` and `after`: its value."""

    change: str
    told: str
    rank: int
    plan: str = ""
    before: float | None = None
    after: float | None = None


def lifts(space: Space, query: Query, done: Sequence[Run], at: int, slot: int, *, rank: int) -> tuple[Lift, ...]:
    """Of a memory of run `at` that has a score and came too late."""
    found = []
    if rank <= LIMITS.top_k and _shown_by(space, query, done, at, slot, rank):
        found.append(Lift("top_k", f"top_k {rank} would show it.", rank, before=query.top_k, after=rank))
    plan = read_plan(query.strategy)
    tried = (*_weights(done[at], plan, slot), *_diversity_lifts(done[at], plan, slot), *_factors(done[at], plan, slot))
    for change, changed, before, after in tried:
        text = str(changed)
        if len(text) > MOST_CHARS:
            continue
        better = _rank_with_plan(space, query, done, at, slot, text)
        if better is not None and better <= query.top_k:
            if change == "factor":
                told = f"Without the factor {_dropped_factors(done[at], changed)} it would be {ordinal(better)}."
            else:
                told = f"With {change} {after:g} instead of {before:g} it would be {ordinal(better)}."
            found.append(Lift(change, told, better, text, before, after))
    return tuple(found)


def rerun_without_filters(
    space: Space, query: Query, known: Memory, names: list[str], at: int
) -> tuple[list[Run], int | None]:
    """(the runs without these filters, the rank that the memory has there; None where no arm touches it)."""
    freed = without(query, known, names, kinds=strategy_of(space, query.strategy).kinds)
    done = runs(space, freed, strategy_of(space, query.strategy))
    slot = done[at].question.view.roster.slot(known.id)
    ranked = slot is not None and done[at].fused.total[slot] > 0
    return done, rank_of(done, at, slot) if ranked and slot is not None else None


def filter_lift(query: Query, known: Memory, names: list[str], rank: int) -> Lift:
    """What would be otherwise without these filters: the place it would have."""
    told = f"Without the filter{'s' if len(names) > 1 else ''} {join_words(names)}"
    if names == ["states"]:
        told = f"Where what is {known.state} is looked for, too,"
    elif names == ["kinds"] and not query.filters.kinds:
        told = f"Where {a(known.kind)} is looked for, too,"
    elif names == ["as_of"]:
        told = "Asked as of now,"
    late = "" if rank <= query.top_k else f", still behind the first {query.top_k}"
    return Lift("filter", f"{told} it would be {ordinal(rank)}{late}.", rank)


def _shown_by(space: Space, query: Query, done: Sequence[Run], at: int, slot: int, top_k: int) -> bool:
    """Whether a larger top_k shows it: always, but for diversity, which looks at as many as are asked for."""
    if _DIVERSITY not in done[at].fused.shares:
        return True
    again = runs(space, replace(query, top_k=top_k), done[0].plan)
    there = again[at].question.view.roster.slot(done[at].question.view.roster.ids[slot])
    return there is not None and rank_of(again, at, there) <= top_k


def _rank_with_plan(space: Space, query: Query, done: Sequence[Run], at: int, slot: int, text: str) -> int | None:
    """The rank with another plan. Weights do not touch what the arms of the space itself found."""
    plan = strategy_of(space, text)
    again = [reweigh_run(done[0], plan)]
    if space.parent is not None:
        again += runs(space.parent, replace(query, strategy=text), plan)
    # A space that is read along was looked at again, and may have been put in order meanwhile.
    there = again[at].question.view.roster.slot(done[at].question.view.roster.ids[slot])
    return None if there is None or again[at].fused.total[there] <= 0 else rank_of(again, at, there)


def _weights(run: Run, plan: Plan, slot: int) -> Iterator[tuple[str, Plan, float, float]]:
    strategy, tuning = run.question.strategy, run.question.tuning
    if strategy.fusion not in _ONE_EACH:
        return
    for arm in strategy.arms:
        if arm not in run.arms.found:
            continue
        now = float(strategy.weight(arm))
        more = replace(run.plan, weights={**strategy.weights, arm: now + 1})
        for value in _solve_weight(run, reweigh_run(run, more, collected=False), slot, now, of=arm.value):
            yield arm.value, replace(plan, weights={**plan.weights, arm: value}), now, value
    for name, share in _NUMBERS.items():
        if share in run.fused.shares:
            now = float(getattr(tuning, name))
            more = replace(run.plan, weights=strategy.weights, numbers={**run.plan.numbers, name: now + 1})
            for value in _solve_weight(run, reweigh_run(run, more, collected=False), slot, now, of=share):
                yield name, replace(plan, numbers={**plan.numbers, name: value}), now, value


def _solve_weight(run: Run, more: Run, slot: int, now: float, *, of: str) -> Iterator[float]:
    """The value nearest to `now` at which at most top_k − 1 others are ahead, upwards or downwards. `more`: the same
    run with the value one higher."""
    steep = np.zeros(run.question.view.n)
    for name, share in more.fused.shares.items():
        # What is decided by the order so far is left as it is while another weight moves: a jump in it is no slope.
        if name == of or name not in (Arm.GRAPH.value, _DIVERSITY, "syllables"):
            steep += share.astype(np.float64) - run.fused.shares.get(name, np.zeros_like(share))
    for factor in run.fused.factors.values():
        steep *= factor
    steep = np.where(run.question.mask, steep, 0)
    ahead, pull = run.fused.total - run.fused.total[slot], steep - steep[slot]
    others = np.arange(len(ahead)) != slot
    most = run.question.query.top_k - 1
    found = [
        value
        for side, bound in ((1, MOST_WEIGHT), (-1, 0.0))
        if (value := _nearest_value(ahead[others], side * pull[others], now, side, bound, most=most)) is not None
    ]
    yield from sorted(found, key=lambda value: abs(value - now))[:1]


def _nearest_value(
    ahead: NDArray[np.float64], pull: NDArray[np.float64], now: float, side: int, bound: float, *, most: int
) -> float | None:
    """`ahead`: by how much the others are; `pull`: how much more they are with each step to that side."""
    leave = np.flatnonzero((ahead >= 0) & (pull < 0))
    come = np.flatnonzero((ahead < 0) & (pull > 0))
    events = np.concatenate([leave, come])
    where = -ahead[events] / pull[events]
    change = np.concatenate([np.full(len(leave), -1), np.full(len(come), 1)])
    order = np.argsort(where, kind="stable")
    where, left = where[order], int(np.count_nonzero(ahead >= 0)) + np.cumsum(change[order])
    reach = abs(bound - now)
    for at in np.flatnonzero((left <= most) & (where < reach))[:_TRIED].tolist():
        until = min(float(where[at + 1]) if at + 1 < len(where) else math.inf, reach)
        if (value := _short_number_between(now + side * float(where[at]), now + side * until, side)) is not None:
            return value
    return None


def _short_number_between(start: float, end: float, side: int) -> float | None:
    """The first short number after `start` and before `end`."""
    low, high = min(start, end), max(start, end)
    for decimals in _DECIMALS:
        unit = 10**decimals
        value: float = (math.floor(start * unit) + 1 if side > 0 else math.ceil(start * unit) - 1) / unit
        if low < value < high or (value == end and value in (0.0, MOST_WEIGHT)):
            return value
    return None


def _diversity_lifts(run: Run, plan: Plan, slot: int) -> Iterator[tuple[str, Plan, float, float]]:
    """Without what it loses because something like it stands before it."""
    taken = run.fused.shares.get(_DIVERSITY)
    if taken is not None and taken[slot] < 0:
        now = float(getattr(run.question.tuning, _DIVERSITY))
        yield _DIVERSITY, replace(plan, numbers={**plan.numbers, _DIVERSITY: 0.0}), now, 0.0


def _factors(run: Run, plan: Plan, slot: int) -> Iterator[tuple[str, Plan, float, float]]:
    """Each factor by which it is made less, taken out."""
    factors = run.question.strategy.factors
    for factor in factors:
        value = float(run.fused.factors[factor.value][slot])
        if value < 1:
            left = tuple(one for one in factors if one != factor)
            yield "factor", replace(plan, factors=left), value, 1.0


def _dropped_factors(run: Run, changed: Plan) -> str:
    kept: tuple[Factor, ...] = changed.factors or ()
    return join_words(one for one in run.question.strategy.factors if one not in kept)
