"""Episodes for a message: by similarity and recency."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.results import Hit, Query
from memoryapp.retrieve import search
from memoryapp.spaces import Space

HALF_LIFE_DAYS = 30.0
RECENT = 0.3  # share of recency; likeness decides, and of like ones the later
_COMPARED = 30
_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Near:
    """`score` = similarity · (0.7 + 0.3 · 0.5^(days / 30)); `similarity` is the share of the best match, 0–1."""

    memory: Memory
    score: float
    similarity: float
    days: float
    inherited_from: str | None = None


def episodes_near(space: Space, message: str, *, limit: int = 20, as_of: datetime | None = None) -> tuple[Near, ...]:
    """The best first. Raises what `search` raises for a bad query."""
    filters = Filters(kinds=(Kind.EPISODE,), as_of=as_of)
    hits = list(search(space, Query(message, top_k=max(_COMPARED, limit), filters=filters)).hits)
    best = max((hit.score for hit in hits), default=0.0)
    now = as_of or space.clock()
    near = [_near(hit, best=best, now=now) for hit in hits]
    return tuple(sorted(near, key=lambda one: (-round(one.score, 9), one.memory.id))[:limit])


def _near(hit: Hit, *, best: float, now: datetime) -> Near:
    at = hit.memory.occurred_at or hit.memory.created_at
    days = max((now - at).total_seconds() / _DAY, 0.0)
    similarity = hit.score / best if best else 0.0
    score = similarity * (1 - RECENT + RECENT * 0.5 ** (days / HALF_LIFE_DAYS))
    return Near(hit.memory, score, similarity, days, hit.inherited_from)
