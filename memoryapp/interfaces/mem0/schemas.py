"""What mem0's client sends. Fields that only its own service knows are let through: `ignored` says which they were."""

from __future__ import annotations

import ast
import json
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, RootModel

from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import LIMITS
from memoryapp.interfaces.mem0.filters import Condition, read


class Answer(RootModel[Any]):
    """An answer in mem0's shape, as it is."""


class _FromClient(BaseModel):
    model_config = ConfigDict(extra="allow")

    @property
    def ignored(self) -> list[str]:
        """What came and means nothing here."""
        return sorted(name for name, value in (self.model_extra or {}).items() if value is not None)


class Mem0AddIn(_FromClient):
    messages: Any
    user_id: Any = None
    agent_id: Any = None
    app_id: Any = None
    run_id: Any = None
    filters: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    infer: bool | None = None
    immutable: bool | None = None
    timestamp: int | float | None = None
    expiration_date: str | None = None


class Mem0ListIn(_FromClient):
    filters: Any = None
    categories: list[str] | None = None
    start_date: str | None = None
    end_date: str | None = None
    show_expired: bool | None = None
    latest_only: bool | None = None  # what is superseded is never given


class Mem0SearchIn(_FromClient):
    query: str = Field(min_length=1, max_length=LIMITS.query_chars)
    filters: Any = None
    categories: list[str] | None = None
    metadata: dict[str, Any] | None = None
    top_k: int | None = Field(None, ge=1, le=10_000)
    threshold: float | None = None
    fields: list[str] | None = None
    show_expired: bool | None = None
    latest_only: bool | None = None


class Mem0UpdateIn(_FromClient):
    text: str | None = None
    metadata: dict[str, Any] | None = None
    timestamp: int | float | str | None = None
    expiration_date: str | None = None


class Mem0Changed(Mem0UpdateIn):
    memory_id: str


class Mem0BatchUpdate(BaseModel):
    memories: list[Mem0Changed] = Field(min_length=1, max_length=LIMITS.batch_items)


class Mem0Named(_FromClient):
    memory_id: str


class Mem0BatchDelete(BaseModel):
    memories: list[Mem0Named] = Field(min_length=1, max_length=LIMITS.batch_items)


class Mem0FeedbackIn(_FromClient):
    memory_id: str
    feedback: str | None = None
    feedback_reason: str | None = None


# What a request of mem0's client asks for, read from where its client puts it.


def join_filters(
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


def read_filters(told: str) -> object:
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
