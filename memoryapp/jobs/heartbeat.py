"""The heartbeat: what each space does by itself, each act at its own time. The tick beats; the pages, the API and a
command show how it went, set when it is done, and begin an act at once. A space that nobody uses is closed, once
nothing in it waits to be done.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import let_rest, may_close, open_row, rests, wake
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.errors import BadInput, PalimpsestError
from memoryapp.jobs.acts import ACTS, Act, Look, act_named
from memoryapp.jobs.graphing import graph_waits
from memoryapp.jobs.models import OPEN, Beat, Job, Status
from memoryapp.jobs.schedule import AT_ONCE, Schedule, check, is_due, next_at, open_to
from memoryapp.jobs.sources import next_read
from memoryapp.jobs.summary import summary_of
from memoryapp.spaces import Space
from memoryapp.store import documents, sessions, turns
from memoryapp.summaries import stale

log = logging.getLogger(__name__)

HEARTBEAT = Actor(ActorKind.MACHINE, "heartbeat")
UNCHANGED = "nothing changed since the last run"

# Acts that are off in a new space, and what they are set to where somebody wants them: digests of old logs at night,
# what was learned filed into the tree by the hour, pages that grew too large split. Each can be undone.
HOUSEKEEPING: dict[str, dict[str, Any]] = {
    "consolidate": {"on": True},
    "take-in": {"on": True},
    "tree-size": {"on": True, "split": True},
}
LOOKED_AT_EVERY = timedelta(days=1)  # however little there is to do


@dataclass(frozen=True, slots=True)
class Pulse:
    """How an act stands in a space. `running`: the job that is at it. `last`: the last job that has ended.
    `last_at`: when it was last done or looked at. `told`: what came of that, in a line; `skipped`: nothing was done;
    `failed`: it went wrong. `next_at` None: it is off, or waits for something to do."""

    act: Act
    schedule: Schedule
    running: Job | None
    last: Job | None
    last_at: datetime | None
    told: str
    skipped: bool
    failed: bool
    next_at: datetime | None

    @property
    def took(self) -> float | None:
        """Seconds of the last job, where what is told is its."""
        if self.last is None or self.skipped or not self.last.started_at or not self.last.finished_at:
            return None
        return (self.last.finished_at - self.last.started_at).total_seconds()


def beat(rows: Iterable[Row] | None = None, *, now: datetime | None = None) -> list[Job]:
    """Begins every act of these spaces, or of every one, whose time has come and which has something to do. What cannot
    be looked at is noted where the act is shown, and stops no other."""
    now = now or timezone.now()
    jobs = []
    for row in Row.objects.select_related("parent") if rows is None else rows:
        kept = {one.act: one for one in Beat.objects.filter(space=row)}
        for act in ACTS.values():
            job = _beat(row, act, kept.get(act.key), now=now)
            jobs += [job] if job else []
    return jobs


def pulses(row: Row, *, now: datetime | None = None) -> list[Pulse]:
    """Every act of a space, in the order of acts.py."""
    now = now or timezone.now()
    kept = {one.act: one for one in Beat.objects.filter(space=row)}
    return [_pulse(row, act, kept.get(act.key), now=now) for act in ACTS.values()]


def pulse(row: Row, key: str, *, now: datetime | None = None) -> Pulse:
    """Raises NotFound for an act that there is not."""
    act = act_named(key)
    return _pulse(row, act, _find_beat(row, act), now=now or timezone.now())


def due_at(row: Row, key: str, *, now: datetime | None = None) -> datetime | None:
    """When an act is, or has been, due: a moment long past where nothing beats. None as in `Pulse.next_at`."""
    act = act_named(key)
    kept = _find_beat(row, act)
    last = _last_at(row, _jobs(row.name, act), kept)
    return next_at(schedule_of(act, kept), last=last, now=now or timezone.now())


def set_schedule(row: Row, key: str, **changes: Any) -> Pulse:
    """Sets when an act is done: `on`, `every_minutes`, `at`, `zone`, `split`, `keep`. A time of day takes the place of
    an interval and the other way round. Raises NotFound, BadInput."""
    act = act_named(key)
    before = schedule_of(act, _find_beat(row, act))
    if changes.get("at") and not changes.get("every_minutes"):
        changes["every_minutes"] = 0
    elif "every_minutes" in changes and not changes.get("at"):
        changes["at"] = ""
    if changes.get("split") and act.key != "tree-size":
        raise BadInput(f"{act.name} splits nothing; only “tree-size” does.", field="/split")
    if changes.get("keep") and act.key != "backup":
        raise BadInput(f"{act.name} keeps no files; only “backup” does.", field="/keep")
    after = check(replace(before, **changes))
    values = {name: getattr(after, name) for name in ("on", "every_minutes", "at", "zone", "split", "keep")}
    Beat.objects.update_or_create(space=row, act=act.key, defaults={**values, "set_at": timezone.now()})
    wake(row)
    return pulse(row, key)


def turn_on_housekeeping(row: Row) -> list[Pulse]:
    """Sets the acts of HOUSEKEEPING that nobody has set yet; the others stay as they were set."""
    set_already = set(Beat.objects.filter(space=row, set_at__isnull=False).values_list("act", flat=True))
    return [set_schedule(row, act, **changes) for act, changes in HOUSEKEEPING.items() if act not in set_already]


def run_now(row: Row, key: str, *, actor: Actor) -> Job:
    """Begins an act at once, whether it is on or not. Raises NotFound."""
    act = act_named(key)
    return act.begin(row.name, actor, schedule_of(act, _find_beat(row, act)))


def schedule_of(act: Act, kept: Beat | None) -> Schedule:
    """When an act is done: as somebody set it, else as it comes."""
    if kept is None or kept.set_at is None:
        return act.schedule
    return Schedule(kept.on, kept.every_minutes, kept.at, kept.zone, kept.split, kept.keep or act.schedule.keep)


def _beat(row: Row, act: Act, kept: Beat | None, *, now: datetime) -> Job | None:
    schedule = schedule_of(act, kept)
    if not _time_has_come(row, act, schedule, kept, now=now):
        return None
    try:
        look = act.look(open_row(row, passing=True), schedule, now)
        if not look.due or _is_unchanged(row.name, act, look, kept):
            _note(row, act, now=now, skipped=UNCHANGED if look.due else look.told)
            return None
        job = act.begin(row.name, HEARTBEAT, schedule)
    except PalimpsestError as error:
        log.warning("%s of space %s: %s", act.name, row.name, error.detail)
        _note(row, act, now=now, error=error.detail)
    except Exception as error:  # a mistake in one act must not stop the heart
        log.exception("%s of space %s", act.name, row.name)
        _note(row, act, now=now, error=f"Unexpected {type(error).__name__}: {error}"[:1000])
    else:
        _note(row, act, now=now, state=look.state)
        return job
    return None


def _time_has_come(row: Row, act: Act, schedule: Schedule, kept: Beat | None, *, now: datetime) -> bool:
    if not schedule.on or (schedule.at_once and act.key in AT_ONCE):
        return False
    jobs = _jobs(row.name, act)
    if jobs.filter(status__in=OPEN).exists():
        return False
    if schedule.at_once:  # as soon as there is something to do: not while nobody writes
        return not rests(row, now=now)
    return is_due(schedule, last=_last_at(row, jobs, kept), now=now)


def _is_unchanged(space: str, act: Act, look: Look, kept: Beat | None) -> bool:
    """Whether all stands as it did when the act was last begun. What went wrong then is tried again."""
    if kept is None or not look.state or look.state != kept.state:
        return False
    last = _jobs(space, act).order_by("-created_at", "-id").first()
    return last is None or last.status == Status.DONE


def _note(row: Row, act: Act, *, now: datetime, skipped: str = "", error: str = "", state: str | None = None) -> None:
    values: dict[str, Any] = {"looked_at": now, "skipped": skipped[:300], "error": error}
    if state is not None:
        values["state"] = state
    Beat.objects.update_or_create(space=row, act=act.key, defaults=values)


def _pulse(row: Row, act: Act, kept: Beat | None, *, now: datetime) -> Pulse:
    schedule, jobs = schedule_of(act, kept), _jobs(row.name, act)
    running = jobs.filter(status__in=OPEN).order_by("created_at").first()
    last = jobs.exclude(status__in=OPEN).order_by("-created_at", "-id").first()
    ended = (last.finished_at or last.created_at) if last is not None else None
    looked = kept.looked_at if kept is not None and (kept.skipped or kept.error) else None
    last_at: datetime | None
    if looked is not None and kept is not None and (ended is None or looked > ended):
        last_at, told, skipped, failed = looked, kept.error or kept.skipped, not kept.error, bool(kept.error)
    elif last is not None:
        last_at, told, skipped, failed = ended, _job_text(last), False, last.status == Status.FAILED
    else:
        last_at, told, skipped, failed = None, "", False, False
    moment = next_at(schedule, last=_last_at(row, jobs, kept), now=now)
    return Pulse(act, schedule, running, last, last_at, told, skipped, failed, max(moment, now) if moment else None)


def _job_text(job: Job) -> str:
    if job.status == Status.FAILED:
        return job.error
    return "Cancelled." if job.status == Status.CANCELLED else summary_of(job.kind, job.report or {}) or "Done."


def _last_at(row: Row, jobs: QuerySet[Job], kept: Beat | None) -> datetime:
    """From when on the time counts: the last try, the last look, when somebody set the schedule, or when the space was
    made."""
    tried = jobs.order_by("-created_at").values_list("created_at", flat=True).first()
    moments: list[datetime | None] = [
        row.created_at,
        tried,
        *((kept.looked_at, kept.set_at) if kept is not None else ()),
    ]
    return max(moment for moment in moments if moment is not None)


def _jobs(space: str, act: Act) -> QuerySet[Job]:
    found = Job.objects.filter(kind=act.kind, space=space)
    return found.filter(subject=f"heartbeat:{act.key}:{space}") if act.kind == "heartbeat" else found


def _find_beat(row: Row, act: Act) -> Beat | None:
    return Beat.objects.filter(space=row, act=act.key).first()


def close_if_idle(row: Row, *, now: datetime | None = None) -> bool:
    """Closes a space that nobody has used for a while; True if it did. One in which something waits, if only for the
    next try of what failed, stays open, so that it is not opened anew every minute. Raises StoreError."""
    if not may_close(row):
        return False
    until = _quiet_until(open_row(row, passing=True), now=now or timezone.now())
    return until is not None and let_rest(row, until=until)


def _quiet_until(space: Space, *, now: datetime) -> datetime | None:
    """Until when nothing can be due in a space to which nobody writes; None where something is."""
    if (
        Job.objects.filter(space=space.name, status__in=OPEN).exists()
        or turns.count_waiting(space.db)
        or sessions.untold(space.db, limit=1)
        or graph_waits(space)
        or (open_to(space.name, "summaries") and stale(space))
    ):
        return None
    reads = (next_read(space.name, source, now=now) for source in documents.sources(space.db))
    first = min((moment for moment in reads if moment is not None), default=now + LOOKED_AT_EVERY)
    return min(first, now + LOOKED_AT_EVERY) if first > now else None
