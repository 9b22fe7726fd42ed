"""The inbox: what was learned and waits, accepted, dropped, marked as seen; and what is not learned again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput
from memoryapp.domain.exclusion import LEAST, MOST
from memoryapp.domain.limits import LIMITS
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.cursor import read_cursor, write_cursor
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Cursor, Id, Limit, Moment, Name, Response, Sparse, path_id
from memoryapp.interfaces.memories.schemas import MemoryOut, TurnOut, show_memories, show_turn
from memoryapp.review.exclusions import Exclusion
from memoryapp.review.rewrite import ReviewResult
from memoryapp.review.state import all_of
from memoryapp.spaces import Space
from memoryapp.store import lineage, turns

Likeness = Annotated[
    float,
    Field(
        ge=LEAST,
        le=MOST,
        allow_inf_nan=False,
        description="Cosine from which a candidate is like the fact; 1 means its very words.",
        examples=[0.7],
    ),
]


class InboxItem(Response):
    """`agent`: whose session it was learned in or, without one, who wrote it. `replaces`: ids of what it stands in
    place of; `fact.conflicts` names what it contradicts."""

    fact: MemoryOut
    agent: str = Field(examples=["atlas"])
    turn: TurnOut | None
    replaces: list[Id] = Field(examples=[[]])


class InboxSession(Response):
    """`session` is empty for facts that were written without one."""

    session: str = Field(examples=["monday"])
    agent: str = Field(examples=["atlas"])
    count: int = Field(description="Facts that wait in it.", examples=[12])
    newest: datetime = Field(examples=["2026-11-21T09:30:00Z"])


class InboxPage(Response):
    """`total` counts what the filters leave; `sessions` are those of the whole inbox, at most 50."""

    items: list[InboxItem]
    next_cursor: str | None = Field(examples=[None])
    total: int = Field(examples=[12])
    sessions: list[InboxSession]


class InboxIn(Sparse):
    """Which: `ids`, or all that waits (`all`: true), of one `session` (empty: of none) or `agent`, learned `until`
    then. What somebody dealt with meanwhile is left as it is."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"ids": ["9f2c1b7a40d3e685"], "dry_run": True}]}
    )

    ids: Annotated[list[Id], Field(max_length=LIMITS.batch_items)] = []
    all: bool = False
    session: Name | None = None
    agent: Name = ""
    until: Moment | None = None
    reason: Name = ""
    dry_run: bool = False


class InboxDone(Response):
    """`run` undoes it all: POST /runs/{id}/undo. Null on a dry run, and where nothing was changed. `left`: what
    somebody else dealt with before."""

    run: str | None = Field(examples=["5a5a0f0f12345678"])
    changed: list[Id]
    left: list[Id] = Field(examples=[[]])
    dry_run: bool = Field(examples=[False])


class SeenIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"until": "2026-11-21T09:30:00Z"}]})

    until: Moment


class SeenOut(Response):
    """`run` takes the mark back: POST /runs/{id}/undo."""

    run: str = Field(examples=["5a5a0f0f12345678"])
    until: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    waiting: int = Field(description="Facts that wait all the same: learned later.", examples=[0])


class ExclusionOut(Response):
    """Facts like `text` are not learned. `kept_out`: how many were not, in the turns as they were last read."""

    id: Id
    text: str = Field(examples=["Mara ran the test suite."])
    likeness: float = Field(examples=[0.7])
    kept_out: int = Field(examples=[17])
    since: datetime | None = Field(examples=["2026-11-21T09:30:00Z"])


class ExclusionList(Response):
    items: list[ExclusionOut]


