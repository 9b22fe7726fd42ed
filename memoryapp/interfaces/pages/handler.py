"""Django's handler, with a request in one thread from its first middleware to its last.

Django itself makes a thread for every request, goes to it and back at each middleware, and opens the people's database
anew: more work than a search. Threads that stay keep their connection.
"""

from __future__ import annotations

import asyncio
import contextvars
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import ThreadSensitiveContext
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import HttpResponseBase
from django.urls import set_script_prefix

from memoryapp.interfaces.pages.static_files import is_static

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
