"""Contextual score fusion: the default formula, and the mass of the graph where no one place answers the question."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from memoryapp.domain.strategies import Arm
from memoryapp.retrieve.found import Arms, Found, Question, Scores
from memoryapp.retrieve.ppr import walk
from memoryapp.retrieve.rank import best_slots
from memoryapp.retrieve.syllables import syllables, weight_of

GRAPH_K = 3  # of the graph's part by rank: the walk's mass falls off by powers of ten, so its ranks say more
# What an encoder's cosines are worth beside the words, against the default encoder: (any query, a Hangul query).
WORTH = {"universal-sentence-encoder-multilingual": (0.45, 0.25)}
Joined = tuple[dict[str, Scores], dict[str, Scores], dict[str, Any]]


def scored(question: Question, arms: Arms, *, encoder: str) -> Joined:
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


def _graph(question: Question, arms: Arms, vectors: Found, relevance: Scores) -> tuple[Found, float]:
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
            return Found(scores, base, (time.perf_counter() - began) * 1000, detail=(candidates, mass)), covered
    return Found(scores, base, (time.perf_counter() - began) * 1000), covered


def coverage(question: Question, arms: Arms) -> float:
    """The largest share of the query's idf mass that one window holds, 0–1."""
    mass = sum(arms.words.idf.values())
    covered = np.where(question.mask, arms.words.cover, 0).max(initial=0)
    return min(float(covered) / mass, 1.0) if mass > 0 else 0.0
