"""Settings, Backups: those that are kept, one taken now, one restored into a new space, one removed."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, Clash, NotAllowed, PalimpsestError
from memoryapp.interfaces.heartbeat.pages import backups_of, suggest_space_name
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import STOP_POLLING, PageRequest, page, redirect_with_message, show
from memoryapp.interfaces.settings.space_pages import CARDS, draw_cards
from memoryapp.interfaces.settings.tabs import show_tab
from memoryapp.jobs.backups import kept_named, remove_before_purge, submit_restore
from memoryapp.jobs.downloads import send_kept
from memoryapp.jobs.heartbeat import run_now
from memoryapp.store import backup_folder

_PURPOSE = "All of {} in one file, row by row, in case something is lost."


@require_GET
@page(Role.ADMIN)
def backups_page(request: PageRequest) -> HttpResponse:
    """htmx is given the list alone, while one is being taken."""
    if request.htmx:
        return _list(request)
    return _page(request)


@require_POST
@page(Role.ADMIN)
def take(request: PageRequest) -> HttpResponse:
    run_now(request.desk.space, "backup", actor=request.desk.actor)
    if not request.htmx:
        return redirect_with_message(request, reverse("settings-backups"))
    if request.headers.get("HX-Target") == CARDS:
        return draw_cards(request)
    return _list(request)


@require_GET
@page(Role.ADMIN)
def download(request: PageRequest, name: str) -> StreamingHttpResponse:
    return send_kept(kept_named(request.desk.space, name).path, content_type="application/gzip")


@require_GET
@page(Role.ADMIN)
def ask(request: PageRequest, name: str, what: str) -> HttpResponse:
    """The question before it is done, for a popover."""
    one = kept_named(request.desk.space, name)
    context = {
        "one": one,
        "name": suggest_space_name(request.desk.space),
        "may_create": request.desk.person.is_superuser,
    }
    return show(request, f"settings/backup.html#{what}", context)


@require_POST
@page(Role.ADMIN)
def restore(request: PageRequest, name: str) -> HttpResponse:
    """Into a new space; a name that is none or taken is said on the page."""
    if not request.desk.person.is_superuser:
        raise NotAllowed("Only an administrator of every space can create a space.")
    to, desk = request.POST.get("name", "").strip(), request.desk
    try:
        job = submit_restore(desk.space, name, to=to, actor=desk.actor, created_by=desk.person)
    except (BadInput, Clash) as problem:
        return _page(request, problem=problem)
    return redirect_with_message(
        request, f"{reverse('job', args=[job.pk])}?space={job.space}", f"The space {job.space} is being filled."
    )


@require_POST
@page(Role.ADMIN)
def remove(request: PageRequest, name: str) -> HttpResponse:
    one = kept_named(request.desk.space, name)
    backup_folder.remove(one)
    return redirect_with_message(
        request, reverse("settings-backups"), f"The backup of {human.moment(one.made_at)} was deleted."
    )


@require_POST
@page(Role.ADMIN)
def remove_purged(request: PageRequest) -> HttpResponse:
    """Those that were made before the last purge."""
    gone = human.count_text(len(remove_before_purge(request.desk.space)), "backup")
    return redirect_with_message(
        request, reverse("settings-backups"), f"{gone} deleted. Make a new one, so that you have a backup."
    )


def _list(request: PageRequest) -> HttpResponse:
    context = _context(request)
    return show(request, "settings/backups.html#kept", context, status=200 if context["alive"] else STOP_POLLING)


def _page(request: PageRequest, *, problem: PalimpsestError | None = None) -> HttpResponse:
    purpose = _PURPOSE.format(request.desk.space.name)
    context = _context(request) | {"problem": problem}
    status = problem.status if problem else 200
    return show_tab(request, "settings/backups.html", "settings-backups", purpose, context, status=status)


def _context(request: PageRequest) -> dict[str, Any]:
    found = backups_of(request.desk.space)
    return {"backups": found, "alive": found.standing.running is not None}
