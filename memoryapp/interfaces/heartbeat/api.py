"""The heartbeat: what a space does by itself, when, how it went; and an act begun at once."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import ConfigDict, Field

from memoryapp.accounts.roles import Role
from memoryapp.interfaces.api.caller import ApiRequest
from memoryapp.interfaces.api.reply import Reply, job_reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Id, Response, Sparse
from memoryapp.interfaces.jobs.schemas import JobStarted
from memoryapp.jobs.heartbeat import Pulse, pulses, run_now, set_schedule

ActName = Literal[
    "consolidate", "expire", "summaries", "graph", "layout", "take-in", "tree-size", "golden", "backup", "index"
]


class ScheduleIn(Sparse):
    """What is not named stays as it is. A time of day (`at`) takes the place of `every_minutes`, and the other way
    round; `every_minutes` 0 is as soon as there is something to do."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"act": "consolidate", "on": True, "at": "03:00", "zone": "Asia/Seoul"}]},
    )

    act: ActName
    on: bool | None = None
    every_minutes: int | None = Field(None, ge=0, le=525_600)
    at: str | None = Field(None, max_length=5, description="A time of day, 00:00 to 23:59; empty for none.")
    zone: str | None = Field(None, max_length=64, description="Of `at`, such as Asia/Seoul; empty: this machine's.")
    split: bool | None = Field(None, description="Of tree-size alone: whether large nodes are split, or only told of.")
    keep: int | None = Field(None, ge=1, le=366, description="Of backup alone: how many are kept.")


class PulseOut(Response):
    """`told`: what came of the last time, in a line; `skipped`: nothing was done, and `told` says why; `failed`: it
    went wrong, and `told` is the error. `took` in seconds. `next_at` null: it is off, or waits for something to do."""

    act: ActName = Field(examples=["expire"])
    name: str = Field(examples=["Expiry"])
    does: str = Field(examples=["Puts facts aside whose trust fell under the floor."])
    on: bool = Field(examples=[True])
    every_minutes: int = Field(examples=[1440])
    at: str = Field(examples=[""])
    zone: str = Field(examples=[""])
    split: bool = Field(examples=[False])
    keep: int = Field(description="Backups that are kept; 0 for every other act.", examples=[0])
    running: Id | None = Field(description="The job that is at it now.", examples=[None])
    job: Id | None = Field(description="The last job that ended.", examples=["8c7b6a5948372615"])
    last_at: datetime | None = Field(examples=["2026-11-21T03:00:00Z"])
    took: float | None = Field(examples=[0.3])
    told: str = Field(examples=["3 facts put aside."])
    skipped: bool = Field(examples=[False])
    failed: bool = Field(examples=[False])
    next_at: datetime | None = Field(examples=["2026-11-22T03:00:00Z"])


class HeartbeatOut(Response):
    items: list[PulseOut]


router = Routes("Jobs")


@router.get("/heartbeat", needs=Role.READER, response=HeartbeatOut, summary="Get the heartbeat")
def get_heartbeat(request: ApiRequest) -> HeartbeatOut:
    """What the space does by itself: each act with its time, what came of it last, and when it is due again."""
    return HeartbeatOut(items=[show_pulse(one) for one in pulses(request.auth.space)])


@router.patch("/heartbeat", needs=Role.ADMIN, response=PulseOut, summary="Set when an act is done")
def change_heartbeat(request: ApiRequest, body: ScheduleIn) -> PulseOut:
    """Turns an act on or off, or gives it another time. An act that is turned on waits for its time."""
    changes = {name: getattr(body, name) for name in body.model_fields_set if name != "act"}
    return show_pulse(set_schedule(request.auth.space, body.act, **changes))


@router.post(
    "/heartbeat/{act}/run", needs=Role.CURATOR, response={202: JobStarted}, errors=(404,), summary="Do an act now"
)
def run_act(request: ApiRequest, act: ActName) -> Reply:
    """Begins an act at once, whether it is on or not. The job's report tells what came of it."""
    return job_reply(run_now(request.auth.space, act, actor=request.auth.actor))


def show_pulse(one: Pulse) -> PulseOut:
    return PulseOut(
        act=one.act.key,
        name=one.act.name,
        does=one.act.told,
        on=one.schedule.on,
        every_minutes=one.schedule.every_minutes,
        at=one.schedule.at,
        zone=one.schedule.zone,
        split=one.schedule.split,
        keep=one.schedule.keep,
        running=one.running.pk if one.running else None,
        job=one.last.pk if one.last else None,
        last_at=one.last_at,
        took=one.took,
        told=one.told,
        skipped=one.skipped,
        failed=one.failed,
        next_at=one.next_at,
    )
