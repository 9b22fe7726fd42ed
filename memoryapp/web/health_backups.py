"""The line of the health page about backups: when the last good one was taken, its size and where it is, or what keeps
the next from being taken."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from django.urls import reverse
from django.utils import timezone

from memoryapp.accounts.models import Space as Row
from memoryapp.domain.errors import PalimpsestError
from memoryapp.jobs.backups import folder_of
from memoryapp.jobs.heartbeat import Pulse, due_at, pulse
from memoryapp.spaces import Space
from memoryapp.store import backup_folder
from memoryapp.store.backup import Taken, last_backup
from memoryapp.web import human
from memoryapp.web.health_line import HealthLine

NAME = "Backup"
_WORTH_A_BACKUP = 100  # memories
_OLD_BACKUP = timedelta(days=30)
_LATE = timedelta(hours=1)  # after its time; the tick comes every minute


def backups(space: Space, row: Row) -> HealthLine:
    """Backups that were taken by schedule, page, API or command; copies made elsewhere are not seen."""
    try:
        last = _last(space, row.name)
    except PalimpsestError as error:
        return HealthLine(NAME, "bad", error.detail)
    beat = pulse(row, "backup")
    if beat.schedule.on:
        return _scheduled(row, beat, last) or HealthLine(
            NAME, "ok", _told(last) if last else "none yet; the first is scheduled"
        )
    many = int(space.index.roster.held.sum()) >= _WORTH_A_BACKUP
    fix, where = "Schedule backups, or make one now.", reverse("settings-backups")
    if last is None:
        return HealthLine(NAME, "warn", "none yet.", fix, where) if many else HealthLine(NAME, "ok", "none yet")
    if many and timezone.now() - last.at > _OLD_BACKUP:
        return HealthLine(NAME, "warn", f"the latest was {_told(last)}.", fix, where)
    return HealthLine(NAME, "ok", _told(last))


def _scheduled(row: Row, beat: Pulse, last: Taken | None) -> HealthLine | None:
    """What is wrong with those by schedule; None where nothing is."""
    before = f"the last successful one was {_told(last)}." if last else "there is no earlier one."
    if beat.failed and not beat.running:
        told = f"the one of {human.ago(beat.last_at)} failed. {beat.told} Currently, {before}"
        return HealthLine(NAME, "bad", told, "Fix that, then make one now", reverse("settings-backups"))
    if last is not None and last.place and not Path(last.place).is_file():
        told = f"the one {_told(last)} no longer exists, and there is no other."
        return HealthLine(NAME, "bad", told, "Back up now", reverse("settings-backups"))
    due = due_at(row, "backup")
    if due is not None and due + _LATE < timezone.now() and not beat.running:
        told = f"one was due {human.ago(due)} and did not run; {before}"
        return HealthLine(
            NAME, "warn", told, "Check that the worker and its scheduler run, or make one now", reverse("jobs")
        )
    return None


def _last(space: Space, name: str) -> Taken | None:
    """The last there is: one that was removed from the folder since gives way to the newest that is left."""
    last = last_backup(space.db)
    if last is None or not last.place or Path(last.place).is_file():
        return last
    left = backup_folder.kept(folder_of(name), name)
    return Taken(left[0].made_at, left[0].size, str(left[0].path)) if left else last


def _told(last: Taken) -> str:
    size = f", {human.size(last.size)}" if last.size else ""
    return f"made {human.ago(last.at)}{size}{f', {last.place}' if last.place else ''}"
