"""Starts `manage.py up` as a person would, in a process of its own on a free port, and ends that process again."""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
from django.test import override_settings

from memoryapp.domain.identity import new_id
from memoryapp.management.running import told_in
from memoryapp.management.utility import PalimpsestUtility
from tests.nursery import ROOT, Child, begin

LINK = re.compile(r"(http://\S+)/login/(\S+)")
FORM_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
Process = subprocess.Popen[bytes] | Child
STATIC = "static"  # within a data folder
PATIENCE = 120.0  # seconds until ready, on a machine busy with other tests; the first waits for the nursery too


@dataclass(slots=True)
class Live:
    """A running app. `link` logs in once; `key` is the local key of the commands."""

    url: str
    link: str
    key: str
    data: Path
    process: Process
    output: list[str]
    space: str = ""  # where its clients and commands go, unless they name another; the default space

    def in_new_space(self) -> Live:
        """The same app, for tests that need an empty space: starting another app takes a hundred times as long."""
        name = f"l-{new_id()}"
        with self.client() as api:
            api.post("/spaces", json={"name": name}).raise_for_status()
        return replace(self, space=name)

    def client(self, *, space: str = "") -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.key}"}
        if space or self.space:
            headers["X-Space"] = space or self.space
        return httpx.Client(base_url=f"{self.url}/api/v1", headers=headers, timeout=30, trust_env=False)

    def command(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """A command of manage.py that speaks to this app, done within the test's own process: the app is the same, and
        a process more takes a hundred times as long. How a process starts and ends is `manage`'s to show."""
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
        heard, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
        mask = os.umask(0o077)  # a command sets its own, which the tests after this one are to be spared
        told = 0
        if self.space and "--space" not in words:
            words = (*words, "--space", self.space)
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
        with self.client() as api:
            people = api.get("/people", params={"limit": 200}).raise_for_status().json()["items"]
            name = next(one["name"] for one in people if one["everywhere"] and one["active"])
            return str(api.post(f"/people/{name}/login-link").raise_for_status().json()["url"])

    def sign_in(self, browser: httpx.Client) -> httpx.Response:
        """Signs a client of HTTP in. Gives the answer to the button's form, which leads to Home."""
        return use_link(browser, self.login_link())

    def sign_in_page(self, page: Any) -> None:
        """Signs a page of Playwright in and leaves it at Home."""
        page.goto(self.login_link())
        page.get_by_role("button", name="Sign in as").click()
        page.wait_for_url(f"{self.url}/")


def use_link(browser: httpx.Client, link: str) -> httpx.Response:
    """Opens a login link and presses its button, as a person does. Raises httpx.HTTPStatusError where the link is no
    longer good."""
    page = browser.get(link).raise_for_status()
    token = FORM_TOKEN.findall(page.text)[0]
    return browser.post(page.url, data={"csrfmiddlewaretoken": token}, headers={"Referer": str(page.url)})


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


def environment(data: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MEMORY_", "CELERY_"))}
    kept.pop("DJANGO_SETTINGS_MODULE", None)
    kept.pop("DATABASE_URL", None)
    return kept | {"MEMORY_DATA_DIR": str(data), "MEMORY_ENCODER": "hashing", **more}


def manage(
    *words: str, data: Path, timeout: float = 60, stdin: str = "", folder: Path = ROOT, **more: str
) -> subprocess.CompletedProcess[str]:
    """One command of manage.py, called from this folder and run to its end."""
    with tempfile.TemporaryDirectory() as streams:
        said, out, err = (Path(streams) / name for name in ("in", "out", "err"))
        said.write_text(stdin, encoding="utf-8")
        child = begin(words, environment(data, **more), stdin=said, stdout=out, stderr=err, folder=folder)
        try:
            told = child.wait(timeout)
        except subprocess.TimeoutExpired:
            child.kill()
            raise
        return subprocess.CompletedProcess(list(words), told, out.read_text("utf-8"), err.read_text("utf-8"))


@contextlib.contextmanager
def live_app(data: Path, *words: str, from_nothing: bool = False, **more: str) -> Iterator[Live]:
    """The app, ready: GET /api/v1/health/ready answers 200. `from_nothing`: Python too is started anew, and the static
    files are collected anew."""
    words, env = ("up", "--port", "0", "--no-browser", *words), environment(data, **more)
    output: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        heard = Path(folder) / "output"
        os.mkfifo(heard)
        reader = threading.Thread(target=_read, args=(heard, output), daemon=True)
        reader.start()
        if from_nothing:
            with heard.open("wb") as out:
                process = subprocess.Popen(
                    [sys.executable, str(ROOT / "manage.py"), *words], env=env, stdout=out, stderr=out
                )
        else:
            _give_static_files(data)
            process = begin(words, env, stdin=Path(os.devnull), stdout=heard, stderr=heard)
        try:
            running = _when_ready(process, output, data)
            _keep_static_files(data)
            yield running
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
            reader.join(5)


_collected: list[Path] = []  # the static files as the first app of these tests collected them


def _keep_static_files(data: Path) -> None:
    if not _collected:
        kept = Path(tempfile.mkdtemp(prefix="palimpsest-static-"))
        atexit.register(shutil.rmtree, kept, ignore_errors=True)
        _collected.append(shutil.copytree(data / STATIC, kept / STATIC))


def _give_static_files(data: Path) -> None:
    """As the app would collect them, which takes it longer than all else at its first start."""
    if _collected and not (data / STATIC).exists():
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        shutil.copytree(_collected[0], data / STATIC)


def _read(heard: Path, output: list[str]) -> None:
    with heard.open(encoding="utf-8") as lines:
        for line in lines:
            output.append(line.rstrip("\n"))


def _when_ready(process: Process, output: list[str], data: Path) -> Live:
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
