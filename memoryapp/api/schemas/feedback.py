"""What agents said of memories they were given, as a list."""

from __future__ import annotations

from datetime import datetime

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Body, Id, Shown
from memoryapp.domain.limits import LIMITS


class WeighedOut(Shown):
    """`factor` multiplies the memory's score. `last_query` is what it was last given for, where that was said."""

    id: Id
    text: str = Field(examples=["The queue moved to Redis."])
    used: int = Field(examples=[4])
    not_useful: int = Field(examples=[1])
    factor: float = Field(examples=[1.075])
    last_query: str = Field(examples=["why did we leave RabbitMQ?"])
    last_at: datetime | None = Field(examples=["2026-11-21T09:30:00Z"])
    by: str = Field(description="Who said the last word.", examples=["atlas"])


class FeedbackPage(Shown):
    """`rose`, `fell` and `even` count the memories of the space."""

    items: list[WeighedOut]
    rose: int = Field(examples=[12])
    fell: int = Field(examples=[3])
    even: int = Field(examples=[1])
    next_cursor: str | None = Field(examples=[None])


class ResetIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"ids": ["9f2c1b7a40d3e685"]}]})

    ids: list[Id] = Field(min_length=1, max_length=LIMITS.batch_items)


class ResetOut(Shown):
    """`reset`: POST /feedback/resets/{id}/undo gives back what it took."""

    reset: Id
    memories: int = Field(examples=[1])
