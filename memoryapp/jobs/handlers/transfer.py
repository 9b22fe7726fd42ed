"""Jobs that move a space: a backup kept in its folder, a new space filled from a kept backup of another, and a file
brought in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from django.utils import timezone

from memoryapp.accounts.spaces import open_space, set_settings, space_named
from memoryapp.domain.errors import BadInput, Cancelled, NotFound
from memoryapp.jobs.backups import folder_of, kept_named
from memoryapp.jobs.graphing import submit_first_graph
from memoryapp.jobs.models import Job
from memoryapp.jobs.narration import clear_old
from memoryapp.jobs.progress import JobProgress
from memoryapp.jobs.reading import judges_for, submit_reading
from memoryapp.jobs.sources import upload_file
from memoryapp.jobs.summary import summary_of
from memoryapp.spaces import Space
from memoryapp.store import backup_folder, turns
from memoryapp.store.backup import migrations, note_backup, restore
from memoryapp.store.write import new_run
from memoryapp.transfer import foreign
from memoryapp.transfer.archive import open_export
from memoryapp.transfer.bring_in import Thing, bring_in
from memoryapp.transfer.report import PALIMPSEST, Report
from memoryapp.transfer.restore import fill, items_of
from memoryapp.transfer.shapes import MEMORIES


def run_backup(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Older ones go only after the new one was read again. Raises StoreError and StoreFull where it cannot be written,
    Cancelled; nothing is left of it then."""
    clear_old("backup", job.space)
    space, folder = open_space(job.space), folder_of(job.space)

    def tell(rows: int) -> None:
        if progress.cancelled():
            raise Cancelled("Stopped. Nothing of this backup was kept.")
        progress.say(f"{rows:,} rows")

    progress.say("copying the space")
    made = backup_folder.make(space.db, folder, now=timezone.now(), tell=tell)
    note_backup(space.db, size=made.kept.size, place=str(made.kept.path))
    removed = backup_folder.thin(folder, job.space, keep=int(job.arguments.get("keep") or 0) or 7)
    report = {"file": made.kept.name, "size": made.kept.size, "rows": made.rows, "instead": made.instead}
    return {**report, "removed": removed}


def run_restore(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Raises NotFound where the file is gone, BadInput where it is damaged, Clash where the space holds something by
    now, Cancelled; the space is empty then."""
    one = kept_named(space_named(str(job.arguments["of"])), str(job.arguments["file"]))
    space = open_space(job.space)

    def tell(rows: int) -> None:
        if progress.cancelled():
            raise Cancelled("Stopped. Nothing was kept: the space is empty again.")
        progress.say(f"{rows:,} rows")

    progress.say("reading the file from end to end")
    rows = restore(space.db, one.path, tell=tell)
    space.index.refresh()  # here, and not in the first search after it
    report = {"file": one.name, "of": job.arguments["of"], "rows": rows}
    return {**report, "told": summary_of("restore", report)}


def run_import(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Raises NotFound where the file is gone; BadInput, Clash and Cancelled as fill and bring_in do."""
    space = open_space(job.space)
    kept = upload_file(job.arguments["upload"])
    if not kept.is_file():
        raise NotFound("The file is no longer here. Upload it once more.")
    whole = job.arguments["form"] == PALIMPSEST and not job.arguments["merge"]
    try:
        report = (_import_export if whole else _import_entries)(job, space, kept, progress)
    except BadInput as error:
        error.detail = error.detail.replace(kept.name, job.arguments["name"])  # as whoever sent it calls it
        raise
    if not report.dry_run:
        space.index.refresh()  # here, and not in the first search after it
        if not whole:  # what waited in the space of an export waits here as well: it answers as that one did
            if turns.count_waiting(space.db):
                submit_reading(space.name, actor=job.actor)
            submit_first_graph(space)
        kept.unlink(missing_ok=True)
    return report.as_json()


def _import_export(job: Job, space: Space, path: Path, progress: JobProgress) -> Report:
    """Everything of an export, with the settings of its space."""
    dry_run = bool(job.arguments["dry_run"])
    # A process that was killed left a part of it; one that failed or was cancelled took everything back.
    again = bool(job.arguments.get("begun"))
    export = open_export(path, called=job.arguments["name"])
    begin = partial(_mark, job, True)
    try:
        report = fill(space, export, progress=progress, dry_run=dry_run, again=again, begin=begin)
    finally:
        _mark(job, False)
    if not dry_run and report.settings:
        try:
            set_settings(space_named(job.space), report.settings)
            report.notes.append("The settings of its space were taken over.")
        except BadInput as error:
            report.notes.append(f"The settings of its space were left out: {error.detail}")
    return report


def _import_entries(job: Job, space: Space, path: Path, progress: JobProgress) -> Report:
    """Memories, conversations and names, beside what is there."""
    form, dry_run = str(job.arguments["form"]), bool(job.arguments["dry_run"])
    detail = {"job": job.pk, "form": form}
    act = new_run("import", job.actor, now=space.clock(), reason=job.arguments["name"], detail=detail)
    if not dry_run:
        progress.belongs_to(act.id)
    progress.say("looking through the file")
    things, total = _import_things(space, path, form, job.arguments["name"], progress)
    progress.say("importing")
    return bring_in(
        space,
        things(),
        form=form,
        run=act,
        actor=job.actor,
        progress=progress,
        total=total,
        judges=judges_for(space, chat=False),
        dry_run=dry_run,
    )


def _import_things(
    space: Space, path: Path, form: str, name: str, progress: JobProgress
) -> tuple[Callable[[], Iterator[Thing]], int]:
    """What the file holds, to be read as often as it is asked for, and how much that is."""
    if form != PALIMPSEST:
        return (lambda: foreign.read(path, form, called=name)), sum(1 for _ in foreign.read(path, form, called=name))
    export = open_export(path, called=name)
    export.check(schema=migrations(space.db), going_on=lambda done, total: not progress.cancelled())
    return lambda: items_of(export, space.db), export.manifest.counts.get(MEMORIES.removesuffix(".jsonl"), 0)


def _mark(job: Job, begun: bool) -> None:
    job.arguments = {**job.arguments, "begun": begun}
    Job.objects.filter(pk=job.pk).update(arguments=job.arguments)
