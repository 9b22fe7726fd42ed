"""Backups by schedule as a page tells them: when, how many, and what came of the last one."""

from __future__ import annotations

from dataclasses import dataclass

from memoryapp.accounts.models import Space
from memoryapp.jobs.backups import Standing, standing
from memoryapp.jobs.heartbeat import Pulse, pulse
from memoryapp.store.backup_folder import Kept
from memoryapp.web import human
from memoryapp.web.heartbeat import BeatLine, beat_line

SHOWN = 60  # of those that are kept


@dataclass(frozen=True, slots=True)
class KeptLine:
    """`old`: made before the last purge, which it may still hold."""

    one: Kept
    old: bool


@dataclass(frozen=True, slots=True)
class Backups:
    beat: BeatLine
    standing: Standing
    lines: list[KeptLine]

    @property
    def pulse(self) -> Pulse:
        return self.beat.pulse

    @property
    def when(self) -> str:
        """“Once a day, at 04:00. The last 7 are kept.”"""
        schedule = self.pulse.schedule
        if not schedule.on:
            return "Off: backups are only made on request."
        kept = "Only the latest one is kept." if schedule.keep == 1 else f"The latest {schedule.keep} are kept."
        return f"{self.beat.when[:1].upper()}{self.beat.when[1:]}; next: {self.beat.due}. {kept}"

    @property
    def told(self) -> str:
        """“5 backups, 6.1 MB”, with how many are not shown."""
        count = len(self.standing.kept)
        more = f", the last {SHOWN} shown" if count > SHOWN else ""
        return f"{human.counted(count, 'backup')}, {human.size(self.standing.size)}{more}"

    @property
    def failed(self) -> str:
        """What went wrong the last time; “” where nothing did, or one is on its way."""
        return self.pulse.told if self.pulse.failed and not self.pulse.running else ""


def backups_of(row: Space) -> Backups:
    """Raises StoreError."""
    found = standing(row)
    old = set(found.before_purge)
    lines = [KeptLine(one, one in old) for one in found.kept[:SHOWN]]
    return Backups(beat_line(pulse(row, "backup")), found, lines)


def suggested(row: Space) -> str:
    """A name for the space that a backup is restored into: free, and short enough."""
    stem, taken = row.name[:34].rstrip("-"), set(Space.objects.values_list("name", flat=True))
    names = (f"{stem}-{n}" for n in range(2, len(taken) + 3))
    return next(name for name in names if name not in taken)
