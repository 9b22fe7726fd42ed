"""Golden queries: questions of which somebody said what should be found; in lines, and asked."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Body, FullName, Id, Moment, Shown, Sparse, words
from memoryapp.api.schemas.search import FiltersIn, Question
from memoryapp.domain.memory import State

Note = words(1_000)
Relevant = Annotated[
    list[FullName],
    Field(
        min_length=1,
        max_length=100,
        description="Memories that should be found, by their ids or by the refs that you gave them.",
        examples=[["9f2c1b7a40d3e685"]],
    ),
]
A_LINE = (
    '{"query": "why did we leave RabbitMQ?", "relevant": ["9f2c1b7a40d3e685"], "refs": ["D1:3"], '
    '"filters": {"kinds": ["note"]}, "note": ""}'
)


class GoldenIn(Sparse):
    """A question, and what it should find. Where the same is asked already with the same filters, what is relevant is
    joined to that."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"query": "why did we leave RabbitMQ?", "relevant": ["D1:3"]}]},
    )

    query: Question
    relevant: Relevant
    filters: FiltersIn = FiltersIn()
    as_of: Moment | None = Field(None, description="Asked of what was held at this instant.")
    note: Note = ""


class GoldenEdit(Body):
    """What is not sent stays as it is. `as_of` null asks of the present again."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"relevant": ["D1:3", "D1:7"], "note": "Both sides of it."}]}
    )

    query: Question | None = None
    relevant: Relevant | None = None
    filters: FiltersIn | None = None
    as_of: Moment | None = None
    note: Note | None = None


class RelevantOut(Shown):
    """`state` is null where the memory was purged. What is deleted or purged does not count when the query is asked."""

    id: Id
    ref: str | None = Field(examples=["D1:3"])
    state: State | None = Field(examples=["held"])
    text: str = Field(description="How it begins.", examples=["We moved the queue to Redis because RabbitMQ lost"])


class GoldenOut(Shown):
    """`filters` tells only what narrows, as a search takes it."""

    id: Id
    query: str = Field(examples=["why did we leave RabbitMQ?"])
    relevant: list[RelevantOut]
    gone: int = Field(description="How many of them are deleted or purged.", examples=[0])
    filters: dict[str, Any] = Field(examples=[{"kinds": ["note"]}])
    as_of: datetime | None = Field(examples=[None])
    note: str = Field(examples=[""])
    by: str = Field(examples=["alice"])
    created_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    updated_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    version: int = Field(examples=[1])


class GoldenPage(Shown):
    items: list[GoldenOut]
    total: int = Field(examples=[12])
    next_cursor: str | None = Field(examples=[None])


class GoldenActOut(Shown):
    golden: GoldenOut
    outcome: Literal["added", "joined", "changed", "deleted"] = Field(examples=["added"])
    dry_run: bool = Field(False, examples=[False])


class GoldenImportIn(Sparse):
    """`lines`: JSON Lines, one golden query each, as the export writes them. `strict`: nothing is written unless every
    line can be."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"lines": A_LINE + "\n", "dry_run": True}]}
    )

    lines: str = Field(min_length=1)
    dry_run: bool = False
    strict: bool = False


class GoldenLineOut(Shown):
    """What becomes of a line, counted from 1: add · join (something asks the same, and means more now) · same (nothing
    new) · bad. `told`: why, and what to do."""

    line: int = Field(examples=[1])
    outcome: Literal["add", "join", "same", "bad"] = Field(examples=["add"])
    told: str = Field(examples=["new, 1 relevant memory"])
    query: str = Field(examples=["why did we leave RabbitMQ?"])
    id: Id | None = Field(description="Null of a bad one.", examples=["9f2c1b7a40d3e685"])


class GoldenImportOut(Shown):
    """`written`: whether it was done. The counts tell how many lines came to what."""

    dry_run: bool = Field(examples=[True])
    written: bool = Field(examples=[False])
    added: int = Field(examples=[1])
    joined: int = Field(examples=[0])
    same: int = Field(examples=[0])
    bad: int = Field(examples=[0])
    lines: list[GoldenLineOut]
