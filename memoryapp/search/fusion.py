"""Fusion: what the arms found becomes shares of one sum, as the strategy says.

The default formula is contextual score fusion, with the mass of the graph where no one place answers the question.
Ranking by graph mass alone is for a question that no memory answers, but two that share a name do.

Evidence adds up: a turn and the best fact that was learned from it are one piece of evidence, and stand where both
together reach; what else retells turns that can be found themselves counts half, so that it does not crowd them out.

    piece                          own sum of the turn + FACTS · own sum of its best fact
    other fact of a turn, episode  own sum · (1 − REPEATED)

The fact leads the piece, with its turn beneath, unless it matches much worse: then it is about something else that was
said in the same breath. Shares like all others: they are seen, and the score is their sum.

Diversity: of memories that say the same, the best stays where it is and the others lose a share of their score.

Maximal marginal relevance (Carbonell & Goldstein, SIGIR 1998) with the loss as a share that is seen: minus `diversity`
times the greatest likeness to a memory that stands before it, times its own sum.

The factor recency, off unless a plan or a space asks for it: what happened of late before what happened long ago.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.memory import Kind
from memoryapp.domain.ranking import rrf_share
from memoryapp.domain.strategies import Arm, Factor, Fusion
from memoryapp.index.roster import KINDS, Roster
from memoryapp.search.ppr import FEW, Mass, walk
from memoryapp.search.rank import best_slots
from memoryapp.search.state import ArmResult, Arms, FusionResult, Question, Scores
from memoryapp.search.syllables import syllables, weight_of

GRAPH_K = 3  # of the graph's part by rank: the walk's mass falls off by powers of ten, so its ranks say more
# What an encoder's cosines are worth beside the words, against the default encoder: (any query, a Hangul query).
WORTH = {"universal-sentence-encoder-multilingual": (0.45, 0.25)}
Joined = tuple[dict[str, Scores], dict[str, Scores], dict[str, Any]]


def fuse_by_score(question: Question, arms: Arms, *, encoder: str) -> Joined:
    """Contextual score fusion:

    A = (w_k·K + w_v·V)·(1 + b·[by the named speaker]) + w_d·date + w_q·quoted + w_s·syllables
    S = A + w_g·(1 − c)·4 / (3 + rank by mass)

    K, V: the arms' scores in their context, each part by its best. c: the largest share of the query's idf that one
    window covers; where one place answers all of the question, no bridge is needed. The speaker's increment is a
    share of its own, so that the shares add up. quoted: how much of what stands in quotation marks a memory holds.
    syllables: of a Korean question alone, see retrieve/syllables.py.
    """
    plan = question.strategy
    shares, extra, raw = relevance(question, arms, encoder=encoder)
    trace: dict[str, Any] = {}
    vectors = arms.found.get(Arm.VECTOR)
    if Arm.GRAPH in plan.arms and vectors is not None and not question.hangul:
        so_far = np.asarray(np.sum([*shares.values(), *extra.values()], axis=0, dtype=np.float32))
        walked, trace["covered"] = _graph(question, arms, vectors, so_far)
        arms.found[Arm.GRAPH] = walked
        shares["graph"], raw["graph"] = np.float32(plan.weight(Arm.GRAPH)) * walked.base, walked.scores
    return shares | extra, raw, trace


def relevance(
    question: Question, arms: Arms, *, encoder: str
) -> tuple[dict[str, Scores], dict[str, Scores], dict[str, Scores]]:
    """A without the graph, by name: (the arms' shares, those of speaker, date, exact words and syllables where the
    query has them, all raw scores)."""
    plan, tuning, mask = question.strategy, question.tuning, question.mask
    shares: dict[str, Scores] = {}
    raw: dict[str, Scores] = {}
    said: Scores = np.zeros(question.view.n, dtype=np.float32)
    for arm, worth in ((Arm.VECTOR, WORTH.get(encoder, (1.0, 1.0))[question.hangul]), (Arm.KEYWORD, 1.0)):
        if (found := arms.found.get(arm)) is not None:
            shares[arm.value], raw[arm.value] = np.float32(plan.weight(arm) * worth) * found.base, found.scores
            said = said + shares[arm.value]
    extra: dict[str, Scores] = {}
    if question.spoken is not None:
        extra["speaker"] = np.float32(tuning.speaker_boost) * question.spoken * said
        raw["speaker"] = np.where(mask, question.spoken, 0)
    if question.dated is not None:
        raw["date"] = np.where(mask, question.dated, 0)
        extra["date"] = np.float32(tuning.date_weight) * raw["date"]
    if question.quoted is not None and question.quoted.held:
        raw["quoted"] = question.quoted.scores
        extra["quoted"] = np.float32(tuning.quoted_weight) * raw["quoted"]
    if question.hangul:
        so_far = np.asarray(np.sum([*shares.values(), *extra.values()], axis=0, dtype=np.float32))
        if (held := syllables(question, so_far)) is not None:
            raw["syllables"] = held
            extra["syllables"] = np.float32(weight_of(question)) * held
    return shares, extra, raw


def _graph(question: Question, arms: Arms, vectors: ArmResult, relevance: Scores) -> tuple[ArmResult, float]:
    """The walk over the best candidates so far; its base is gated by what one window covers of the query."""
    began = time.perf_counter()
    view = question.view
    scores, base = np.zeros(view.n, dtype=np.float32), np.zeros(view.n, dtype=np.float32)
    covered = coverage(question, arms)
    seeds = view.phrases.named_in(question.query.text, question.terms)
    if covered < 1 and seeds.size:
        candidates = best_slots(relevance, question.tuning.graph_candidates, order=view.roster.order)
        living = int(np.count_nonzero(view.roster.held))
        mass = walk(view.phrases, seeds=seeds, candidates=candidates, cosines=vectors.scores[candidates], total=living)
        if mass is not None:
            scores[candidates] = mass.mass
            ranked = best_slots(scores, len(candidates), order=view.roster.order)
            base[ranked] = (1 - covered) * (GRAPH_K + 1) / (GRAPH_K + np.arange(1, len(ranked) + 1))
            return ArmResult(scores, base, (time.perf_counter() - began) * 1000, detail=(candidates, mass)), covered
    return ArmResult(scores, base, (time.perf_counter() - began) * 1000), covered


def coverage(question: Question, arms: Arms) -> float:
    """The largest share of the query's idf mass that one window holds, 0–1."""
    mass = sum(arms.words.idf.values())
    covered = np.where(question.mask, arms.words.cover, 0).max(initial=0)
    return min(float(covered) / mass, 1.0) if mass > 0 else 0.0


