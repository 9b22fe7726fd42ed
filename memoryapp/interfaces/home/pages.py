"""Home: one sentence, what waits to be decided, what agents did not find, what changed since, jobs, trust, growth and
what is not well; first-run steps in an empty space."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import count
from typing import Any
from urllib.parse import urlencode

import numpy as np
from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from memoryapp.accounts.first_steps import note_question, set_first_steps
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import spaces_of
from memoryapp.domain.errors import BadInput, NotAllowed
from memoryapp.domain.memory import Category, Kind, State
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import DEFAULT
from memoryapp.graph.snapshot import snapshot_of
from memoryapp.index.roster import KINDS, STATES, Roster
from memoryapp.interfaces.consolidate.presenter import digests_due
from memoryapp.interfaces.golden.runs import warnings_of
from memoryapp.interfaces.health.presenter import health_of
from memoryapp.interfaces.home.changes import GROUPS, MOST, Since, changed_since, sentence
from memoryapp.interfaces.home.first_steps import (
    FirstSteps,
    connect_command,
    first_steps_of,
    last_failure,
    questions_about,
)
from memoryapp.interfaces.home.presenter import jobs_of, questions_of, sessions_of, waiting_of
from memoryapp.interfaces.ingest.presenter import roots_told
from memoryapp.interfaces.jobs.presenter import job_view
from memoryapp.interfaces.pages import charts, human
from memoryapp.interfaces.pages.access import STOP_POLLING, Desk, PageRequest, page, redirect_with_message, show
from memoryapp.interfaces.pages.clock import EITHER
from memoryapp.interfaces.pages.shell import grown, standing
from memoryapp.interfaces.search.presenter import doubt_of, hits_of
from memoryapp.jobs.heartbeat import pulse, turn_on_housekeeping
from memoryapp.jobs.requests import submit_demo, submit_sample
from memoryapp.search import search, strategy_of
from memoryapp.spaces import Space

_SPANS = {1: "since yesterday", 7: "in the last 7 days", 30: "in the last 30 days"}
_SPANS_THEN = {1: "since the day before", 7: "in the 7 days before", 30: "in the 30 days before"}
_DAYS = 30
_ANSWERS = 3
_SAMPLE = "sample"


@dataclass(frozen=True, slots=True)
class Tab:
    key: str
    name: str
    count: int
    on: bool


@dataclass(frozen=True, slots=True)
class Tile:
    """A count that leads to what it counts."""

    url: str
    icon: str
    count: int
    told: str


@require_GET
@page(follows=EITHER)
def home(request: PageRequest) -> HttpResponse:
    space = request.desk.memory
    space.index.refresh()
    if request.desk.past:
        return _home_then(request, request.desk.then)
    roster = space.index.roster
    context: dict[str, Any] = {
        "now": timezone.localtime(),
        "health": health_of(request.desk),
        "categories": [c.value for c in Category],
        "form": {},
        **jobs_of(request.desk.space, you=request.desk.actor.name),
    }
    context |= steps_context(request)
    if not roster.alive.any():
        return show(request, "home/home.html", {**context, "empty": True}, at="home")
    waiting = waiting_of(space, roster)
    context |= {
        **_changed(request, space, waiting=waiting["conflicts_total"]),
        "worse": warnings_of(space),
        "digests": digests_due(space),
        "tiles": [one for one in _tiles(standing(space), grown(space)) if one.count or "steps" not in context],
        **waiting,
        **questions_of(space, request.desk.role),
        **sessions_of(space),
        **_charts(space, roster),
    }
    return show(request, "home/home.html", context, at="home")


def _home_then(request: PageRequest, then: Space) -> HttpResponse:
    """What was known and had changed by then; what waits, runs and ails is of the present."""
    context: dict[str, Any] = {"now": timezone.localtime(human.now())}
    if not then.index.roster.alive.any():
        return show(request, "home/then.html", context, at="home")
    known = int(snapshot_of(request.desk.memory, as_of=then.at).there.sum())
    context |= {
        **_changed(request, request.desk.memory, then=then),
        "tiles": _tiles(known, grown(then)),
        **_charts(then, then.index.roster, every=request.desk.memory.index.roster),
    }
    return show(request, "home/home.html", context, at="home")


def _changed(request: PageRequest, space: Space, *, then: Space | None = None, waiting: int = 0) -> dict[str, Any]:
    days, only = _read_query(request)
    asked: dict[str, Any] = {
        "you": request.desk.actor.name,
        "may_decide": request.desk.role.allows(Role.CURATOR),
        "then": then,
    }
    found = changed_since(space, _start(days), **asked)
    shown = changed_since(space, _start(days), only=only, **asked) if only else found
    held = int((then or space).index.roster.listed.sum())
    spans = _SPANS if then is None else _SPANS_THEN
    return {
        "sentence": sentence(found, held=held, told=spans[days], waiting=waiting),
        "tabs": _tabs(found, only),
        "groups": shown.groups,
        "since_told": spans[days],
        "looked_at": MOST if found.more else 0,
        "spans": list(spans.items()),
        "chosen_days": days,
        "has_more": days < max(_SPANS),
    }


@require_GET
@page()
def steps(request: PageRequest) -> HttpResponse:
    """The first steps as they stand. `part`: asked for until the job that fills the space is done, which draws the page
    anew, or until an agent calls."""
    found, part = first_steps_of(request.desk.space, request.desk.memory), request.GET.get("part", "")
    if part == "fill" and found.job is None:
        return HttpResponse(headers={"HX-Refresh": "true"})
    if part == "agent" and not found.agent:
        return HttpResponse(status=204)
    return show(
        request, "home/steps.html#", _steps_context(request, found), status=STOP_POLLING if part == "agent" else 200
    )


@require_GET
@page()
def ask(request: PageRequest) -> HttpResponse:
    """A question of the third step, and the best of what answers it."""
    space, text = request.desk.memory, request.GET.get("q", "").strip()
    if not text:
        raise BadInput("Type a question first.", field="q")
    strategy = strategy_of(space, DEFAULT)
    answer = search(space, Query(text, strategy=strategy.name, top_k=_ANSWERS, read=True))
    note_question(request.desk.space)
    context: dict[str, Any] = {
        "asked": text,
        "answer": answer,
        "hits": hits_of(space, answer, strategy),
        "doubt": doubt_of(space, answer),
        "steps": first_steps_of(request.desk.space, space),
    }
    return show(request, "home/answer.html#", context)


@require_POST
@page(Role.ADMIN)
def set_steps(request: PageRequest, *, shown: bool) -> HttpResponse:
    """Shows the first steps on Home, or hides them until they are shown again."""
    set_first_steps(request.desk.space, shown=shown)
    if shown:
        return redirect_with_message(request, reverse("home"))
    told = "The first steps are hidden. Settings and the palette bring them back."
    return redirect_with_message(request, reverse("home"), told, undo=reverse("home-steps-show"))


@require_POST
@page(Role.ADMIN)
def fill_with_demo(request: PageRequest) -> HttpResponse:
    """Puts the example into the space, or into a `new` one; Home shows how far it is."""
    desk, new = request.desk, request.POST.get("new", "").strip()
    if not new:
        submit_demo(desk.space.name, actor=desk.actor)
        return redirect_with_message(request, reverse("home"), "The sample is being loaded. It takes a minute or two.")
    if not desk.person.is_superuser:
        raise NotAllowed("Only an administrator of every space can create a space.")
    job = submit_sample(new, actor=desk.actor, created_by=desk.person)
    to = f"{reverse('home')}?{urlencode({'space': job.space})}"
    return redirect_with_message(request, to, f"The sample is being loaded into {job.space}. It takes a minute or two.")


def steps_context(request: PageRequest) -> dict[str, Any]:
    """The first steps, where Home shows them; nothing else."""
    desk = request.desk
    found = first_steps_of(desk.space, desk.memory)
    return _steps_context(request, found) if found.shown else {}


def _steps_context(request: PageRequest, found: FirstSteps) -> dict[str, Any]:
    desk = request.desk
    failed = last_failure(desk.space) if not found.job else None
    return {
        "steps": found,
        "filling": job_view(found.job, you=desk.actor.name) if found.job else None,
        "failed": job_view(failed, you=desk.actor.name) if failed else None,
        "questions_offered": questions_about(desk.memory) if found.filled and not found.asked else [],
        "held": int(desk.memory.index.roster.listed.sum()),
        "roots": roots_told(),
        "sample": _free_name(desk) if desk.person.is_superuser else "",
        "kept_in_order": pulse(desk.space, "consolidate").schedule.on,
        "command": "" if settings.SERVER_MODE else connect_command(desk.space),
    }


def _free_name(desk: Desk) -> str:
    """What a space for the sample may be called."""
    taken = set(spaces_of(desk.person).filter(name__startswith=_SAMPLE).values_list("name", flat=True))
    return next(name for n in count(1) if (name := _SAMPLE if n == 1 else f"{_SAMPLE}-{n}") not in taken)


@require_POST
@page(Role.ADMIN)
def housekeeping(request: PageRequest) -> HttpResponse:
    """Turns on the acts that keep a space in order."""
    turn_on_housekeeping(request.desk.space)
    return redirect_with_message(
        request, reverse("home"), "Automatic maintenance is on. See Settings, Heartbeat for the schedule."
    )


@require_GET
@page()
def running(request: PageRequest) -> HttpResponse:
    """The live leaf: asked every second while a job is open."""
    context = jobs_of(request.desk.space, you=request.desk.actor.name)
    return show(request, "home/running.html#", context, status=200 if context["running"] else STOP_POLLING)


def _read_query(request: PageRequest) -> tuple[int, str]:
    days, only = request.GET.get("days", "1"), request.GET.get("act", "")
    if days not in {str(n) for n in _SPANS}:
        raise BadInput(f"Home looks back 1, 7 or 30 days, not “{days[:20]}”.", field="days")
    if only and only not in GROUPS:
        raise BadInput(f"“{only[:40]}” is not a kind of change. Known: {', '.join(GROUPS)}.", field="act")
    return int(days), only


def _start(days: int) -> datetime:
    """Midnight, where the reader is, that many days ago."""
    midnight = timezone.localtime(human.now()).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight - timedelta(days=days if days == 1 else days - 1)


def _tabs(found: Since, only: str) -> list[Tab]:
    tabs = [Tab("", "All", sum(found.counts.values()), not only)]
    return tabs + [Tab(name, name.capitalize(), count, only == name) for name, count in found.counts.items()]


def _charts(space: Space, roster: Roster, *, every: Roster | None = None) -> dict[str, Any]:
    """Both charts come off the index's columns: no question to the store. `every`: what is known today, where the space
    stands in the past; what it has lost since is told by that."""
    now = space.clock()
    trust = roster.trust(now, half_life=space.tuning.trust_half_life_days)[roster.listed]
    if not trust.size:
        return {}
    counts, _ = np.histogram(np.clip(trust, 0, 1.3499), bins=27, range=(0, 1.35))
    median = float(np.median(trust))
    low, high = np.quantile(trust, [0.1, 0.9])
    return {
        "histogram": charts.trust_histogram(counts.tolist(), floor=space.tuning.trust_floor),
        "histogram_label": f"Trust of {_memories_text(int(trust.size))}: most are between {low:.2f} and {high:.2f}",
        "median": median,
        "growth": charts.growth(_growth_days(every or roster)),
    }


def _tiles(entities: int, pages: int) -> list[Tile]:
    return [
        Tile("graph", "graph", entities, "entity in the graph" if entities == 1 else "entities in the graph"),
        Tile("tree", "tree", pages, f"{'page' if pages == 1 else 'pages'} in the Context Tree"),
    ]


def _memories_text(count: int) -> str:
    return human.count_text(count, "memory", "memories")


def _growth_days(roster: Roster) -> list[tuple[date, int, int]]:
    """(day, held at its end, superseded by then) of the last 30 days; turns are counted nowhere on Home."""
    today = timezone.localtime(human.now()).replace(hour=0, minute=0, second=0, microsecond=0)
    counted = roster.alive & (roster.kind != KINDS.index(Kind.TURN))
    created, ended = roster.created[counted], np.nan_to_num(roster.ended[counted], nan=np.inf)
    superseded = roster.state[counted] == STATES.index(State.SUPERSEDED)
    days = []
    for n in range(_DAYS - 1, -1, -1):
        day = today - timedelta(days=n)
        end = min(day + timedelta(days=1), human.now()).timestamp()
        held = int(np.count_nonzero((created < end) & (ended >= end)))
        days.append((day.date(), held, int(np.count_nonzero(superseded & (ended < end)))))
    first = next((n for n, (_, held, _) in enumerate(days) if held), 0)
    return days[max(first - 1, 0) :]
