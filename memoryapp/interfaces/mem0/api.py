"""The operations that mem0's client calls, at the addresses where it looks for them: the same guard, throttle, counting
and errors as the JSON API, in mem0's places.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, URLResolver, re_path
from pydantic import Field

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, NotFound, PalimpsestError
from memoryapp.domain.identity import new_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind, State
from memoryapp.interfaces.api import problems
from memoryapp.interfaces.api.assembly import PalimpsestAPI
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.inheritance import home_of
from memoryapp.interfaces.api.parser import StrictParser
from memoryapp.interfaces.api.problems import problem
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import path_id
from memoryapp.interfaces.mem0 import queries, writes
from memoryapp.interfaces.mem0.filters import Condition, read
from memoryapp.interfaces.mem0.metadata import Label, end_of, valid_metadata
from memoryapp.interfaces.mem0.owners import TYPES, holdings, owner_named
from memoryapp.interfaces.mem0.schemas import (
    Answer,
    Mem0AddIn,
    Mem0BatchDelete,
    Mem0BatchUpdate,
    Mem0FeedbackIn,
    Mem0ListIn,
    Mem0SearchIn,
    Mem0UpdateIn,
    instant,
    join_filters,
    read_filters,
)
from memoryapp.review.redaction import readable

router = Routes("mem0")
MemoryId = Annotated[str, path_id("memory")]
TOP_K = 10
PageNumber = Annotated[int, Field(ge=1, le=100_000)]
PageSize = Annotated[int, Field(ge=1, le=500)]
_PROFILES = "Profiles are not made here. POST /api/v1/context gives what is known, for a message."
OLD = "This is an address of mem0's client before version 2. Install mem0ai 2.2 or newer: it asks /v3/memories/."


@router.get("/v1/ping/", needs=Role.READER)
def ping(request: ApiRequest) -> Answer:
    """What the client asks first. The organisation and the project let it send what it has under them, so that it is
    told plainly what is not here."""
    caller = request.auth
    email = caller.person.email if caller.person else ""
    return Answer(
        {"status": "ok", "org_id": "palimpsest", "project_id": caller.space.name, "user_email": email or None}
    )


@router.post("/v3/memories/add/", needs=Role.WRITER)
def add(request: ApiRequest, body: Mem0AddIn) -> Answer:
    """Learns from messages, or keeps them as they are (`infer` false), and answers when it is done."""
    space, actor = the_space(request), request.auth.actor
    sent = body.model_dump()
    owner = owner_named(sent, sent["filters"] or {})
    at = instant(body.timestamp)
    label = Label(valid_metadata(body.metadata), at.isoformat() if at else None, bool(body.immutable))
    until = end_of(body.expiration_date) if body.expiration_date else None
    take = writes.keep_messages if body.infer is False else writes.learn_messages
    added = take(space, owner, writes.messages_of(body.messages), label=label, at=at, until=until, actor=actor)
    told = {"status": "SUCCEEDED", "event_id": added.run or new_id(), "results": added.results}
    if added.note:
        told["message"] = added.note
    return Answer(told | ({"ignored": body.ignored} if body.ignored else {}))


@router.post("/v3/memories/", needs=Role.READER, reads=True)
def get_all(request: ApiRequest, body: Mem0ListIn, page: PageNumber = 1, page_size: PageSize = 100) -> Answer:
    """One page of the memories that pass the filters, the last learned first."""
    condition = join_filters(body.filters, categories=body.categories, since=body.start_date, until=body.end_date)
    found = queries.list_page(
        the_space(request), condition, page=page, page_size=page_size, show_expired=bool(body.show_expired)
    )
    here = f"{request.build_absolute_uri(request.path)}?page_size={page_size}&page="
    after = f"{here}{page + 1}" if page * page_size < found.total else None
    before = f"{here}{page - 1}" if page > 1 else None
    return Answer({"count": found.total, "next": after, "previous": before, "results": found.items})


@router.post("/v3/memories/search/", needs=Role.READER, reads=True)
def search(request: ApiRequest, body: Mem0SearchIn) -> Answer:
    """The memories that answer a question, best first."""
    condition = join_filters(body.filters, categories=body.categories, metadata=body.metadata)
    found = queries.search_memories(
        the_space(request),
        body.query,
        condition,
        top_k=min(body.top_k or TOP_K, LIMITS.top_k),
        show_expired=bool(body.show_expired),
        asker=request.auth.asker,
    )
    results = [
        queries.select_fields(hit, body.fields)
        for hit in found
        if body.threshold is None or hit["score"] >= body.threshold
    ]
    return Answer({"results": results} | ({"ignored": body.ignored} if body.ignored else {}))


@router.delete("/v1/memories/", needs=Role.CURATOR)
def delete_all(
    request: ApiRequest,
    user_id: str | None = None,
    agent_id: str | None = None,
    app_id: str | None = None,
    run_id: str | None = None,
    filters: str | None = None,
    dry_run: bool = False,
) -> Answer:
    """Deletes, softly, all that the owner named has; “*” for every one."""
    named = {"user_id": user_id, "agent_id": agent_id, "app_id": app_id, "run_id": run_id}
    asked = [{name: value} for name, value in named.items() if value] + ([read_filters(filters)] if filters else [])
    return _deleted_all(request, read({"AND": asked} if asked else None), dry_run=dry_run)


@router.delete("/v2/entities/{type}/{path:name}/", needs=Role.CURATOR)
def delete_entity(request: ApiRequest, type: str, name: str) -> Answer:
    """Deletes, softly, all that one user, agent, app or run has."""
    field = next((field for field, kind in TYPES.items() if kind == type), None)
    if field is None:
        raise NotFound(f"There is no type “{type[:40]}”; there are {', '.join(TYPES.values())}.")
    if not any(getattr(held.owner, field) == name for held in holdings(the_space(request))):
        raise NotFound(f"There is no {type} called “{name[:80]}” with memories here.")
    return _deleted_all(request, read({field: {"eq": name}}), dry_run=False)


def _deleted_all(request: ApiRequest, condition: Condition, *, dry_run: bool) -> Answer:
    space = the_space(request)
    going = queries.matching_ids(space, condition)
    if dry_run:
        return Answer({"message": f"{len(going)} memories would be deleted.", "count": len(going)})
    turns = queries.matching_ids(space, condition, kinds=(Kind.TURN,))
    if going or turns:
        writes.delete_memories(space, [*going, *turns], actor=request.auth.actor)
    for_good = space.tuning.mem0_deletes == "purge"
    told = f"{len(going)} memories {'erased for good' if for_good else 'deleted; they can be restored'}."
    return Answer({"message": told, "count": len(going)})


@router.get("/v1/memories/{id}/", needs=Role.READER)
def get(request: ApiRequest, id: MemoryId) -> Answer:
    """One memory of the space, whosever it is."""
    _, memory = home_of(the_space(request), id)
    if memory.state is State.DELETED:
        raise NotFound(f"Memory {id} was deleted.")
    return Answer(queries.serialize_memory(memory))


@router.put("/v1/memories/{id}/", needs=Role.CURATOR)
def update(request: ApiRequest, id: MemoryId, body: Mem0UpdateIn) -> Answer:
    """Changes its words, metadata, time or last day; what is sent takes the place of what was there."""
    changes = {id: body.model_dump(exclude_unset=True)}
    (memory,) = writes.update_memories(the_space(request), changes, actor=request.auth.actor)
    return Answer(queries.serialize_memory(memory))


@router.delete("/v1/memories/{id}/", needs=Role.CURATOR)
def delete(request: ApiRequest, id: MemoryId, delete_linked: bool = False) -> Answer:
    """Deletes it softly, and with `delete_linked` those that it took the place of."""
    count = writes.delete_memories(the_space(request), [id], actor=request.auth.actor, linked=delete_linked)
    return Answer({"message": "Memory deleted successfully!", "count": count})


@router.get("/v1/memories/{id}/history/", needs=Role.READER)
def history(request: ApiRequest, id: MemoryId) -> Answer:
    """Every wording it had, the first one first; that of a deleted memory to a curator."""
    home, memory = home_of(the_space(request), id)
    readable(memory, may_decide=request.auth.role.allows(Role.CURATOR))
    return Answer(queries.serialize_history(memory, review.history(home, id)))


@router.get("/v1/entities/", needs=Role.READER)
def entities(request: ApiRequest) -> Answer:
    """The users, agents, apps and runs of whom something is held."""
    told = queries.serialize_entities(holdings(the_space(request)))
    return Answer({"count": len(told), "next": None, "previous": None, "results": told})


@router.put("/v1/batch/", needs=Role.CURATOR)
def batch_update(request: ApiRequest, body: Mem0BatchUpdate) -> Answer:
    """Changes many, or none where one cannot be."""
    changes = {one.memory_id: one.model_dump(exclude_unset=True) for one in body.memories}
    done = writes.update_memories(the_space(request), changes, actor=request.auth.actor)
    return Answer({"message": f"Successfully updated {len(done)} memories", "count": len(done)})


@router.delete("/v1/batch/", needs=Role.CURATOR)
def batch_delete(request: ApiRequest, body: Mem0BatchDelete) -> Answer:
    """Deletes many softly, or none where one is not there."""
    count = writes.delete_memories(
        the_space(request), [one.memory_id for one in body.memories], actor=request.auth.actor
    )
    return Answer({"message": f"Successfully deleted {count} memories", "count": count})


@router.post("/v1/feedback/", needs=Role.WRITER)
def feedback(request: ApiRequest, body: Mem0FeedbackIn) -> Answer:
    """POSITIVE counts as used, NEGATIVE and VERY_NEGATIVE as not useful. None takes back nothing: refused."""
    space = the_space(request)
    writes.existing_memories(space, [body.memory_id])
    if body.feedback not in ("POSITIVE", "NEGATIVE", "VERY_NEGATIVE"):
        raise BadInput("“feedback” is POSITIVE, NEGATIVE or VERY_NEGATIVE.", field="/feedback")
    side = "used" if body.feedback == "POSITIVE" else "not_useful"
    review.feedback(space, **{side: [body.memory_id]}, query=body.feedback_reason or "", actor=request.auth.actor)
    return Answer({"message": "Feedback taken", "memory_id": body.memory_id, "feedback": body.feedback})


# What mem0's client can ask of its own service and has no place here: answered 501, with what to use instead.

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
        pattern.callback = _json_problems(pattern.callback)
    return pattern


def _json_problems(view: Callable[..., Any]) -> Callable[..., Any]:
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


def _assemble_api() -> Mem0API:
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


mem0_api = _assemble_api()
urlpatterns = [*REFUSALS, *mem0_api.urls[0]]
