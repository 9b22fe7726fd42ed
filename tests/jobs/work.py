"""Kinds of jobs that exist for tests: what they do is told in their arguments."""

from __future__ import annotations

import threading
import time
from typing import Any

from memoryapp.domain.document import FileOutcome, FileReport, IngestReport
from memoryapp.domain.errors import BadInput, Cancelled, StoreUnavailable
from memoryapp.jobs.models import Job
from memoryapp.jobs.progress import JobProgress

KINDS = {name: f"tests.jobs.work.{name}" for name in ("count", "refuse", "crash", "walk", "hold", "unstored")}
released = threading.Event()


def count(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Counts to `to`, a step every `pause` seconds."""
    to = job.arguments.get("to", 3)
    for step in range(to):
        if progress.cancelled():
            raise Cancelled("asked to stop")
        progress.advance(step + 1, to, {"counted": step + 1})
        time.sleep(job.arguments.get("pause", 0))
    return {"counted": to}


def refuse(job: Job, progress: JobProgress) -> dict[str, Any]:
    raise BadInput("That folder is empty.")


def crash(job: Job, progress: JobProgress) -> dict[str, Any]:
    progress.line("half.md", "read")
    raise ZeroDivisionError("division by zero")


def unstored(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Finds its store gone, but for the time that its arguments name."""
    if job.attempt != job.arguments.get("until"):
        raise StoreUnavailable("The store cannot be reached.")
    return {"tries": job.attempt}


def walk(job: Job, progress: JobProgress) -> dict[str, Any]:
    """As an ingest reports: one file read, one not."""
    read = FileReport("notes/a.md", FileOutcome.READ, sections=2)
    broken = FileReport("notes/\x00b\udcff.md", FileOutcome.NOT_READ, note="not UTF-8 at byte 7")
    progress.advance(1, 2, IngestReport(files=1, sections=2), read)
    report = IngestReport(files=2, sections=2, added=2, failed=(broken,))
    progress.advance(2, 2, report, broken)
    return {"files": report.files}


def hold(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Runs until the test lets go."""
    while not released.wait(0.02):
        if progress.cancelled():
            raise Cancelled("asked to stop")
    return {}
