"""Files of other programs, changed whole or not at all: their mode and owner stay, links are followed."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path


def read_bytes(file: Path) -> bytes | None:
    """Return what the file holds, or None where there is none. Raises OSError."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None


def write_bytes(file: Path, content: bytes, *, mode: int = 0o600) -> list[Path]:
    """Write the file in one step. One that is there keeps its mode and owner, and a link to it stays a link; a new one
    has `mode`. Return the folders that were made for it, the outermost first. Raises OSError."""
    file = Path(os.path.realpath(file))
    made = _missing_folders(file.parent)
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        was: os.stat_result | None = file.stat()
    except FileNotFoundError:
        was = None
    draft = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(draft, stat.S_IMODE(was.st_mode) if was else mode)
        if was and (was.st_uid, was.st_gid) != (os.geteuid(), os.getegid()):
            os.chown(draft, was.st_uid, was.st_gid)
        os.replace(draft, file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return made


def remove(file: Path, folders: list[Path]) -> None:
    """Remove the file (of a link what it leads to) and those of the folders that are empty then. Raises OSError."""
    Path(os.path.realpath(file)).unlink(missing_ok=True)
    for folder in reversed(folders):
        with contextlib.suppress(OSError):  # something else is in it by now
            folder.rmdir()


def _missing_folders(folder: Path) -> list[Path]:
    missing: list[Path] = []
    while not folder.exists():
        missing.insert(0, folder)
        folder = folder.parent
    return missing
