"""A page for whoever comes by the wrong method: a browser that goes back to what a button sent asks for it, and
Django's own answer to that is an empty window. HEAD, by which monitors and proxies look, is a GET whose body the server
leaves out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.decorators import sync_and_async_middleware


@sync_and_async_middleware
def tell_wrong_methods(
    get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]],
) -> Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]:
    if iscoroutinefunction(get_response):

        async def tell_async(request: HttpRequest) -> HttpResponseBase:
            return _told(await get_response(_as_get(request)))

        return tell_async

    def tell(request: HttpRequest) -> HttpResponseBase:
        return _told(get_response(_as_get(request)))  # type: ignore[arg-type]

    return tell


def _as_get(request: HttpRequest) -> HttpRequest:
    if request.method == "HEAD":
        request.method = "GET"
    return request


def _told(response: HttpResponseBase) -> HttpResponseBase:
    if not isinstance(response, HttpResponseNotAllowed) or response.content:
        return response
    page = HttpResponse(render_to_string("405.html"), status=response.status_code)
    page["Allow"] = response["Allow"]
    return page
