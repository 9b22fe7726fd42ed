"""When an act of the heartbeat is done: as soon as there is something to do, every so many minutes, or once a day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from memoryapp.domain.errors import BadInput
from memoryapp.jobs.models import Beat

# The tick looks at these by itself (narration.py, graphing.py) as soon as there is something to do, unless somebody
# sets another time for them.
AT_ONCE = frozenset({"summaries", "graph", "layout"})
MOST_MINUTES = 525_600  # a year
MOST_KEPT = 366  # backups of a space
_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d")


@dataclass(frozen=True, slots=True)
class Schedule:
    """`at` (“03:00”): once a day at that time in `zone`, “” being the zone of this machine. Without it, every so many
    minutes; 0 is as soon as there is something to do. `split`: of the act that watches the size of nodes alone.
    `keep`: how many backups are kept, of the act that makes them alone; 0 elsewhere."""

    on: bool
    every_minutes: int = 0
    at: str = ""
    zone: str = ""
    split: bool = False
    keep: int = 0

    @property
    def at_once(self) -> bool:
        """Whether it waits for something to do rather than for a time."""
        return not self.at and not self.every_minutes


def check(schedule: Schedule) -> Schedule:
    """The schedule, if it can be kept. Raises BadInput that names the field."""
    if not 0 <= schedule.every_minutes <= MOST_MINUTES:
        raise BadInput(f"Between 0 and {MOST_MINUTES:,} minutes.", field="/every_minutes")
    if not 0 <= schedule.keep <= MOST_KEPT:
        raise BadInput(f"Between 1 and {MOST_KEPT} backups are kept.", field="/keep")
    if schedule.at and not _CLOCK.fullmatch(schedule.at):
        raise BadInput(f"“{schedule.at[:20]}” is not a time of day. Write it as 03:00.", field="/at")
    if schedule.at and schedule.every_minutes:
        raise BadInput("Either once a day at a time, or every so many minutes.", field="/at")
    if schedule.zone:
        try:
            ZoneInfo(schedule.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise BadInput(f"“{schedule.zone[:64]}” is no time zone, such as Asia/Seoul.", field="/zone") from None
    return schedule


def next_at(schedule: Schedule, *, last: datetime | None, now: datetime) -> datetime | None:
    """When it is due: `now` where that is already past; None where it is off or waits for something to do.

    A time of day that passed while nothing ran is made up for once."""
    if not schedule.on or schedule.at_once:
        return None
    if last is None:
        return now
    if schedule.at:
        return next((moment for moment in _times(schedule, last) if moment > last), now)
    return last + timedelta(minutes=schedule.every_minutes)


def is_due(schedule: Schedule, *, last: datetime | None, now: datetime) -> bool:
    """Whether its next time has come."""
    moment = next_at(schedule, last=last, now=now)
    return moment is not None and moment <= now


def open_to(space: str, act: str) -> bool:
    """Whether the tick may do an act of AT_ONCE now: nobody has turned it off or given it a time."""
    kept = Beat.objects.filter(space__name=space, act=act).exclude(set_at=None).first()
    return kept is None or (kept.on and not kept.every_minutes and not kept.at)


def _times(schedule: Schedule, around: datetime) -> Iterator[datetime]:
    """The time of day on the days around a moment, the earliest first. An hour that a change of the clocks leaves out
    is the next one there is."""
    zone = ZoneInfo(schedule.zone) if schedule.zone else None
    clock = time.fromisoformat(schedule.at)
    first = around.astimezone(zone).date() - timedelta(days=1)
    for days in range(4):
        local = datetime.combine(first + timedelta(days=days), clock)
        # Without a zone of its own, `astimezone` reads a naive time as this machine's. In UTC, because a time that a
        # change of the clocks leaves out equals none in another zone.
        yield (local.replace(tzinfo=zone) if zone else local).astimezone(UTC)
