"""What was done: runs, the audit, and taking things back."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import ConfigDict, Field

from memoryapp.domain.change import Revision, Run
from memoryapp.interfaces.api.schemas import Body, Id, Response


class RevisionOut(Response):
    """One change: the fields that changed, as they were and as they became."""

    id: Id
    record: str = Field(examples=["memory"])
    record_id: str = Field(examples=["9f2c1b7a40d3e685"])
    version: int = Field(examples=[2])
    act: str = Field(examples=["edit"])
    before: dict[str, Any] = Field(examples=[{"text": "We moved the queue to Redis."}])
    after: dict[str, Any] = Field(examples=[{"text": "We moved the queue to Redis in May."}])
    actor: str = Field(examples=["alice"])
    actor_kind: Literal["person", "agent", "machine"] = Field(examples=["person"])
    at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    run: str = Field(examples=["5a5a0f0f12345678"])
    reason: str = Field(examples=["The month was missing."])


class LayerOut(RevisionOut):
    """A revision and the memory as it left it; `was` is the text before it, null at creation."""

    text: str = Field(examples=["We moved the queue to Redis in May."])
    was: str | None = Field(examples=["We moved the queue to Redis."])
    state: str = Field(examples=["held"])
    title: str = Field(examples=[""])
    changed: list[str] = Field(examples=[["text"]])


class HistoryPage(Response):
    """Changes of one memory, the newest first."""

    items: list[LayerOut]
    next_cursor: str | None = Field(examples=[None])


class RunOut(Response):
    """One act, which can be undone as a whole."""

    id: Id
    act: str = Field(examples=["ingest"])
    actor: str = Field(examples=["alice"])
    actor_kind: Literal["person", "agent", "machine"] = Field(examples=["person"])
    started_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    ended_at: datetime | None = Field(examples=["2026-11-21T09:30:02Z"])
    reason: str = Field(examples=[""])
    detail: dict[str, Any] = Field(examples=[{"source": "Notes"}])


class RunPage(Response):
    items: list[RunOut]
    next_cursor: str | None = Field(examples=[None])


class RunDetail(RunOut):
    """With its changes, the last first, at most 1,000 of them."""

    revisions: list[RevisionOut]
    total: int = Field(examples=[1])


class UndoIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"dry_run": True}]})

    reason: str = Field("", max_length=300)
    dry_run: bool = False


class UndoOut(Response):
    """`run` is the undoing itself, a run like any other. `skipped`: changed again since, and therefore left alone."""

    run: str | None = Field(examples=["77aa88bb99cc00dd"])
    undone: int = Field(examples=[3])
    skipped: list[str] = Field(examples=[[]])
    dry_run: bool = Field(examples=[False])


class AuditPage(Response):
    items: list[RevisionOut]
    next_cursor: str | None = Field(examples=[None])


def show_revision(revision: Revision) -> RevisionOut:
    return RevisionOut.of(revision, actor=revision.actor.name, actor_kind=revision.actor.kind.value)


def show_run(run: Run) -> RunOut:
    return RunOut.of(run, actor=run.actor.name, actor_kind=run.actor.kind.value, detail=run.detail or {})
