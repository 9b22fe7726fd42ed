"""Starts `manage.py up` as a person would, in a process of its own on a free port, and ends that process again."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import httpx
from django.test import override_settings

from memoryapp.management.running import told_in
from memoryapp.management.utility import PalimpsestUtility

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(http://\S+)/login/(\S+)")
PATIENCE = 60.0  # seconds until ready, on a machine busy with other tests


@dataclass(slots=True)
class Live:
    """A running app. `link` logs in once; `key` is the local key of the commands."""

    url: str
    link: str
    key: str
    data: Path
    process: subprocess.Popen[str]
    output: list[str]

    def client(self, *, space: str = "") -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.key}"} | ({"X-Space": space} if space else {})
        return httpx.Client(base_url=f"{self.url}/api/v1", headers=headers, timeout=30, trust_env=False)

    def command(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """A command of manage.py that speaks to this app, done within the test's own process: the app is the same, and
        a process more takes a hundred times as long. How a process starts and ends is `manage`'s to show."""
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
        heard, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
        mask = os.umask(0o077)  # a command sets its own, which the tests after this one are to be spared
        told = 0
        try:
            with override_settings(DATA_DIR=self.data), redirect_stdout(out), redirect_stderr(err):
                command = PalimpsestUtility(["manage.py", *words]).fetch_command(words[0])
                command.run_from_argv(["manage.py", *words])
        except SystemExit as ending:
            told = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
        finally:
            sys.stdin = heard
            os.umask(mask)
        return subprocess.CompletedProcess(list(words), told, *map(_written, (out, err)))

    def login_link(self) -> str:
        """A fresh one-time link, for one more browser."""
        return manage("login", data=self.data).stdout.strip()


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


def environment(data: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MEMORY_", "CELERY_"))}
    kept.pop("DJANGO_SETTINGS_MODULE", None)
    kept.pop("DATABASE_URL", None)
    return kept | {"MEMORY_DATA_DIR": str(data), "MEMORY_ENCODER": "hashing", **more}


def manage(
    *words: str, data: Path, timeout: float = 60, stdin: str = "", **more: str
) -> subprocess.CompletedProcess[str]:
    """One command of manage.py, run to its end."""
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *words],
        env=environment(data, **more),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


@contextlib.contextmanager
def live_app(data: Path, *words: str, **more: str) -> Iterator[Live]:
    """The app, ready: GET /api/v1/health/ready answers 200."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), "up", "--port", "0", "--no-browser", *words],
        env=environment(data, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    output: list[str] = []
    reader = threading.Thread(target=_read, args=(process, output), daemon=True)
    reader.start()
    try:
        yield _when_ready(process, output, data)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
        reader.join(5)


def _read(process: subprocess.Popen[str], output: list[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        output.append(line.rstrip("\n"))


def _when_ready(process: subprocess.Popen[str], output: list[str], data: Path) -> Live:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        link = next((found for line in output if (found := LINK.search(line))), None)
        told = told_in(data)
        if link and told and _is_ready(link[1]):
            return Live(url=link[1], link=link[0], key=told.key, data=data, process=process, output=output)
        time.sleep(0.05)
    raise AssertionError("The app did not become ready:\n" + "\n".join(output))


def _is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/v1/health/ready", timeout=5, trust_env=False).status_code == 200
    except httpx.HTTPError:
        return False
