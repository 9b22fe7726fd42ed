"""Settings, Heartbeat: what the space does by itself, when, how it went; an act begun now."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from memoryapp.accounts.roles import Role
from memoryapp.interfaces.heartbeat.presenter import beat_line, beat_lines, changes_of
from memoryapp.interfaces.jobs.pages import STOP_POLLING
from memoryapp.interfaces.pages.access import PageRequest, page, say, show, then
from memoryapp.interfaces.settings.tabs import framed
from memoryapp.jobs.heartbeat import run_now, set_schedule


@require_GET
@page()
def heartbeat_page(request: PageRequest) -> HttpResponse:
    """htmx is given the acts alone, while one of them is being done."""
    context = _context(request)
    if request.htmx:  # type: ignore[attr-defined]
        status = 200 if context["alive"] else STOP_POLLING
        return show(request, "settings/heartbeat.html#acts", context, status=status)
    told = f"What {request.desk.space.name} does automatically, and when. What it changes can be undone."
    return framed(request, "settings/heartbeat.html", "settings-heartbeat", told, context)


@require_POST
@page(Role.ADMIN)
def set_act(request: PageRequest, act: str) -> HttpResponse:
    """Saved as soon as something in its line is changed."""
    zone = timezone.get_current_timezone_name() if request.COOKIES.get("tz") else ""
    line = beat_line(set_schedule(request.desk.space, act, **changes_of(request.POST, zone=zone)))
    if not request.htmx:  # type: ignore[attr-defined]
        return then(request, reverse("settings-heartbeat"), _told(line))
    return say(show(request, "settings/heartbeat.html#acts", _context(request)), _told(line))


@require_POST
@page(Role.CURATOR)
def run_act(request: PageRequest, act: str) -> HttpResponse:
    run_now(request.desk.space, act, actor=request.desk.actor)
    if not request.htmx:  # type: ignore[attr-defined]
        return then(request, reverse("settings-heartbeat"))
    return show(request, "settings/heartbeat.html#acts", _context(request))


def _told(line: Any) -> str:
    name = line.pulse.act.name
    return f"{name}: {line.when}." if line.pulse.schedule.on else f"{name} is off."


def _context(request: PageRequest) -> dict[str, Any]:
    lines = beat_lines(request.desk.space)
    return {"lines": lines, "alive": any(line.pulse.running for line in lines)}
