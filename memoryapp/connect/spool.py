"""Turns on their way to the memory: a file of lines for each session of an agent, from which they go when the memory
has them. What a kill leaves behind is either there or not: a line that was broken off never was.

Beside the lines stands how far they were sent (`sent`), and how far the transcript was read (`read`). Each line carries
its own `read`, so that a turn and the cursor behind it are written in one step. Standard library alone.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from memoryapp.connect.places import FOLDER

Line = dict[str, Any]
_KEPT_DAYS = 90  # how far a session was read; agents keep their transcripts for less


class State(NamedTuple):
    """`parts`: of a session that went on after its end, in which part of it the talk is."""

    sent: int = 0
    read: int = 0
    space: str = ""
    parts: dict[str, int] = {}  # noqa: RUF012 - never changed


class Spool(NamedTuple):
    """Of one session of one agent."""

    folder: Path
    name: str

    @property
    def file(self) -> Path:
        return self.folder / f"{self.name}.jsonl"

    @property
    def _state_file(self) -> Path:
        return self.folder / f"{self.name}.json"

    def state(self) -> State:
        """Return how far it is, the lines that wait included."""
        lines = self._lines()
        kept = self._kept()
        read = max([kept.read, *(line["read"] for line in lines)])
        return kept._replace(read=read, space=kept.space or (lines[0]["space"] if lines else ""))

    def waiting(self) -> list[Line]:
        """Return the lines that the memory does not have yet, in order."""
        sent = self._kept().sent
        return [line for line in self._lines() if line["n"] > sent]

    def append(self, lines: Sequence[Line]) -> None:
        """Write the lines behind those that wait. Whoever calls this holds the lock. Raises OSError."""
        there = self._lines()
        number = max([self._kept().sent, *(line["n"] for line in there)])
        text = "".join(
            json.dumps({"n": number + count, **line}, ensure_ascii=False) + "\n"
            for count, line in enumerate(lines, start=1)
        )
        with open(self.file, "a+b") as out:
            out.truncate(_end_of_whole_lines(out))
            out.write(text.encode("utf-8", "replace"))
            out.flush()
            os.fsync(out.fileno())

    def settle(self, number: int, parts: dict[str, int]) -> None:
        """Write that the memory has the lines up to this number. Whoever calls this holds the lock. Raises OSError."""
        now = self.state()
        state = now._replace(sent=max(number, now.sent), parts=parts)
        draft = self._state_file.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(state._asdict()), encoding="utf-8")
        os.replace(draft, self._state_file)
        if not self.waiting():
            self.file.unlink(missing_ok=True)

    def _kept(self) -> State:
        try:
            kept = json.loads(self._state_file.read_text(encoding="utf-8"))
            return State(int(kept["sent"]), int(kept["read"]), str(kept["space"]), dict(kept["parts"]))
        except (OSError, ValueError, KeyError, TypeError):
            return State()

    def _lines(self) -> list[Line]:
        try:
            content = self.file.read_bytes()
        except FileNotFoundError:
            return []
        found = []
        for line in content[: content.rfind(b"\n") + 1].splitlines():
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
        return found


def spool_of(data: Path, agent: str, session: str) -> Spool:
    """Return the spool of a session; its folder is made where it is missing. Raises OSError."""
    return Spool(_folder(data), f"{agent}~{re.sub(r'[^A-Za-z0-9._-]', '_', session)[:100]}")


def spools(data: Path) -> list[Spool]:
    """Return those in which something waits, the oldest first."""
    files = sorted(_folder(data).glob("*.jsonl"), key=lambda file: (file.stat().st_mtime, file.name))
    return [Spool(file.parent, file.stem) for file in files if "~" in file.stem]


def forget_old(data: Path) -> None:
    """Remove what was kept of sessions that are long over, and drafts that a kill left."""
    before = time.time() - _KEPT_DAYS * 86_400
    for file in _folder(data).iterdir():
        with contextlib.suppress(FileNotFoundError):
            if file.suffix != ".jsonl" and file.stat().st_mtime < before:
                file.unlink()


@contextlib.contextmanager
def hold(data: Path, name: str, *, patience: float) -> Iterator[None]:
    """Hold a lock of the spool's folder for the block; it goes with the process. Raises TimeoutError."""
    until = time.monotonic() + patience
    with open(_folder(data) / f".{name}", "a") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise TimeoutError(f"Another hook has had {file.name} for {patience:.0f} seconds.") from None
                time.sleep(0.02)
        os.utime(file.name)
        yield


def _folder(data: Path) -> Path:
    folder = data / FOLDER / "spool"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _end_of_whole_lines(file: BinaryIO) -> int:
    """Where a line that was broken off begins, else the end."""
    file.seek(0)
    return file.read().rfind(b"\n") + 1
