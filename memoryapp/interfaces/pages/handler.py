"""How a request for a page is handled: Django's handler, with a request in one thread from its first middleware to its
last; static files before everything that costs time; and a page for whoever comes by the wrong method.

Django itself makes a thread for every request, goes to it and back at each middleware, and opens the people's database
anew: more work than a search. Threads that stay keep their connection. ServeStatic's middleware is written for the
event loop alone: in a chain that runs in a thread Django would start a loop for each request, whatever it asks for.
"""

from __future__ import annotations

import asyncio
import contextvars
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from inspect import iscoroutinefunction
from typing import Any

from asgiref.sync import ThreadSensitiveContext, async_to_sync, sync_to_async
from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import set_script_prefix
from django.utils.decorators import sync_and_async_middleware
from servestatic.middleware import ServeStaticMiddleware

THREADS = 64  # requests that are answered at a time; some may wait a minute, for a model that is loading
STREAMS = re.compile(r"/jobs/[^/]+/events$")  # coroutines: they last, and a thread for each would be too much


class Pages(ASGIHandler):
    def __init__(self) -> None:
        super().__init__()
        self._in_one_thread = BaseHandler()
        self._in_one_thread.load_middleware()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="request")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        path = scope.get("path", "")
        if scope["type"] != "http" or is_static(path) or STREAMS.search(path):
            await super().__call__(scope, receive, send)
            return
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            response = await self._aside(self._answered, scope, body)
            async with ThreadSensitiveContext():  # a file is read by a thread of its own
                try:
                    await self.send_response(response, send)
                finally:
                    if response.streaming:
                        await self._aside(response.close)

    async def _aside(self, work: Callable[..., Any], *said: Any) -> Any:
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._threads, context.run, work, *said)

    def _answered(self, scope: Any, body: Any) -> HttpResponseBase:
        """What is not sent piece by piece is closed at once: all of it is there, and with the request's end the thread
        is free of it."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=type(self), scope=scope)
        request, refused = self.create_request(scope, body)
        response: HttpResponseBase
        if request is None:
            assert refused is not None
            response = refused
        else:
            response = self._in_one_thread.get_response(request)
        response._handler_class = type(self)  # type: ignore[attr-defined]
        if not response.streaming:
            response.close()
        return response


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


@sync_and_async_middleware
def tell_wrong_methods(
    get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]],
) -> Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]:
    if iscoroutinefunction(get_response):

        async def tell_async(request: HttpRequest) -> HttpResponseBase:
            return _not_allowed_page(await get_response(_as_get(request)))

        return tell_async

    def tell(request: HttpRequest) -> HttpResponseBase:
        return _not_allowed_page(get_response(_as_get(request)))  # type: ignore[arg-type]

    return tell


def _as_get(request: HttpRequest) -> HttpRequest:
    if request.method == "HEAD":
        request.method = "GET"
    return request


def _not_allowed_page(response: HttpResponseBase) -> HttpResponseBase:
    if not isinstance(response, HttpResponseNotAllowed) or response.content:
        return response
    page = HttpResponse(render_to_string("405.html"), status=response.status_code)
    page["Allow"] = response["Allow"]
    return page
