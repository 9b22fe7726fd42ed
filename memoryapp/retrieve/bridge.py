"""Ranking by graph mass alone: for a question that no memory answers, but two that share a name do."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.strategies import Arm
from memoryapp.retrieve.found import Arms, Found, Question, Scores
from memoryapp.retrieve.ppr import FEW, Mass, walk
from memoryapp.retrieve.rank import best_slots
from memoryapp.retrieve.scores import GRAPH_K, Joined, relevance

NO_WALK = "No name or rare word of the query leads from one memory to another; ranked by words and meaning."
BELOW = 1e-3  # of relevance, so that what the walk does not reach stands below all that it reaches
FIRST = 2  # memories of the first walk that are read as the first half of the answer
FARTHEST = 0.22  # the least cosine a memory counts with: what a rare name leads to may be far from the question
RARITY = 1.4  # power of df: what leads on is the name in two or three memories


def bridged(question: Question, arms: Arms, *, encoder: str) -> Joined:
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
    candidates, mass = _walked(question, arms, so_far)
    scores, base = np.zeros(view.n), np.zeros(view.n)
    if mass is None:
        note = "" if question.vector is None else NO_WALK
        arms.found[Arm.GRAPH] = Found(scores, base, (time.perf_counter() - began) * 1000, note=note)
        return shares | extra, raw, {}
    scores[candidates] = mass.mass
    ranked = best_slots(scores, len(candidates), order=view.roster.order)
    base[ranked] = (GRAPH_K + 1) / (GRAPH_K + np.arange(1, len(ranked) + 1))
    arms.found[Arm.GRAPH] = Found(scores, base, (time.perf_counter() - began) * 1000, detail=(candidates, mass))
    graph = {"graph": question.strategy.weight(Arm.GRAPH) * base}
    below = {name: share if name == "quoted" else BELOW * share for name, share in (shares | extra).items()}
    return graph | below, raw | {"graph": scores}, {}


def _walked(question: Question, arms: Arms, so_far: Scores) -> tuple[NDArray[np.intp], Mass | None]:
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
    sharing = _sharing(question, first)
    if np.isin(sharing, candidates).all():
        return candidates, mass
    candidates = np.union1d(candidates, sharing)
    return candidates, over(candidates)


def _sharing(question: Question, slots: NDArray[np.intp]) -> NDArray[np.intp]:
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
