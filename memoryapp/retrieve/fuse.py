"""Fourth step: what the arms found is joined into shares of one sum, by the strategy's fusion."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from memoryapp.domain.ranking import rrf_share
from memoryapp.domain.strategies import Factor, Fusion
from memoryapp.retrieve.bridge import bridged
from memoryapp.retrieve.corroboration import corroborated
from memoryapp.retrieve.diverse import diversified
from memoryapp.retrieve.found import Arms, Fused, Question, Scores
from memoryapp.retrieve.rank import best_slots
from memoryapp.retrieve.recency import recency
from memoryapp.retrieve.scores import Joined, scored


def fuse(question: Question, arms: Arms, *, encoder: str) -> Fused:
    """Shares by slot and the total with the strategy's factors. Raises nothing; no arm, no shares."""
    if question.strategy.fusion == Fusion.SCORES:
        shares, raw, trace = scored(question, arms, encoder=encoder)
        for name, share in corroborated(question, _summed(shares, question.view.n)).items():
            shares[name], raw[name] = share, np.sign(share)
    elif question.strategy.fusion == Fusion.MASS:
        shares, raw, trace = bridged(question, arms, encoder=encoder)
    elif question.strategy.fusion == Fusion.RRF:
        shares, raw, trace = _by_rank(question, arms)
    elif question.strategy.fusion == Fusion.TREE:
        shares, raw, trace = _by_best(question, arms)
    else:
        found = {arm.value: one.scores for arm, one in arms.found.items()}
        shares, raw, trace = found, found, {}
    factors = _factors(question)
    times = np.ones(question.view.n)
    for factor in factors.values():
        times *= factor
    total = np.where(question.mask, _summed(shares, question.view.n) * times, 0)
    if question.tuning.diversity > 0:
        shares["diversity"], raw["diversity"] = diversified(question, total, times)
        total = np.where(question.mask, _summed(shares, question.view.n) * times, 0)
    return Fused(shares, raw, factors, total, trace)


def _summed(shares: dict[str, Scores], n: int) -> Scores:
    """One after the other: an array of them all would only be made to be read once."""
    total = np.zeros(n)
    for share in shares.values():
        total += share
    return total


def _by_rank(question: Question, arms: Arms) -> Joined:
    """Reciprocal rank fusion over the first `depth` of each arm: Σ weight / (k + rank)."""
    plan, order = question.strategy, question.view.roster.order
    shares: dict[str, Scores] = {}
    raw: dict[str, Scores] = {}
    for arm, found in arms.found.items():
        ranked = best_slots(found.scores, plan.depth.get(arm) or len(found.scores), order=order)
        share = np.zeros(question.view.n, dtype=np.float64)
        share[ranked] = [rrf_share(rank, weight=plan.weight(arm), k=plan.k) for rank in range(1, len(ranked) + 1)]
        given = np.zeros_like(found.scores)
        given[ranked] = found.scores[ranked]
        shares[arm.value], raw[arm.value] = share, given
    return shares, raw, {}


def _by_best(question: Question, arms: Arms) -> Joined:
    """Σ weight · score / best score of the arm, the best taken over what the filters let through (Context Tree)."""
    shares: dict[str, Scores] = {}
    for arm, found in arms.found.items():
        best = float(found.scores.max(initial=0)) or 1.0
        shares[arm.value] = question.strategy.weight(arm) * found.scores.astype(np.float64) / best
    return shares, {arm.value: found.scores for arm, found in arms.found.items()}, {}


def _factors(question: Question) -> dict[str, Scores]:
    roster, tuning, now = question.view.roster, question.tuning, question.now
    made: dict[Factor, Callable[[], Scores]] = {
        Factor.TRUST: lambda: roster.trust(now, half_life=tuning.trust_half_life_days),
        Factor.STRENGTH: lambda: roster.strength_factor(now),
        Factor.FEEDBACK: lambda: roster.feedback(reach=tuning.feedback_reach),
    }
    factors = {factor.value: made[factor]() for factor in question.strategy.factors}
    if tuning.recency > 0:
        factors["recency"] = recency(roster, now, most=tuning.recency, half_life=tuning.recency_days)
    return factors
