"""Home: one sentence, what changed since, running jobs, trust, growth, health; first-run steps in an empty space."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Category, State
from memoryapp.index.roster import STATES, Roster
from memoryapp.interfaces.golden.runs import warnings_of
from memoryapp.interfaces.health.presenter import health_of
from memoryapp.interfaces.home.changes import GROUPS, MOST, Since, changed_since, sentence
from memoryapp.interfaces.jobs.pages import STOP_POLLING, open_jobs
from memoryapp.interfaces.jobs.presenter import told
from memoryapp.interfaces.pages import charts, human, wording
from memoryapp.interfaces.pages.access import PageRequest, page, show, then
from memoryapp.interfaces.sessions.presenter import lines_of
from memoryapp.jobs.heartbeat import pulse, turn_on_housekeeping
from memoryapp.jobs.requests import submit_demo
from memoryapp.spaces import Space
from memoryapp.store import memories, sessions, turns

_SPANS = {1: "since yesterday", 7: "in the last 7 days", 30: "in the last 30 days"}
_DAYS = 30
_DUE = 5  # memories that are named where they are due for review


@dataclass(frozen=True, slots=True)
class Tab:
    key: str
    name: str
    count: int
    on: bool


@require_GET
@page()
def home(request: PageRequest) -> HttpResponse:
    space = request.desk.memory
    space.index.refresh()
    roster = space.index.roster
    context: dict[str, Any] = {
        "now": timezone.localtime(),
        "health": health_of(request.desk),
        "categories": [c.value for c in Category],
        "form": {},
    }
    context |= _running(request)
    if not roster.alive.any():
        first = {"first_run": True, "kept_in_order": pulse(request.desk.space, "consolidate").schedule.on}
        return show(request, "home/home.html", {**context, **first}, at="home")
    days, only = _asked(request)
    you, may = request.desk.actor.name, request.desk.may.decide
    found = changed_since(space, _start(days), you=you, may_decide=may)
    shown = changed_since(space, _start(days), you=you, only=only, may_decide=may) if only else found
    held = int(roster.listed.sum())
    clashing = _conflicts(space)
    context |= {
        "sentence": sentence(found, held=held, told=_SPANS[days], waiting=clashing["conflicts_total"]),
        "tabs": _tabs(found, only),
        "groups": shown.groups,
        "since_told": _SPANS[days],
        "looked_at": MOST if found.more else 0,
        "spans": list(_SPANS.items()),
        "chosen_days": days,
        "has_more": days < max(_SPANS),
        "worse": warnings_of(space),
        **clashing,
        "learned": review.count_waiting(space),
        **_sessions(space),
        **_due(space, roster),
        **_charts(space, roster),
    }
    return show(request, "home/home.html", context, at="home")


@require_POST
@page(Role.ADMIN)
def fill_with_demo(request: PageRequest) -> HttpResponse:
    """Puts the example into the space; Home shows how far it is."""
    submit_demo(request.desk.space.name, actor=request.desk.actor)
    return then(request, reverse("home"), "The example is being created. It takes a minute or two.")


@require_POST
@page(Role.ADMIN)
def housekeeping(request: PageRequest) -> HttpResponse:
    """Turns on the acts that keep a space in order."""
    turn_on_housekeeping(request.desk.space)
    return then(request, reverse("home"), "Automatic maintenance is on. See Settings, Heartbeat for the schedule.")


@require_GET
@page()
def running(request: PageRequest) -> HttpResponse:
    """The live leaf: asked every second while a job is open."""
    context = _running(request)
    return show(request, "home/running.html#", context, status=200 if context["running"] else STOP_POLLING)


def _running(request: PageRequest) -> dict[str, Any]:
    return {"running": [told(job, you=request.desk.actor.name) for job in open_jobs(request.desk.space.name)]}


def _asked(request: PageRequest) -> tuple[int, str]:
    days, only = request.GET.get("days", "1"), request.GET.get("act", "")
    if days not in {str(n) for n in _SPANS}:
        raise BadInput(f"Home looks back 1, 7 or 30 days, not “{days[:20]}”.", field="days")
    if only and only not in GROUPS:
        raise BadInput(f"“{only[:40]}” is not a kind of change. Known: {', '.join(GROUPS)}.", field="act")
    return int(days), only


def _start(days: int) -> datetime:
    """Midnight, where the reader is, that many days ago."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight - timedelta(days=days if days == 1 else days - 1)


