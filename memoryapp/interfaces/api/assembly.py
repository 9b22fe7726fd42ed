"""The API put together: its routers, how it reads and answers, and what surrounds every operation."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import lru_cache, wraps
from inspect import iscoroutinefunction
from types import ModuleType
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.urls import URLPattern, URLResolver, re_path
from ninja import NinjaAPI, Router
from ninja.openapi.schema import OpenAPISchema

from memoryapp.interfaces.api import openapi, problems
from memoryapp.interfaces.api.parser import StrictParser
from memoryapp.interfaces.api.reply import not_modified
from memoryapp.interfaces.audit import api as audit_api
from memoryapp.interfaces.backups import api as backups_api
from memoryapp.interfaces.conflicts import api as conflicts_api
from memoryapp.interfaces.consolidate import api as consolidate_api
from memoryapp.interfaces.context import api as context_api
from memoryapp.interfaces.embeddings import api as embeddings_api
from memoryapp.interfaces.entities import api as entities_api
from memoryapp.interfaces.entities import relations_api
from memoryapp.interfaces.episodes import api as episodes_api
from memoryapp.interfaces.facts import api as facts_api
from memoryapp.interfaces.feedback import api as feedback_api
from memoryapp.interfaces.golden import api as golden_api
from memoryapp.interfaces.graph import api as graph_api
from memoryapp.interfaces.graph import atoms_api
from memoryapp.interfaces.health import api as health_api
from memoryapp.interfaces.health import metrics
from memoryapp.interfaces.heartbeat import api as heartbeat_api
from memoryapp.interfaces.home import api as home_api
from memoryapp.interfaces.inbox import api as inbox_api
from memoryapp.interfaces.ingest import api as ingest_api
from memoryapp.interfaces.jobs import api as jobs_api
from memoryapp.interfaces.memories import api as memories_api
from memoryapp.interfaces.people import api as people_api
from memoryapp.interfaces.profiles import api as profiles_api
from memoryapp.interfaces.search import api as search_api
from memoryapp.interfaces.sessions import api as sessions_api
from memoryapp.interfaces.settings import spaces_api
from memoryapp.interfaces.traces import api as traces_api
from memoryapp.interfaces.transfer import api as transfer_api
from memoryapp.interfaces.tree import api as tree_api
from memoryapp.interfaces.tree import bank_api, retain_api

DESCRIPTION = """A memory for AI agents that a person can see into and correct.

Every request carries a key (`Authorization: Bearer pal_…`, or `X-API-Key`), or comes from a browser that is logged in.
Times are ISO 8601; one without an offset is UTC. Lists are `{items, next_cursor}`: send `next_cursor` back as `cursor`.
Errors are `application/problem+json` (RFC 9457): a plain sentence in `detail`, and the field at fault in `field`.
Writes take an `Idempotency-Key`, edits `If-Match`, what destroys `dry_run`; long work answers 202 with a job.

Every answer tells how often its key may still ask: `RateLimit-Remaining` of `RateLimit-Limit` requests are left, and
after `RateLimit-Reset` seconds without one all of them are there again. Who asks too often is told 429 with
`Retry-After`. `X-Agent-ID` tells the agents of one key apart; `GET /audit` can be narrowed to one of them."""


class PalimpsestAPI(NinjaAPI):
    """ninja's API, with problems for addresses and methods that are not there, and our complete document."""

    def _get_urls(self) -> list[URLResolver | URLPattern]:
        patterns = [
            _wrap_pattern(pattern) for pattern in super()._get_urls() if getattr(pattern, "name", "") != "api-root"
        ]
        root = super()._get_urls()[-1]
        return [*patterns, root, re_path(r"^[\s\S]*$", _nothing_here)]

    def get_openapi_schema(self, **where: Any) -> OpenAPISchema:
        return openapi.complete(super().get_openapi_schema(**where))  # type: ignore[return-value]

    def get_openapi_operation_id(self, operation: Any) -> str:
        return str(operation.view_func.__name__)


def _wrap_pattern(pattern: URLResolver | URLPattern) -> URLResolver | URLPattern:
    if isinstance(pattern, URLPattern):
        pattern.callback = _wrap_view(pattern.callback)
    return pattern


