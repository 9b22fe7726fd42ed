"""Ingest: name a folder, upload, watch; the sources that are known, and the names they proposed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from memoryapp import graph, review
from memoryapp.accounts.roles import Role
from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.entity import EntityState
from memoryapp.domain.errors import BadInput, NotFound, PalimpsestError, TooLarge
from memoryapp.domain.filters import Filters
from memoryapp.domain.limits import LIMITS
from memoryapp.interfaces.ingest.presenter import choices_of, roots_told
from memoryapp.interfaces.jobs.presenter import job_address, job_of, report_of
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, page, redirect_with_message, say, show
from memoryapp.interfaces.pages.filters import whole_number
from memoryapp.jobs.models import OPEN, Job
from memoryapp.jobs.sources import ingest_for_real, ingest_path, ingest_source, ingest_upload
from memoryapp.search.browse import browse
from memoryapp.spaces import Space
from memoryapp.store import documents, entities

SCHEDULES = [
    (0, "only manually"),
    (15, "every 15 minutes"),
    (60, "every hour"),
    (360, "every 6 hours"),
    (1440, "every day"),
]
_PROPOSED = 12
_SOURCES = 12


@dataclass(frozen=True, slots=True)
class SourceLine:
    id: str
    name: str
    root: str
    files: int
    seconds: float | None
    last_ingest_at: datetime | None
    schedule: str
    every_minutes: int
    on_session_start: bool
    again: bool
    word: str
    look: str


@require_GET
@page()
def ingest_page(request: PageRequest) -> HttpResponse:
    key = request.GET.get("job", "")
    job = job_of(request, key) if key else _latest_job(request)
    context: dict[str, Any] = {
        "roots": roots_told(),
        "upload_limit": LIMITS.upload_bytes,
        "path": request.GET.get("path", ""),
        **_sources(request),
        **_proposed_context(request),
    }
    if job is not None:
        context |= report_of(request, job, only=request.GET.get("only", ""))
    return show(request, "ingest/ingest.html", context, at="ingest")


@require_GET
@page(Role.CURATOR)
def folders_page(request: PageRequest) -> HttpResponse:
    """What the field for a folder offers for what is typed in it; for nothing, those of earlier ingests first."""
    sources = documents.sources(request.desk.memory.db)
    return show(request, "ingest/folders.html#", choices_of(request.GET.get("path", ""), sources))


@require_POST
@page(Role.CURATOR)
def start(request: PageRequest) -> HttpResponse:
    """A folder, or a dry run now carried out for real. A refusal is said beside the field. `home`: asked for there,
    where it is watched."""
    desk = request.desk
    try:
        if request.POST.get("again"):
            job = ingest_for_real(job_of(request, request.POST["again"]), actor=desk.actor)
        else:
            job = ingest_path(
                desk.space.name,
                request.POST.get("path", ""),
                actor=desk.actor,
                dry_run=bool(request.POST.get("dry_run")),
                on_session_start=bool(request.POST.get("on_session_start")),
            )
    except BadInput as problem:
        if request.POST.get("again"):
            raise
        return _show_problem(request, problem)
    return redirect_with_message(request, reverse("home") if request.POST.get("home") else job_address(job))


@require_POST
@page(Role.CURATOR)
def upload(request: PageRequest) -> HttpResponse:
    """One file or several; each becomes its own job, the first of which is shown. One that cannot be read does not
    keep the others out."""
    sent = request.FILES.getlist("files")
    if not sent:
        return _show_problem(request, BadInput("No file was chosen.", field="files"))
    desk, dry_run = request.desk, bool(request.POST.get("dry_run"))
    jobs: list[Job] = []
    refusals: list[PalimpsestError] = []
    for one in sent:
        try:
            jobs.append(ingest_upload(desk.space.name, one.name or "", one.chunks(), actor=desk.actor, dry_run=dry_run))
        except (BadInput, TooLarge) as problem:
            refusals.append(problem)
    if len(refusals) == len(sent) == 1:
        return _show_problem(request, refusals[0])
    if not jobs:
        told = " ".join(dict.fromkeys(problem.detail for problem in refusals))
        return _show_problem(request, BadInput(told, field="files"))
    said = [f"{human.count_text(len(jobs), 'file')} uploaded."] if len(sent) > 1 else []
    return redirect_with_message(
        request, job_address(jobs[0]), " ".join(said + [problem.detail for problem in refusals]), failed=bool(refusals)
    )


@require_POST
@page(Role.CURATOR)
def read_source(request: PageRequest, key: str) -> HttpResponse:
    job = ingest_source(request.desk.space.name, _source(request, key), actor=request.desk.actor)
    return show(request, "ingest/ingest.html#reading", report_of(request, job), at="ingest")


@require_POST
@page(Role.CURATOR)
def schedule_source(request: PageRequest, key: str) -> HttpResponse:
    minutes = request.POST.get("every_minutes", "0")
    if minutes not in {str(n) for n, _ in SCHEDULES}:
        raise BadInput("That is not one of the intervals.", field="every_minutes")
    source = replace(
        _source(request, key), every_minutes=int(minutes), on_session_start=bool(request.POST.get("on_session_start"))
    )
    documents.put_source(request.desk.memory.db, source)
    response = show(request, "ingest/ingest.html#sources", _sources(request), at="ingest")
    return say(response, f"{source.name}: ingested {dict(SCHEDULES)[source.every_minutes]}.")


@require_POST
@page(Role.CURATOR)
def forget_source(request: PageRequest, key: str) -> HttpResponse:
    """The source is not read again; with `archive` its memories are put aside, in one run that can be undone."""
    space, actor = request.desk.memory, request.desk.actor
    source, undo = _source(request, key), ""
    if request.POST.get("archive"):
        ids = _memories_of(space, source)
        if ids:
            undo = reverse(
                "run-undo", args=[review.archive(space, ids, actor=actor, reason=f"{source.name} was forgotten").run.id]
            )
    documents.forget_source(space.db, source.id)
    response = show(request, "ingest/ingest.html#sources", _sources(request), at="ingest")
    return say(
        response,
        f"{source.name} was forgotten." + (" Its memories are archived." if undo else " Its memories stay."),
        undo=undo,
    )


@require_POST
@page(Role.CURATOR)
def decide_entity(request: PageRequest, key: str, verb: str) -> HttpResponse:
    states = {"take-in": EntityState.KNOWN, "refuse": EntityState.REFUSED}
    if verb not in states:
        raise NotFound(f"“{verb[:40]}” cannot be done to a name.")
    entity, run = graph.decide_entity(request.desk.memory, key, states[verb], actor=request.desk.actor)
    told = (
        f"{entity.name} was accepted."
        if verb == "take-in"
        else f"{entity.name} was rejected and is not proposed again."
    )
    return say(
        show(request, "ingest/ingest.html#proposed", _proposed_context(request)),
        told,
        undo=reverse("run-undo", args=[run.id]),
    )


def _show_problem(request: PageRequest, problem: PalimpsestError) -> HttpResponse:
    """Says it beside the form, whose words and files stay. Without htmx the refusal is a page: raises `problem`."""
    if not request.htmx:
        raise problem
    return render(request, "ingest/problem.html", {"problem": problem}, status=200)


def _latest_job(request: PageRequest) -> Job | None:
    mine = Job.objects.filter(space=request.desk.space.name, kind="ingest")
    return mine.filter(status__in=OPEN).order_by("-created_at").first() or mine.order_by("-created_at").first()


def _source(request: PageRequest, key: str) -> Source:
    return documents.source(request.desk.memory.db, key)


def _memories_of(space: Space, source: Source) -> list[str]:
    ids = [document.id for document in documents.heads(space.db, source.id).values()]
    found = browse(space, Filters(sources=tuple(ids)), limit=LIMITS.batch_items) if ids else None
    return [memory.id for memory in found.memories] if found else []


def _sources(request: PageRequest) -> dict[str, Any]:
    running = {
        job.arguments.get("source", {}).get("id")
        for job in Job.objects.filter(space=request.desk.space.name, kind="ingest", status__in=OPEN)
    }
    found = documents.sources(request.desk.memory.db)
    start = whole_number(request.GET.get("sources", "")) or 0
    shown = found[start : start + _SOURCES]
    return {
        "sources": [_line(source, running) for source in shown],
        "sources_total": len(found),
        "sources_next": start + _SOURCES if start + _SOURCES < len(found) else 0,
        "schedules": SCHEDULES,
    }


def _line(source: Source, running: set[Any]) -> SourceLine:
    report = source.last_report or {}
    failed = len(report.get("failed", ()))
    if source.id in running:
        word, look = "running", "good"
    elif failed:
        word, look = f"{human.count_text(failed, 'file')} not ingested", "caution"
    else:
        word, look = ("current" if source.last_ingest_at else "not ingested yet"), ""
    told = (
        [dict(SCHEDULES).get(source.every_minutes, f"every {source.every_minutes} minutes")]
        if source.every_minutes
        else []
    )
    if source.on_session_start:
        told.append("when a session opens")
    return SourceLine(
        id=source.id,
        name=source.name,
        root=source.root,
        files=source.files,
        seconds=report.get("seconds"),
        last_ingest_at=source.last_ingest_at,
        schedule=", ".join(told),
        every_minutes=source.every_minutes,
        on_session_start=source.on_session_start,
        again=source.kind != SourceKind.UPLOAD,
        word=word,
        look=look,
    )


def _proposed_context(request: PageRequest) -> dict[str, Any]:
    try:
        found = entities.proposed_entities(request.desk.memory.db, limit=200)
    except PalimpsestError:
        found = ()
    return {"proposed": found[:_PROPOSED], "proposed_more": max(len(found) - _PROPOSED, 0)}
