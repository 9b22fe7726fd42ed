"""People and agents who go on asking while something is away: what each was answered, and how long it took."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import httpx

from tests.server.cluster import Cluster, Web

KINDS = ("write", "upload", "search", "page")
PAUSE = 0.2  # seconds between two requests of one caller


@dataclass(frozen=True, slots=True)
class Answered:
    """`status` 0: nobody answered. `key`: of what an API call made or queued, where it was accepted."""

    kind: str
    text: str  # what was written or asked, unlike any other
    status: int
    seconds: float
    content_type: str
    body: str
    key: str = ""


@dataclass(slots=True)
class Traffic:
    answers: list[Answered] = field(default_factory=list)

    def of(self, kind: str, *statuses: int) -> list[Answered]:
        return [one for one in self.answers if one.kind == kind and (not statuses or one.status in statuses)]

    @property
    def slowest(self) -> float:
        return max(one.seconds for one in self.answers)


@contextlib.contextmanager
def traffic(cluster: Cluster, visitor: httpx.Client, *, word: str) -> Iterator[Traffic]:
    """One caller of each kind at each web process until the block ends: writes, uploads, searches, pages."""
    seen, over, callers = Traffic(), threading.Event(), []

    def go_on(kind: str, web: Web, ask: Callable[[Web, str], httpx.Response]) -> None:
        n = 0
        while not over.is_set():
            n += 1
            text = f"The {word} {kind} {n} of {web.url[-5:]} was counted."
            seen.answers.append(_asked(kind, web, text, ask))
            over.wait(PAUSE)

    def page(web: Web, text: str) -> httpx.Response:
        return visitor.get(f"{web.url}/memories/")

    asks = dict(zip(KINDS, (_write, _upload, _search, page), strict=True))
    for kind, ask in asks.items():
        callers += [threading.Thread(target=go_on, args=(kind, web, ask)) for web in cluster.webs]
    for caller in callers:
        caller.start()
    try:
        yield seen
    finally:
        over.set()
        for caller in callers:
            caller.join()


def _asked(kind: str, web: Web, text: str, ask: Callable[[Web, str], httpx.Response]) -> Answered:
    began = time.monotonic()
    try:
        answer = ask(web, text)
    except httpx.HTTPError as error:
        return Answered(kind, text, 0, time.monotonic() - began, "", repr(error))
    taken = time.monotonic() - began
    key = ""
    if answer.status_code == 202:
        key = answer.json()["job"]["id"]
    elif kind == "write" and answer.is_success:
        key = answer.json()["id"]
    return Answered(kind, text, answer.status_code, taken, answer.headers.get("content-type", ""), answer.text, key)


def _write(web: Web, text: str) -> httpx.Response:
    return web.api.post("/memories", json={"text": text})


def _upload(web: Web, text: str) -> httpx.Response:
    return web.api.post("/ingest", files={"upload": (f"{text}.md", f"## Count\n{text}\n".encode(), "text/markdown")})


def _search(web: Web, text: str) -> httpx.Response:
    return web.api.post("/search", json={"query": text})
