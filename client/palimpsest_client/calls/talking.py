"""Conversations: opened, said, ended; the app reads them for facts by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from palimpsest_client.call import Call, given
from palimpsest_client.records import SessionEnd, SessionInfo, SessionOpened, SessionState, TurnRead, TurnsTaken
from palimpsest_client.shapes import Page


def open_session(
    name: str,
    *,
    agent: str | None = None,
    started_at: datetime | None = None,
    metadata: Mapping[str, Any] | None = None,
    private: bool | None = None,
) -> Call[SessionOpened]:
    """Opens a conversation by a name of your own; opening it twice is opening it once. In a `private` one all that is
    said is private."""
    body = given(name=name, agent=agent, started_at=started_at, metadata=metadata, private=private)
    return Call(method="POST", path="/sessions", gives=SessionOpened, json=body, writes=True)


def sessions(*, limit: int | None = None, cursor: str | None = None) -> Call[Page[SessionInfo]]:
    """Lists conversations, the latest first."""
    return Call(method="GET", path="/sessions", gives=Page[SessionInfo], query=given(limit=limit, cursor=cursor))


def session_state(session: str) -> Call[SessionState]:
    """How many turns were said and wait to be read, and what was learned."""
    return Call(method="GET", path="/sessions/{id}", gives=SessionState, names={"id": session})


def say(
    session: str,
    text: str,
    *,
    speaker: str | None = None,
    role: str | None = None,
    at: datetime | None = None,
    ref: str | None = None,
    private: bool | None = None,
) -> Call[TurnsTaken]:
    """Keeps one turn, as it was said. `role` is user, assistant, system or tool; the same `ref` twice is one turn. A
    `private` one is not found, learned from or exported."""
    return _turns_call(session, given(text=text, speaker=speaker, role=role, at=at, ref=ref, private=private))


def say_all(session: str, turns: Sequence[Mapping[str, Any]]) -> Call[TurnsTaken]:
    """Keeps several turns in their order, each with the fields that `say` takes."""
    return _turns_call(session, given(turns=[given(**turn) for turn in turns]))


def turns(
    session: str, *, after: int | None = None, limit: int | None = None, cursor: str | None = None
) -> Call[Page[TurnRead]]:
    """What was said, each turn with what was learned from it; `after` leaves out the first so many."""
    asked = given(after=after, limit=limit, cursor=cursor)
    return Call(method="GET", path="/sessions/{id}/turns", gives=Page[TurnRead], names={"id": session}, query=asked)


def end_session(session: str, *, ended_at: datetime | None = None) -> Call[SessionEnd]:
    """Ends a conversation; a job then tells it as an episode."""
    body = given(ended_at=ended_at)
    return Call(
        method="POST", path="/sessions/{id}/end", gives=SessionEnd, names={"id": session}, json=body, writes=True
    )


def _turns_call(session: str, body: Mapping[str, Any]) -> Call[TurnsTaken]:
    return Call(
        method="POST", path="/sessions/{id}/turns", gives=TurnsTaken, names={"id": session}, json=body, writes=True
    )