NO_WALK = "No name or rare word of the query leads from one memory to another; ranked by words and meaning."
BELOW = 1e-3  # of relevance, so that what the walk does not reach stands below all that it reaches
FIRST = 2  # memories of the first walk that are read as the first half of the answer
FARTHEST = 0.22  # the least cosine a memory counts with: what a rare name leads to may be far from the question
RARITY = 1.4  # power of df: what leads on is the name in two or three memories


def fuse_by_bridge(question: Question, arms: Arms, *, encoder: str) -> Joined:
    """share = 4 / (3 + rank by mass), and a thousandth of relevance as in the fusion of scores; but for exact words,
    which count in full.

    Two walks (ppr.walk): the first over the candidates of words and meaning; the second also over all memories that
    share a rare entity with the best two of the first, however little they are like the question. Where no walk begins,
    relevance ranks.
    """
    began = time.perf_counter()
    view = question.view
    shares, extra, raw = relevance(question, arms, encoder=encoder)
    so_far = np.asarray(np.sum([*shares.values(), *extra.values()], axis=0, dtype=np.float32))
    candidates, mass = _second_walk(question, arms, so_far)
    scores, base = np.zeros(view.n), np.zeros(view.n)
    if mass is None:
        note = "" if question.vector is None else NO_WALK
        arms.found[Arm.GRAPH] = ArmResult(scores, base, (time.perf_counter() - began) * 1000, note=note)
        return shares | extra, raw, {}
    scores[candidates] = mass.mass
    ranked = best_slots(scores, len(candidates), order=view.roster.order)
    base[ranked] = (GRAPH_K + 1) / (GRAPH_K + np.arange(1, len(ranked) + 1))
    arms.found[Arm.GRAPH] = ArmResult(scores, base, (time.perf_counter() - began) * 1000, detail=(candidates, mass))
    graph = {"graph": question.strategy.weight(Arm.GRAPH) * base}
    below = {name: share if name == "quoted" else BELOW * share for name, share in (shares | extra).items()}
    return graph | below, raw | {"graph": scores}, {}


