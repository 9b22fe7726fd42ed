"""The Context Tree fed: where things would go, what became of them, what waits, what is stale."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Id, Shown, Sparse, words
from memoryapp.api.schemas.memory import A_MEMORY, MemoryOut
from memoryapp.api.schemas.writing import Tags, Text
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.node import PATH_CHARS

ID = "9f2c1b7a40d3e685"
A_LINE = "Embedding runs go to the rented H100."
MOST_TEXTS = 100
A_ROUTE: dict[str, Any] = {
    "path": "infra/gpu", "why": "routed by keyword H100", "score": 1.0, "by": "keyword", "certain": True, "others": [],
}  # fmt: skip

NodePath = Annotated[words(2 * PATH_CHARS, least=1), Field(examples=["infra/gpu"])]
Ids = Annotated[list[Id], Field(max_length=LIMITS.batch_items)]
By = Literal["tag", "keyword", "near", "inbox", "hand"]


class TextIn(Sparse):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "[W] Plain words before clever ones.", "tags": []}]}
    )

    text: Text
    tags: Tags = []


class RouteIn(Sparse):
    """`texts`, or ids of `memories`: one of the two."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"texts": [{"text": A_LINE}]}]})

    texts: list[TextIn] = Field([], max_length=MOST_TEXTS)
    memories: list[Id] = Field([], max_length=MOST_TEXTS)


class RouteOut(Shown):
    """`by`: tag (of the space's routing table), keyword, near (the node whose page is nearest in meaning), inbox.
    `certain`: by a tag, or a keyword that stands in the words as it is. `others`: paths that came next."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_ROUTE]})

    path: str
    why: str
    score: float
    by: By
    certain: bool
    others: list[str]


class RoutesOut(Shown):
    """In the order in which they were sent."""

    items: list[RouteOut]


class RetainIn(Sparse):
    """`memories` that are held, or a `text` with its `tags`, which becomes a note first. Without a `path` each goes
    where it is routed."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"memories": [ID], "path": "infra/gpu", "dry_run": True}]}
    )

    memories: Ids = []
    text: Text | None = None
    tags: Tags = []
    path: NodePath | None = None
    dry_run: bool = False


class KeptOut(Shown):
    """`outcome`: written (a line more), merged (a line says it already), conflict (a line speaks against it, and
    `conflict` waits for a decision), unchanged. `memory` is null for a text that is only tried out."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "memory": ID,
                    "path": "infra/gpu",
                    "outcome": "written",
                    "line": A_LINE,
                    "why": "routed by keyword H100",
                    "conflict": None,
                }
            ]
        }
    )

    memory: str | None
    path: str
    outcome: Literal["written", "merged", "conflict", "unchanged"]
    line: str
    why: str
    conflict: str | None


class RetainedOut(Shown):
    """`run` undoes all of it; null where nothing was written."""

    items: list[KeptOut]
    run: str | None = Field(examples=["5a5a0f0f12345678"])
    dry_run: bool = Field(False, examples=[False])


class WaitingOut(Shown):
    model_config = ConfigDict(json_schema_extra={"examples": [{"memory": A_MEMORY, "route": A_ROUTE}]})

    memory: MemoryOut
    route: RouteOut


class WaitingList(Shown):
    """The newest first. `total`: how many wait in all; `left_out`: how many were left out and are not asked for."""

    items: list[WaitingOut]
    total: int = Field(examples=[2])
    left_out: int = Field(examples=[0])


class LeftOutDone(Shown):
    """`run` undoes it."""

    memory: str = Field(examples=[ID])
    left_out: bool = Field(examples=[True])
    run: str = Field(examples=["5a5a0f0f12345678"])


class StaleOut(Shown):
    """A line whose memory is held no longer, or says something else. `now_says`: what holds in its place, by memory
    `by`; null where nothing does."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "key": "1864c28eca28dec7",
                    "line": "Embedding runs go to the two A100s in Seoul.",
                    "memory": ID,
                    "why": "Its memory was superseded.",
                    "now_says": A_LINE,
                    "by": "2c3d4e5f60718a9b",
                    "until": "2026-11-18T09:30:00Z",
                }
            ]
        }
    )

    key: str
    line: str
    memory: str
    why: str
    now_says: str | None
    by: str | None
    until: datetime | None


class StaleList(Shown):
    path: str = Field(examples=["infra/gpu"])
    version: int = Field(examples=[7])
    items: list[StaleOut]


class FreshenIn(Sparse):
    """`keys` of stale lines; without them all that are stale. `version`: of the node as it was read."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"path": "infra/gpu", "keys": ["1864c28eca28dec7"]}]}
    )

    path: NodePath
    keys: list[Id] | None = Field(None, max_length=1_000)
    version: int | None = Field(None, ge=1)


class FreshenedOut(Shown):
    """The node as it stands, and the run that undoes it."""

    path: str = Field(examples=["infra/gpu"])
    version: int = Field(examples=[8])
    text: str = Field(examples=["# gpu\n\n- Embedding runs go to the rented H100.\n"])
    run: str = Field(examples=["5a5a0f0f12345678"])
