"""A conversation from elsewhere becomes a session, and what was said in it its turns, which are then read as any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import count

from memoryapp.domain.change import Actor
from memoryapp.domain.cleaning import clean, clean_name
from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.identity import derived_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.turn import NewTurn
from memoryapp.remember import append_turns
from memoryapp.spaces import Space
from memoryapp.store import sessions, turns
from memoryapp.store.sessions import Session
from memoryapp.transfer.brought import Skipped, Told
from memoryapp.transfer.report import Report

_NAME_CHARS = 300  # of a ref or a speaker
_OVER_AFTER = timedelta(days=1)  # without a word a conversation is over


def say(space: Space, told: Told, *, actor: Actor, report: Report, dry_run: bool) -> None:
    """Keeps the turns that are not known yet, and ends a session that has been silent for a day, so that it is told as
    an episode. A conversation that went on after that goes on in a second session."""
    try:
        name = clean_name(told.session_ref, field="/session")
    except BadInput as error:
        report.skip(Skipped(told.session_ref[:60], error.detail))
        return
    rest = _usable(told, report)
    if not name or not rest:
        report.skip(Skipped(told.title or told.session_ref, "Nothing was said in it that can be kept."))
        return
    for part in count(1):
        session = name if part == 1 else f"{name} ({part})"
        known = _known(space, session, rest)
        report.unchanged += len(known)
        rest = [turn for turn in rest if turn.ref not in known]
        if not rest:
            return
        opened = _find(space, session)
        if opened is None or opened.ended_at is None:
            report.turns += len(rest)
            report.sessions += opened is None
            if not dry_run:
                _append(space, told, session, rest, actor=actor)
            return


def _append(space: Space, told: Told, session: str, rest: Sequence[NewTurn], *, actor: Actor) -> None:
    began = told.at or rest[0].at
    opened = Session(
        name=session,
        started_at=as_utc(began) if began else space.clock(),
        agent=actor.name,
        metadata={"title": told.title} if told.title else {},
    )
    sessions.open_session(space.db, opened)
    for start in range(0, len(rest), LIMITS.turns):
        append_turns(space, session, rest[start : start + LIMITS.turns], actor=actor)
    last = max((as_utc(turn.at) for turn in rest if turn.at), default=None)
    if last is not None and last + _OVER_AFTER < space.clock():
        sessions.end(space.db, session, at=last)


def _usable(told: Told, report: Report) -> list[NewTurn]:
    """Each ref once; without what no session can keep, which is told."""
    found: dict[str, NewTurn] = {}
    for number, turn in enumerate(told.turns, start=1):
        where = f"{told.title or told.session_ref}, turn {number}"
        text = clean(turn.text).strip()
        if not text:
            report.skip(Skipped(where, "It has no words."))
        elif len(text) > LIMITS.turn_chars:
            limit = f"{LIMITS.turn_chars:,}"
            report.skip(Skipped(where, f"It has {len(text):,} characters; one turn may have {limit}."))
        else:
            ref = _line(turn.ref) or f"turn {number}"
            found.setdefault(ref, replace(turn, text=text, ref=ref, speaker=_line(turn.speaker) or None))
    return list(found.values())


def _line(name: str | None) -> str:
    return " ".join(clean(name or "").split())[:_NAME_CHARS]


def _known(space: Space, session: str, said: Sequence[NewTurn]) -> set[str]:
    """Refs of those that this session has already."""
    by_id = {derived_id("turn", session, turn.ref): turn.ref for turn in said if turn.ref}
    return {by_id[key] for key in turns.get_many(space.db, list(by_id))}


def _find(space: Space, session: str) -> Session | None:
    try:
        return sessions.get(space.db, session)
    except NotFound:
        return None
