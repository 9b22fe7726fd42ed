"""The job that keeps a backup of a space in its folder. Arguments: {"keep"}."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from memoryapp.accounts.spaces import open_space
from memoryapp.domain.errors import Cancelled
from memoryapp.jobs.backups import folder_of
from memoryapp.jobs.models import Job
from memoryapp.jobs.narration import clear_old
from memoryapp.jobs.progress import JobProgress
from memoryapp.store import backup_folder
from memoryapp.store.backup import note_backup


def run(job: Job, progress: JobProgress) -> dict[str, Any]:
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
