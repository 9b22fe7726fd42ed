"""The inbox: facts that were learned and wait to be looked at, and exclusions: what is not learned again."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Body, Id, Moment, Name, Shown, Sparse
from memoryapp.api.schemas.memory import MemoryOut, TurnOut
from memoryapp.domain.exclusion import LEAST, MOST
from memoryapp.domain.limits import LIMITS

Likeness = Annotated[
    float,
    Field(
        ge=LEAST,
        le=MOST,
        allow_inf_nan=False,
        description="Cosine from which a candidate is like the fact; 1 means its very words.",
        examples=[0.7],
    ),
]


class InboxItem(Shown):
    """`agent`: whose session it was learned in or, without one, who wrote it. `replaces`: ids of what it stands in
    place of; `fact.conflicts` names what it contradicts."""

    fact: MemoryOut
    agent: str = Field(examples=["atlas"])
    turn: TurnOut | None
    replaces: list[Id] = Field(examples=[[]])


class InboxSession(Shown):
    """`session` is empty for facts that were written without one."""

    session: str = Field(examples=["monday"])
    agent: str = Field(examples=["atlas"])
    count: int = Field(description="Facts that wait in it.", examples=[12])
    newest: datetime = Field(examples=["2026-11-21T09:30:00Z"])


class InboxPage(Shown):
    """`total` counts what the filters leave; `sessions` are those of the whole inbox, at most 50."""

    items: list[InboxItem]
    next_cursor: str | None = Field(examples=[None])
    total: int = Field(examples=[12])
    sessions: list[InboxSession]


class InboxIn(Sparse):
    """Which: `ids`, or all that waits (`all`: true), of one `session` (empty: of none) or `agent`, learned `until`
    then. What somebody dealt with meanwhile is left as it is."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"ids": ["9f2c1b7a40d3e685"], "dry_run": True}]}
    )

    ids: Annotated[list[Id], Field(max_length=LIMITS.batch_items)] = []
    all: bool = False
    session: Name | None = None
    agent: Name = ""
    until: Moment | None = None
    reason: Name = ""
    dry_run: bool = False


class InboxDone(Shown):
    """`run` undoes it all: POST /runs/{id}/undo. Null on a dry run, and where nothing was changed. `left`: what
    somebody else dealt with before."""

    run: str | None = Field(examples=["5a5a0f0f12345678"])
    changed: list[Id]
    left: list[Id] = Field(examples=[[]])
    dry_run: bool = Field(examples=[False])


class SeenIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"until": "2026-11-21T09:30:00Z"}]})

    until: Moment


class SeenOut(Shown):
    """`run` takes the mark back: POST /runs/{id}/undo."""

    run: str = Field(examples=["5a5a0f0f12345678"])
    until: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    waiting: int = Field(description="Facts that wait all the same: learned later.", examples=[0])


class ExclusionOut(Shown):
    """Facts like `text` are not learned. `kept_out`: how many were not, in the turns as they were last read."""

    id: Id
    text: str = Field(examples=["Mara ran the test suite."])
    likeness: float = Field(examples=[0.7])
    kept_out: int = Field(examples=[17])
    since: datetime | None = Field(examples=["2026-11-21T09:30:00Z"])


class ExclusionList(Shown):
    items: list[ExclusionOut]


class ExclusionIn(Sparse):
    """The fact is deleted. Without a `likeness` it is two thirds of the way between the space's zones."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"id": "9f2c1b7a40d3e685"}]})

    id: Id
    likeness: Likeness | None = None
    reason: Name = ""


class LikenessIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"likeness": 0.7}]})

    likeness: Likeness


class ExclusionDone(Shown):
    """`run` undoes it: POST /runs/{id}/undo. Null where nothing changed. `exclusion` is null once it is removed."""

    run: str | None = Field(examples=["5a5a0f0f12345678"])
    exclusion: ExclusionOut | None
