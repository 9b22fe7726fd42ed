"""One result's score taken apart to its last digit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memoryapp.domain.errors import NotFound
from memoryapp.domain.results import Hit
from memoryapp.retrieve import explain, search
from memoryapp.spaces import Space
from memoryapp.web.lab_asked import Asked
from memoryapp.web.lab_columns import Lane


@dataclass(frozen=True, slots=True)
class Exact:
    """`parts`: (name, rank in its arm, raw score, share). The shares in their order add up to `total`; `product` is
    that of the factors; total × product is the score. All as the program has them, written out in full."""

    parts: list[tuple[str, int | None, str, str]]
    total: str
    factors: list[tuple[str, str]]
    product: str
    score: str


def exact_of(hit: Hit) -> Exact:
    parts = [(name, arm.rank, repr(arm.score), repr(arm.share)) for name, arm in hit.arms.items() if arm.share]
    factors = [(name, repr(value)) for name, value in hit.factors.items()]
    total = sum(arm.share for arm in hit.arms.values())
    return Exact(parts, repr(total), factors, repr(math.prod(hit.factors.values())), repr(hit.score))


def exact_in(space: Space, asked: Asked, lanes: Sequence[Lane], column: str, memory: str) -> Exact:
    """Of a memory in the column of this number. Raises NotFound where there is no such column, or no score in it."""
    lane = next((one for one in lanes if str(one.n) == column and not one.wrong), None)
    if lane is None or not asked.text:
        raise NotFound("There is no such column, or no question was asked.")
    query = replace(asked.query, strategy=lane.plan)
    hit = next((one for one in search(space, query).hits if one.memory.id == memory), None)
    hit = hit or explain(space, query, memory).hit
    if hit is None:
        raise NotFound("This memory has no score in that column.")
    return exact_of(hit)
