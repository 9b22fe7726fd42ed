"""Settings, Move in and out: everything out as one archive; archives and other programs' files in, each import told in
words: what the file was, what came of it, what was left out, and what can be done now.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, Clash, PalimpsestError
from memoryapp.interfaces.jobs.presenter import job_of
from memoryapp.interfaces.pages.access import STOP_POLLING, PageRequest, page, redirect_with_message, show
from memoryapp.interfaces.settings.tabs import show_tab
from memoryapp.jobs.downloads import send_export
from memoryapp.jobs.imports import MOST_BYTES, move_in, move_in_for_real
from memoryapp.jobs.models import OPEN, Job, Status
from memoryapp.jobs.sources import upload_file
from memoryapp.jobs.summary import summary_of
from memoryapp.store.backup import is_empty
from memoryapp.transfer.foreign import FORMS
from memoryapp.transfer.report import PALIMPSEST

LAST = 8  # imports that the page lists
_LOOKS = {Status.DONE: "good", Status.FAILED: "conflict", Status.CANCELLED: "caution", Status.RUNNING: "good"}
_WORDS = {
    "written": "new memories",
    "reinforced": "said again",
    "conflict": "in conflict",
    "turns": "new turns",
    "sessions": "new conversations",
    "entities": "new entities",
    "relations": "new relations",
    "unchanged": "already here",
    "skipped": "skipped",
}
# Of an export that filled a space, the files that a person thinks in.
_RECORDS = ("memories", "entities", "relations", "turns", "documents", "conflicts", "revisions")
_PURPOSE = "Export everything in {} in open formats, and import memories from elsewhere."


@dataclass(frozen=True, slots=True)
class Import:
    """`counts`: (number, what) with what is zero left out; `told`: (where, why) of what was left out; `real`: a dry run
    that can now be carried out; `run`: by which it can be undone."""

    job: Job
    name: str
    form: str
    word: str
    look: str
    told: str
    counts: list[tuple[int, str]]
    notes: list[str]
    left: list[dict[str, Any]]
    more_left: int
    dry: bool
    real: bool
    run: str


def imports_of(space: str) -> list[Import]:
    """The last ones, the newest first."""
    found = Job.objects.filter(space=space, kind="import").order_by("-created_at", "-id")[:LAST]
    return [import_of(job) for job in found]


def import_of(job: Job) -> Import:
    report = job.report or {}
    dry = bool(job.arguments.get("dry_run"))
    done = job.status == Status.DONE
    left = report.get("told", [])
    counts = _counts(report)
    came = any(report.get(name) for name in _WORDS if name not in ("unchanged", "skipped")) or report.get("records")
    return Import(
        job=job,
        name=str(job.arguments.get("name", "a file")),
        form=_label(str(job.arguments.get("form", ""))),
        word="cancelling" if job.open and job.cancel_requested else job.status,
        look=_LOOKS.get(Status(job.status), ""),
        told=summary_of("import", report) if done else job.error or job.message,
        counts=counts,
        notes=list(report.get("notes", [])),
        left=left,
        more_left=max(int(report.get("skipped", 0)) - sum(int(one.get("count", 1)) for one in left), 0),
        dry=dry,
        real=dry
        and done
        and bool(came)
        and report.get("possible", True)
        and upload_file(job.arguments["upload"]).is_file(),
        run=str(report.get("run") or "") if done and not dry else "",
    )


def open_import(space: str) -> bool:
    return Job.objects.filter(space=space, kind="import", status__in=OPEN).exists()


def forms() -> list[tuple[str, str]]:
    """(value, label) of a choice."""
    known = [(name, _label(name)) for name in FORMS]
    return [("", "Detect automatically"), (PALIMPSEST, "Palimpsest export"), *known]


def _label(form: str) -> str:
    label = "Palimpsest export" if form == PALIMPSEST else FORMS[form].label if form in FORMS else form
    return label[:1].upper() + label[1:]


def _counts(report: dict[str, Any]) -> list[tuple[int, str]]:
    if records := report.get("records"):
        return [(int(records[name]), name) for name in _RECORDS if records.get(name)]
    return [(int(report[name]), word) for name, word in _WORDS.items() if report.get(name)]


@require_GET
@page(Role.ADMIN)
def move_page(request: PageRequest) -> HttpResponse:
    """htmx is given the imports alone, while one of them goes on."""
    if request.htmx:
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
    return redirect_with_message(request, reverse("settings-move"), f"{job.arguments['name']}: {import_of(job).form}.")


@require_POST
@page(Role.ADMIN)
def carry_out(request: PageRequest, key: str) -> HttpResponse:
    """A dry run, now for good."""
    move_in_for_real(job_of(request, key), actor=request.desk.actor)
    return redirect_with_message(request, reverse("settings-move"))


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
    return show_tab(request, "transfer/move.html", "settings-move", purpose, context, status=status)


def _imports(request: PageRequest) -> dict[str, Any]:
    found = imports_of(request.desk.space.name)
    return {"last": found[0] if found else None, "earlier": found[1:], "alive": any(one.job.open for one in found)}
