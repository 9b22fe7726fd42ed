"""Starts what server mode is made of, each as a process of its own on a free port, and ends it again."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
USER, PASSWORD = "keeper", "of the reeds"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Part:
    """One process that may be ended, held still and started again. `ready` is asked until it is true; its output goes
    to `log`, which is shown where it failed."""

    def __init__(self, log: Path, words: Sequence[str], ready: Callable[[], bool], env: dict[str, str]) -> None:
        self.log, self._words, self._ready, self._env = log, words, ready, env
        self._running: subprocess.Popen[bytes] | None = None
        self._logged = 0

    @property
    def runs(self) -> bool:
        return self._running is not None and self._running.poll() is None

    @property
    def pid(self) -> int:
        assert self._running is not None
        return self._running.pid

    def said(self) -> str:
        """What it has printed since it was last started."""
        return self.log.read_bytes()[self._logged :].decode("utf-8", "replace") if self.log.exists() else ""

    def begin(self) -> None:
        """Starts it and does not wait."""
        assert not self.runs
        self._logged = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as out:
            self._running = subprocess.Popen(self._words, cwd=ROOT, env=self._env, stdout=out, stderr=out)

    def start(self) -> None:
        self.begin()
        self.wait()

    def wait(self) -> None:
        wait_for(self._ready, log=self.log, running=self._running)

    def stop(self, *, within: float = 20) -> int | None:
        """Asks it to end and returns its exit code; one that does not is killed, and has none."""
        if self._running is None:
            return None
        with contextlib.suppress(ProcessLookupError):
            self._running.send_signal(signal.SIGCONT)  # one that is held still cannot end
        self._running.terminate()
        try:
            return self._running.wait(within)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    def kill(self) -> None:
        assert self._running is not None
        kill(self._running)

    @contextlib.contextmanager
    def held_still(self) -> Iterator[None]:
        """Its connections stay and nothing answers: a machine that hangs, or a network that swallows."""
        os.kill(self.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.pid, signal.SIGCONT)


@contextlib.contextmanager
def process(log: Path, *words: str, env: dict[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Runs until the block ends. Its output goes to `log`, which is shown where it failed."""
    with log.open("ab") as out:
        running = subprocess.Popen(words, cwd=ROOT, env=env or dict(os.environ), stdout=out, stderr=out)
    try:
        yield running
    finally:
        running.terminate()
        try:
            running.wait(15)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait(5)


@contextlib.contextmanager
def bridge(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """The stand-in for a SurrealDB server, listening."""
    log = folder / "bridge.log"
    before = log.read_text().count("listening") if log.exists() else 0
    with process(log, *bridge_words(folder, port)) as running:
        wait_for(lambda: log.read_text().count("listening") > before, log=log, running=running)
        yield running


def bridge_words(folder: Path, port: int) -> list[str]:
    return [sys.executable, "-m", "tests.server.bridge", str(port), str(folder / "store"), USER, PASSWORD]


def wait_for(
    happened: Callable[[], bool], *, log: Path, running: subprocess.Popen[bytes] | None = None, within: float = 60
) -> None:
    until = time.monotonic() + within
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            if happened():
                return
        if running is not None and running.poll() is not None:
            break
        time.sleep(0.05)
    raise AssertionError(f"{log.name} in vain:\n{log.read_text()[-3000:] if log.exists() else ''}")


def kill(running: subprocess.Popen[bytes]) -> None:
    running.send_signal(signal.SIGKILL)
    running.wait(10)
