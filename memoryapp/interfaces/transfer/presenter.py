"""Imports told in words: what the file was, what came of it, what was left out, and what can be done now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memoryapp.jobs.models import OPEN, Job, Status
from memoryapp.jobs.sources import upload_file
from memoryapp.jobs.summary import summary_of
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
