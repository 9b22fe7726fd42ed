from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver, path

from memoryapp.interfaces.pages.handler import STREAMS, Pages, is_static


def threads(request: HttpRequest) -> HttpResponse:
    return HttpResponse(f"{threading.current_thread().name} {request.body.decode()}")


def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("an error of a view")


urlpatterns = [path("threads", threads), path("broken", broken)]


@pytest.fixture
def pages(settings: Any) -> Pages:
    settings.MIDDLEWARE = [
        "memoryapp.accounts.request_id.name_every_request",
        "memoryapp.accounts.headers.guard_every_answer",
        "memoryapp.interfaces.pages.handler.static_files",
        "django.middleware.common.CommonMiddleware",
    ]
    return Pages()


def asked(pages: Pages, method: str, address: str, **more: Any) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=pages, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, address, **more)

    return asyncio.run(ask())


@pytest.mark.urls(__name__)
def test_a_request_is_answered_in_one_of_the_threads_that_stay(pages: Pages) -> None:
    first = asked(pages, "POST", "/threads", content="said")
    name, said = first.text.split()
    assert name.startswith("request_") and said == "said"
    assert first.headers["X-Request-ID"] and first.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert asked(pages, "POST", "/threads", content="again").text.split()[1] == "again"


@pytest.mark.urls(__name__)
def test_an_error_of_a_view_is_an_answer(pages: Pages, settings: Any) -> None:
    settings.DEBUG = False
    assert asked(pages, "GET", "/broken").status_code == 500


def test_a_static_file_comes_before_the_threads_and_with_the_headers_of_all_answers(settings: Any) -> None:
    settings.SERVESTATIC_USE_FINDERS = settings.SERVESTATIC_AUTOREFRESH = True  # as settings.py sets them
    file = next(Path("static/css").glob("*.css"))
    answer = asked(Pages(), "GET", f"/static/css/{file.name}")
    assert answer.status_code == 200 and answer.text == file.read_text("utf-8")
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


def views(patterns: Any, before: str = "/") -> Iterator[tuple[str, Any]]:
    for one in patterns:
        address = before + str(one.pattern).removeprefix("^")
        if isinstance(one, URLResolver):
            yield from views(one.url_patterns, address)
        elif isinstance(one, URLPattern):
            yield address, one.callback


def test_exactly_the_views_that_are_coroutines_stay_on_the_loop() -> None:
    found = list(views(get_resolver("memoryapp.urls").url_patterns))
    assert len(found) > 100
    waiting = {address for address, view in found if iscoroutinefunction(view)}
    assert waiting == {address for address, _ in found if STREAMS.search(address)} and waiting
    assert not any(is_static(address) for address, _ in found)
