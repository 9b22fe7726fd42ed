"""Settings, Heartbeat: what the space does by itself, each act with the choices of its time and how it went; an act
begun now. And backups by schedule as their page tells them: when, how many, and what came of the last one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from memoryapp.accounts.models import Space
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import STOP_POLLING, PageRequest, page, redirect_with_message, say, show
from memoryapp.interfaces.settings.tabs import show_tab
from memoryapp.jobs.backups import Standing, standing
from memoryapp.jobs.heartbeat import Pulse, pulse, pulses, run_now, set_schedule
from memoryapp.jobs.schedule import MOST_KEPT
from memoryapp.store.backup_folder import StoredBackup

DAILY = "daily"
_EVERY = {
    "0": "as soon as there is something to do",
    "15": "every 15 minutes",
    "60": "every hour",
    "360": "every 6 hours",
    "720": "every 12 hours",
    "1440": "every 24 hours",
    "10080": "every 7 days",
}
SHOWN = 60  # of those that are kept


@dataclass(frozen=True, slots=True)
class BeatLine:
    """`choices`: (value, words, chosen). `when` and `due` for those who may not set it."""

    pulse: Pulse
    choices: list[tuple[str, str, bool]]
    when: str
    due: str
    clock: str

    @property
    def daily(self) -> bool:
        return bool(self.pulse.schedule.at)


def beat_lines(row: Space) -> list[BeatLine]:
    return [beat_line(one) for one in pulses(row)]


def beat_line(pulse: Pulse) -> BeatLine:
    schedule = pulse.schedule
    chosen = DAILY if schedule.at else str(schedule.every_minutes)
    known = _EVERY if chosen in {*_EVERY, DAILY} else {chosen: f"every {chosen} minutes", **_EVERY}
    choices = [(value, words, value == chosen) for value, words in known.items()]
    choices.append((DAILY, "once a day, at", chosen == DAILY))
    zone = f" {schedule.zone}" if schedule.zone else ""
    when = f"once a day, at {schedule.at}{zone}" if schedule.at else known[chosen]
    return BeatLine(pulse, choices, when, _due_text(pulse), schedule.at or "03:00")


def changes_of(typed: QueryDict, *, zone: str) -> dict[str, object]:
    """What a form of one act sets. A time of day is one of the reader's own zone. Raises BadInput."""
    when = typed.get("when", "")
    changes: dict[str, object] = {"on": bool(typed.get("on")), "split": bool(typed.get("split"))}
    if "keep" in typed:
        changes["keep"] = _read_keep_count(typed.get("keep", ""))
    if when == DAILY:
        return {**changes, "at": typed.get("at", "")[:5] or "03:00", "zone": zone}
    if not (when.isascii() and when.isdigit() and len(when) < 7):
        raise BadInput("That is not one of the times.", field="when")
    return {**changes, "every_minutes": int(when)}


def _read_keep_count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text[:9]) <= MOST_KEPT):
        raise BadInput(f"Between 1 and {MOST_KEPT} backups are kept.", field="keep")
    return int(text)


def _due_text(pulse: Pulse) -> str:
    if not pulse.schedule.on:
        return "off"
    if pulse.next_at is None:
        return "when there is something to do"
    told = human.ago(pulse.next_at)
    return "now, within a minute" if told == "just now" else told


@dataclass(frozen=True, slots=True)
class KeptLine:
    """`old`: made before the last purge, which it may still hold."""

    one: StoredBackup
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
        return f"{human.count_text(count, 'backup')}, {human.size(self.standing.size)}{more}"

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


def suggest_space_name(row: Space) -> str:
    """A name for the space that a backup is restored into: free, and short enough."""
    stem, taken = row.name[:34].rstrip("-"), set(Space.objects.values_list("name", flat=True))
    names = (f"{stem}-{n}" for n in range(2, len(taken) + 3))
    return next(name for name in names if name not in taken)


@require_GET
@page()
def heartbeat_page(request: PageRequest) -> HttpResponse:
    """htmx is given the acts alone, while one of them is being done."""
    context = _context(request)
    if request.htmx:
        status = 200 if context["alive"] else STOP_POLLING
        return show(request, "settings/heartbeat.html#acts", context, status=status)
    told = f"What {request.desk.space.name} does automatically, and when. What it changes can be undone."
    return show_tab(request, "settings/heartbeat.html", "settings-heartbeat", told, context)


@require_POST
@page(Role.ADMIN)
def set_act(request: PageRequest, act: str) -> HttpResponse:
    """Saved as soon as something in its line is changed."""
    zone = timezone.get_current_timezone_name() if request.COOKIES.get("tz") else ""
    line = beat_line(set_schedule(request.desk.space, act, **changes_of(request.POST, zone=zone)))
    if not request.htmx:
        return redirect_with_message(request, reverse("settings-heartbeat"), _schedule_text(line))
    return say(show(request, "settings/heartbeat.html#acts", _context(request)), _schedule_text(line))


@require_POST
@page(Role.CURATOR)
def run_act(request: PageRequest, act: str) -> HttpResponse:
    run_now(request.desk.space, act, actor=request.desk.actor)
    if not request.htmx:
        return redirect_with_message(request, reverse("settings-heartbeat"))
    return show(request, "settings/heartbeat.html#acts", _context(request))


def _schedule_text(line: Any) -> str:
    name = line.pulse.act.name
    return f"{name}: {line.when}." if line.pulse.schedule.on else f"{name} is off."


def _context(request: PageRequest) -> dict[str, Any]:
    lines = beat_lines(request.desk.space)
    return {"lines": lines, "alive": any(line.pulse.running for line in lines)}
