"""The operations that mem0's client calls, at the addresses where it looks for them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.identity import new_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind, State
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.inheritance import home_of
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import path_id
from memoryapp.interfaces.mem0 import additions, edits, queries, serializers
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
from memoryapp.review.withheld import readable

router = Routes("mem0")
MemoryId = path_id("memory")
TOP_K = 10
PageNumber = Annotated[int, Field(ge=1, le=100_000)]
PageSize = Annotated[int, Field(ge=1, le=500)]


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
    take = additions.keep if body.infer is False else additions.learn
    added = take(space, owner, additions.messages_of(body.messages), label=label, at=at, until=until, actor=actor)
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
        serializers.select_fields(hit, body.fields)
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
        edits.delete(space, [*going, *turns], actor=request.auth.actor)
    for_good = space.tuning.mem0_deletes == "purge"
    told = f"{len(going)} memories {'erased for good' if for_good else 'deleted; they can be restored'}."
    return Answer({"message": told, "count": len(going)})


@router.get("/v1/memories/{id}/", needs=Role.READER)
def get(request: ApiRequest, id: MemoryId) -> Answer:
    """One memory of the space, whosever it is."""
    _, memory = home_of(the_space(request), id)
    if memory.state is State.DELETED:
        raise NotFound(f"Memory {id} was deleted.")
    return Answer(serializers.serialize_memory(memory))


@router.put("/v1/memories/{id}/", needs=Role.CURATOR)
def update(request: ApiRequest, id: MemoryId, body: Mem0UpdateIn) -> Answer:
    """Changes its words, metadata, time or last day; what is sent takes the place of what was there."""
    changes = {id: body.model_dump(exclude_unset=True)}
    (memory,) = edits.update(the_space(request), changes, actor=request.auth.actor)
    return Answer(serializers.serialize_memory(memory))


@router.delete("/v1/memories/{id}/", needs=Role.CURATOR)
def delete(request: ApiRequest, id: MemoryId, delete_linked: bool = False) -> Answer:
    """Deletes it softly, and with `delete_linked` those that it took the place of."""
    count = edits.delete(the_space(request), [id], actor=request.auth.actor, linked=delete_linked)
    return Answer({"message": "Memory deleted successfully!", "count": count})


@router.get("/v1/memories/{id}/history/", needs=Role.READER)
def history(request: ApiRequest, id: MemoryId) -> Answer:
    """Every wording it had, the first one first; that of a deleted memory to a curator."""
    home, memory = home_of(the_space(request), id)
    readable(memory, may_decide=request.auth.role.allows(Role.CURATOR))
    return Answer(serializers.serialize_history(memory, review.history(home, id)))


@router.get("/v1/entities/", needs=Role.READER)
def entities(request: ApiRequest) -> Answer:
    """The users, agents, apps and runs of whom something is held."""
    told = serializers.serialize_entities(holdings(the_space(request)))
    return Answer({"count": len(told), "next": None, "previous": None, "results": told})


@router.put("/v1/batch/", needs=Role.CURATOR)
def batch_update(request: ApiRequest, body: Mem0BatchUpdate) -> Answer:
    """Changes many, or none where one cannot be."""
    changes = {one.memory_id: one.model_dump(exclude_unset=True) for one in body.memories}
    done = edits.update(the_space(request), changes, actor=request.auth.actor)
    return Answer({"message": f"Successfully updated {len(done)} memories", "count": len(done)})


@router.delete("/v1/batch/", needs=Role.CURATOR)
def batch_delete(request: ApiRequest, body: Mem0BatchDelete) -> Answer:
    """Deletes many softly, or none where one is not there."""
    count = edits.delete(the_space(request), [one.memory_id for one in body.memories], actor=request.auth.actor)
    return Answer({"message": f"Successfully deleted {count} memories", "count": count})


@router.post("/v1/feedback/", needs=Role.WRITER)
def feedback(request: ApiRequest, body: Mem0FeedbackIn) -> Answer:
    """POSITIVE counts as used, NEGATIVE and VERY_NEGATIVE as not useful. None takes back nothing: refused."""
    space = the_space(request)
    edits.existing(space, [body.memory_id])
    if body.feedback not in ("POSITIVE", "NEGATIVE", "VERY_NEGATIVE"):
        raise BadInput("“feedback” is POSITIVE, NEGATIVE or VERY_NEGATIVE.", field="/feedback")
    side = "used" if body.feedback == "POSITIVE" else "not_useful"
    review.feedback(space, **{side: [body.memory_id]}, query=body.feedback_reason or "", actor=request.auth.actor)
    return Answer({"message": "Feedback taken", "memory_id": body.memory_id, "feedback": body.feedback})
