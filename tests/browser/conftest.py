"""A browser that is signed in, in a space of its own with memories that were written over the API."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from memoryapp.domain.identity import new_id
from tests.live import Live
from tests.samples import REVIEW

AXE = Path(__file__).resolve().parents[2] / "static" / "vendor" / "axe.js"
TEXTS = (
    ("Deploys stop on Friday at 16:00.", "fact"),
    ("The staging bucket lives in ap-northeast-2.", "fact"),
    ("배포는 금요일 16시부터 멈춘다.", "note"),
    ("Prefers pytest over unittest, and a fake store over a mocked one.", "fact"),
    ("Embedding runs go to the rented H100.", "note"),
)

# Every test here needs a real browser.
pytestmark = pytest.mark.browser
expect.set_options(timeout=15_000)  # ms; a shared machine may take its time, and what never comes fails all the same


@dataclass(frozen=True, slots=True)
class World:
    """A space with `ids` of its memories, in the order of TEXTS; `api` speaks to it."""

    space: str
    ids: list[str]
    api: httpx.Client
    url: str


@pytest.fixture(scope="session")
def signed_in(live: Live, tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Path:
    """The cookies of a browser that came in by the link, kept for all tests."""
    kept = tmp_path_factory.mktemp("browser") / "state.json"
    context = browser.new_context()
    page = context.new_page()
    live.sign_in_page(page)
    context.storage_state(path=kept)
    context.close()
    return kept


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}


@pytest.fixture
def world(live: Live) -> Iterator[World]:
    name = f"b-{new_id()}"
    with live.client() as everything:
        answer = everything.post("/spaces", json={"name": name, "settings": REVIEW})
        assert answer.status_code in (200, 201), answer.text
    with live.client(space=name) as api:
        sent = {"items": [{"text": text, "kind": kind, "tags": ["seed"]} for text, kind in TEXTS]}
        answer = api.post("/memories/batch", json=sent)
        assert answer.status_code in (200, 201), answer.text
        yield World(name, [item["id"] for item in answer.json()["items"]], api, live.url)


@pytest.fixture(scope="session")
def contexts(
    live: Live, browser: Browser, browser_context_args: dict[str, Any], signed_in: Path
) -> Iterator[Callable[..., BrowserContext]]:
    """The signed-in context with these options, opened at its first use: a new one a page would start a renderer and
    fetch every script anew, which takes longer than most tests."""
    opened: dict[str, BrowserContext] = {}

    def with_options(**options: Any) -> BrowserContext:
        key = repr(sorted(options.items()))
        if key not in opened:
            opened[key] = browser.new_context(**{**browser_context_args, "storage_state": signed_in, **options})
            opened[key].new_page().goto(f"{live.url}/api/v1/health/live")  # stays, and keeps the renderer for the next
        return opened[key]

    yield with_options
    for context in opened.values():
        context.close()


@pytest.fixture
def open_page(contexts: Callable[..., BrowserContext], signed_in: Path, world: World) -> Iterator[Callable[..., Page]]:
    """Opens an address in the test's space. A script error, or anything the content policy had to block, fails it."""
    wrong: list[str] = []
    pages: list[Page] = []
    cookies = json.loads(signed_in.read_text())["cookies"]

    def hear(message: ConsoleMessage) -> None:
        # The browser's words for it, and htmx's.
        refused = "status of 4" in message.text or "Status Error Code 4" in message.text
        if message.type == "error" and not refused:
            wrong.append(message.text)

    def opened(address: str = "/", **options: Any) -> Page:
        size, scheme = options.pop("viewport", None), options.pop("color_scheme", None)
        context = contexts(**options)
        page = context.new_page()
        page.set_viewport_size(size or page.viewport_size)
        page.emulate_media(color_scheme=scheme)
        if not any(other.context is context for other in pages):
            _forget(page, world.url, cookies)
        pages.append(page)
        page.on("console", hear)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        context.request.get(f"{world.url}/search/?space={world.space}")  # a light page that puts the visit in the space
        page.goto(world.url + address)
        return page

    yield opened
    heard = list(wrong)  # what a page that is closed breaks off is no error of its own
    for page in pages:
        page.close()
    assert heard == []


def _forget(page: Page, url: str, cookies: list[Any]) -> None:
    """What the tests before this one left in the browser: all but what was fetched, and that it came in by the link."""
    page.context.clear_cookies()
    page.context.add_cookies(cookies)
    protocol = page.context.new_cdp_session(page)
    protocol.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "local_storage,session_storage"})
    protocol.detach()
