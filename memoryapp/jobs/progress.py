"""How a running job writes down where it is, and hears that it should stop. Comes in: counts and files from a room;
goes out: the job's row and its lines, at most four writes a second."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable
from typing import Any

from django.utils import timezone

from memoryapp.domain.document import FileReport, IngestPhase, IngestReport
from memoryapp.jobs.models import Job, JobLine

WRITE_EVERY = 0.25  # seconds
_LEAST = 2.0  # seconds that must have passed before a rest is reckoned
LOOK_EVERY = 0.5  # seconds between looks at the row for a cancel: well inside the promised 2 s
PHASE = "phase"  # in the report of a job that runs
LINES_HELD = 500  # more than these are written at once, whatever the clock says


class JobProgress:
    """Handed to the room that does the work. One per run of a job, used from one thread."""

    def __init__(
        self, job: Job, *, stopping: threading.Event | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.job_id = job.pk
        self._stopping = stopping
        self._now = now
        self._wrote_at = self._looked_at = float("-inf")
        self._cancelled = False
        self._pending: dict[str, Any] = {}
        self._report: dict[str, Any] = {}
        self._phase: dict[str, Any] = {}
        self._lines: list[JobLine] = []
        self._n = 0

    def advance(
        self, done: int, total: int, counts: IngestReport | dict[str, Any] | None = None, file: FileReport | None = None
    ) -> None:
        """`done` of `total` steps are behind us; `counts` so far; `file` is one more line for the report."""
        self._pending.update(progress_done=done, progress_total=total)
        if counts is not None:
            self._report = as_json(counts)
            self._pending["report"] = {**self._report, **self._phase}
        if file is not None:
            self.line(file.path, file.outcome, sections=file.sections, note=file.note)
        self._write_if_due()

    def at(self, phase: IngestPhase) -> None:
        """What an ingest is at; kept in the report until it ends."""
        self._phase = {PHASE: dataclasses.asdict(phase)}
        self._pending["report"] = {**self._report, **self._phase}
        self._write_if_due()

    def say(self, message: str) -> None:
        """What is being done now, for the page: a few words."""
        self._pending["message"] = message[:300]
        self._write_if_due()

    def line(self, path: str, outcome: str, *, sections: int = 0, note: str = "") -> None:
        self._n += 1
        self._lines.append(
            JobLine(
                job_id=self.job_id,
                n=self._n,
                path=_storable_text(path)[:1000],
                outcome=str(outcome)[:20],
                sections=sections,
                note=_storable_text(note),
                at=timezone.now(),
            )
        )
        if len(self._lines) >= LINES_HELD:
            self._write()

    def belongs_to(self, run: str) -> None:
        """Ties the job to its run in the store, by which it can be undone. Written at once."""
        Job.objects.filter(pk=self.job_id).update(run=run)

    def cancelled(self) -> bool:
        """True once somebody asked the job to stop, or the program is shutting down. Cheap to ask."""
        if self._stopping is not None and self._stopping.is_set():
            return True
        now = self._now()
        if not self._cancelled and now - self._looked_at >= LOOK_EVERY:
            self._looked_at = now
            row = Job.objects.filter(pk=self.job_id).values_list("cancel_requested", flat=True).first()
            self._cancelled = row is not False  # None: the row is gone, and with it whoever wanted this
        return self._cancelled

    def flush(self) -> None:
        """Writes what is held back. The runner calls it at the end, however that came."""
        if self._phase:
            self._phase, self._pending["report"] = {}, self._report
        self._write()

    def _write_if_due(self) -> None:
        if self._now() - self._wrote_at >= WRITE_EVERY:
            self._write()

    def _write(self) -> None:
        lines, pending = self._lines, self._pending
        self._lines, self._pending = [], {}
        if lines:
            JobLine.objects.bulk_create(lines, batch_size=200)
        if pending:
            Job.objects.filter(pk=self.job_id).update(**pending, heartbeat_at=timezone.now())
        self._wrote_at = self._now()


def phase_of(job: Job) -> IngestPhase | None:
    """What a running ingest is at; None for what is no ingest, and has not begun or has ended."""
    told = (job.report or {}).get(PHASE) if job.open else None
    return IngestPhase(**told) if told else None


def seconds_left(job: Job) -> float | None:
    """How long a running job will take from here at the pace it had so far: an ingest by its sections, any other by its
    steps. None while that cannot be known."""
    if not job.open or not job.started_at or not job.heartbeat_at:
        return None
    done, total = job.progress_done, job.progress_total
    passed = (job.heartbeat_at - job.started_at).total_seconds()
    if job.kind == "ingest":
        phase = phase_of(job)
        done, total, passed = (phase.done, phase.total, phase.seconds) if phase else (0, 0, 0.0)
    return passed / done * (total - done) if done and passed >= _LEAST else None


def as_json(counts: IngestReport | dict[str, Any]) -> dict[str, Any]:
    """A report as the row keeps it. Tuples become lists, so that what is read back equals what was written."""
    report = dict(counts) if isinstance(counts, dict) else dataclasses.asdict(counts)
    if isinstance(report.get("failed"), list | tuple):
        report["failed"] = [dict(item) if isinstance(item, dict) else item for item in report["failed"]]
    return report


def _storable_text(text: str) -> str:
    """PostgreSQL refuses NUL, and no database takes half a surrogate pair; both occur in file names."""
    return text.replace("\x00", "�").encode("utf-8", "replace").decode("utf-8")
