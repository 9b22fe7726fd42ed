"""The machine: Python, packages, clock, disk, the data folder and whose it is."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import islice
from pathlib import Path

from django.conf import settings
from packaging.version import InvalidVersion, Version

from memoryapp.management.doctor.finding import Finding, Level
from memoryapp.program import DISTRIBUTION, program_name, repair_words

_ROOM_WANTED = 1024**3  # bytes
_ROOM_NEEDED = 64 * 1024**2  # bytes without which nothing can be written any more
_CLOCK_OFF = 300.0  # seconds by which something may seem to have been written in the future
_EARLIEST = 1_735_689_600.0  # 2025-01-01: before it this program was not
_LOOKED_AT = 2_000  # files of a large folder
_PINNED = re.compile(r"([\w.-]+)(?:\[[^\]]*\])?==([\w.+!-]+)\s*$")


def python() -> Iterator[Finding]:
    told = f"{platform.python_implementation()} {platform.python_version()} on {platform.system()}"
    level: Level = "ok" if sys.version_info >= (3, 11) else "bad"
    yield Finding("Python", level, told, "" if level == "ok" else f"Install 3.11 or newer, then: {repair_words()}")


def packages() -> Iterator[Finding]:
    """Those that must be one exact version: the store's SDK and its engine above all."""
    try:
        wanted = [found.groups() for line in requires(DISTRIBUTION) or () if (found := _PINNED.match(line))]
    except PackageNotFoundError:
        yield Finding("Packages", "warn", "Palimpsest itself is not installed here", repair_words())
        return
    off = [f"{name} {_version(name) or 'missing'} instead of {pin}" for name, pin in wanted if not _is(name, pin)]
    if off:
        yield Finding("Packages", "bad", ", ".join(off), repair_words())
    else:
        yield Finding("Packages", "ok", f"{len(wanted)} pinned ones as they are pinned")


def _is(name: str, pin: str) -> bool:
    """Whether it is here in this version, however that is spelled ("3.0.0-beta.10" is 3.0.0b10)."""
    try:
        return Version(_version(name) or "").public == Version(pin).public
    except InvalidVersion:
        return False


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def clock() -> Iterator[Finding]:
    now = time.time()
    newest = max((file.stat().st_mtime for file in _files(Path(settings.DATA_DIR))), default=0.0)
    fix = "Set the clock (timedatectl set-ntp true): trust, decay and what is due go by it."
    if now < _EARLIEST:
        yield Finding("Clock", "bad", f"it says {datetime.fromtimestamp(now):%Y-%m-%d}", fix)
    elif newest > now + _CLOCK_OFF:
        told = f"{datetime.fromtimestamp(now):%Y-%m-%d %H:%M}, and something here was written at "
        yield Finding("Clock", "warn", f"{told}{datetime.fromtimestamp(newest):%Y-%m-%d %H:%M}", fix)
    else:
        yield Finding("Clock", "ok", f"{datetime.fromtimestamp(now).astimezone():%Y-%m-%d %H:%M %Z}")


def data_folder() -> Iterator[Finding]:
    folder = Path(settings.DATA_DIR)
    stat = folder.stat()
    mine = f"sudo chown -R {os.geteuid()}:{os.getegid()} {folder}"
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield Finding("Data folder", "bad", f"{folder} cannot be written", f"{mine}, or name another: --data")
        return
    foreign = next((file for file in _files(folder) if not os.access(file, os.R_OK | os.W_OK)), None)
    if foreign is not None:
        yield Finding("Data folder", "bad", f"{foreign} cannot be written: it belongs to somebody else", mine)
    elif stat.st_uid != os.geteuid():
        told = f"{folder} belongs to user {stat.st_uid}; what is written now will be user {os.geteuid()}'s"
        yield Finding("Data folder", "warn", told, f"Run it as that user, or: {mine}")
    elif stat.st_mode & 0o077:
        told = f"{folder}, and others on this machine may read it"
        yield Finding("Data folder", "warn", told, f"chmod 700 {folder}")
    else:
        yield Finding("Data folder", "ok", str(folder))


def _files(folder: Path) -> list[Path]:
    """Some of its files, as they come: of a large folder enough to see whose it is."""
    found = (Path(above) / name for above, _, names in os.walk(folder) for name in names)
    return [file for file in islice(found, _LOOKED_AT) if file.exists() and not file.is_symlink()]


def disk() -> Iterator[Finding]:
    free = shutil.disk_usage(settings.DATA_DIR).free
    told = f"{free / 1024**3:.1f} GB free"
    if free < _ROOM_NEEDED:
        yield Finding("Disk", "bad", f"full: {free / 1024**2:.0f} MB free", "Make room; nothing can be written.")
    elif free < _ROOM_WANTED:
        yield Finding(
            "Disk", "warn", f"only {told}", f"Make room before you ingest, or compact: {program_name()} compact"
        )
    else:
        yield Finding("Disk", "ok", told)
