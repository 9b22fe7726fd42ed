"""What every answer carries so that a browser keeps the pages and the session safe, and to itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.decorators import sync_and_async_middleware

PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


# Pads what it compresses by a random length (BREACH), and leaves alone what is compressed already.
_GZIP = GZipMiddleware(lambda request: HttpResponse())


@sync_and_async_middleware
def guard_every_answer(
    get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]],
) -> Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]:
    """Middleware: the security headers of every answer, and its compression."""
    if iscoroutinefunction(get_response):

        async def guard_async(request: HttpRequest) -> HttpResponseBase:
            return _add_security_headers(request, await get_response(request))

        return guard_async

    def guard(request: HttpRequest) -> HttpResponseBase:
        return _add_security_headers(request, get_response(request))  # type: ignore[arg-type]

    return guard


def _add_security_headers(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
    response.headers.setdefault("Permissions-Policy", PERMISSIONS)
    # Another port of this machine is the same site to a browser, so its cookies go there: no page of it may load ours.
    response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    # Whoever comes to this browser after somebody signed out is shown nothing of theirs; static files say otherwise.
    response.headers.setdefault("Cache-Control", "no-store")
    if request.is_secure():
        # Not a fixed setting: the same program is reached by http on one's own machine and by https behind a proxy.
        for cookie in response.cookies.values():
            cookie["secure"] = True
    if response.streaming:  # events go out one by one, and an archive is compressed as it is
        return response
    return _GZIP.process_response(request, response)
