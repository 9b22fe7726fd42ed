"""Jobs: the list, one job with its log, live progress, cancel and retry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import trigger_client_event

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.interfaces.jobs.presenter import job_of, job_view, report_of
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import STOP_POLLING, PageRequest, page, say, show
from memoryapp.interfaces.pages.filters import address, whole_number
from memoryapp.interfaces.pages.paging import Pager, place_after
from memoryapp.jobs import pipeline
from memoryapp.jobs.models import Job, Status
from memoryapp.store import revisions

PAGE = 40
LINES = 200  # of a job's page; its other lines are on the following pages


@dataclass(frozen=True, slots=True)
class Tab:
    key: str
    name: str
    count: int
    on: bool


@require_GET
@page()
def jobs_page(request: PageRequest) -> HttpResponse:
    context = list_context(request)
    if request.htmx:
        status = 200 if context["alive"] else STOP_POLLING
        return show(request, "jobs/jobs.html#jobs", context, at="jobs", status=status)
    return show(request, "jobs/jobs.html", context, at="jobs")


def list_context(request: PageRequest) -> dict[str, Any]:
    """A page of the list, as the address asks for it. Raises BadInput."""
    status = request.GET.get("status", "")
    if status and status not in Status.values:
        raise BadInput(f"“{status[:40]}” is not a job state. Known: {', '.join(Status.values)}.", field="status")
    mine = Job.objects.filter(space=request.desk.space.name)
    found = _jobs_below(mine.filter(status=status) if status else mine, request.GET.get("after", ""))
    jobs = list(found.order_by("-created_at", "-id")[: PAGE + 1])
    shown, more = jobs[:PAGE], len(jobs) > PAGE
    last = f"{shown[-1].created_at.isoformat()}~{shown[-1].pk}" if more else ""
    counts = mine.aggregate(
        **{value: Count("pk", filter=Q(status=value)) for value in Status.values}, every=Count("pk")
    )
    alive = any(job.open for job in shown)
    return {
        "jobs": [job_view(job, you=request.desk.actor.name) for job in shown],
        "alive": alive,
        "status": status,
        "tabs": [
            Tab("", "All", counts["every"], not status),
            *(Tab(value, value.capitalize(), counts[value], status == value) for value in Status.values),
        ],
        "pager": Pager(
            address(request.GET) if request.GET.get("after") else "",
            address(request.GET, after=last) if more else "",
            human.count_text(len(shown), "job"),
            PAGE,
        ),
    }


@require_GET
@page()
def job_page(request: PageRequest, key: str) -> HttpResponse:
    job = job_of(request, key)
    only = request.GET.get("only", "")
    after = whole_number(request.GET.get("after", "")) or 0
    context = report_of(request, job, only=only, after=after, size=LINES, newest=False)
    source = job.arguments.get("source", {})
    arguments = [("From", source["root"])] if source.get("root") else []
    if "dry_run" in job.arguments:
        arguments.append(("Dry run", "yes" if job.arguments["dry_run"] else "no"))
    took = (job.finished_at - job.started_at).total_seconds() if job.finished_at and job.started_at else 0.0
    kept = job.run and job.status == Status.DONE and not job.arguments.get("dry_run")
    run = job.run if kept and revisions.has_changes(request.desk.memory.db, job.run) else ""
    return show(request, "jobs/job.html", {**context, "took": took, "arguments": arguments, "run": run}, at="jobs")


@require_GET
@page()
def progress(request: PageRequest, key: str) -> HttpResponse:
    """The live part: asked every second, until the job has ended."""
    job = job_of(request, key)
    context = {"job": job, "told": job_view(job, you=request.desk.actor.name)}
    response = show(request, "ingest/progress.html#", context, status=200 if job.open else STOP_POLLING)
    if not job.open:
        # Tells the parts of the page that the job has made stale to ask again.
        response = trigger_client_event(response, "job-ended", {})
        return say(response, f"{context['told'].name}: {job.status}.")  # type: ignore[attr-defined]
    return response


@require_GET
@page()
def files(request: PageRequest, key: str) -> HttpResponse:
    job = job_of(request, key)
    context = report_of(request, job, only=request.GET.get("only", ""))
    return show(request, "ingest/files.html#", context, status=200 if job.open else STOP_POLLING)


@require_POST
@page(Role.CURATOR)
def act(request: PageRequest, key: str, verb: str) -> HttpResponse:
    job = job_of(request, key)
    if verb == "cancel":
        job, said = pipeline.cancel(job), "Cancelling. What is already imported stays."
    elif verb == "retry":
        job, said = pipeline.retry(job), "Queued again. Finished work is not repeated."
    else:
        raise NotFound(f"“{verb[:40]}” cannot be done to a job.")
    if request.headers.get("HX-Target"):
        return say(
            show(request, "ingest/progress.html#", {"job": job, "told": job_view(job, you=request.desk.actor.name)}),
            said,
        )
    response = HttpResponse(status=204)
    response["HX-Refresh"] = "true"
    return response


def _jobs_below(jobs: QuerySet[Job], after: str) -> QuerySet[Job]:
    place = place_after(after)
    return jobs.filter(Q(created_at__lt=place[0]) | Q(created_at=place[0], pk__lt=place[1])) if place else jobs
