"""The operations that mem0's client calls, at the addresses where it looks for them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.inherited import home_of
from memoryapp.api.mem0 import adding, changing, finding, telling
from memoryapp.api.mem0.conditions import Condition, read
from memoryapp.api.mem0.kept import Label, checked, end_of
from memoryapp.api.mem0.owners import TYPES, holdings, owner_named
from memoryapp.api.mem0.schemas import (
    Mem0AddIn,
    Mem0BatchDelete,
    Mem0BatchUpdate,
    Mem0FeedbackIn,
    Mem0ListIn,
    Mem0SearchIn,
    Mem0UpdateIn,
    Told,
    filters_told,
    instant,
    joined,
)
from memoryapp.api.opened import the_space
from memoryapp.api.route import Routes
from memoryapp.api.schemas.base import path_id
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.identity import new_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind, State
from memoryapp.review.withheld import readable

router = Routes("mem0")
MemoryId = path_id("memory")
TOP_K = 10
PageNumber = Annotated[int, Field(ge=1, le=100_000)]
PageSize = Annotated[int, Field(ge=1, le=500)]


@router.get("/v1/ping/", needs=Role.READER)
def ping(request: ApiRequest) -> Told:
    """What the client asks first. The organisation and the project let it send what it has under them, so that it is
    told plainly what is not here."""
    caller = request.auth
    email = caller.person.email if caller.person else ""
    return Told({"status": "ok", "org_id": "palimpsest", "project_id": caller.space.name, "user_email": email or None})


@router.post("/v3/memories/add/", needs=Role.WRITER)
def add(request: ApiRequest, body: Mem0AddIn) -> Told:
    """Learns from messages, or keeps them as they are (`infer` false), and answers when it is done."""
    space, actor = the_space(request), request.auth.actor
    sent = body.model_dump()
    owner = owner_named(sent, sent["filters"] or {})
    at = instant(body.timestamp)
    label = Label(checked(body.metadata), at.isoformat() if at else None, bool(body.immutable))
    until = end_of(body.expiration_date) if body.expiration_date else None
    take = adding.keep if body.infer is False else adding.learn
    added = take(space, owner, adding.messages_of(body.messages), label=label, at=at, until=until, actor=actor)
    told = {"status": "SUCCEEDED", "event_id": added.run or new_id(), "results": added.results}
    if added.note:
        told["message"] = added.note
    return Told(told | ({"ignored": body.ignored} if body.ignored else {}))


@router.post("/v3/memories/", needs=Role.READER, reads=True)
def get_all(request: ApiRequest, body: Mem0ListIn, page: PageNumber = 1, page_size: PageSize = 100) -> Told:
    """One page of the memories that pass the filters, the last learned first."""
    condition = joined(body.filters, categories=body.categories, since=body.start_date, until=body.end_date)
    found = finding.listed(
        the_space(request), condition, page=page, page_size=page_size, show_expired=bool(body.show_expired)
    )
    here = f"{request.build_absolute_uri(request.path)}?page_size={page_size}&page="
    after = f"{here}{page + 1}" if page * page_size < found.total else None
    before = f"{here}{page - 1}" if page > 1 else None
    return Told({"count": found.total, "next": after, "previous": before, "results": found.items})


@router.post("/v3/memories/search/", needs=Role.READER, reads=True)
def search(request: ApiRequest, body: Mem0SearchIn) -> Told:
    """The memories that answer a question, best first."""
    condition = joined(body.filters, categories=body.categories, metadata=body.metadata)
    found = finding.found(
        the_space(request),
        body.query,
        condition,
        top_k=min(body.top_k or TOP_K, LIMITS.top_k),
        show_expired=bool(body.show_expired),
    )
    results = [
        telling.narrowed(hit, body.fields) for hit in found if body.threshold is None or hit["score"] >= body.threshold
    ]
    return Told({"results": results} | ({"ignored": body.ignored} if body.ignored else {}))


@router.delete("/v1/memories/", needs=Role.CURATOR)
def delete_all(
    request: ApiRequest,
    user_id: str | None = None,
    agent_id: str | None = None,
    app_id: str | None = None,
    run_id: str | None = None,
    filters: str | None = None,
    dry_run: bool = False,
) -> Told:
    """Deletes, softly, all that the owner named has; “*” for every one."""
    named = {"user_id": user_id, "agent_id": agent_id, "app_id": app_id, "run_id": run_id}
    asked = [{name: value} for name, value in named.items() if value] + ([filters_told(filters)] if filters else [])
    return _deleted_all(request, read({"AND": asked} if asked else None), dry_run=dry_run)


@router.delete("/v2/entities/{type}/{path:name}/", needs=Role.CURATOR)
def delete_entity(request: ApiRequest, type: str, name: str) -> Told:
    """Deletes, softly, all that one user, agent, app or run has."""
    field = next((field for field, kind in TYPES.items() if kind == type), None)
    if field is None:
        raise NotFound(f"There is no type “{type[:40]}”; there are {', '.join(TYPES.values())}.")
    if not any(getattr(held.owner, field) == name for held in holdings(the_space(request))):
        raise NotFound(f"There is no {type} called “{name[:80]}” with memories here.")
    return _deleted_all(request, read({field: {"eq": name}}), dry_run=False)


def _deleted_all(request: ApiRequest, condition: Condition, *, dry_run: bool) -> Told:
    space = the_space(request)
    going = finding.picked(space, condition)
    if dry_run:
        return Told({"message": f"{len(going)} memories would be deleted.", "count": len(going)})
    turns = finding.picked(space, condition, kinds=(Kind.TURN,))
    if going or turns:
        changing.delete(space, [*going, *turns], actor=request.auth.actor)
    for_good = space.tuning.mem0_deletes == "purge"
    told = f"{len(going)} memories {'erased for good' if for_good else 'deleted; they can be restored'}."
    return Told({"message": told, "count": len(going)})


@router.get("/v1/memories/{id}/", needs=Role.READER)
def get(request: ApiRequest, id: MemoryId) -> Told:
    """One memory of the space, whosever it is."""
    _, memory = home_of(the_space(request), id)
    if memory.state is State.DELETED:
        raise NotFound(f"Memory {id} was deleted.")
    return Told(telling.memory_told(memory))


@router.put("/v1/memories/{id}/", needs=Role.CURATOR)
def update(request: ApiRequest, id: MemoryId, body: Mem0UpdateIn) -> Told:
    """Changes its words, metadata, time or last day; what is sent takes the place of what was there."""
    changes = {id: body.model_dump(exclude_unset=True)}
    (memory,) = changing.update(the_space(request), changes, actor=request.auth.actor)
    return Told(telling.memory_told(memory))


@router.delete("/v1/memories/{id}/", needs=Role.CURATOR)
def delete(request: ApiRequest, id: MemoryId, delete_linked: bool = False) -> Told:
    """Deletes it softly, and with `delete_linked` those that it took the place of."""
    count = changing.delete(the_space(request), [id], actor=request.auth.actor, linked=delete_linked)
    return Told({"message": "Memory deleted successfully!", "count": count})


@router.get("/v1/memories/{id}/history/", needs=Role.READER)
def history(request: ApiRequest, id: MemoryId) -> Told:
    """Every wording it had, the first one first; that of a deleted memory to a curator."""
    home, memory = home_of(the_space(request), id)
    readable(memory, may_decide=request.auth.role.allows(Role.CURATOR))
    return Told(telling.history_told(memory, review.history(home, id)))


@router.get("/v1/entities/", needs=Role.READER)
def entities(request: ApiRequest) -> Told:
    """The users, agents, apps and runs of whom something is held."""
    told = telling.entities_told(holdings(the_space(request)))
    return Told({"count": len(told), "next": None, "previous": None, "results": told})


@router.put("/v1/batch/", needs=Role.CURATOR)
def batch_update(request: ApiRequest, body: Mem0BatchUpdate) -> Told:
    """Changes many, or none where one cannot be."""
    changes = {one.memory_id: one.model_dump(exclude_unset=True) for one in body.memories}
    done = changing.update(the_space(request), changes, actor=request.auth.actor)
    return Told({"message": f"Successfully updated {len(done)} memories", "count": len(done)})


@router.delete("/v1/batch/", needs=Role.CURATOR)
def batch_delete(request: ApiRequest, body: Mem0BatchDelete) -> Told:
    """Deletes many softly, or none where one is not there."""
    count = changing.delete(the_space(request), [one.memory_id for one in body.memories], actor=request.auth.actor)
    return Told({"message": f"Successfully deleted {count} memories", "count": count})


@router.post("/v1/feedback/", needs=Role.WRITER)
def feedback(request: ApiRequest, body: Mem0FeedbackIn) -> Told:
    """POSITIVE counts as used, NEGATIVE and VERY_NEGATIVE as not useful. None takes back nothing: refused."""
    space = the_space(request)
    changing.standing(space, [body.memory_id])
    if body.feedback not in ("POSITIVE", "NEGATIVE", "VERY_NEGATIVE"):
        raise BadInput("“feedback” is POSITIVE, NEGATIVE or VERY_NEGATIVE.", field="/feedback")
    side = "used" if body.feedback == "POSITIVE" else "not_useful"
    review.feedback(space, **{side: [body.memory_id]}, query=body.feedback_reason or "", actor=request.auth.actor)
    return Told({"message": "Feedback taken", "memory_id": body.memory_id, "feedback": body.feedback})
