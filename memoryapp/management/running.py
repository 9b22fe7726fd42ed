"""Which process holds the data folder, and where it can be reached: the lock and `server.json`."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx

from memoryapp.accounts.secret import write_private
from memoryapp.domain.errors import StoreLocked

SERVER_FILE = "server.json"
LOCK_FILE = "lock"


@dataclass(frozen=True, slots=True)
class Running:
    """A running app as `server.json` tells it. `key` opens everything: the file is for its owner's eyes only."""

    url: str  # "http://127.0.0.1:8000", without a slash at the end
    key: str
    pid: int


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Holds the data folder for as long as the block runs; the lock goes with the process, however that ends.

    Raises StoreLocked, naming who holds it.
    """
    with open(folder / LOCK_FILE, "a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            raise StoreLocked(
                f"The data folder {folder} is in use by another Palimpsest (process {holder}). "
                "Stop that one, or name another folder with --data DIR."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def announce(folder: Path, running: Running) -> None:
    """Writes `server.json`, mode 0600, so that commands find the app."""
    write_private(folder / SERVER_FILE, json.dumps(asdict(running), indent=2) + "\n")


def withdraw(folder: Path) -> None:
    """Takes `server.json` away, if it is still ours."""
    told = told_in(folder)
    if told is not None and told.pid == os.getpid():
        (folder / SERVER_FILE).unlink(missing_ok=True)


def told_in(folder: Path) -> Running | None:
    """What `server.json` says, or None where there is none that can be read."""
    try:
        return Running(**json.loads((folder / SERVER_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def running_in(folder: Path, *, patience: float = 2.0) -> Running | None:
    """The app that runs on this folder and answers, or None. A file left by a killed app is not believed."""
    told = told_in(folder)
    if told is None or not is_held(folder):  # another program may have its port by now, and must not get its key
        return None
    try:
        # trust_env off: a proxy of the environment must not be asked for an address of this machine.
        answer = httpx.get(f"{told.url}/api/v1/health/live", timeout=patience, trust_env=False)
    except httpx.HTTPError:
        return None
    return told if answer.status_code == 200 else None


def is_held(folder: Path) -> bool:
    """Whether some process holds the folder now."""
    try:
        with open(folder / LOCK_FILE, encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
