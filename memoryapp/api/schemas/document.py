"""Documents as they were read, and the memories cut from them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from memoryapp.api.schemas.base import Id, Shown


class CutOut(Shown):
    """A memory and the lines it was cut from, counted from 1."""

    id: Id
    title: str | None = Field(examples=["Queue"])
    first_line: int = Field(examples=[3])
    last_line: int = Field(examples=[7])


class DocumentOut(Shown):
    """One file as it was last read. `present`: whether it was still there when its source was last read."""

    id: Id
    source: str = Field(examples=["1f2e3d4c5b6a7988"])
    source_name: str | None = Field(description="Null once the source is forgotten.", examples=["Notes"])
    path: str = Field(description="Below the source's folder.", examples=["2026-11-20-standup.md"])
    title: str = Field(examples=["Standup"])
    text: str = Field(examples=["# Standup\n\n## Queue\n\nThe queue moved to Redis.\n"])
    size: int = Field(description="Bytes.", examples=[52])
    tags: list[str] = Field(examples=[["infra"]])
    date: datetime | None = Field(examples=["2026-11-20T00:00:00Z"])
    daily: bool = Field(description="Whether it is a daily log.", examples=[True])
    metadata: dict[str, Any] = Field(description="Its front matter.", examples=[{}])
    present: bool = Field(examples=[True])
    ingested_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    memories: list[CutOut]
