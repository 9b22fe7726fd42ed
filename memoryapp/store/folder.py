"""The folder of an embedded space, and the names beside it while it is being rewritten (`compact`)."""

from __future__ import annotations

import shutil
from pathlib import Path


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


def moment_of(folder: Path) -> Path:
    """The copy that is read while others go on writing (`moment`)."""
    return folder.with_name(f".moment-{folder.name}")


def finish_swap(folder: Path) -> None:
    """Puts the draft in its place where a swap was cut short. Costs one look at the disk where none was."""
    if not mark_of(folder).exists():
        return
    if not folder.exists():
        draft_of(folder).rename(folder)
    mark_of(folder).unlink(missing_ok=True)
    shutil.rmtree(old_of(folder), ignore_errors=True)
