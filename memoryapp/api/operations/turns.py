"""What is said in a session comes in, and is shown with what was learned from it. Reading it is a job's work."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from memoryapp import remember
from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.cursor import read_cursor, write_cursor
from memoryapp.api.detail import show_turn
from memoryapp.api.opened import the_space
from memoryapp.api.operations.sessions import router, session_of  # one router, one subject
from memoryapp.api.reply import Reply
from memoryapp.api.schemas.base import Cursor, Limit
from memoryapp.api.schemas.session import (
    LearnedOut,
    ReadAgainOut,
    ReadingOut,
    ReadTurnsIn,
    SessionKey,
    TurnPage,
    TurnRead,
    TurnsIn,
    TurnsTaken,
)
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.turn import NewTurn, Reading, ReadingStatus, Turn
from memoryapp.domain.turn import Role as Voice
from memoryapp.jobs.reading import submit_reading
from memoryapp.spaces import Space
from memoryapp.store import turns

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
    session = session_of(space, id)
    new = _new(body)
    try:
        kept = remember.append_turns(space, session.name, new, actor=request.auth.actor)
    except BadInput as error:
        if not body.turns:
            error.field = (error.field or "").removeprefix("/turns/0") or None
        raise
    readings = turns.readings(space.db, [turn.id for turn in kept])
    words = turns.private_words(space.db, kept)
    waits = any(reading.status is ReadingStatus.WAITING for reading in readings.values())
    # Also where nobody will read them: their vectors are made by the same job.
    job = submit_reading(request.auth.space.name, actor=request.auth.actor)
    shown = TurnsTaken(
        items=[show_turn(turn, words=words.get(turn.id)) for turn in kept],
        reading="waiting" if waits else "done",
        job=job.pk if waits else None,
    )
    return Reply(shown, 202)


def _new(body: TurnsIn) -> list[NewTurn]:
    if (body.text is None) is not bool(body.turns):
        raise BadInput("Send one turn with its `text`, or several under `turns`.", field="/text")
    said = body.turns or [body]
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
def read_again(request: ApiRequest, id: SessionKey, body: ReadTurnsIn = ReadTurnsIn()) -> Reply:  # noqa: B008
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
    return ReadingOut(
        status=reading.status,
        extractor=reading.extractor,
        learned=[LearnedOut(memory=one.memory, outcome=one.outcome) for one in reading.learned],
        passed_over=reading.passed_over,
        asked=reading.asked,
        reworded=reading.reworded,
        problem=reading.problem,
        run=reading.run,
        at=reading.at,
    )
