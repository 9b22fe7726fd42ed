"""Commands of manage.py that begin in a process which has the libraries and the rooms in memory already: importing them
takes most of a start, and hundreds of tests start something. What reads the settings is imported by each anew, and
whatever is told by the environment, the arguments, the streams and the exit code is the same. How a process begins from
nothing is what the fixture `live`, tests/management/test_up.py and the cluster of tests/server show."""

from __future__ import annotations

import io
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# An exit code is read once, and a start reads those of all children: of two threads one would be told 255.
_reads = threading.Lock()


@dataclass(slots=True)
class Child:
    """What tests use of a `subprocess.Popen`."""

    _process: BaseProcess

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        with _reads:
            return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, negative for a signal. Raises TimeoutExpired."""
        connection.wait([self._process.sentinel], timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired("manage.py", timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def begin(
    words: Sequence[str], env: dict[str, str], *, stdin: Path, stdout: Path, stderr: Path, folder: Path = ROOT
) -> Child:
    """`manage.py` with these words, called from this folder, its streams read from and written to these files."""
    nursery = multiprocessing.get_context("forkserver")
    nursery.set_forkserver_preload(["tests.nursery_rooms"])
    told = (list(words), env, *map(str, (folder, stdin, stdout, stderr)))
    started = nursery.Process(target=_act, args=told, daemon=True)
    with _reads:
        started.start()
    return Child(started)


def _act(words: list[str], env: dict[str, str], folder: str, stdin: str, stdout: str, stderr: str) -> None:
    os.chdir(folder)
    writes = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    for number, (path, flags) in enumerate(((stdin, os.O_RDONLY), (stdout, writes), (stderr, writes))):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
    os.environ.clear()
    os.environ.update(env)
    import_module("tests.nursery_rooms")  # is there already, or says why not: a fork server passes over that in silence
    sys.argv = [str(ROOT / "manage.py"), *words]
    sys.path[0] = str(ROOT)
    runpy.run_path(sys.argv[0], run_name="__main__")
