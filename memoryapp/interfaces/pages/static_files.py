"""Static files before everything that costs time, and nothing in the way of other requests.

ServeStatic's middleware is written for the event loop alone: in a chain that runs in a thread Django would start a
loop for each request, whatever it asks for.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from inspect import iscoroutinefunction
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from servestatic.middleware import ServeStaticMiddleware  # type: ignore[import-untyped]


def is_static(path: str) -> bool:
    return path.startswith(settings.STATIC_URL)


@sync_and_async_middleware
def static_files(
    get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]],
) -> Callable[[HttpRequest], Any]:
    if iscoroutinefunction(get_response):
        on_the_loop: Callable[[HttpRequest], Any] = ServeStaticMiddleware(get_response)
        return on_the_loop

    @cache
    def files() -> Callable[[HttpRequest], HttpResponseBase]:
        return async_to_sync(ServeStaticMiddleware(sync_to_async(get_response)))

    def served(request: HttpRequest) -> HttpResponseBase:
        return files()(request) if is_static(request.path_info) else get_response(request)  # type: ignore[return-value]

    return served
