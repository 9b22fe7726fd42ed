"""Traces: what agents asked, what they were given, what of it they used, and how it ended."""

from __future__ import annotations

from typing import Annotated

from memoryapp.accounts.keys import MARK, key_named
from memoryapp.accounts.roles import Role
from memoryapp.domain.trace import Act, Result, question_id
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.cursor import read_cursor, read_moment, write_cursor
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Cursor, Id, Limit, Moment, Name, path_id
from memoryapp.interfaces.audit.api import KeyName
from memoryapp.interfaces.traces.presenter import seen_by
from memoryapp.interfaces.traces.schemas import (
    TraceDeleted,
    TraceOut,
    TracePage,
    show_agent,
    show_line,
    show_sums,
    show_trace,
)
from memoryapp.review.traces import given_memories, uses_of
from memoryapp.store import traces
from memoryapp.store.traces import TraceFilter

router = Routes("Search")
TraceId = Annotated[str, path_id("trace")]


@router.get("/traces", needs=Role.READER, response=TracePage, errors=(404,), summary="List traces")
def list_traces(
    request: ApiRequest,
    agent: Name = "",
    key: KeyName = "",
    act: Act | None = None,
    result: Result | None = None,
    question: Name = "",
    memory: Id | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> TracePage:
    """What agents asked by POST /search and /context, newest first: of the last 30 days, 5,000 calls at
    most. A reader or a writer sees what was asked with its own role or a lower one. `question`: exactly this one, in
    whatever case; `memory`: one that was given; `until` is exclusive."""
    space, place = the_space(request), read_cursor(cursor, str, str)
    now = space.clock()
    wanted = TraceFilter(
        roles=seen_by(request.auth.role),
        agent=agent or None,
        key=f"{MARK}_{key_named(key, request.auth.space).prefix}" if key else None,
        act=act,
        result=result,
        asked=question_id(question) if question else None,
        memory=memory,
        since=since,
        until=until,
    )
    before = (read_moment(place[0]), place[1]) if place else None
    found = traces.page(space.db, wanted, now=now, before=before, limit=limit + 1)
    shown, sums = found[:limit], traces.sums(space.db, wanted, now=now)
    uses = uses_of(space, shown)
    return TracePage.of(
        sums,
        items=[show_line(one, uses.get(one.id, {})) for one in shown],
        results=show_sums(sums),
        agents=[show_agent(one) for one in traces.agents(space.db, wanted, now=now)],
        next_cursor=write_cursor(shown[-1].at.isoformat(), shown[-1].id) if len(found) > limit else None,
    )


@router.get("/traces/{id}", needs=Role.READER, response=TraceOut, errors=(404,), summary="Get a trace")
def get_trace(request: ApiRequest, id: TraceId) -> TraceOut:
    """One call with the memories that were given, in their order, as they stand now. `POST /search/explain` with the
    same question tells why one is missing."""
    space, role = the_space(request), request.auth.role
    one = traces.get(space.db, id, roles=seen_by(role))
    return show_trace(one, given_memories(space, one, may_decide=role.allows(Role.CURATOR)))


@router.delete("/traces/{id}", needs=Role.CURATOR, response=TraceDeleted, errors=(404,), summary="Delete a trace")
def delete_trace(request: ApiRequest, id: TraceId) -> TraceDeleted:
    """Deletes the record of one call for good: its question may say what should not be kept."""
    traces.delete(the_space(request).db, id)
    return TraceDeleted(deleted=id)
