"""Backups by schedule: the folder of each space, the jobs that fill it and restore from it, and how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User

from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.change import Actor
from memoryapp.jobs.models import OPEN, Job
from memoryapp.jobs.pipeline import submit
from memoryapp.store import backup_folder
from memoryapp.store.backup_folder import StoredBackup
from memoryapp.store.purge import last_purge


@dataclass(frozen=True, slots=True)
class Standing:
    """The backups that are kept, the newest first. `purged_at`: when something was last purged from the space;
    `before_purge`: those made before that, which may still hold it."""

    folder: Path
    kept: tuple[StoredBackup, ...]
    purged_at: datetime | None
    before_purge: tuple[StoredBackup, ...]
    running: Job | None

    @property
    def size(self) -> int:
        return sum(one.size for one in self.kept)


def folder_of(space: str) -> Path:
    """A folder of its own for each space."""
    return Path(settings.BACKUP_DIR) / space


def submit_backup(space: str, *, keep: int, actor: Actor) -> Job:
    """The job that keeps a backup, and of all the last `keep`. Two of one space never run at once."""
    return submit("backup", space=space, arguments={"keep": keep}, actor=actor, subject=f"backup:{space}")


def submit_restore(row: Row, name: str, *, to: str, actor: Actor, created_by: User | None) -> Job:
    """Makes the space `to`, with the encoder and the numbers of the one that was backed up, and the job that fills it.
    Raises NotFound for a backup that is not there, BadInput and Clash for the new name."""
    one = backup_folder.read_backup(folder_of(row.name), row.name, name)
    made = create_space(to, encoder=row.encoder, overrides=row.settings, created_by=created_by)
    arguments = {"of": row.name, "file": one.name}
    return submit("restore", space=made.name, arguments=arguments, actor=actor, subject=f"restore:{made.name}")


def kept_named(row: Row, name: str) -> StoredBackup:
    """Raises NotFound."""
    return backup_folder.read_backup(folder_of(row.name), row.name, name)


def standing(row: Row) -> Standing:
    """Raises StoreError where the space cannot be asked what was purged."""
    folder = folder_of(row.name)
    found = backup_folder.read_backups(folder, row.name)
    purged_at = last_purge(open_row(row).db)
    before = tuple(one for one in found if purged_at is not None and one.made_at <= purged_at)
    running = Job.objects.filter(kind="backup", space=row.name, status__in=OPEN).order_by("created_at").first()
    return Standing(folder, found, purged_at, before, running)


def remove_before_purge(row: Row) -> list[str]:
    """Removes every kept backup that was made before the last purge, and returns their names. Raises StoreError."""
    old = standing(row).before_purge
    for one in old:
        backup_folder.remove(one)
    return [one.name for one in old]
