"""A job told in words: its name, what it counts, and the lines of its report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from memoryapp.domain.document import FileOutcome
from memoryapp.domain.errors import NotFound
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest
from memoryapp.interfaces.pages.filters import address
from memoryapp.interfaces.pages.paging import Pager
from memoryapp.jobs.acts import ACTS
from memoryapp.jobs.models import Job, JobLine, Status
from memoryapp.jobs.progress import phase_of, seconds_left
from memoryapp.jobs.summary import summary_of
from memoryapp.transfer.report import PALIMPSEST

_LOOKS = {Status.DONE: "good", Status.FAILED: "conflict", Status.CANCELLED: "caution", Status.RUNNING: "good"}
_COUNTS = ("sections", "added", "changed", "unchanged", "archived", "linked", "embedded", "conflicts")
_WORDS = {"linked": "links made"}
_NAMES = {
    "demo": "Loading the sample",
    "read": "Process turns",
    "narrate": "Write episode",
    "summaries": "Write summaries",
    "expire": "Archive faded facts",
    "embed": "Embedding",
    "graph": "Graph scan",
    "layout": "Graph layout",
    "consolidate": "Consolidating",
    "golden": "Run golden queries",
    "import": "Importing",
    "backup": "Backup",
    "restore": "Restore backup",
    "chat-model": "Test language model",
    "encoder": "Test encoder",
}
# What is kept of a job that failed or was cancelled, by kind; of an import it depends on how it was asked for.
_LEFT = {
    "ingest": "What was ingested before then is kept.",
    "read": "What was learned before then is kept; the other turns wait.",
    "import": "What was imported before then is kept; import the same file again to continue.",
    "embed": "What was embedded before then is kept.",
    "backup": "Nothing of it was kept; earlier backups are intact.",
    "restore": "Nothing was kept: the new space is empty.",
    "narrate": "Nothing was written; the session waits.",
    "chat-model": "Nothing was changed; an earlier result stays.",
    "encoder": "Nothing was changed; an earlier result stays.",
}
_UNITS = {"ingest": "file", "read": "turn", "embed": "text", "golden": "question", "import": "record"}
LOOK = FileOutcome.NOT_READ.value


@dataclass(frozen=True, slots=True)
class Progress:
    """The bar of a job that runs, and its words; `total` 0 where neither its end nor its length is known."""

    done: int
    total: int
    told: str


@dataclass(frozen=True, slots=True)
class JobView:
    """`real`: a dry run that can now be carried out; `counts`: (number, what); `left`: what is kept of one that did not
    come to its end."""

    job: Job
    name: str
    word: str
    look: str
    when: str
    told: str
    rate: str
    counts: list[tuple[int, str]]
    dry: bool
    retry: bool
    real: bool
    left: str
    progress: Progress

    @property
    def stays(self) -> str:
        """What a cancel would leave, before somebody asks for it."""
        if self.left.startswith("Nothing"):
            return "If you cancel, nothing is kept. You can try again later."
        return "If you cancel, what is already imported stays. You can resume later."


@dataclass(frozen=True, slots=True)
class Line:
    path: str
    word: str
    look: str
    sections: int | None
    note: str


def job_view(job: Job, *, you: str = "") -> JobView:
    report = job.report or {}
    dry = bool(job.arguments.get("dry_run"))
    act = ACTS.get(str(job.arguments.get("act", ""))) if job.kind == "heartbeat" else None
    name = job.arguments.get("source", {}).get("name") or (act.name if act else _NAMES.get(job.kind, job.kind))
    if job.kind == "ingest":
        name = f"{name}, dry run" if dry else name
    return JobView(
        job=job,
        name=str(name),
        word="cancelling" if job.open and job.cancel_requested else job.status,
        look=_LOOKS.get(Status(job.status), ""),
        when=_time_text(job, you),
        told=summary(job),
        rate=_rate(job),
        counts=_job_counts(job),
        dry=dry,
        retry=job.status in (Status.FAILED, Status.CANCELLED),
        real=dry
        and job.status == Status.DONE
        and bool(report.get("added") or report.get("changed") or report.get("archived")),
        left=_left_behind(job),
        progress=_progress(job),
    )


def _left_behind(job: Job) -> str:
    if job.arguments.get("dry_run"):
        return "Nothing was changed: this was a dry run."
    if job.kind == "import" and job.arguments.get("form") == PALIMPSEST and not job.arguments.get("merge"):
        return "Nothing was kept: the space is empty, as it was."
    return _LEFT.get(job.kind, "What it had written before then is kept.")


def _job_counts(job: Job) -> list[tuple[int, str]]:
    """The big figures: files first, then what became of their sections, then what was skipped and why; zeros of
    rare kinds are left out."""
    report = job.report or {}
    if job.kind != "ingest" or not report or (job.open and not job.progress_total):
        return []
    files = (
        (job.progress_done, f"of {human.number(job.progress_total)} files")
        if job.open
        else (report.get("files", 0), "files")
    )
    rest = [(int(report.get(name, 0)), _WORDS.get(name, name)) for name in _COUNTS if name in report]
    skipped = [(int(n), reason) for reason, n in (report.get("skipped") or {}).items()]
    shown = [(n, word) for n, word in rest if n or word in ("sections", "added", "changed", "unchanged")]
    return [files, *shown, *skipped]


def _time_text(job: Job, you: str) -> str:
    by = "you" if you and job.created_by == you else job.created_by or "Palimpsest"
    if job.status == Status.QUEUED:
        return f"requested {human.ago(job.created_at)} by {by} · waiting in the queue"
    if job.status == Status.RUNNING:
        left = _time_left_text(job)
        return f"started {human.ago(job.started_at)} by {by}" + (f" · {left}" if left else "")
    took = (job.finished_at - job.started_at).total_seconds() if job.finished_at and job.started_at else None
    return f"{job.status} {human.ago(job.finished_at)}" + (f" · took {human.seconds(took)}" if took is not None else "")


def _time_left_text(job: Job) -> str:
    rest, phase = seconds_left(job), phase_of(job)
    about = "about " if phase and not phase.exact else ""
    return f"{about}{human.seconds(round(rest))} left" if rest is not None and rest >= 1 else ""


def _rate(job: Job) -> str:
    phase = phase_of(job)
    if phase is None or phase.seconds < 1 or not phase.done:
        return ""
    return f"{human.number(round(phase.done / phase.seconds))} sections/s"


def _progress(job: Job) -> Progress:
    """An ingest is measured by its sections: a file may hold one, or thirty thousand."""
    phase = phase_of(job)
    if phase is None:
        unit = _UNITS.get(job.kind, "step")
        told = f"{human.number(job.progress_done)} of {human.count_text(job.progress_total, unit)}"
        begun = "starting" if job.status == Status.RUNNING else "waiting in the queue"
        return Progress(job.progress_done, job.progress_total, told if job.progress_total else begun)
    if phase.name == "reading" and job.progress_total:
        files = human.count_text(job.progress_total, "file")
        return Progress(job.progress_done, job.progress_total, f"Reading, {human.number(job.progress_done)} of {files}")
    if not phase.total:
        return Progress(0, 0, phase.name.capitalize())
    about = "" if phase.exact else "about "
    told = f"Embedding, {human.number(phase.done)} of {about}{human.count_text(phase.total, 'section')}"
    return Progress(phase.done, phase.total, told)


def summary(job: Job) -> str:
    """One line for a table: where it is, what it did, or why it stopped."""
    report = job.report or {}
    if job.status == Status.FAILED:
        return str(job.error)
    if job.open:
        return (
            f"{human.number(job.progress_done)} of {human.number(job.progress_total)}"
            if job.progress_total
            else "waiting"
        )
    if job.kind != "ingest" or not report:
        return summary_of(job.kind, report)
    parts = [
        f"{human.number(report[name])} {_WORDS.get(name, name)}"
        for name in ("added", "changed", "archived", "conflicts")
        if report.get(name)
    ]
    files = human.count_text(int(report.get("files", 0)), "file")
    return (
        f"{files}: "
        + (", ".join(parts) if parts else "nothing new")
        + (f", {len(report['failed'])} not read" if report.get("failed") else "")
        + (f", {human.number(sum(report['skipped'].values()))} skipped" if report.get("skipped") else "")
    )


def lines_of(job: Job, *, only_look: bool = False) -> QuerySet[JobLine]:
    found = JobLine.objects.filter(job=job)
    return found.filter(outcome=LOOK) if only_look else found


def line_of(line: JobLine) -> Line:
    look = {"not read": "caution", "gone": "", "read": "good"}.get(line.outcome, "")
    if "conflict" in line.note.lower():
        look = "conflict"
    return Line(line.path, line.outcome, look, None if line.outcome == LOOK else line.sections, line.note)


def job_of(request: PageRequest, key: str) -> Job:
    """A job of the space one is in. Raises NotFound, also for a job of another space."""
    job = Job.objects.filter(pk=key, space=request.desk.space.name).first()
    if job is None:
        raise NotFound(f"There is no job {key[:40]} in “{request.desk.space.name}”.")
    return job


def report_of(
    request: PageRequest, job: Job, *, only: str = "", after: int = 0, size: int = 60, newest: bool = True
) -> dict[str, Any]:
    """A job's progress and a stretch of its lines: newest first while one watches, in their order on its own page."""
    look = only == "look"
    found = lines_of(job, only_look=look)
    total, to_look = lines_of(job).count(), lines_of(job, only_look=True).count()
    lines = list(found.order_by("-n")[:size]) if newest else list(found.filter(n__gt=after).order_by("n")[: size + 1])
    more = not newest and len(lines) > size
    lines = lines[:size]
    pager = None
    if not newest and (more or after):
        back = address(request.GET) if after else ""
        pager = Pager(
            back,
            address(request.GET, after=str(lines[-1].n)) if more else "",
            human.count_text(len(lines), "file"),
            size,
            "First",
            "Next",
        )
    return {
        "job": job,
        "told": job_view(job, you=request.desk.actor.name),
        "only": "look" if look else "",
        "lines": [line_of(line) for line in lines],
        "lines_total": total,
        "lines_look": to_look,
        "lines_more": newest and (to_look if look else total) > len(lines),
        "reading": job.message
        if newest and job.status == Status.RUNNING and "/" not in job.message[:1] and "." in job.message
        else "",
        "pager": pager,
    }


def job_address(job: Job) -> str:
    return f"{reverse('ingest')}?job={job.pk}"
