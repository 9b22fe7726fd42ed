"""The folder of an embedded space: where it lies, the names beside it (`compact`, `snapshot`), and how it is mended.

A folder that was not closed in order – its process killed, its machine out of power, its disk full – is put in order
before anybody works on it.

Engine 3.2.4 (surrealkv 0.21.4) repairs a log that ends in half a record by writing a new file in the old one's place,
and goes on writing to the old one, which nobody finds again: whatever is committed until the folder is closed in order
would be lost by a second kill. And a repair that is itself killed leaves a folder `repair_temp`, to which the next
repair adds the whole log once more: the outcome ends in the middle and takes the place of the log that was whole.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import re
import shutil
from pathlib import Path

from memoryapp.domain.errors import StoreError, StoreFull


def folder_of(url: str, name: str) -> Path | None:
    """Where a space is kept: `url` is surrealkv:///folder. None for a server, or memory."""
    scheme, _, folder = url.partition("://")
    return Path(folder) / name if scheme.startswith("surrealkv") else None


def draft_of(folder: Path) -> Path:
    return folder.with_name(f".new-{folder.name}")


def old_of(folder: Path) -> Path:
    return folder.with_name(f".old-{folder.name}")


def mark_of(folder: Path) -> Path:
    """Stands while the draft is whole and the swap is under way."""
    return folder.with_name(f".new-{folder.name}.whole")


def snapshot_of(folder: Path) -> Path:
    """The copy that is read while others go on writing (`snapshot`)."""
    return folder.with_name(f".moment-{folder.name}")


def finish_swap(folder: Path) -> None:
    """Puts the draft in its place where a swap was cut short. Costs one look at the disk where none was."""
    if not mark_of(folder).exists():
        return
    if not folder.exists():
        draft_of(folder).rename(folder)
    mark_of(folder).unlink(missing_ok=True)
    shutil.rmtree(old_of(folder), ignore_errors=True)


_LOG = "wal"
_REPAIR = "repair_temp"
_ROOM = 1 << 20  # bytes beside what the log holds
_TRIES, _WAIT = 100, 0.005  # half a second in all; where the disk is full the log stays
# Words of users stand in messages that begin otherwise.
_REFUSED = re.compile(r"(?:Cannot COMMIT: )?There was a problem with [^:]*: .*IO error")
_CODE = re.compile(r"\(os error (\d+)\)")
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def left_open(folder: Path) -> bool:
    """Whether the log still holds something: closing in order leaves nothing in it."""
    return _log_size(folder) > 0


async def tidied_up(folder: Path | None) -> None:
    """Waits until a closed engine has taken its log away, which it does a moment after it says that it is closed, by
    the names of the files: of a new space in the same place it would take the new one's."""
    for _ in range(_TRIES):
        if folder is None or not any((folder / _LOG).glob("*.wal")):
            return
        await asyncio.sleep(_WAIT)


def clear_half_repair(folder: Path) -> None:
    """Takes away what a repair left that was killed; the log it was made from is still whole. Nothing is touched while
    another process holds the folder."""
    left = folder / _LOG / _REPAIR
    if not left.exists():
        return
    with open(folder / "LOCK", "a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return  # whoever opens it next is told that it is held
        shutil.rmtree(left, ignore_errors=True)


def has_room(folder: Path) -> bool:
    """Whether the disk takes as much again as the log holds: so much is written when the folder is closed in order.
    Quotas count as the disk."""
    wanted = _room(folder)
    if shutil.disk_usage(folder).free < wanted:
        return False
    probe = folder / ".room"
    try:
        with open(probe, "wb") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, wanted)
    except OSError:
        return False
    finally:
        probe.unlink(missing_ok=True)
    return True


def not_written(error: BaseException, folder: Path | None) -> StoreError | None:
    """What to tell where the engine could not write to its folder; None where that is not what happened. The record
    may be on disk by half then, and what is written behind it would not be read again: the folder is to be closed and
    opened before the next write."""
    text = str(error)
    if folder is None or not _REFUSED.match(text):
        return None
    code = _CODE.search(text)
    if code and int(code[1]) in _NO_ROOM:
        return full(folder)
    return StoreError(f"The disk at {folder} refused a write, and nothing of it was kept: {text}")


def full(folder: Path) -> StoreFull:
    return StoreFull(
        f"There is no room left on the disk at {folder}. What was kept is safe, and nothing more is written until "
        f"there are {(_room(folder) >> 20) + 1:,} MiB: make room, then repeat what you did."
    )


def _room(folder: Path) -> int:
    return _log_size(folder) + _ROOM


def _log_size(folder: Path) -> int:
    return sum(file.stat().st_size for file in (folder / _LOG).glob("*.wal"))
