"""Golden queries: the list, what is added, changed and deleted with its Undo; files brought in (read, tried, reported
line by line, undone as a whole) and taken out; and runs: begun, watched, over time, and one with what moved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import trigger_client_event

from memoryapp import lab
from memoryapp.accounts.roles import Role
from memoryapp.domain.change import Actor
from memoryapp.domain.errors import BadInput, Clash, NotFound, Stale, TooLarge
from memoryapp.domain.golden import Golden
from memoryapp.domain.limits import LIMITS
from memoryapp.interfaces.golden.presenter import (
    form_of,
    golden_kept,
    golden_read,
    offered_of,
    page_of,
    read_golden,
    version_in,
)
from memoryapp.interfaces.golden.runs import job_of, last_runs_of, run_form_of, run_page_of, runs_page_of, warnings_of
from memoryapp.interfaces.jobs.presenter import job_view
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import (
    STOP_POLLING,
    PageRequest,
    came_from,
    page,
    redirect_with_message,
    say,
    show,
)
from memoryapp.interfaces.pages.session_undo import keep_before, take_before
from memoryapp.jobs.models import Job
from memoryapp.jobs.requests import GOLDEN_K, submit_golden
from memoryapp.lab import Standing, change_golden, delete_golden, golden_named
from memoryapp.lab.exchange import ImportResult, Line, export_golden, import_golden
from memoryapp.spaces import Space

_MOST = 40  # lines of a group that are told
_UNDONE = 200  # lines: more are no matter of one click
_GROUPS = (
    ("bad", "Cannot be imported"),
    ("join", "Merged with an existing query"),
    ("add", "New"),
    ("same", "Nothing new"),
)
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
    desk, here = request.desk, _is_from_golden(request)
    try:
        added = lab.add_golden(desk.memory, **read_golden(request.POST), actor=desk.actor)
    except _REFUSALS as error:
        if not here:
            raise
        return _redisplay_form(request, error)
    one, before = added.golden, added.before
    keep_before(request.session, _place(request, one.id), golden_kept(before) if before else None, version=one.version)
    meant = human.count_text(len(one.relevant), "memory", "memories")
    said = f"Created a golden query for {meant}."
    if before is not None:
        said = f"Merged with the existing golden query: it is now for {meant}."
    return _change_response(request, said, undo=reverse("golden-undo", args=[one.id]), here=here)


@require_POST
@page(Role.CURATOR)
def change(request: PageRequest, key: str) -> HttpResponse:
    desk = request.desk
    standing = lab.golden_named(desk.memory, key)
    try:
        told = read_golden(request.POST, before=standing.golden)
        after = lab.change_golden(desk.memory, key, version=version_in(request.POST), **told, actor=desk.actor)
    except _REFUSALS as error:
        return _redisplay_form(request, error, standing)
    keep_before(request.session, _place(request, key), golden_kept(standing.golden), version=after.version)
    return _change_response(request, "Saved.", undo=reverse("golden-undo", args=[key]), here=True)


@require_POST
@page(Role.CURATOR)
def delete(request: PageRequest, key: str) -> HttpResponse:
    gone = lab.delete_golden(request.desk.memory, key)
    keep_before(request.session, _place(request, key), golden_kept(gone), version=0)
    said = "Deleted. Past runs keep their results for it."
    return _change_response(request, said, undo=reverse("golden-undo", args=[key]), here=True)


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
    return redirect_with_message(request, came_from(request, reverse("golden")), said)


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
    return redirect_with_message(
        request, reverse("golden"), import_report(imported), undo=reverse("golden-import-undo") if before else ""
    )


@require_POST
@page(Role.CURATOR)
def undo_bring(request: PageRequest) -> HttpResponse:
    told, _ = take_before(request.session, _place(request, _IMPORT))
    done, stayed = undo_import(request.desk.memory, told or {"added": [], "joined": []}, actor=request.desk.actor)
    said = f"Undone: {human.count_text(done, 'golden query', 'golden queries')}."
    said += f" {human.number(stayed)} stayed, because something was changed since." if stayed else ""
    return redirect_with_message(request, reverse("golden"), said)


@require_GET
@page()
def take(request: PageRequest) -> HttpResponse:
    """All of them as JSON lines."""
    text = "".join(f"{line}\n" for line in export_golden(request.desk.memory))
    answer = HttpResponse(text, content_type="application/x-ndjson; charset=utf-8")
    name = quote(request.desk.space.name)
    answer["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}-golden.jsonl"
    return answer


def _redisplay_form(
    request: PageRequest, error: BadInput | Clash | Stale, standing: Standing | None = None
) -> HttpResponse:
    """The form with what was typed and what was wrong with it."""
    typed = request.POST if request.POST.get("query") else QueryDict(mutable=True)
    context = form_of(request.desk.memory, typed, standing)
    context |= {"problem": error, "form": {name: request.POST.get(name, "") for name in context["form"]}}
    return show(request, "golden/form.html#", context, status=422 if isinstance(error, BadInput) else 409)


def _change_response(request: PageRequest, said: str, *, undo: str, here: bool) -> HttpResponse:
    if here or not request.htmx:
        return redirect_with_message(request, came_from(request, reverse("golden")), said, undo=undo)
    return say(trigger_client_event(HttpResponse(status=204), "golden-changed", {}), said, undo=undo)


def _is_from_golden(request: PageRequest) -> bool:
    return came_from(request).startswith(reverse("golden"))


def _place(request: PageRequest, key: str) -> str:
    return f"{request.desk.space.name}/golden/{key}"


@require_GET
@page()
def runs_page(request: PageRequest) -> HttpResponse:
    context = {**runs_page_of(request.desk.memory, request.GET), **job_of(request.desk, ""), "tab": "runs"}
    return show(request, "golden/runs.html", context, at="golden")


@require_GET
@page()
def run_page(request: PageRequest, key: str) -> HttpResponse:
    return show(request, "golden/run.html", run_page_of(request.desk.memory, key, request.GET), at="golden")


@require_POST
@page(Role.CURATOR)
def begin_run(request: PageRequest) -> HttpResponse:
    """The job that asks every golden query by each of the ticked plans."""
    desk, posted = request.desk, request.POST
    plans = [plan.strip() for plan in posted.getlist("plan") if plan.strip()]
    if not plans:
        raise BadInput("No strategy is selected.", field="plan")
    job = submit_golden(desk.space.name, plans, _read_k(posted.get("k", "")), actor=desk.actor)
    return redirect_with_message(request, f"{reverse('golden')}?job={job.pk}")


@require_GET
@page()
def run_progress(request: PageRequest, key: str) -> HttpResponse:
    """The job as far as it is; asked every second until it has ended, then the page is drawn anew."""
    job = Job.objects.filter(space=request.desk.space.name, kind="golden", pk=key).first()
    if job is None:
        raise NotFound(f"There is no job {key} that runs the golden queries of this space.")
    context = {"job": job, "told": job_view(job, you=request.desk.actor.name)}
    response = show(request, "golden/running.html#", context, status=200 if job.open else STOP_POLLING)
    if not job.open:
        response["HX-Refresh"] = "true"
    return response


@require_GET
@page(Role.CURATOR)
def run_form(request: PageRequest) -> HttpResponse:
    """Which plans are to be run, and how many places count."""
    return show(request, "golden/run_form.html#", run_form_of(request.desk))


def _read_k(text: str) -> int:
    text = text.strip()
    if not text:
        return GOLDEN_K
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise BadInput("The number of results must be a whole number from 1 to 100.", field="k")
    return int(text)


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    outcome: str
    count: int
    lines: Sequence[Line]

    @property
    def more(self) -> int:
        return self.count - len(self.lines)


def text_of(sent: UploadedFile[Any] | None, pasted: str) -> str:
    """Of the file, else what was pasted. Raises BadInput, TooLarge."""
    if sent is None:
        if not pasted.strip():
            raise BadInput("Choose a file, or paste its lines.", field="file")
        return pasted
    if (sent.size or 0) > LIMITS.file_bytes:
        raise TooLarge(
            f"The file has {human.size(sent.size)}; {human.size(LIMITS.file_bytes)} is the limit.", field="file"
        )
    try:
        text: str = sent.read().decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput("This is not UTF-8 text.", field="file") from None
    return text


def groups_of(imported: ImportResult) -> list[Group]:
    groups = []
    for outcome, name in _GROUPS:
        some = [line for line in imported.lines if line.outcome == outcome]
        if some:
            groups.append(Group(name, outcome, len(some), some[:_MOST]))
    return groups


def import_report(imported: ImportResult) -> str:
    counts = (("add", "added"), ("join", "joined"), ("same", "already here"), ("bad", "left out"))
    told = [f"{human.number(imported.count(outcome))} {word}" for outcome, word in counts if imported.count(outcome)]
    return f"Imported: {', '.join(told)}."


def before_of(imported: ImportResult, was: Mapping[str, Golden]) -> dict[str, Any] | None:
    """What undoes it, as JSON; None where it wrote too much or nothing. `was`: what there was, by id."""
    written = {line.golden: line.outcome for line in imported.lines if line.outcome in ("add", "join") and line.golden}
    if not imported.written or not 0 < len(written) <= _UNDONE:
        return None
    return {
        "added": [key for key in written if key not in was],
        "joined": [golden_kept(was[key]) for key in written if key in was],
    }


def undo_import(space: Space, told: Mapping[str, Any], *, actor: Actor) -> tuple[int, int]:
    """(how many are as before, how many stay because somebody changed them since)."""
    done = stayed = 0
    for key in told["added"]:
        try:
            fresh = golden_named(space, key).golden.version == 1
            if fresh:
                delete_golden(space, key, version=1)
            done, stayed = done + fresh, stayed + (not fresh)
        except NotFound:
            done += 1
    for kept in told["joined"]:
        was = golden_read(kept)
        now = _find_golden(space, was.id)
        if now is None or now.version != was.version + 1:
            stayed += 1
            continue
        change_golden(space, was.id, version=now.version, relevant=was.relevant, note=was.note, actor=actor)
        done += 1
    return done, stayed


def _find_golden(space: Space, key: str) -> Golden | None:
    try:
        return golden_named(space, key).golden
    except NotFound:
        return None
