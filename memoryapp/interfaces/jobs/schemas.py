"""Long work and where it comes from: sources, ingest, jobs and their reports."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from memoryapp.domain.cleaning import clean
from memoryapp.interfaces.api.schemas import Id, Response
from memoryapp.jobs.models import Job
from memoryapp.jobs.progress import phase_of, seconds_left


def _without_controls(path: str) -> str:
    if not path.strip():
        raise ValueError("it has no words")
    if clean(path) != path or "\n" in path:  # cleaned, it would be another folder than the one that was named
        raise ValueError("it has a control character in it")
    return path


Folder = Annotated[str, Field(max_length=4_096, min_length=1), AfterValidator(_without_controls)]

A_REPORT: dict[str, Any] = {
    "files": 12,
    "sections": 48,
    "added": 40,
    "changed": 2,
    "unchanged": 6,
    "archived": 0,
    "linked": 31,
    "embedded": 42,
    "conflicts": 0,
    "skipped": {"PDF, not read": 2},
    "failed": [{"path": "old/broken.md", "note": "It is not UTF-8: byte 311 cannot be read."}],
    "seconds": 1.9,
    "dry_run": False,
}


class ProgressOut(Response):
    """`done` of `total` files of an ingest, steps of any other job. Of an ingest that runs: its `phase`, and how many
    `sections` are embedded of how many, which is reckoned (not `exact`) while files are still to be read."""

    done: int = Field(examples=[8])
    total: int = Field(description="0 while it is not known.", examples=[12])
    phase: str = Field("", examples=["embedding"])
    sections: int = Field(0, examples=[312])
    sections_total: int = Field(0, examples=[884])
    exact: bool = True
    seconds_left: float | None = Field(None, description="At the pace so far.", examples=[14.2])


class JobOut(Response):
    """`report` fills while the job runs. That of an ingest counts files, sections, added, changed, unchanged,
    archived, linked and embedded, lists what `failed`, tells how many files were `skipped` by reason, and gives the
    seconds it took."""

    id: Id
    kind: str = Field(examples=["ingest"])
    status: Literal["queued", "running", "done", "failed", "cancelled"] = Field(examples=["done"])
    progress: ProgressOut
    report: dict[str, Any] = Field(examples=[A_REPORT])
    message: str = Field(description="What it is doing now.", examples=[""])
    error: str = Field(examples=[""])
    space: str = Field(examples=["default"])
    arguments: dict[str, Any] = Field(examples=[{"path": "/home/ada/notes", "dry_run": False}])
    run: str | None = Field(description="Undo it all: POST /runs/{id}/undo.", examples=["5a5a0f0f12345678"])
    attempt: int = Field(examples=[1])
    created_by: str = Field(examples=["alice"])
    created_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    started_at: datetime | None = Field(examples=["2026-11-21T09:30:00Z"])
    finished_at: datetime | None = Field(examples=["2026-11-21T09:30:02Z"])


class JobStarted(Response):
    job: JobOut


class JobPage(Response):
    items: list[JobOut]
    next_cursor: str | None = Field(examples=[None])


class JobLineOut(Response):
    """One line of a job's report: for an ingest, one file."""

    n: int = Field(examples=[1])
    path: str = Field(examples=["daily/2026-02-13.md"])
    outcome: str = Field(examples=["read"])
    sections: int = Field(examples=[4])
    note: str = Field(examples=[""])
    at: datetime = Field(examples=["2026-11-21T09:30:01Z"])


class JobLinePage(Response):
    items: list[JobLineOut]
    next_cursor: str | None = Field(examples=[None])


class JobEvent(Response):
    """One event of the stream; the last one has an ended status."""

    id: Id
    status: Literal["queued", "running", "done", "failed", "cancelled"] = Field(examples=["running"])
    progress: ProgressOut
    message: str = Field(examples=["Reading daily/2026-02-13.md"])
    report: dict[str, Any] = Field(examples=[A_REPORT])
    error: str = Field(examples=[""])


def show_progress(job: Job) -> ProgressOut:
    phase, left = phase_of(job), seconds_left(job)
    return ProgressOut(
        done=job.progress_done,
        total=job.progress_total,
        phase=phase.name if phase else "",
        sections=phase.done if phase else 0,
        sections_total=phase.total if phase else 0,
        exact=phase.exact if phase else True,
        seconds_left=None if left is None else round(left, 1),
    )


def show_job(job: Job) -> JobOut:
    return JobOut.of(job, progress=show_progress(job), run=job.run or None)
