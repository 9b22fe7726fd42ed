"""Addresses of the lab: a comparison of a golden query's columns, with its filters and what was meant to be found."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse

from memoryapp.domain.golden import Golden
from memoryapp.web.golden_filters import asked_of

_MOST = 40  # relevant memories in an address


def compare_address(
    *, columns: Sequence[str], query: str = "", relevant: Sequence[str] = (), filters: Sequence[tuple[str, str]] = ()
) -> str:
    """`columns`: plans; each once, in order."""
    asked = [("q", query)] if query else []
    asked += [("column", plan) for plan in dict.fromkeys(columns)]
    asked += list(filters)
    asked += [("rel", key) for key in relevant[:_MOST]]
    return f"{reverse('lab')}?{urlencode(asked)}"


def golden_address(one: Golden, *, columns: Sequence[str]) -> str:
    """Where a golden query is seen beside what other plans find."""
    return compare_address(columns=columns, query=one.query, relevant=one.relevant, filters=asked_of(one.filters))
