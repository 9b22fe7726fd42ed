"""Rewrites the folder of an embedded space: what is held now, and nothing of what was. The engine keeps old values in
its log files and its changefeed; after this no byte of a purged memory is left in the folder, and it is smaller."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from memoryapp.domain.errors import BadInput, StoreError
from memoryapp.store.backup import backup, restore
from memoryapp.store.database import open_database
from memoryapp.store.folder import draft_of, finish_swap, folder_of, mark_of, old_of
from memoryapp.store.migrate import migrate


@dataclass(frozen=True, slots=True)
class CompactResult:
    """Sizes of the folder in bytes, and how many rows were carried over."""

    before: int
    after: int
    rows: int


def compact(url: str, name: str) -> CompactResult:
    """Carries everything over into a new folder, then puts that in the old one's place.

    Nobody else may have the space open. Killed at any moment, the space is the old one or the new one, whole; the rest
    is cleared away at the next try. Raises BadInput where the store is no folder, StoreLocked, StoreError.
    """
    folder = folder_of(url, name)
    if folder is None or not folder.is_dir():
        raise BadInput(f"Space “{name}” is not kept in a folder of this machine; its server compacts by itself.")
    before = _size(folder)
    _clear(folder)
    carried = folder.with_name(f".carry-{name}.gz")
    try:
        rows = _carry(url, name, draft_of(folder).name, carried)
        _swap(folder)
    except OSError as error:
        raise StoreError(f"Space “{name}” could not be rewritten, and is left as it was: {error}.") from error
    finally:
        carried.unlink(missing_ok=True)
    return CompactResult(before, _size(folder), rows)


def _carry(url: str, name: str, draft: str, carried: Path) -> int:
    """Fills the draft and returns its rows. Raises StoreError when it does not hold as many as the space."""
    old = open_database(url, name)
    try:
        migrate(old)  # a backup is filled into the newest schema
        written = backup(old, carried, private=True)
    finally:
        old.close()
    new = open_database(url, name, folder=draft)
    try:
        migrate(new)
        read = restore(new, carried)
    finally:
        new.close()
    if sum(read.values()) != sum(written.values()):
        raise StoreError(f"Space “{name}” could not be carried over whole; it is left as it was.")
    return sum(read.values())


def _swap(folder: Path) -> None:
    """Between the two renames there is no folder of the name; `finish_swap` then knows by the mark what to do."""
    for file in sorted(draft_of(folder).rglob("*")):
        if file.is_file():
            with open(file, "rb") as handle:
                os.fsync(handle.fileno())
    mark_of(folder).touch()
    folder.rename(old_of(folder))
    finish_swap(folder)


def _clear(folder: Path) -> None:
    """What an earlier try left."""
    finish_swap(folder)
    shutil.rmtree(draft_of(folder), ignore_errors=True)
    shutil.rmtree(old_of(folder), ignore_errors=True)


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
