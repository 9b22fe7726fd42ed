"""How good each column is against the marks: precision, recall, MRR and nDCG, as domain/ranking.py has them.

static/js/lab-measures.js holds the same formulas, so that the figures move with the marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoryapp.domain.ranking import ndcg_at, precision_at, recall_at, reciprocal_rank


@dataclass(frozen=True, slots=True)
class Measured:
    """Of one column. `reciprocal`: 1 / the rank of the first right answer among all results that were asked for."""

    lane: int
    precision: float
    recall: float
    reciprocal: float
    ndcg: float


def measured(lane: int, ranked: Sequence[str], relevant: Sequence[str], *, top: int) -> Measured:
    """`ranked`: ids of all results, best first; `top`: the k of the other three measures."""
    return Measured(
        lane,
        precision_at(ranked, relevant, top),
        recall_at(ranked, relevant, top),
        reciprocal_rank(ranked, relevant),
        ndcg_at(ranked, relevant, top),
    )
