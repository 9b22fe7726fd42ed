"""Sessions for the tests of the pages: said, read by the rules, ended and told, all by the real rooms."""

from __future__ import annotations

from datetime import datetime

from memoryapp import remember, summaries
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.memory import Memory
from memoryapp.domain.turn import NewTurn, Turn
from memoryapp.extraction.facts.choose import reader_of
from memoryapp.spaces import Space
from memoryapp.store import sessions

ATLAS = Actor(ActorKind.AGENT, "atlas")
HTMX = {"HX-Request": "true"}


def opened(space: Space, name: str = "monday", *, at: datetime | None = None) -> sessions.Session:
    return sessions.open_session(space.db, sessions.Session(name, at or space.clock(), agent="atlas"))


def say(space: Space, *texts: str, session: str = "monday", speaker: str = "Mina", **more: object) -> list[Turn]:
    opened(space, session)
    new = [NewTurn(text, speaker=speaker, **more) for text in texts]  # type: ignore[arg-type]
    return remember.append_turns(space, session, new, actor=ATLAS)


def read(space: Space) -> remember.ReadReport:
    reader = reader_of("rules", model=None, worth=space.tuning.fact_worth)
    return remember.read_turns(space, reader=reader, actor=ATLAS)


def told(space: Space, *texts: str, session: str = "monday") -> Memory:
    """A session that was said, read, ended and told."""
    say(space, *texts, session=session)
    read(space)
    sessions.end(space.db, session, at=space.clock())
    episode = summaries.narrate_session(space, session, model=None, actor=ATLAS, force=True)
    assert episode is not None
    return episode
