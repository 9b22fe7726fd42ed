"""Statements and verdicts as the tests of this room say them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memoryapp.contradictions import judge
from memoryapp.domain.statement import Statement, Verdict
from memoryapp.inference.embedding.zones import DEFAULT

FIRST = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


def said(text: str, *, days: float = 0, speaker: str | None = None) -> Statement:
    return Statement(text, at=FIRST + timedelta(days=days), speaker=speaker)


def verdict(existing: str, incoming: str, *, cosine: float | None = 0.6, later: float = 21) -> Verdict:
    """The rules' verdict on what was said `later` days after."""
    return judge(said(existing), said(incoming, days=later), cosine=cosine, zones=DEFAULT)
