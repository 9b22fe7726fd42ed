"""First step: a query that can be searched for, or a plain refusal that points at the field at fault."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import datetime

from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.filters import Filters
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import HYBRID, Strategy

# A summary says again what its facts say, and would stand before them for any question about its category. Who wants
# one asks for that kind.
SEARCHED = tuple(kind for kind in Kind if kind is not Kind.SUMMARY)


def check(query: Query, *, strategy: Strategy = HYBRID) -> Query:
    """The query with control characters dropped and its times in UTC; without kinds, of those that its strategy looks
    for, else of all but summaries.

    Raises TooLarge over LIMITS.query_chars, BadInput for an empty query, a `top_k` outside 1–LIMITS.top_k, or a
    time range that ends before it begins.
    """
    if len(query.text) > LIMITS.query_chars:
        raise TooLarge(
            f"The query has {len(query.text):,} characters; a search takes {LIMITS.query_chars:,}.", field="/query"
        )
    text = " ".join(_printable(query.text).split())
    if not text:
        raise BadInput("The query is empty: say what to look for.", field="/query")
    if isinstance(query.top_k, bool) or not 1 <= query.top_k <= LIMITS.top_k:
        raise BadInput(f"top_k lies between 1 and {LIMITS.top_k}, not at {query.top_k}.", field="/top_k")
    return replace(query, text=text, filters=_filters(query.filters, strategy))


def _printable(text: str) -> str:
    """Control characters and lone surrogates become spaces, so that they part words instead of joining them."""
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in text)


def _filters(filters: Filters, plan: Strategy) -> Filters:
    checked = replace(
        filters,
        kinds=filters.kinds or plan.kinds or SEARCHED,
        since=_utc(filters.since),
        until=_utc(filters.until),
        as_of=_utc(filters.as_of),
    )
    if checked.since and checked.until and checked.until <= checked.since:
        raise BadInput("“until” must lie after “since”.", field="/filters/until")
    return checked


def _utc(moment: datetime | None) -> datetime | None:
    return None if moment is None else as_utc(moment)
