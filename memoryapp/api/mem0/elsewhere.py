"""What mem0's client can ask of its own service and has no place here: answered 501, with what to use instead."""

from __future__ import annotations

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, re_path

from memoryapp.api.problems import problem
from memoryapp.domain.errors import PalimpsestError

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


def _answered(request: HttpRequest, *, said: str) -> HttpResponse:
    response = problem(NotHere(said))
    response["Content-Type"] = "application/json"  # the only kind whose `detail` the client shows
    return response


def _view(said: str) -> partial[HttpResponse]:
    view = partial(_answered, said=said)
    view.csrf_exempt = True  # type: ignore[attr-defined]  # nothing is changed, whoever asks
    return view


urlpatterns: list[URLPattern] = [re_path(address, _view(said)) for address, said in INSTEAD.items()]
