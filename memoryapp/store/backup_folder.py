"""The folder in which the backups of a space are kept: written whole, read again before they count, the oldest removed
beyond so many. A file is touched only where its name and its own head say that it is a backup of that space."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from pathlib import Path

from memoryapp.domain.errors import BadInput, NotFound, StoreError, StoreFull
from memoryapp.store.backup import Tell, backup, quietly
from memoryapp.store.backup_file import head_of
from memoryapp.store.database import Database

_NAME = re.compile(r"([a-z0-9-]{1,40})-(\d{8}-\d{6})\.palimpsest\.gz(\.partial)?")
_STAMP = "%Y%m%d-%H%M%S"
_ROOM_LEFT = 64 * 1024**2  # bytes that a backup leaves free on the disk


@dataclass(frozen=True, slots=True)
class StoredBackup:
    """A backup in its folder, as its name and its head tell it. `size` in bytes."""

    name: str
    path: Path
    made_at: datetime
    size: int


@dataclass(frozen=True, slots=True)
class BackupResult:
    """`rows` by table. `instead`: the one before, which held the same and made room for it; "" where something had
    changed."""

    kept: StoredBackup
    rows: dict[str, int]
    instead: str


def name_of(space: str, at: datetime) -> str:
    return f"{space}-{at.astimezone(UTC).strftime(_STAMP)}.palimpsest.gz"


def make(db: Database, folder: Path, *, now: datetime, tell: Tell = quietly) -> BackupResult:
    """A new backup in the folder, which is made where it is missing. Not while another one of this space is made: what
    such a one left half written is removed. Raises as `backup` does."""
    at = now.astimezone(UTC)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _sweep(folder, db.name)
        before = read_backups(folder, db.name)
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise StoreError(f"No backup can be kept in {folder}: {error.strerror or error}.") from error
    if before and free < before[0].size + _ROOM_LEFT:
        raise StoreFull(
            f"There is too little room in {folder} for a backup: {free >> 20:,} MiB are free, and the last one has "
            f"{(before[0].size >> 20) + 1:,} MiB. Make room, or keep fewer."
        )
    if before:  # after a second one within a second, or a clock that was set back, it is still the newest
        at = max(at, before[0].made_at + timedelta(seconds=1))
    while (folder / name_of(db.name, at)).exists():  # somebody else's file
        at += timedelta(seconds=1)
    target = folder / name_of(db.name, at)
    rows = backup(db, target, at=at, checked=True, tell=tell)
    made = StoredBackup(target.name, target, at, target.stat().st_size)
    same = before[0] if before and _same_rows(before[0].path, target) else None
    if same:
        same.path.unlink(missing_ok=True)
    return BackupResult(made, {table: count for table, count in rows.items() if count}, same.name if same else "")


def read_backups(folder: Path, space: str) -> tuple[StoredBackup, ...]:
    """The backups of a space that are there, the newest first; nothing else that may lie beside them."""
    try:
        names = os.listdir(folder)
    except OSError:  # none was made yet, or the folder is away
        return ()
    found = [one for name in names if (one := _read(folder, space, name))]
    return tuple(sorted(found, key=lambda one: one.made_at, reverse=True))


def read_backup(folder: Path, space: str, name: str) -> StoredBackup:
    """Raises NotFound for what is no backup of this space."""
    found = _read(folder, space, name)
    if found is None:
        raise NotFound(f"There is no backup {name[:80]!r} of this space.")
    return found


def remove(one: StoredBackup) -> None:
    """For good. Raises StoreError where the folder does not let it go."""
    try:
        one.path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{one.name} cannot be removed: {error.strerror or error}.") from error


def thin(folder: Path, space: str, *, keep: int) -> list[str]:
    """Removes all but the last `keep` (at least one), and returns the names of those that are gone."""
    old = read_backups(folder, space)[max(keep, 1) :]
    for one in old:
        remove(one)
    return [one.name for one in old]


def _read(folder: Path, space: str, name: str) -> StoredBackup | None:
    """None for what is not ours: another name, a link, no file, or a head that says something else than the name."""
    told = _NAME.fullmatch(name)
    path = folder / name
    if told is None or told[1] != space or told[3] or path.is_symlink() or not path.is_file():
        return None
    try:
        head = head_of(path)
        made_at = datetime.fromisoformat(str(head["made_at"]))
        size = path.stat().st_size
    except (BadInput, KeyError, ValueError, OSError):
        return None
    ours = head.get("space") == space and made_at.tzinfo is not None and name_of(space, made_at) == name
    return StoredBackup(name, path, made_at, size) if ours else None


def _sweep(folder: Path, space: str) -> None:
    """What a process that was killed left half written."""
    for name in os.listdir(folder):
        told = _NAME.fullmatch(name)
        if told and told[1] == space and told[3] and not (folder / name).is_symlink():
            (folder / name).unlink(missing_ok=True)


def _same_rows(one: Path, other: Path) -> bool:
    """Whether two backups of one schema hold the same, whenever they were made."""
    try:
        if head_of(one).get("migrations") != head_of(other).get("migrations"):
            return False  # whoever goes back to an earlier version needs the older one
        with gzip.open(one, "rb") as first, gzip.open(other, "rb") as second:
            next(first)
            next(second)
            return all(a == b for a, b in zip_longest(first, second))
    except (BadInput, OSError, EOFError, StopIteration, zlib.error):
        return False  # the older one is damaged: it is no reason to lose the new one
