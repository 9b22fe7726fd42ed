"""What a request of mem0's client asks for, read from where its client puts it."""

from __future__ import annotations

import ast
import json
from datetime import UTC, datetime
from typing import Any

from memoryapp.api.mem0.conditions import Condition, read
from memoryapp.domain.errors import BadInput


def joined(
    filters: object,
    *,
    categories: list[str] | None = None,
    metadata: dict[str, Any] | None = None,
    since: str | None = None,
    until: str | None = None,
) -> Condition:
    """The filters, and what stands beside them in a request, as one condition. Raises BadInput."""
    if not isinstance(filters, dict) or not filters:
        return read(filters)
    beside = {
        "categories": {"in": categories} if categories else None,
        "metadata": metadata or None,
        "created_at": {name: day for name, day in (("gte", since), ("lte", until)) if day} or None,
    }
    return read({"AND": [filters, *({name: said} for name, said in beside.items() if said)]})


def filters_told(told: str) -> object:
    """Filters in an address: JSON, or as Python writes a dict, which is what the client sends."""
    try:
        return json.loads(told)
    except ValueError:
        pass
    try:
        return ast.literal_eval(told)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise BadInput("“filters” cannot be read as JSON.", field="filters") from None


def instant(timestamp: float | None) -> datetime | None:
    try:
        return None if timestamp is None else datetime.fromtimestamp(timestamp, tz=UTC)
    except (ValueError, OverflowError, OSError):
        raise BadInput("“timestamp” is in seconds since 1970.", field="/timestamp") from None
