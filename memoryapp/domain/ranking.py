"""Rankings: how good one is against what was meant to be found, how far two agree, and how ranked lists are joined.

Every ranking is a sequence of ids, the best first, without repeats; `relevant` holds the ids that were meant.
Manning, Raghavan, Schütze, Introduction to Information Retrieval, chapter 8, unless said otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

PERSISTENCE = 0.9  # of the reader in `rbo`: the first ten ranks carry 86 % of it
K = 60


# ── measures


def precision_at(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Of the first `k` places, the share that holds a relevant one. A shorter ranking has empty places."""
    return sum(key in relevant for key in ranked[:k]) / k if k else 0.0


def recall_at(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Of the relevant, the share within the first `k`. 0 where nothing is relevant."""
    return sum(key in relevant for key in ranked[:k]) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """1 / the rank of the first relevant one, 0 where there is none. Its mean over queries is the MRR."""
    return next((1 / rank for rank, key in enumerate(ranked, start=1) if key in relevant), 0.0)


def ndcg_at(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Σ 1/log2(rank + 1) over relevant ones within the first `k`, by its best value. Järvelin, Kekäläinen, TOIS 2002;
    every relevant one gains 1."""
    best = sum(_discount(rank) for rank in range(1, min(k, len(relevant)) + 1))
    gained = sum(_discount(rank) for rank, key in enumerate(ranked[:k], start=1) if key in relevant)
    return gained / best if best else 0.0


def jaccard(left: Collection[str], right: Collection[str]) -> float:
    """|A ∩ B| / |A ∪ B|; 1 where both are empty."""
    one, other = set(left), set(right)
    return len(one & other) / len(one | other) if one or other else 1.0


def rbo(left: Sequence[str], right: Sequence[str], *, p: float = PERSISTENCE) -> float:
    """Rank-biased overlap, extrapolated: agreement that weighs the first ranks most, 0–1; 1 where both are empty.

    Webber, Moffat, Zobel, “A similarity measure for indefinite rankings”, TOIS 2010, equation 32: what was seen of two
    rankings of unequal length, with the agreement at the end taken to go on.
    """
    short, long = sorted((left, right), key=len)
    if not long:
        return 1.0
    if not short:
        return 0.0
    few, many = len(short), len(long)
    seen_short, seen_long = set[str](), set[str]()
    overlap: list[int] = [0]  # by depth
    for depth in range(many):
        seen_long.add(long[depth])
        if depth < few:
            seen_short.add(short[depth])
        overlap.append(len(seen_short & seen_long))
    agreed = sum(overlap[d] / d * p**d for d in range(1, many + 1))
    carried = sum(overlap[few] * (d - few) / (few * d) * p**d for d in range(few + 1, many + 1))
    rest = ((overlap[many] - overlap[few]) / many + overlap[few] / few) * p**many
    return min((1 - p) / p * (agreed + carried) + rest, 1.0)


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)


# ── fusion


def rrf_share(rank: int, *, weight: float = 1.0, k: int = K) -> float:
    """One arm's share: weight / (k + rank), rank from 1. Cormack, Clarke, Büttcher, SIGIR 2009."""
    return weight / (k + rank)


def rrf(
    rankings: Mapping[str, Sequence[str]], *, weights: Mapping[str, float], k: int = K
) -> dict[str, dict[str, float]]:
    """Shares by id and arm: {id: {arm: share}}. An id's score is the sum of its shares."""
    shares: dict[str, dict[str, float]] = {}
    for arm, ranked in rankings.items():
        for rank, item in enumerate(ranked, start=1):
            shares.setdefault(item, {})[arm] = rrf_share(rank, weight=weights.get(arm, 1.0), k=k)
    return shares