def _second_walk(question: Question, arms: Arms, so_far: Scores) -> tuple[NDArray[np.intp], Mass | None]:
    """(candidates, their mass after the second walk); no mass where there is no seed or no way."""
    view = question.view
    order = view.roster.order
    candidates = best_slots(so_far, question.tuning.graph_candidates, order=order)
    seeds = view.phrases.named_in(question.query.text, question.terms)
    living = int(np.count_nonzero(view.roster.held))

    def over(candidates: NDArray[np.intp]) -> Mass | None:
        return walk(
            view.phrases,
            seeds=seeds,
            candidates=candidates,
            cosines=arms.cosines[candidates],
            total=living,
            lone=True,
            least=FARTHEST,
            rarity=RARITY,
        )

    if not candidates.size or (mass := over(candidates)) is None:
        return candidates, None
    first = candidates[np.lexsort((order[candidates], -mass.mass))][:FIRST]
    sharing = _slots_sharing_entities(question, first)
    if np.isin(sharing, candidates).all():
        return candidates, mass
    candidates = np.union1d(candidates, sharing)
    return candidates, over(candidates)


def _slots_sharing_entities(question: Question, slots: NDArray[np.intp]) -> NDArray[np.intp]:
    """Memories that may be returned and refer to an entity of these, one that few refer to."""
    incidence = question.view.incidence
    codes = np.unique(incidence.matrix[slots].indices)
    by_entity = incidence.by_entity
    rare = codes[(incidence.degree[codes] >= 2) & (incidence.degree[codes] <= FEW)]
    found = [by_entity.indices[by_entity.indptr[code] : by_entity.indptr[code + 1]] for code in rare.tolist()]
    if not found:
        return np.zeros(0, dtype=np.intp)
    sharing = np.unique(np.concatenate(found)).astype(np.intp)
    return sharing[question.mask[sharing]]


FACTS = 0.4
REPEATED = 0.5
LEADS = 0.5  # of its turn's sum that a fact reaches to stand on top
_TURN, _EPISODE = KINDS.index(Kind.TURN), KINDS.index(Kind.EPISODE)


def corroboration_shares(question: Question, sums: Scores) -> dict[str, Scores]:
    """Two shares by slot, (n,): `corroboration`, what its other half adds to the one of each pair that leads;
    `repetition`, what is taken from each that retells. `sums`: of the shares so far."""
    roster, mask = question.view.roster, question.mask
    added, taken = np.zeros(len(sums)), np.zeros(len(sums))
    if not (mask & (roster.kind == _TURN)).any():
        return {"corroboration": added, "repetition": taken}
    facts = np.flatnonzero(mask & (roster.turn >= 0) & (sums > 0))
    turns = roster.turn_slots[roster.turn[facts]]
    searched = (turns >= 0) & mask[turns]
    facts, turns = facts[searched], turns[searched]
    taken[facts] = -REPEATED * sums[facts]
    rising = np.argsort(sums[facts], kind="stable")
    best = np.full(len(sums), -1, dtype=np.intp)
    best[turns[rising]] = facts[rising]  # the last one written is the best
    turns = np.flatnonzero(best >= 0)
    facts = best[turns]
    leads = sums[facts] >= LEADS * sums[turns]
    taken[facts[leads]] = 0
    added[facts[leads]] = sums[turns[leads]] + (FACTS - 1) * sums[facts[leads]]
    added[turns[~leads]] = FACTS * sums[facts[~leads]]
    episodes = mask & (roster.kind == _EPISODE)
    taken[episodes] = -REPEATED * sums[episodes]
    return {"corroboration": added, "repetition": taken}


