"""Sessions: an agent comes, and goes; what the session was is told as an episode."""

from __future__ import annotations

import re

from memoryapp.accounts.roles import Role
from memoryapp.api.begun import begun
from memoryapp.api.caller import ApiRequest
from memoryapp.api.cursor import read_cursor, read_moment, write_cursor
from memoryapp.api.opened import the_space
from memoryapp.api.reply import Reply
from memoryapp.api.route import Routes
from memoryapp.api.schemas.base import Cursor, Limit
from memoryapp.api.schemas.session import (
    EpisodeIn,
    PrivateErased,
    SessionDetail,
    SessionEdit,
    SessionEnd,
    SessionEnded,
    SessionIn,
    SessionKey,
    SessionOpened,
    SessionOut,
    SessionPage,
)
from memoryapp.api.schemas.work import JobStarted
from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import Kind, State
from memoryapp.jobs.handlers.due import submit_session_sources
from memoryapp.jobs.telling import submit_narration
from memoryapp.spaces import Space
from memoryapp.store import documents, memories, sessions, turns

router = Routes("Sessions")
_ID = re.compile(r"[0-9a-f]{16}")


def session_of(space: Space, key: str) -> sessions.Session:
    """The session of this id or, where there is none, of this name. Raises NotFound."""
    if _ID.fullmatch(key):
        try:
            return sessions.by_id(space.db, key)
        except NotFound:
            pass
    return sessions.get(space.db, key)


@router.get("/sessions", needs=Role.READER, response=SessionPage, summary="List sessions")
def list_sessions(request: ApiRequest, limit: Limit = 50, cursor: Cursor = "") -> SessionPage:
    """Sessions, the last opened first."""
    db = the_space(request).db
    place = read_cursor(cursor, str, str)
    found = sessions.page(db, before=(read_moment(place[0]), place[1]) if place else None, limit=limit + 1)
    more = write_cursor(found[limit - 1].started_at.isoformat(), found[limit - 1].name) if len(found) > limit else None
    counts = turns.counts(db, [session.name for session in found[:limit]])
    shown = [_shown(session, counts.get(session.name, 0)) for session in found[:limit]]
    return SessionPage(items=shown, next_cursor=more)


@router.post("/sessions", needs=Role.WRITER, response={201: SessionOpened}, errors=(409,), summary="Open a session")
def open_session(request: ApiRequest, body: SessionIn) -> Reply:
    """Opens a session by your own name for it; opening it twice is opening it once. Sources that are marked so are
    read again; `jobs` are the ingests that this began."""
    space, actor = the_space(request), request.auth.actor
    session = sessions.Session(
        name=body.name,
        started_at=as_utc(body.started_at) if body.started_at else space.clock(),
        agent=body.agent or actor.name,
        metadata=body.metadata,
        private=body.private,
    )
    opened = sessions.open_session(space.db, session)
    begun = submit_session_sources(request.auth.space.name, documents.sources(space.db), actor=actor)
    shown = _shown(opened, turns.last_number(space.db, opened.name))
    return Reply(SessionOpened(**shown.model_dump(), jobs=[job.pk for job in begun]), 201)


@router.get("/sessions/{id}", needs=Role.READER, response=SessionDetail, errors=(404,), summary="Get a session")
def get_session(request: ApiRequest, id: SessionKey) -> SessionDetail:
    """One session: how much was said, what of it is read, which facts were first learned in it, its episode."""
    space = the_space(request)
    session = session_of(space, id)
    learned = memories.of_session(space.db, session.name)
    episodes = [one.id for one in learned if one.kind is Kind.EPISODE and one.state is State.HELD]
    return SessionDetail(
        **_shown(session, turns.last_number(space.db, session.name)).model_dump(),
        waiting=turns.count_waiting(space.db, session=session.name),
        facts=[one.id for one in learned if one.kind is Kind.FACT and one.state is not State.DELETED],
        episode=episodes[0] if episodes else None,
    )


@router.patch("/sessions/{id}", needs=Role.WRITER, response=SessionOut, errors=(404,), summary="Change a session")
def edit_session(request: ApiRequest, id: SessionKey, body: SessionEdit) -> SessionOut:
    """Makes a session private, or no longer so. What was said before stays as it is."""
    db = the_space(request).db
    session = sessions.set_private(db, session_of(the_space(request), id).name, to=body.private)
    return _shown(session, turns.last_number(db, session.name))


@router.delete(
    "/sessions/{id}/private",
    needs=Role.CURATOR,
    response=PrivateErased,
    errors=(404,),
    summary="Erase a session's private words",
)
def erase_private_words(request: ApiRequest, id: SessionKey, dry_run: bool = False) -> PrivateErased:
    """For good, of all its turns; that something was said stays. Only where the space keeps private words are there
    any. `dry_run` counts them."""
    space = the_space(request)
    name = session_of(space, id).name
    act = turns.count_private_words if dry_run else turns.erase_private_words
    return PrivateErased(erased=act(space.db, name), dry_run=dry_run)


@router.post("/sessions/{id}/end", needs=Role.WRITER, response=SessionEnded, errors=(404,), summary="End a session")
def end_session(request: ApiRequest, id: SessionKey, body: SessionEnd = SessionEnd()) -> SessionEnded:  # noqa: B008
    """Ends it, and begins the job that tells it as an episode. A session that had ended keeps its first end."""
    space = the_space(request)
    session = session_of(space, id)
    first = session.ended_at is None
    ended = sessions.end(space.db, session.name, at=body.ended_at or space.clock())
    number = turns.last_number(space.db, session.name)
    job = None
    if first and (number or _has_notes(space, session.name)):
        job = submit_narration(request.auth.space.name, session.name, actor=request.auth.actor)
    return SessionEnded(**_shown(ended, number).model_dump(), job=job.pk if job else None)


@router.post(
    "/sessions/{id}/episode",
    needs=Role.WRITER,
    response={202: JobStarted},
    errors=(404,),
    summary="Tell a session",
)
def tell_session(request: ApiRequest, id: SessionKey, body: EpisodeIn = EpisodeIn()) -> Reply:  # noqa: B008
    """A job that writes the session's episode now, or writes it anew. `force` false: only where it holds as much as an
    episode needs by itself."""
    session = session_of(the_space(request), id)
    space, actor = request.auth.space.name, request.auth.actor
    return begun(submit_narration(space, session.name, actor=actor, force=body.force))


def _has_notes(space: Space, session: str) -> bool:
    return bool(memories.of_session(space.db, session))


def _shown(session: sessions.Session, number: int) -> SessionOut:
    return SessionOut(
        id=session.id,
        name=session.name,
        agent=session.agent,
        metadata=session.metadata,
        started_at=session.started_at,
        ended_at=session.ended_at,
        turns=number,
        private=session.private,
    )
