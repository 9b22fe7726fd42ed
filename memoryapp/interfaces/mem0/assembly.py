"""mem0's addresses put together: the same guard, throttle, counting and errors as the JSON API, in mem0's places."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, URLResolver, re_path

from memoryapp.domain.errors import PalimpsestError
from memoryapp.interfaces.api import problems
from memoryapp.interfaces.api.assembly import PalimpsestAPI
from memoryapp.interfaces.api.parser import StrictParser
from memoryapp.interfaces.api.problems import problem
from memoryapp.interfaces.mem0.operations import router

# What mem0's client can ask of its own service and has no place here: answered 501, with what to use instead.

_PROFILES = "Profiles are not made here. POST /api/v1/context gives what is known, for a message."
OLD = "This is an address of mem0's client before version 2. Install mem0ai 2.2 or newer: it asks /v3/memories/."
INSTEAD = {
    r"^v1/exports/(?:get/)?$": "Exports by a schema are not made here. POST /api/v1/export gives the whole space.",
    r"^v1/summary/$": "Exports are not summed up here. GET /api/v1/summaries tells what is known in each category.",
    r"^v2/entities/[^/]+/[\s\S]+/profile/$": _PROFILES,
    r"^v2/profiles/[\s\S]*$": _PROFILES,
    r"^api/v1/orgs/[\s\S]*$": "There are no organisations and projects here; a space is one memory. "
    "Settings has what a project would set, and GET /api/v1/spaces tells which spaces there are.",
    r"^v1/memories/search/$": OLD,
    r"^v2/memories/(?:search/)?$": OLD,
    r"^api/v1/webhooks/[\s\S]*$": "Nothing is called from here. GET /api/v1/audit tells what changed.",
}


class NotHere(PalimpsestError):
    """Something that mem0's own service does."""

    status = 501
    title = "Not a part of this memory"


def _refuse(request: HttpRequest, *, said: str) -> HttpResponse:
    response = problem(NotHere(said))
    response["Content-Type"] = "application/json"  # the only kind whose `detail` the client shows
    return response


def _view(said: str) -> partial[HttpResponse]:
    view = partial(_refuse, said=said)
    view.csrf_exempt = True  # type: ignore[attr-defined]  # nothing is changed, whoever asks
    return view


REFUSALS: list[URLPattern] = [re_path(address, _view(said)) for address, said in INSTEAD.items()]


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
            response = problems.problem(NotHere(OLD))
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
urlpatterns = [*REFUSALS, *mem0_api.urls[0]]