SPARE = 10  # memories chosen beyond those that were asked for: some may be gone from the store


def diversity_losses(question: Question, total: Scores, times: Scores) -> tuple[Scores, Scores]:
    """(the share that each memory loses, at most 0; minus its greatest likeness to one before it, −1 to 0), by slot.

    Memories are chosen one by one. The loss of one only grows while others are chosen, so what stands below them all
    need not be compared with all: it is below whatever it might yet lose. `total`: the sum of the shares `times` the
    factors.
    """
    n, weight = len(total), question.tuning.diversity
    likeness = np.zeros(n)
    seen: dict[int, int] = {}  # slot → with how many of the chosen it was compared
    chosen: list[int] = []
    vectors: list[NDArray[np.float32]] = []
    order, has = question.view.roster.order, question.view.roster.has
    slots = np.flatnonzero(total > 0)
    waiting = [(-float(total[slot]), int(order[slot]), slot) for slot in slots.tolist()]
    heapq.heapify(waiting)
    wanted = question.query.top_k + SPARE
    while waiting and len(chosen) < wanted:
        negative, key, slot = heapq.heappop(waiting)
        if has[slot] and seen.get(slot, 0) < len(vectors):
            mine = question.view.vectors_of(np.array([slot]))[0]
            before = np.stack(vectors[seen.get(slot, 0) :])
            likeness[slot] = max(likeness[slot], min(float(np.max(before @ mine)), 1.0))
            seen[slot] = len(vectors)
            now = -float(total[slot]) * (1 - weight * likeness[slot])
            if now > negative:
                heapq.heappush(waiting, (now, key, slot))
                continue
        chosen.append(slot)
        if has[slot]:
            vectors.append(question.view.vectors_of(np.array([slot]))[0])
    summed = np.divide(total, times, out=np.zeros(n), where=times > 0)
    return -weight * likeness * summed, -likeness


_DAY = 86_400.0


def recency(roster: Roster, now: datetime, *, most: float, half_life: float) -> NDArray[np.float64]:
    """1 − most·(1 − 2^(−days / half life)), (n,): 1 for the present, never less than 1 − most, so that the answer of
    last year still stands before small talk of yesterday. Days since it happened, or without a date since it was
    learned."""
    happened = np.where(np.isnan(roster.occurred), roster.created, roster.occurred)
    days = np.maximum(now.timestamp() - np.nan_to_num(happened, nan=-np.inf), 0.0) / _DAY
    factor: NDArray[np.float64] = 1 - most * (1 - np.exp2(-days / half_life))
    return factor


def fuse(question: Question, arms: Arms, *, encoder: str) -> FusionResult:
    """Shares by slot and the total with the strategy's factors. Raises nothing; no arm, no shares."""
    if question.strategy.fusion == Fusion.SCORES:
        shares, raw, trace = fuse_by_score(question, arms, encoder=encoder)
        for name, share in corroboration_shares(question, _sum_shares(shares, question.view.n)).items():
            shares[name], raw[name] = share, np.sign(share)
    elif question.strategy.fusion == Fusion.MASS:
        shares, raw, trace = fuse_by_bridge(question, arms, encoder=encoder)
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
    total = np.where(question.mask, _sum_shares(shares, question.view.n) * times, 0)
    if question.tuning.diversity > 0:
        shares["diversity"], raw["diversity"] = diversity_losses(question, total, times)
        total = np.where(question.mask, _sum_shares(shares, question.view.n) * times, 0)
    return FusionResult(shares, raw, factors, total, trace)


def _sum_shares(shares: dict[str, Scores], n: int) -> Scores:
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
