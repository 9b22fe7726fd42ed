"""Every request has an id: the caller's own where it sent a sane one, else a new one. The answer carries it, and so
does every line of the log and every job that the request causes."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from memoryapp.domain.identity import new_id
from memoryapp.observability import work

HEADER = "X-Request-ID"
_SANE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,79}")

log = logging.getLogger("memoryapp.requests")


@sync_and_async_middleware
def name_every_request(
    get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]],
) -> Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]:
    """Middleware: gives each request an id, which its answer and its lines in the log carry."""
    if iscoroutinefunction(get_response):

        async def named_async(request: HttpRequest) -> HttpResponseBase:
            name, began = name_of(request), time.perf_counter()
            with work(request=name):
                return _finish_response(request, await get_response(request), name, began)

        return named_async

    def named(request: HttpRequest) -> HttpResponseBase:
        name, began = name_of(request), time.perf_counter()
        with work(request=name):
            return _finish_response(request, get_response(request), name, began)  # type: ignore[arg-type]

    return named


def name_of(request: HttpRequest) -> str:
    """What the caller calls it; anything that could not stand in a log as it is gets a name of ours."""
    said = request.headers.get(HEADER, "")
    return said if _SANE.fullmatch(said) else new_id()


def _finish_response(request: HttpRequest, response: HttpResponseBase, name: str, began: float) -> HttpResponseBase:
    response[HEADER] = name
    match = request.resolver_match
    if settings.LOG_REQUESTS and match is not None:  # without one it is a file of the pages, or an address of nobody
        # By the route's pattern: an address may hold a name, a query, a login link.
        spent = round((time.perf_counter() - began) * 1000, 1)
        fields = {"method": request.method, "route": match.route, "status": response.status_code, "ms": spent}
        log.info("%s %s %s", request.method, match.route, response.status_code, extra={"fields": fields})
    return response
