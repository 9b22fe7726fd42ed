"""Conflicts: two sides, what is proposed, what it would change, and what was decided."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Body, Id, Moment, Name, Shown, Sparse
from memoryapp.api.schemas.memory import MemoryOut, TrustParts, TurnOut
from memoryapp.api.schemas.writing import Label, Text
from memoryapp.domain.conflict import ConflictStatus
from memoryapp.domain.limits import LIMITS

OutcomeName = Literal["keep", "replace", "both", "merge", "neither"]
Tab = Literal["waiting", "automatic", "decided", "snoozed"]


class Proposal(Shown):
    outcome: OutcomeName = Field(examples=["replace"])
    reason: str = Field(examples=["Minsu lives in one place: first Seoul, now Busan."])
    confidence: float = Field(examples=[0.9])


class Incoming(Shown):
    """The incoming side: a memory, or only the words of a source that changed under an edit."""

    id: str | None = Field(examples=[None])
    text: str = Field(examples=["Minsu lives in Busan."])
    memory: MemoryOut | None = Field(examples=[None])


class ConflictOut(Shown):
    """`gate` says why the existing side survives by trust alone, where it does. `proposals` are what agents suggest
    that may not decide. `certain`: a sure rule says that the two cannot both hold."""

    id: Id
    existing: MemoryOut
    incoming: Incoming
    proposal: Proposal
    status: ConflictStatus
    detector: str = Field(examples=["slot"])
    attribute: str | None = Field(description="What the two differ in.", examples=["minsu|lives in"])
    certain: bool = Field(examples=[True])
    existing_trust: TrustParts
    incoming_trust: TrustParts | None
    gate: str | None = Field(examples=[None])
    precedents: list[dict[str, Any]] = Field(examples=[[]])
    proposals: list[dict[str, Any]] = Field(examples=[[{"outcome": "keep", "by": "planner", "reason": "A trip."}]])
    existing_turn: TurnOut | None
    incoming_turn: TurnOut | None
    snoozed_until: datetime | None = Field(examples=[None])
    decision: dict[str, Any] | None = Field(examples=[None])
    run: str | None = Field(description="The run that raised it.", examples=["5a5a0f0f12345678"])
    created_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    decided_at: datetime | None = Field(examples=[None])
    version: int = Field(examples=[1])


class ConflictPage(Shown):
    items: list[ConflictOut]
    next_cursor: str | None = Field(examples=[None])
    total: int = Field(description="How many there are in all.", examples=[1])
    detectors: dict[str, int] = Field(description="Under this status, by who found them.", examples=[{"slot": 1}])


class ConflictDetail(ConflictOut):
    """With what each outcome would change, in plain sentences, and a text that a merge could take."""

    impact: dict[str, list[str]] = Field(examples=[{"replace": ["“Minsu lives in Seoul.” leaves search."]}])
    suggested_text: str | None = Field(examples=["Minsu lived in Seoul, and lives in Busan."])


class TalliesOut(Shown):
    """How many conflicts there are under each heading."""

    waiting: int = Field(examples=[3])
    automatic: int = Field(examples=[1])
    decided: int = Field(examples=[12])
    snoozed: int = Field(examples=[0])


class ScopeIn(Body):
    """Where both sides hold: each in other circumstances (a tag), or the older one until a time, the newer from it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"ended_at": "2026-11-14T00:00:00Z"}]})

    existing: Label | Literal[""] = ""
    incoming: Label | Literal[""] = ""
    ended_at: Moment | None = None


class DecideIn(Body):
    """keep the existing side · replace it · both hold, as `scope` says · merge into `text` · neither."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"outcome": "replace", "reason": "Minsu said so himself."}]}
    )

    outcome: OutcomeName
    text: Text | None = Field(None, description="What is to stand; for merge.")
    reason: Name = ""
    scope: ScopeIn | None = Field(None, description="For both.")


class ProposeIn(Body):
    """How an agent would decide, for somebody who may. A merge needs its `text`."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"outcome": "keep", "reason": "Busan was a trip."}]}
    )

    outcome: OutcomeName
    text: Text | None = Field(None, description="What is to stand; for merge.")
    reason: Name = ""


class ProposedOut(Shown):
    """The conflict, waiting still, with the proposal among its `proposals`."""

    conflict: ConflictOut


class DecidedOut(Shown):
    """`status` is proposed where the key may not decide: it is kept with the conflict, and `run` is null."""

    status: Literal["decided", "proposed"] = Field(examples=["decided"])
    run: str | None = Field(description="Undo it: POST /runs/{id}/undo.", examples=["5a5a0f0f12345678"])
    conflict: ConflictOut


class SnoozeIn(Body):
    """Until when it is out of sight; null wakes it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"until": "2026-11-22T09:00:00Z"}]})

    until: Moment | None


class UndoneOut(Shown):
    """The conflict, waiting again."""

    conflict: ConflictOut


class DecideManyIn(Sparse):
    """Which: `ids`, or all waiting ones (`all`: true), of one `detector` or the `certain` ones alone. `outcome`
    “proposal” takes each one's own."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"ids": ["9f2c1b7a40d3e685"], "outcome": "proposal", "dry_run": True}]},
    )

    ids: Annotated[list[Id], Field(max_length=LIMITS.batch_items)] = []
    all: bool = False
    detector: Name = ""
    certain: bool = False
    outcome: Literal["keep", "replace", "both", "neither", "proposal"]
    reason: Name = ""
    dry_run: bool = False


class LeftOut(Shown):
    id: Id
    why: str = Field(examples=["It is decided already."])


class DecidedMany(Shown):
    """One run for all. `left`: those that could not be decided so, and why. On a dry run `decided` is what would be."""

    run: str | None = Field(examples=["5a5a0f0f12345678"])
    decided: list[Id]
    left: list[LeftOut]
    dry_run: bool = Field(examples=[False])
