"""What was done: runs, the audit of every change, and taking a run back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from memoryapp import graph, review
from memoryapp.accounts.actor import name_of
from memoryapp.accounts.keys import key_named
from memoryapp.accounts.roles import Role
from memoryapp.domain.change import Revision
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.cursor import read_cursor, read_moment, write_cursor
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Cursor, Limit, Moment, Name, path_id
from memoryapp.interfaces.audit.schemas import (
    AuditPage,
    RevisionOut,
    RunDetail,
    RunPage,
    UndoIn,
    UndoOut,
    show_revision,
    show_run,
)
from memoryapp.review.redaction import without_deleted_words
from memoryapp.store import audit as acts
from memoryapp.store import revisions

router = Routes("Past")
RunId = Annotated[str, path_id("run")]
ChangeId = Annotated[str, path_id("change")]
_ID = re.compile(r"[0-9a-f]{16}")
MOST_REVISIONS = 1_000
KeyName = Annotated[
    str, Field(description="Number of a key, or how it begins.", max_length=80, examples=["pal_1a2b3c4d"])
]
AgentName = Annotated[
    str, Field(description="What was sent as `X-Agent-ID`, or the key's agent.", max_length=100, examples=["scout"])
]


@router.get("/audit", needs=Role.READER, response=AuditPage, summary="Read the audit")
def list_audit(
    request: ApiRequest,
    actor: Name = "",
    key: KeyName = "",
    agent: AgentName = "",
    act: Name = "",
    record: Name = "",
    run: Name = "",
    since: Moment | None = None,
    until: Moment | None = None,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> AuditPage:
    """Every change of the space, newest first: who changed what, from what to what, why, in which run. `record` is a
    kind of thing (memory, conflict, entity …) or the id of one; `until` is exclusive. `key` and `agent` find what was
    done with one key, or by one agent whatever its key."""
    place = read_cursor(cursor, str, str)
    one = bool(_ID.fullmatch(record))
    found = revisions.page(
        the_space(request).db,
        before=(read_moment(place[0]), place[1]) if place else None,
        since=since,
        until=until,
        act=act or None,
        actor=actor or None,
        by_key=name_of(key_named(key, request.auth.space)) if key else None,
        said=agent or None,
        kinds=[record] if record and not one else None,
        key=record if one else None,
        run=run or None,
        limit=limit + 1,
    )
    more = write_cursor(found[limit - 1].at.isoformat(), found[limit - 1].id) if len(found) > limit else None
    return AuditPage(items=_show_revisions(request, found[:limit]), next_cursor=more)


@router.post("/audit/{id}/undo", needs=Role.CURATOR, response=UndoOut, errors=(404, 409), summary="Undo one change")
def undo_change(request: ApiRequest, id: ChangeId, body: UndoIn = UndoIn()) -> UndoOut:
    """Takes one change of the audit back, in a run of its own; of a decision on a conflict all that it changed. 409
    where the record was changed since."""
    space = the_space(request)
    if body.dry_run:
        revisions.get(space.db, id)
        return UndoOut(run=None, undone=1, skipped=[], dry_run=True)
    undone = review.undo_revision(space, id, actor=request.auth.actor)
    return UndoOut(run=undone.run.id, undone=undone.taken_back, skipped=[], dry_run=False)


@router.get("/runs", needs=Role.READER, response=RunPage, summary="List runs")
def list_runs(
    request: ApiRequest,
    actor: Name = "",
    key: KeyName = "",
    agent: AgentName = "",
    act: Name = "",
    since: Moment | None = None,
    until: Moment | None = None,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> RunPage:
    """Acts, newest first. Each can be undone as a whole. `key` and `agent` as in the audit."""
    place = read_cursor(cursor, str, str)
    found = acts.acts(
        the_space(request).db,
        before=(read_moment(place[0]), place[1]) if place else None,
        since=since,
        until=until,
        act=act or None,
        actor=actor or None,
        by_key=name_of(key_named(key, request.auth.space)) if key else None,
        said=agent or None,
        limit=limit + 1,
        shown=0,
    )
    runs = [one.run for one in found]
    more = write_cursor(runs[limit - 1].started_at.isoformat(), runs[limit - 1].id) if len(runs) > limit else None
    return RunPage(items=[show_run(run) for run in runs[:limit]], next_cursor=more)


@router.get("/runs/{id}", needs=Role.READER, response=RunDetail, errors=(404,), summary="Get a run")
def get_run(request: ApiRequest, id: RunId) -> RunDetail:
    """One act and every change it made, the last first."""
    db = the_space(request).db
    run = revisions.get_run(db, id)
    changes = revisions.of_run(db, id)
    shown = _show_revisions(request, changes[:MOST_REVISIONS])
    return RunDetail(**show_run(run).model_dump(), revisions=shown, total=len(changes))


@router.post("/runs/{id}/undo", needs=Role.CURATOR, response=UndoOut, errors=(404, 409), summary="Undo a run")
def undo_run(request: ApiRequest, id: RunId, body: UndoIn = UndoIn()) -> UndoOut:
    """Takes back what a run did, in a run of its own. What was changed since is left as it is, and named. `dry_run`
    says how many changes there are to take back."""
    space = the_space(request)
    if body.dry_run:
        revisions.get_run(space.db, id)
        return UndoOut(run=None, undone=len(revisions.of_run(space.db, id)), skipped=[], dry_run=True)
    undone = review.undo_run(space, id, actor=request.auth.actor)
    graph.put_again(space, id)
    return UndoOut(
        run=undone.run.id, undone=undone.taken_back, skipped=[reason for _, reason in undone.left], dry_run=False
    )


def _show_revisions(request: ApiRequest, changes: Sequence[Revision]) -> list[RevisionOut]:
    """The words of what is deleted are for curators."""
    may_decide = request.auth.role.allows(Role.CURATOR)
    kept = without_deleted_words(the_space(request).db, changes, may_decide=may_decide)
    return [show_revision(change) for change in kept]
