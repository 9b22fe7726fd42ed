"""Asking: searches, why a memory was found or not, and what belongs into a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypedDict

from palimpsest_client.call import Call, given
from palimpsest_client.shapes import Comparison, Context, Explanations, Found


class Filters(TypedDict, total=False):
    """What a search is narrowed to. `states` is ["held"] where it is not said."""

    kinds: Sequence[str]
    states: Sequence[str]
    tags: Sequence[str]
    categories: Sequence[str]
    memory_types: Sequence[str]
    moods: Sequence[str]
    sources: Sequence[str]
    speakers: Sequence[str]
    entities: Sequence[str]
    min_trust: float
    min_strength: float
    since: datetime
    until: datetime
    review_before: datetime


def search(
    query: str,
    *,
    strategy: str | None = None,
    top_k: int | None = None,
    filters: Filters | None = None,
    as_of: datetime | None = None,
    as_of_by: str | None = None,
    floor: float | None = None,
    read: bool | None = None,
    trace: bool | None = None,
) -> Call[Found]:
    """The memories that answer a question, the best first, each with its reasons; none where the best has less
    relevance than `floor`. `as_of_by`: "recorded" for what was believed at `as_of`, "valid" for what was true then, as
    it is known today. `read`: whether in the first the sentence that answers is marked (`answer`)."""
    body = _query_body(query, top_k=top_k, filters=filters, as_of=as_of)
    body |= given(as_of_by=as_of_by, strategy=strategy, floor=floor, read=read, trace=trace)
    return Call(method="POST", path="/search", gives=Found, json=body)


def compare(
    query: str,
    *,
    strategies: Sequence[str],
    top_k: int | None = None,
    filters: Filters | None = None,
    as_of: datetime | None = None,
) -> Call[Comparison]:
    """One question answered by several strategies side by side. A strategy may be a profile, and changes may follow its
    name: "hybrid;vector=1.4"."""
    body = _query_body(query, top_k=top_k, filters=filters, as_of=as_of) | given(strategies=strategies)
    return Call(method="POST", path="/search/compare", gives=Comparison, json=body)


def explain(
    query: str,
    *,
    id: str | None = None,
    ref: str | None = None,
    strategies: Sequence[str] | None = None,
    top_k: int | None = None,
    filters: Filters | None = None,
    as_of: datetime | None = None,
) -> Call[Explanations]:
    """Where one memory, named by `id` or `ref`, stands in each strategy; where it is missing, at which stage it fell
    out and how far below the cut."""
    body = _query_body(query, top_k=top_k, filters=filters, as_of=as_of) | given(id=id, ref=ref, strategies=strategies)
    return Call(method="POST", path="/search/explain", gives=Explanations, json=body)


def context(
    message: str,
    *,
    budget: int | None = None,
    layers: Sequence[str] | None = None,
    facts: int | None = None,
    as_of: datetime | None = None,
) -> Call[Context]:
    """What belongs into the prompt for a message: summaries, facts and experiences within a budget of tokens."""
    body = given(message=message, budget=budget, layers=layers, facts=facts, as_of=as_of)
    return Call(method="POST", path="/context", gives=Context, json=body)


def _query_body(query: str, *, top_k: int | None, filters: Filters | None, as_of: datetime | None) -> dict[str, Any]:
    return given(query=query, top_k=top_k, filters=filters, as_of=as_of)
