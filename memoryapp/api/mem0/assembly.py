"""mem0's addresses put together: the same guard, throttle, counting and errors as the JSON API, in mem0's places."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, URLResolver

from memoryapp.api import problems
from memoryapp.api.assembly import PalimpsestAPI
from memoryapp.api.mem0 import elsewhere
from memoryapp.api.mem0.operations import router
from memoryapp.api.reading import StrictParser


class Mem0API(PalimpsestAPI):
    """Without the last address of an API, which answers for all that is not there: others live beside it."""

    def _get_urls(self) -> list[URLResolver | URLPattern]:
        return [_in_plain_json(pattern) for pattern in super()._get_urls()[:-2]]


def _in_plain_json(pattern: URLResolver | URLPattern) -> URLResolver | URLPattern:
    if isinstance(pattern, URLPattern):
        pattern.callback = _plain(pattern.callback)
    return pattern


def _plain(view: Callable[..., Any]) -> Callable[..., Any]:
    """mem0's client shows the `detail` of an error only where it comes as application/json."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response: HttpResponseBase = view(request, *args, **kwargs)
        if response.status_code == 405 and request.path_info == "/v1/memories/":  # where version 1 sent what it learned
            response = problems.problem(elsewhere.NotHere(elsewhere.OLD))
        if response.headers.get("Content-Type") == problems.MEDIA_TYPE:
            response["Content-Type"] = "application/json"
        return response

    return answered


def _assembled() -> Mem0API:
    found = Mem0API(
        title="Palimpsest in mem0's shape",
        urls_namespace="mem0",
        docs_url=None,
        openapi_url=None,
        parser=StrictParser(),
    )
    found.add_router("", router)
    problems.install(found)
    return found


mem0_api = _assembled()
urlpatterns = [*elsewhere.urlpatterns, *mem0_api.urls[0]]
