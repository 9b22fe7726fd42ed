"""A result in a column of the lab: its words, its share of the sum, what it is made of, and where else it stands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString

from memoryapp.domain.memory import Kind
from memoryapp.domain.node import Node
from memoryapp.domain.results import Hit
from memoryapp.domain.strategies import Strategy
from memoryapp.spaces import Space
from memoryapp.web.hits import Segment, bars, evidence, formula
from memoryapp.web.lab_agreement import Moved, Standing
from memoryapp.web.rows import Tag, row_of

_LINES = {1: 240, 2: 160, 3: 120}  # characters that fill two lines, by the number of columns; 100 of more


@dataclass(frozen=True, slots=True)
class LabHit:
    id: str
    href: str
    rank: int
    title: str
    line: str | SafeString
    lang: str
    tags: list[Tag]
    bars: list[Segment]
    formula: str
    score: float
    evidence: list[SafeString]
    moved: Moved
    relevant: bool


def lab_hits(
    space: Space, hits: Sequence[Hit], strategy: Strategy, standing: Standing, column: int, relevant: Collection[str]
) -> list[LabHit]:
    """The shown results of one column, their share bars on one scale."""
    most, limit = most_of(hits), _LINES.get(len(standing.names), 100)
    return [
        _shown(
            space,
            hit,
            rank,
            strategy,
            most,
            standing.moved(column, hit.memory.id),
            relevant=hit.memory.id in relevant,
            limit=limit,
        )
        for rank, hit in enumerate(hits, start=1)
    ]


def most_of(hits: Sequence[Hit]) -> float:
    """The greatest sum of shares, which the longest bar stands for."""
    return max((sum(max(arm.share, 0.0) for arm in hit.arms.values()) for hit in hits), default=0.0) or 1.0


def _shown(
    space: Space, hit: Hit, rank: int, strategy: Strategy, most: float, moved: Moved, *, relevant: bool, limit: int
) -> LabHit:
    row = row_of(
        space,
        hit.memory,
        trust=hit.trust,
        conflict=next(iter(hit.conflicts), ""),
        inherited=hit.inherited_from,
        terms=[str(word) for word in hit.evidence.get("matched", ())],
        limit=limit,
    )
    node = Node(hit.memory) if hit.memory.kind is Kind.NODE else None
    page = reverse("tree-node", args=[node.path]) if node and node.path else reverse("memory", args=[row.id])
    return LabHit(
        id=row.id,
        href=page + (f"?space={hit.inherited_from}" if hit.inherited_from else ""),
        rank=rank,
        title=node.path if node else row.title,
        line=row.line,
        lang=row.lang,
        tags=row.tags,
        bars=bars(hit, most),
        formula=formula(hit, strategy),
        score=hit.score,
        evidence=evidence(hit),
        moved=moved,
        relevant=relevant,
    )
