"""Golden queries: the list, what is added, changed and deleted with its Undo, files brought in and taken out."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import trigger_client_event

from memoryapp import lab
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, Clash, Stale
from memoryapp.interfaces.golden.imports import before_of, groups_of, taken_back, text_of, told_of
from memoryapp.interfaces.golden.presenter import (
    form_of,
    golden_kept,
    golden_read,
    offered_of,
    page_of,
    read_golden,
    version_in,
)
from memoryapp.interfaces.golden.runs import job_of, last_runs_of, warnings_of
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, came_from, page, say, show, then
from memoryapp.interfaces.pages.session_undo import keep_before, take_before
from memoryapp.lab import Standing
from memoryapp.lab.exchange import export_golden, import_golden

_REFUSALS = (BadInput, Clash, Stale)
_IMPORT = "import"


@require_GET
@page()
def golden_page(request: PageRequest) -> HttpResponse:
    space = request.desk.memory
    context = {
        **page_of(space, request.GET),
        **job_of(request.desk, request.GET.get("job", "")),
        "latest": last_runs_of(space),
        "worse": warnings_of(space),
        "tab": "queries",
    }
    return show(request, "golden/golden.html", context, at="golden")


@require_GET
@page(Role.CURATOR)
def form(request: PageRequest) -> HttpResponse:
    """Of the golden query `edit`, or of a new one with what the address says."""
    key = request.GET.get("edit", "")
    standing = lab.golden_named(request.desk.memory, key) if key else None
    return show(request, "golden/form.html#", form_of(request.desk.memory, request.GET, standing))


@require_GET
@page(Role.CURATOR)
def candidates(request: PageRequest) -> HttpResponse:
    """What the question of the form finds now, to be ticked; what is ticked stays."""
    offered = offered_of(request.desk.memory, request.GET, look=True)
    return show(request, "golden/form.html#offered", {"offered": offered, "looked": True})


@require_POST
@page(Role.CURATOR)
def add(request: PageRequest) -> HttpResponse:
    """From the page of golden queries it goes back there; anywhere else one stays, with a message."""
    desk, here = request.desk, _here(request)
    try:
        added = lab.add_golden(desk.memory, **read_golden(request.POST), actor=desk.actor)
    except _REFUSALS as error:
        if not here:
            raise
        return _again(request, error)
    one, before = added.golden, added.before
    keep_before(request.session, _place(request, one.id), golden_kept(before) if before else None, version=one.version)
    meant = human.counted(len(one.relevant), "memory", "memories")
    said = f"Created a golden query for {meant}."
    if before is not None:
        said = f"Merged with the existing golden query: it is now for {meant}."
    return _done(request, said, undo=reverse("golden-undo", args=[one.id]), here=here)


@require_POST
@page(Role.CURATOR)
def change(request: PageRequest, key: str) -> HttpResponse:
    desk = request.desk
    standing = lab.golden_named(desk.memory, key)
    try:
        told = read_golden(request.POST, before=standing.golden)
        after = lab.change_golden(desk.memory, key, version=version_in(request.POST), **told, actor=desk.actor)
    except _REFUSALS as error:
        return _again(request, error, standing)
    keep_before(request.session, _place(request, key), golden_kept(standing.golden), version=after.version)
    return _done(request, "Saved.", undo=reverse("golden-undo", args=[key]), here=True)


@require_POST
@page(Role.CURATOR)
def delete(request: PageRequest, key: str) -> HttpResponse:
    gone = lab.delete_golden(request.desk.memory, key)
    keep_before(request.session, _place(request, key), golden_kept(gone), version=0)
    said = "Deleted. Past runs keep their results for it."
    return _done(request, said, undo=reverse("golden-undo", args=[key]), here=True)


@require_POST
@page(Role.CURATOR)
def undo(request: PageRequest, key: str) -> HttpResponse:
    """Back to what it was before one's own last act on it. Refused where others changed it since."""
    space = request.desk.memory
    told, version = take_before(request.session, _place(request, key))
    if told is None:
        lab.delete_golden(space, key, version=version)
        said = "The golden query was removed."
    elif version:
        was = golden_read(told)
        put: dict[str, Any] = {"query": was.query, "relevant": was.relevant, "filters": was.filters, "note": was.note}
        lab.change_golden(space, key, version=version, **put, actor=request.desk.actor)
        said = "The golden query was reverted."
    else:
        lab.put_back_golden(space, golden_read(told))
        said = "The golden query was restored."
    return then(request, came_from(request, reverse("golden")), said)


@require_POST
@page(Role.CURATOR)
def bring(request: PageRequest) -> HttpResponse:
    """With `dry_run` what each line would do; else it is done."""
    desk, dry_run = request.desk, bool(request.POST.get("dry_run"))
    try:
        text = text_of(request.FILES.get("file"), request.POST.get("lines", ""))
        was = {one.golden.id: one.golden for one in lab.golden_of(desk.memory)}
        strict = bool(request.POST.get("strict"))
        imported = import_golden(desk.memory, text, actor=desk.actor, dry_run=dry_run, strict=strict)
    except _REFUSALS as error:
        return show(request, "golden/brought.html#", {"problem": error.detail}, status=422)
    context = {"groups": groups_of(imported), "imported": imported, "dry_run": dry_run}
    context["useful"] = imported.count("add") + imported.count("join")
    if not imported.written:
        return show(request, "golden/brought.html#", context)
    before = before_of(imported, was)
    if before is not None:
        keep_before(request.session, _place(request, _IMPORT), before, version=1)
    return then(request, reverse("golden"), told_of(imported), undo=reverse("golden-import-undo") if before else "")


@require_POST
@page(Role.CURATOR)
def undo_bring(request: PageRequest) -> HttpResponse:
    told, _ = take_before(request.session, _place(request, _IMPORT))
    done, stayed = taken_back(request.desk.memory, told or {"added": [], "joined": []}, actor=request.desk.actor)
    said = f"Undone: {human.counted(done, 'golden query', 'golden queries')}."
    said += f" {human.number(stayed)} stayed, because something was changed since." if stayed else ""
    return then(request, reverse("golden"), said)


@require_GET
@page()
def take(request: PageRequest) -> HttpResponse:
    """All of them as JSON lines."""
    text = "".join(f"{line}\n" for line in export_golden(request.desk.memory))
    answer = HttpResponse(text, content_type="application/x-ndjson; charset=utf-8")
    name = quote(request.desk.space.name)
    answer["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}-golden.jsonl"
    return answer


def _again(request: PageRequest, error: BadInput | Clash | Stale, standing: Standing | None = None) -> HttpResponse:
    """The form with what was typed and what was wrong with it."""
    typed = request.POST if request.POST.get("query") else QueryDict(mutable=True)
    context = form_of(request.desk.memory, typed, standing)
    context |= {"problem": error, "form": {name: request.POST.get(name, "") for name in context["form"]}}
    return show(request, "golden/form.html#", context, status=422 if isinstance(error, BadInput) else 409)


def _done(request: PageRequest, said: str, *, undo: str, here: bool) -> HttpResponse:
    if here or not request.htmx:  # type: ignore[attr-defined]
        return then(request, came_from(request, reverse("golden")), said, undo=undo)
    return say(trigger_client_event(HttpResponse(status=204), "golden-changed", {}), said, undo=undo)


def _here(request: PageRequest) -> bool:
    return came_from(request).startswith(reverse("golden"))


def _place(request: PageRequest, key: str) -> str:
    return f"{request.desk.space.name}/golden/{key}"