class ExclusionIn(Sparse):
    """The fact is deleted. Without a `likeness` it is two thirds of the way between the space's zones."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"id": "9f2c1b7a40d3e685"}]})

    id: Id
    likeness: Likeness | None = None
    reason: Name = ""


class LikenessIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"likeness": 0.7}]})

    likeness: Likeness


class ExclusionDone(Response):
    """`run` undoes it: POST /runs/{id}/undo. Null where nothing changed. `exclusion` is null once it is removed."""

    run: str | None = Field(examples=["5a5a0f0f12345678"])
    exclusion: ExclusionOut | None


router = Routes("Inbox")
FactId = Annotated[str, path_id("fact")]


@router.get("/inbox", needs=Role.READER, response=InboxPage, summary="List what was learned and waits")
def list_inbox(
    request: ApiRequest,
    session: Name | None = None,
    agent: Name = "",
    limit: Limit = 50,
    cursor: Cursor = "",
) -> InboxPage:
    """Facts that agents wrote or that were learned from turns, and that nobody has dealt with: by session, the one
    learned from last first. `session` “” lists those that were written without one."""
    space = the_space(request)
    place = read_cursor(cursor, str)
    page = review.waiting(space, session=session, agent=agent, after=place[0] if place else "", limit=limit)
    said = turns.get_many(space.db, [fact.origin.turn for fact in page.facts if fact.origin.turn])
    replaced = lineage.replaced_by_each(space.db, [fact.id for fact in page.facts])
    shown = show_memories(space, page.facts)
    items = [
        InboxItem(
            fact=one,
            agent=page.agent_of(fact),
            turn=show_turn(said[fact.origin.turn]) if fact.origin.turn in said else None,
            replaces=[memory.id for memory in replaced.get(fact.id, ())],
        )
        for one, fact in zip(shown, page.facts, strict=True)
    ]
    sessions = [InboxSession.of(one) for one in page.sessions]
    more = write_cursor(page.next) if page.next else None
    return InboxPage(items=items, next_cursor=more, total=page.total, sessions=sessions)


@router.post("/inbox/accept", needs=Role.CURATOR, response=InboxDone, errors=(404, 413), summary="Accept what waits")
def accept_facts(request: ApiRequest, body: InboxIn) -> InboxDone:
    """Confirms up to 1,000 facts that wait, in one run: each gains trust and leaves the inbox."""
    return _dealt_with(request, body, review.accept)


@router.post("/inbox/drop", needs=Role.CURATOR, response=InboxDone, errors=(404, 413), summary="Drop what waits")
def drop_facts(request: ApiRequest, body: InboxIn) -> InboxDone:
    """Deletes up to 1,000 facts that wait, in one run, with the turns that say them, as DELETE /memories/{id} does."""
    return _dealt_with(request, body, review.drop)


@router.post("/inbox/seen", needs=Role.CURATOR, response=SeenOut, errors=(409,), summary="Mark all as seen")
def mark_inbox_seen(request: ApiRequest, body: SeenIn) -> SeenOut:
    """All that was learned up to `until` leaves the inbox, with nothing said of it. It is a mark of the space: for
    everybody, and taken back by undoing the run."""
    space = the_space(request)
    run = review.see(space, until=body.until, actor=request.auth.actor)
    return SeenOut(run=run.id, until=body.until, waiting=review.count_waiting(space))


@router.get("/exclusions", needs=Role.CURATOR, response=ExclusionList, summary="List what is not learned")
def list_exclusions(request: ApiRequest) -> ExclusionList:
    """Deleted facts the like of which is not learned again, the newest first."""
    return ExclusionList(items=[_show_exclusion(one) for one in review.all_exclusions(the_space(request))])


@router.post(
    "/exclusions", needs=Role.CURATOR, response={201: ExclusionDone}, errors=(404, 409), summary="Never like this again"
)
def add_exclusion(request: ApiRequest, body: ExclusionIn) -> ExclusionDone:
    """Deletes a fact, and nothing like it is learned from turns any more. The turns are kept, and told as passed over.
    Facts that somebody posts are written all the same."""
    space = the_space(request)
    done = review.exclude(space, body.id, actor=request.auth.actor, likeness=body.likeness, reason=body.reason)
    return _show_exclusion_done(space, body.id, done)


@router.patch(
    "/exclusions/{id}", needs=Role.CURATOR, response=ExclusionDone, errors=(404, 409), summary="Change an exclusion"
)
def change_exclusion(request: ApiRequest, id: FactId, body: LikenessIn) -> ExclusionDone:
    """From which likeness on it holds for turns that are read from now on."""
    space = the_space(request)
    return _show_exclusion_done(space, id, review.set_likeness(space, id, body.likeness, actor=request.auth.actor))


@router.delete(
    "/exclusions/{id}", needs=Role.CURATOR, response=ExclusionDone, errors=(404, 409), summary="Remove an exclusion"
)
def remove_exclusion(request: ApiRequest, id: FactId) -> ExclusionDone:
    """Facts like it are learned again. It stays deleted itself: POST /memories/{id}/restore brings it back."""
    done = review.allow(the_space(request), id, actor=request.auth.actor)
    return ExclusionDone(run=done.run.id, exclusion=None)


def _dealt_with(request: ApiRequest, body: InboxIn, act: Callable[..., ReviewResult]) -> InboxDone:
    space = the_space(request)
    keys = _chosen_ids(space, body)
    if body.dry_run or not keys:
        fresh = [one.id for one in all_of(space, keys) if review.waits(one)] if keys else []
        return InboxDone(run=None, changed=fresh, left=_remaining_ids(keys, fresh), dry_run=body.dry_run)
    done = act(space, keys, actor=request.auth.actor, reason=body.reason)
    changed = [one.id for one in done.memories]
    return InboxDone(
        run=done.run.id if done.changed else None, changed=changed, left=_remaining_ids(keys, changed), dry_run=False
    )


def _chosen_ids(space: Space, body: InboxIn) -> list[str]:
    if bool(body.ids) is body.all:
        raise BadInput("Name the facts by `ids`, or send `all`: true. One of the two.", field="/ids")
    if body.ids:
        return list(dict.fromkeys(body.ids))
    return list(review.waiting_ids(space, session=body.session, agent=body.agent, until=body.until))


def _remaining_ids(keys: list[str], done: list[str]) -> list[str]:
    dealt = set(done)
    return [key for key in keys if key not in dealt]


def _show_exclusion_done(space: Space, key: str, done: ReviewResult) -> ExclusionDone:
    run = done.run.id if done.changed else None
    return ExclusionDone(run=run, exclusion=_show_exclusion(review.exclusion_of(space, key)))


def _show_exclusion(one: Exclusion) -> ExclusionOut:
    return ExclusionOut(
        id=one.fact.id, text=one.fact.text, likeness=one.likeness, kept_out=one.kept_out, since=one.fact.ended_at
    )
