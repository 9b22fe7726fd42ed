"""The small client behind the commands: the running app where there is one, else the same application inside this
process. Either way a request goes through the same API and comes back as the same JSON."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

import httpx
from django.conf import settings
from django.utils.module_loading import import_string

from memoryapp.accounts.keys import create_local_key, revoke_key
from memoryapp.accounts.opening import close_spaces
from memoryapp.accounts.spaces import DEFAULT, open_space
from memoryapp.domain.errors import BadInput, PalimpsestError
from memoryapp.jobs.pipeline import release_left_over
from memoryapp.jobs.worker import InProcessWorker
from memoryapp.management.prepare import prepare_people
from memoryapp.management.running import Running, holding, running_in

PATIENCE = httpx.Timeout(120.0, connect=5.0)  # seconds; a first search may wait for the model
API = "/api/v1"

Send = Callable[..., httpx.Response]


class ApiError(PalimpsestError):
    """The API said no; `detail` is its own sentence."""


class Door(Protocol):
    where: str

    def request(self, method: str, path: str, *, json: Any = None, params: dict[str, Any] | None = None) -> Any: ...


class ApiDoor:
    """`where` says which of the two it is. Paths are below /api/v1."""

    def __init__(self, send: Send, *, where: str, space: str) -> None:
        self._send = send
        self._headers = {"X-Space": space} if space else {}
        self.where = where

    def request(self, method: str, path: str, *, json: Any = None, params: dict[str, Any] | None = None) -> Any:
        """The answer's JSON. Raises Refused with the problem's sentence, or that the app does not answer."""
        answer = self._asked(method, path, json=json, params=params)
        return answer.json() if answer.content else None

    def into(self, space: str) -> ApiDoor:
        """The same door, in another space."""
        return ApiDoor(self._send, where=self.where, space=space)

    def text(self, path: str, *, params: dict[str, Any] | None = None) -> str:
        """The answer's text, where it is no JSON."""
        return self._asked("GET", path, params=params).text

    def fetch(self, path: str, target: Path) -> int:
        """POSTs and keeps the answer's bytes as `target`, which appears only when it is whole; returns their number."""
        answer = self._asked("POST", path)
        partial = target.with_name(target.name + ".partial")
        # Readable by its owner alone, as where the command makes it itself: it holds whatever a space holds.
        with open(partial, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as kept:
            kept.write(answer.content)
        partial.replace(target)
        return len(answer.content)

    def send_file(self, path: str, file: Path, *, fields: dict[str, str] | None = None) -> Any:
        """POSTs a file as the form field `upload`; returns the answer's JSON."""
        with file.open("rb") as opened:
            content = {"upload": (file.name, opened.read(), "application/octet-stream")}
        return self._asked("POST", path, files=content, data=fields or {}).json()

    def _asked(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            answer = self._send(method, API + path, headers=self._headers, **more)
        except httpx.HTTPError as error:
            raise ApiError(f"Palimpsest ({self.where}) does not answer: {error or type(error).__name__}.") from None
        except UnicodeEncodeError:
            raise ApiError(
                "What was typed cannot be sent: words are UTF-8, and a space's name is made of a–z, 0–9 and “-”."
            ) from None
        if not answer.is_success:
            raise ApiError(_sentence(answer))
        return answer


@contextlib.contextmanager
def open_door(*, space: str = "", quiet: bool = False, with_model: bool = False) -> Iterator[ApiDoor]:
    """A door to the data folder of the settings, open while the block runs; says on stderr which one it is.

    `with_model`: opens only once the space's model is loaded; a search would do without it otherwise. Raises
    StoreLocked where the folder is held by an app that does not answer, and EncoderError.
    """
    running = running_in(settings.DATA_DIR)
    with _open_running_door(running, space) if running else _open_store_door(space, with_model=with_model) as door:
        if not quiet:
            print(f"Using {door.where}.", file=sys.stderr)
        yield door


@contextlib.contextmanager
def _open_running_door(running: Running, space: str) -> Iterator[ApiDoor]:
    headers = {"Authorization": f"Bearer {running.key}", "Accept-Encoding": "identity"}  # on the same machine
    with httpx.Client(base_url=running.url, headers=headers, timeout=PATIENCE, trust_env=False) as client:
        yield ApiDoor(client.request, where=f"the running app at {running.url}", space=space)


@contextlib.contextmanager
def _open_store_door(space: str, *, with_model: bool) -> Iterator[ApiDoor]:
    with holding(settings.DATA_DIR), contextlib.ExitStack() as stack:
        key, text = create_local_key(prepare_people())
        stack.callback(revoke_key, key)
        stack.callback(close_spaces)
        if settings.CELERY_BROKER_URL.startswith("memory:"):
            release_left_over()  # not queued: a search must not start yesterday's ingest
            worker = InProcessWorker(beat=False)
            worker.start()
            stack.callback(worker.stop)
        opened = open_space(space or DEFAULT)
        if with_model:
            opened.encoder.get()
        transport = httpx.ASGITransport(app=import_string("memoryapp.asgi.application"))
        headers = {"Authorization": f"Bearer {text}", "Accept-Encoding": "identity"}

        def send(method: str, path: str, **more: Any) -> httpx.Response:
            async def ask() -> httpx.Response:
                async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                    more["headers"] = headers | more.get("headers", {})
                    return await client.request(method, path, timeout=PATIENCE, **more)

            return asyncio.run(ask())

        yield ApiDoor(send, where=f"the store in {settings.DATA_DIR} directly", space=space)


def segment(typed: str) -> str:
    """An id or a name as one step of an address. Raises BadInput for an empty one."""
    if not typed.strip():
        raise BadInput("The id or name is empty.")
    return quote(typed.encode("utf-8", "replace"), safe="")


def wait_for_job(
    door: Door, job_id: str, *, on_progress: Callable[[dict[str, Any]], None], every: float = 0.2
) -> dict[str, Any]:
    """The job once it has ended. Ctrl-C asks it to stop, and waits for that."""
    while True:
        try:
            job: dict[str, Any] = door.request("GET", f"/jobs/{job_id}")
            on_progress(job)
            if job["status"] not in ("queued", "running"):
                return job
            time.sleep(every)
        except KeyboardInterrupt:
            with contextlib.suppress(ApiError):  # it has just ended
                door.request("POST", f"/jobs/{job_id}/cancel")


def _sentence(answer: httpx.Response) -> str:
    try:
        problem = answer.json()
        said = problem.get("detail") or problem.get("title")
        field = problem.get("field")
    except (ValueError, AttributeError):
        said, field = None, None
    if not said:
        return f"Palimpsest answered {answer.status_code} {answer.reason_phrase}."
    return _name_field(str(said), str(field or ""))


def _name_field(said: str, field: str) -> str:
    """The sentence with the name of the option or argument that it is about, unless it says it itself: of "/top_k" that
    is "top-k". A header is the door's own doing, and nobody typed it."""
    name = field.strip("/").replace("/", " ").replace("_", "-")
    if not name or field.startswith("X-") or name in said or field in said:
        return said
    return f"{name}: {said}"