def _tabs(found: Since, only: str) -> list[Tab]:
    tabs = [Tab("", "All", sum(found.counts.values()), not only)]
    return tabs + [Tab(name, name.capitalize(), count, only == name) for name, count in found.counts.items()]


def _charts(space: Space, roster: Roster) -> dict[str, Any]:
    """Both charts come off the index's columns: no question to the store."""
    now = space.clock()
    trust = roster.trust(now, half_life=space.tuning.trust_half_life_days)[roster.listed]
    if not trust.size:
        return {}
    counts, _ = np.histogram(np.clip(trust, 0, 1.3499), bins=27, range=(0, 1.35))
    median = float(np.median(trust))
    low, high = np.quantile(trust, [0.1, 0.9])
    return {
        "histogram": charts.trust_histogram(counts.tolist(), floor=space.tuning.trust_floor),
        "histogram_label": f"Trust of {_many(int(trust.size))}: most are between {low:.2f} and {high:.2f}",
        "median": median,
        "growth": charts.growth(_grown(roster)),
    }


def _due(space: Space, roster: Roster) -> dict[str, Any]:
    """What somebody asked to be reviewed by now, the longest due first."""
    slots = np.flatnonzero(roster.mask(Filters(review_before=space.clock()), now=space.clock()))
    first = slots[np.argsort(roster.review[slots], kind="stable")][:_DUE]
    ids = [roster.ids[slot] for slot in first.tolist()]
    found = memories.get_many(space.db, ids)
    return {"due_total": len(slots), "due": [found[key] for key in ids if key in found]}


def _many(count: int) -> str:
    return human.counted(count, "memory", "memories")


def _grown(roster: Roster) -> list[tuple[date, int, int]]:
    """(day, held at its end, superseded by then) of the last 30 days."""
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    created, ended = roster.created[roster.alive], np.nan_to_num(roster.ended[roster.alive], nan=np.inf)
    superseded = roster.state[roster.alive] == STATES.index(State.SUPERSEDED)
    days = []
    for n in range(_DAYS - 1, -1, -1):
        day = today - timedelta(days=n)
        end = (day + timedelta(days=1)).timestamp()
        held = int(np.count_nonzero((created < end) & (ended >= end)))
        days.append((day.date(), held, int(np.count_nonzero(superseded & (ended < end)))))
    first = next((n for n, (_, held, _) in enumerate(days) if held), 0)
    return days[max(first - 1, 0) :]


def _conflicts(space: Space) -> dict[str, Any]:
    """The newest that wait: as the review page counts them, without those put off."""
    waiting = review.queue(space, tab="waiting", limit=3)
    clashes = [
        {
            "existing": wording.excerpt(case.existing.text, limit=120),
            "incoming": wording.excerpt(
                case.conflict.incoming_text or (case.incoming.text if case.incoming else ""), limit=120
            ),
            "reason": case.conflict.reason,
            "href": reverse("conflict", args=[case.conflict.id]),
        }
        for case in waiting.cases
    ]
    return {"conflicts": clashes, "conflicts_total": waiting.total}


def _sessions(space: Space) -> dict[str, Any]:
    """What is being said, and what of it nobody has read yet."""
    under_way, waiting = sessions.count(space.db)[1], turns.count_waiting(space.db)
    if not under_way and not waiting:
        return {}
    lines = lines_of(space, sessions.page(space.db, limit=3, under_way=True)) if under_way else []
    return {"talks": lines, "talks_total": under_way, "turns_waiting": waiting}
