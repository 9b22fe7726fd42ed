"""Settings, Move in and out: everything out as one archive; archives and other programs' files in."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, Clash, PalimpsestError
from memoryapp.interfaces.jobs.pages import STOP_POLLING, job_of
from memoryapp.interfaces.pages.access import PageRequest, page, show, then
from memoryapp.interfaces.settings.tabs import framed
from memoryapp.interfaces.transfer.presenter import forms, import_of, imports_of, open_import
from memoryapp.jobs.downloads import send_export
from memoryapp.jobs.imports import MOST_BYTES, move_in, move_in_for_real
from memoryapp.store.backup import is_empty

_PURPOSE = "Export everything in {} in open formats, and import memories from elsewhere."


@require_GET
@page(Role.ADMIN)
def move_page(request: PageRequest) -> HttpResponse:
    """htmx is given the imports alone, while one of them goes on."""
    if request.htmx:  # type: ignore[attr-defined]
        status = 200 if open_import(request.desk.space.name) else STOP_POLLING
        return show(request, "transfer/move.html#imports", _imports(request), status=status)
    return _page(request)


@require_POST
@page(Role.ADMIN)
def take_out(request: PageRequest) -> StreamingHttpResponse:
    return send_export(request.desk.space, vectors=bool(request.POST.get("vectors")))


@require_POST
@page(Role.ADMIN)
def bring(request: PageRequest) -> HttpResponse:
    """A file that was sent; a refusal is said on the page, above the forms."""
    sent = request.FILES.getlist("files")
    try:
        if len(sent) != 1:
            raise BadInput("Choose one file. Zip a folder to import it.", field="files")
        job = move_in(
            request.desk.space.name,
            sent[0].name or "",
            sent[0].chunks(),
            actor=request.desk.actor,
            form=request.POST.get("form", ""),
            merge=bool(request.POST.get("merge")),
            dry_run=bool(request.POST.get("dry_run")),
        )
    except (BadInput, Clash) as problem:
        return _page(request, problem=problem)
    return then(request, reverse("settings-move"), f"{job.arguments['name']}: {import_of(job).form}.")


@require_POST
@page(Role.ADMIN)
def carry_out(request: PageRequest, key: str) -> HttpResponse:
    """A dry run, now for good."""
    move_in_for_real(job_of(request, key), actor=request.desk.actor)
    return then(request, reverse("settings-move"))


def _page(request: PageRequest, *, problem: PalimpsestError | None = None) -> HttpResponse:
    context = {
        **_imports(request),
        "forms": forms(),
        "chosen": request.POST.get("form", ""),
        "merge": bool(request.POST.get("merge")),
        "most": MOST_BYTES,
        "empty": is_empty(request.desk.memory.db),
        "problem": problem,
    }
    purpose = _PURPOSE.format(request.desk.space.name)
    status = problem.status if problem else 200
    return framed(request, "transfer/move.html", "settings-move", purpose, context, status=status)


def _imports(request: PageRequest) -> dict[str, Any]:
    found = imports_of(request.desk.space.name)
    return {"last": found[0] if found else None, "earlier": found[1:], "alive": any(one.job.open for one in found)}