def _wrap_view(view: Callable[..., Any]) -> Callable[..., Any]:
    """Counts the request, and turns what ninja says by itself into problems."""
    if iscoroutinefunction(view):

        @wraps(view)
        async def answered_async(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            began = time.perf_counter()
            return _finish_response(request, await view(request, *args, **kwargs), began)

        answered: Callable[..., Any] = answered_async
    else:

        @wraps(view)
        def answered_sync(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            began = time.perf_counter()
            if request.method == "HEAD":  # a GET whose body the server leaves out
                request.method = "GET"
            return _finish_response(request, view(request, *args, **kwargs), began)

        answered = answered_sync
    answered.csrf_exempt = True  # type: ignore[attr-defined]  # the guard checks the token where a browser asks
    return answered


def _finish_response(request: HttpRequest, response: HttpResponseBase, began: float) -> HttpResponseBase:
    if isinstance(response, HttpResponseNotAllowed):
        allowed = response["Allow"]
        response = problems.problem(problems.NoSuchMethod(f"{request.method} is not for this address; {allowed} is."))
        response["Allow"] = allowed
    response.headers.setdefault("Cache-Control", "no-store")
    if standing := getattr(request, "standing", None):
        for name, value in standing.headers().items():
            response[name] = value
    response = not_modified(request, response)
    metrics.note(request, response, began)
    return response


def _nothing_here(request: HttpRequest) -> HttpResponse:
    return problems.problem(problems.no_such_address(request))


_nothing_here.csrf_exempt = True  # type: ignore[attr-defined]


def _routers(*subjects: ModuleType) -> list[Router]:
    return [subject.router for subject in subjects]


def _assemble_api() -> PalimpsestAPI:
    found = PalimpsestAPI(
        title="Palimpsest",
        version="1",
        description=DESCRIPTION,
        urls_namespace="api",
        docs_url=None,
        openapi_url=None,  # docs.openapi_json serves it: ninja would make it anew for each request
        parser=StrictParser(),
        openapi_extra={"info": {"license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}}},
        servers=[{"url": "/", "description": "This installation"}],
    )
    recalled = (memories_api, feedback_api, atoms_api, facts_api, search_api, context_api)
    said = (sessions_api, episodes_api)
    # What has an address of its own under /golden comes before the ids of golden queries.
    tried = (traces_api, profiles_api, golden_api)
    judged = (inbox_api, conflicts_api, entities_api, relations_api, graph_api, audit_api)
    arranged = (tree_api, bank_api, retain_api)
    read = (ingest_api, consolidate_api, jobs_api, heartbeat_api)
    kept = (spaces_api.router, home_api.router, people_api.router, people_api.keys_router)
    rest = (backups_api, transfer_api, embeddings_api, health_api)
    for router in (*_routers(*recalled, *said, *tried, *judged, *arranged, *read), *kept, *_routers(*rest)):
        found.add_router("", router)
    problems.install(found)
    return found


class OpenAIShape(PalimpsestAPI):
    """Errors as OpenAI's clients read them: {"error": {"message", "type", "param", "code"}}."""

    def _get_urls(self) -> list[URLResolver | URLPattern]:
        patterns = super()._get_urls()
        for pattern in patterns:
            if isinstance(pattern, URLPattern):
                pattern.callback = _in_openai_shape(pattern.callback)
        return patterns


def _in_openai_shape(view: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response: HttpResponseBase = view(request, *args, **kwargs)
        if isinstance(response, HttpResponse) and response.headers.get("Content-Type") == problems.MEDIA_TYPE:
            response.content = json.dumps({"error": _openai_error(json.loads(response.content))}, ensure_ascii=False)
            response["Content-Type"] = "application/json"
        return response

    return answered


def _openai_error(told: dict[str, Any]) -> dict[str, Any]:
    kinds = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
    kind = kinds.get(told["status"], "server_error" if told["status"] >= 500 else "invalid_request_error")
    param = str(told.get("field", "")).strip("/").replace("/", ".") or None
    return {"message": told["detail"], "type": kind, "param": param, "code": told["type"].partition("#")[2] or None}


def _openai() -> NinjaAPI:
    """The embeddings once more at /v1/, where OpenAI's clients look for them."""
    found = OpenAIShape(
        title="Palimpsest embeddings", urls_namespace="openai", docs_url=None, openapi_url=None, parser=StrictParser()
    )
    found.add_router("", embeddings_api.router)
    problems.install(found)
    return found


api = _assemble_api()
openai_api = _openai()


@lru_cache(maxsize=1)
def document() -> dict[str, Any]:
    """The OpenAPI document, made once a process."""
    return dict(api.get_openapi_schema(path_prefix="/api/v1/"))
