"""What is said in a session comes in, and is shown with what was learned from it. Reading it is a job's work."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from memoryapp import remember
from memoryapp.accounts.roles import Role
from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.turn import NewTurn, Reading, ReadingStatus, Turn
from memoryapp.domain.turn import Role as Voice
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.cursor import read_cursor, read_moment, write_cursor
from memoryapp.interfaces.api.reply import Reply, job_reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Cursor, Limit
from memoryapp.interfaces.jobs.schemas import JobStarted
from memoryapp.interfaces.memories.schemas import show_turn
from memoryapp.interfaces.sessions.schemas import (
    EpisodeIn,
    LearnedOut,
    PrivateErased,
    ReadAgainOut,
    ReadingOut,
    ReadTurnsIn,
    SessionDetail,
    SessionEdit,
    SessionEnd,
    SessionEnded,
    SessionIn,
    SessionKey,
    SessionOpened,
    SessionOut,
    SessionPage,
    TurnIn,
    TurnPage,
    TurnRead,
    TurnsIn,
    TurnsTaken,
)
from memoryapp.jobs.narration import submit_narration
from memoryapp.jobs.reading import submit_reading
from memoryapp.jobs.sources import submit_session_sources
from memoryapp.spaces import Space
from memoryapp.store import documents, memories, sessions, turns

# Sessions: an agent comes, and goes; what the session was is told as an episode.

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
    shown = [_show_session(session, counts.get(session.name, 0)) for session in found[:limit]]
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
    shown = _show_session(opened, turns.last_number(space.db, opened.name))
    return Reply(SessionOpened(**shown.model_dump(), jobs=[job.pk for job in begun]), 201)


@router.get("/sessions/{id}", needs=Role.READER, response=SessionDetail, errors=(404,), summary="Get a session")
def get_session(request: ApiRequest, id: SessionKey) -> SessionDetail:
    """One session: how much was said, what of it is read, which facts were first learned in it, its episode."""
    space = the_space(request)
    session = session_of(space, id)
    learned = memories.of_session(space.db, session.name)
    episodes = [one.id for one in learned if one.kind is Kind.EPISODE and one.state is State.HELD]
    return SessionDetail(
        **_show_session(session, turns.last_number(space.db, session.name)).model_dump(),
        waiting=turns.count_waiting(space.db, session=session.name),
        facts=[one.id for one in learned if one.kind is Kind.FACT and one.state is not State.DELETED],
        episode=episodes[0] if episodes else None,
    )


@router.patch("/sessions/{id}", needs=Role.WRITER, response=SessionOut, errors=(404,), summary="Change a session")
def edit_session(request: ApiRequest, id: SessionKey, body: SessionEdit) -> SessionOut:
    """Makes a session private, or no longer so. What was said before stays as it is."""
    db = the_space(request).db
    session = sessions.set_private(db, session_of(the_space(request), id).name, to=body.private)
    return _show_session(session, turns.last_number(db, session.name))


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
def end_session(request: ApiRequest, id: SessionKey, body: SessionEnd = SessionEnd()) -> SessionEnded:
    """Ends it, and begins the job that tells it as an episode. A session that had ended keeps its first end."""
    space = the_space(request)
    session = session_of(space, id)
    first = session.ended_at is None
    ended = sessions.end(space.db, session.name, at=body.ended_at or space.clock())
    number = turns.last_number(space.db, session.name)
    job = None
    if first and (number or _has_notes(space, session.name)):
        job = submit_narration(request.auth.space.name, session.name, actor=request.auth.actor)
    return SessionEnded(**_show_session(ended, number).model_dump(), job=job.pk if job else None)


@router.post(
    "/sessions/{id}/episode",
    needs=Role.WRITER,
    response={202: JobStarted},
    errors=(404,),
    summary="Tell a session",
)
def tell_session(request: ApiRequest, id: SessionKey, body: EpisodeIn = EpisodeIn()) -> Reply:
    """A job that writes the session's episode now, or writes it anew. `force` false: only where it holds as much as an
    episode needs by itself."""
    session = session_of(the_space(request), id)
    space, actor = request.auth.space.name, request.auth.actor
    return job_reply(submit_narration(space, session.name, actor=actor, force=body.force))


def _has_notes(space: Space, session: str) -> bool:
    return bool(memories.of_session(space.db, session))


def _show_session(session: sessions.Session, number: int) -> SessionOut:
    return SessionOut.of(session, turns=number)


MOST_TURNS = 2**31 - 1
After = Annotated[int, Field(ge=0, le=MOST_TURNS, description="Turns behind this number.", examples=[0])]
_PAGE = 500  # turns fetched at once where a whole session is gone through


@router.post(
    "/sessions/{id}/turns",
    needs=Role.WRITER,
    response={202: TurnsTaken},
    errors=(404, 409, 413),
    summary="Say something in a session",
)
def append_turns(request: ApiRequest, id: SessionKey, body: TurnsIn) -> Reply:
    """Keeps one turn, or several, as they were said, and answers at once. What can be learned from them is learned in
    the background, within seconds. All are kept, or none where one cannot be: the problem then points at it."""
    space = the_space(request)
    # What is no id is a name, and appending says whether there is a session of it.
    name = session_of(space, id).name if _ID.fullmatch(id) else id
    new = _new_turns(body)
    try:
        kept = remember.append_turns(space, name, new, actor=request.auth.actor)
    except BadInput as error:
        if not body.turns:
            error.field = (error.field or "").removeprefix("/turns/0") or None
        raise
    words = turns.private_words(space.db, kept)
    waits = remember.any_unread(space, kept)
    # Also where nobody will read them: their vectors are made by the same job.
    job = submit_reading(request.auth.space.name, actor=request.auth.actor)
    shown = TurnsTaken(
        items=[show_turn(turn, words=words.get(turn.id)) for turn in kept],
        reading="waiting" if waits else "done",
        job=job.pk if waits else None,
    )
    return Reply(shown, 202)


def _new_turns(body: TurnsIn) -> list[NewTurn]:
    if (body.text is None) is not bool(body.turns):
        raise BadInput("Send one turn with its `text`, or several under `turns`.", field="/text")
    said: Sequence[TurnIn | TurnsIn] = body.turns or [body]
    return [NewTurn(turn.text or "", turn.speaker, Voice(turn.role), turn.at, turn.ref, turn.private) for turn in said]


@router.get("/sessions/{id}/turns", needs=Role.READER, response=TurnPage, errors=(404,), summary="List turns")
def list_turns(
    request: ApiRequest, id: SessionKey, after: After = 0, limit: Limit = 50, cursor: Cursor = ""
) -> TurnPage:
    """What was said, in order, and what was learned from each turn."""
    db = the_space(request).db
    session = session_of(the_space(request), id)
    place = read_cursor(cursor, int)
    after = min(max(place[0], 0), MOST_TURNS) if place else after
    found = turns.of_session(db, session.name, after=after, limit=limit + 1)
    readings = turns.readings(db, [turn.id for turn in found[:limit]])
    words = turns.private_words(db, found[:limit])
    items = [
        TurnRead(
            **show_turn(turn, words=words.get(turn.id)).model_dump(),
            reading=_reading(readings.get(turn.id) or Reading(turn.id, session.name, ReadingStatus.SKIPPED)),
        )
        for turn in found[:limit]
    ]
    return TurnPage(items=items, next_cursor=write_cursor(found[limit - 1].number) if len(found) > limit else None)


@router.post(
    "/sessions/{id}/read", needs=Role.WRITER, response={202: ReadAgainOut}, errors=(404,), summary="Read turns again"
)
def read_turns_again(request: ApiRequest, id: SessionKey, body: ReadTurnsIn = ReadTurnsIn()) -> Reply:
    """Reads turns once more: after the extractor was changed, or where reading failed. What was learned stays, and is
    not counted as said again."""
    space = the_space(request)
    session = session_of(space, id)
    wanted = set(body.turns)
    keys = [turn.id for turn in _all_turns(space, session.name) if not wanted or turn.number in wanted]
    if wanted and len(keys) < len(wanted):
        raise NotFound(f"Session “{session.name}” has no turn of one of these numbers.", field="/turns")
    waiting = remember.read_again(space, keys)
    job = submit_reading(request.auth.space.name, actor=request.auth.actor) if waiting else None
    return Reply(ReadAgainOut(waiting=waiting, job=job.pk if job else None), 202)


def _all_turns(space: Space, session: str) -> list[Turn]:
    found: list[Turn] = []
    while page := turns.of_session(space.db, session, after=found[-1].number if found else 0, limit=_PAGE):
        found.extend(page)
    return found


def _reading(reading: Reading) -> ReadingOut:
    return ReadingOut.of(
        reading, learned=[LearnedOut(memory=one.memory, outcome=one.outcome) for one in reading.learned]
    )
