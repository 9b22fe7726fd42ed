"""Holds the example's conversations in a space: sessions with their turns, to be read and told by jobs."""

from __future__ import annotations

from datetime import date

from memoryapp.accounts.spaces import open_space
from memoryapp.domain.change import Actor
from memoryapp.jobs.reading import submit_reading
from memoryapp.jobs.telling import submit_narration
from memoryapp.demo.talks import AGENT, as_turns, talks
from memoryapp.remember import append_turns
from memoryapp.store import sessions


def hold_talks(space_name: str, *, actor: Actor, today: date) -> int:
    """Says what has not been said yet and queues its reading; returns how many sessions are new. Doing it again on
    another day holds them again under that day's names, as the daily notes are."""
    space = open_space(space_name)
    held = 0
    for talk in talks(today=today):
        opened = sessions.open_session(space.db, sessions.Session(talk.name, talk.started_at, agent=AGENT))
        if opened.ended_at is not None:
            continue
        append_turns(space, talk.name, as_turns(talk), actor=actor)
        sessions.end(space.db, talk.name, at=talk.ended_at)
        submit_reading(space_name, actor=actor)
        submit_narration(space_name, talk.name, actor=actor)
        held += 1
    return held
