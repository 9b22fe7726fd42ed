"""Runs of the golden queries: begun, watched, over time, and one with what moved."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.interfaces.golden.runs import job_of, run_form_of, run_page_of, runs_page_of
from memoryapp.interfaces.jobs.pages import STOP_POLLING
from memoryapp.interfaces.jobs.presenter import told
from memoryapp.interfaces.pages.access import PageRequest, page, show, then
from memoryapp.jobs.evaluation import K, submit_golden
from memoryapp.jobs.models import Job


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
def begin(request: PageRequest) -> HttpResponse:
    """The job that asks every golden query by each of the ticked plans."""
    desk, posted = request.desk, request.POST
    plans = [plan.strip() for plan in posted.getlist("plan") if plan.strip()]
    if not plans:
        raise BadInput("No strategy is selected.", field="plan")
    job = submit_golden(desk.space.name, plans, _k(posted.get("k", "")), actor=desk.actor)
    return then(request, f"{reverse('golden')}?job={job.pk}")


@require_GET
@page()
def running(request: PageRequest, key: str) -> HttpResponse:
    """The job as far as it is; asked every second until it has ended, then the page is drawn anew."""
    job = Job.objects.filter(space=request.desk.space.name, kind="golden", pk=key).first()
    if job is None:
        raise NotFound(f"There is no job {key} that runs the golden queries of this space.")
    context = {"job": job, "told": told(job, you=request.desk.actor.name)}
    response = show(request, "golden/running.html#", context, status=200 if job.open else STOP_POLLING)
    if not job.open:
        response["HX-Refresh"] = "true"
    return response


@require_GET
@page(Role.CURATOR)
def form(request: PageRequest) -> HttpResponse:
    """Which plans are to be run, and how many places count."""
    return show(request, "golden/run_form.html#", run_form_of(request.desk))


def _k(text: str) -> int:
    text = text.strip()
    if not text:
        return K
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise BadInput("The number of results must be a whole number from 1 to 100.", field="k")
    return int(text)
