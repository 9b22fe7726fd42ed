"""The heartbeat: what a space does by itself, when, how it went; and an act begun at once."""

from __future__ import annotations

from memoryapp.accounts.roles import Role
from memoryapp.api.begun import begun
from memoryapp.api.caller import ApiRequest
from memoryapp.api.reply import Reply
from memoryapp.api.route import Routes
from memoryapp.api.schemas.heartbeat import ActName, HeartbeatOut, PulseOut, ScheduleIn
from memoryapp.api.schemas.work import JobStarted
from memoryapp.jobs.heartbeat import Pulse, pulses, run_now, set_schedule

router = Routes("Jobs")


@router.get("/heartbeat", needs=Role.READER, response=HeartbeatOut, summary="Get the heartbeat")
def get_heartbeat(request: ApiRequest) -> HeartbeatOut:
    """What the space does by itself: each act with its time, what came of it last, and when it is due again."""
    return HeartbeatOut(items=[show_pulse(one) for one in pulses(request.auth.space)])


@router.patch("/heartbeat", needs=Role.ADMIN, response=PulseOut, summary="Set when an act is done")
def patch_heartbeat(request: ApiRequest, body: ScheduleIn) -> PulseOut:
    """Turns an act on or off, or gives it another time. An act that is turned on waits for its time."""
    changes = {name: getattr(body, name) for name in body.model_fields_set if name != "act"}
    return show_pulse(set_schedule(request.auth.space, body.act, **changes))


@router.post(
    "/heartbeat/{act}/run", needs=Role.CURATOR, response={202: JobStarted}, errors=(404,), summary="Do an act now"
)
def run_act(request: ApiRequest, act: ActName) -> Reply:
    """Begins an act at once, whether it is on or not. The job's report tells what came of it."""
    return begun(run_now(request.auth.space, act, actor=request.auth.actor))


def show_pulse(one: Pulse) -> PulseOut:
    return PulseOut(
        act=one.act.key,  # type: ignore[arg-type]
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
