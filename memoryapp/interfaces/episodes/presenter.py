"""Episodes made ready for the timeline: what happened, what was decided, who took part, what was learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.memory import Memory, State
from memoryapp.interfaces.facts.source import session_href
from memoryapp.interfaces.memories.rows import Tag, tags_of
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.sessions.presenter import lasted
from memoryapp.spaces import Space
from memoryapp.store import memories

_FACTS = 60  # of one page; the rest are on the episode's own


@dataclass(frozen=True, slots=True)
class Learned:
    id: str
    text: str
    lang: str
    was: bool  # no longer held


@dataclass(frozen=True, slots=True)
class Story:
    """`near` tells how like the question it is, where one was asked. `learned` are the facts it rests on, as far as
    they are still known; `facts` counts all it was told from."""

    id: str
    at: datetime
    title: str
    text: str
    lang: str
    decision: str
    decision_lang: str
    participants: list[str]
    span: str
    turns: int
    facts: int
    learned: list[Learned]
    session: str
    session_href: str
    by: str
    problem: str
    tags: list[Tag]
    near: str = ""


def stories_of(space: Space, found: Sequence[Memory], *, near: dict[str, str] | None = None) -> list[Story]:
    """In the order given; one question to the store for the facts of all."""
    keys = [key for memory in found for key in _facts(memory)]
    facts = memories.get_many(space.db, list(dict.fromkeys(keys))[: _FACTS * 10])
    return [_story(memory, facts, (near or {}).get(memory.id, "")) for memory in found]


def _story(memory: Memory, facts: dict[str, Memory], near: str) -> Story:
    detail, session = memory.detail, memory.origin.session or ""
    decision = str(detail.get("decision") or "")
    told = [facts[key] for key in _facts(memory) if key in facts and facts[key].state is not State.DELETED]
    return Story(
        id=memory.id,
        at=memory.occurred_at or memory.created_at,
        title=memory.title or wording.excerpt(memory.text, limit=80),
        text=memory.text,
        lang=wording.language(memory.text),
        decision=decision,
        decision_lang=wording.language(decision),
        participants=[str(name) for name in detail.get("participants") or ()],
        span=_span(detail.get("from"), detail.get("to")),
        turns=int(detail.get("turns") or 0),
        facts=len(_facts(memory)),
        learned=[
            Learned(one.id, wording.excerpt(one.text, limit=200), wording.language(one.text), one.state != State.HELD)
            for one in told[:_FACTS]
        ],
        session=session,
        session_href=session_href(session) if session else "",
        by=str(detail.get("by") or "rules"),
        problem=str(detail.get("problem") or ""),
        tags=[tag for tag in tags_of(memory) if tag.text != "decision"],
        near=near,
    )


def _facts(memory: Memory) -> list[str]:
    return [str(key) for key in memory.detail.get("facts") or ()]


def _span(begun: object, ended: object) -> str:
    try:
        first, last = datetime.fromisoformat(str(begun)), datetime.fromisoformat(str(ended))
        return lasted(first, last)
    except (ValueError, TypeError):
        return ""


def likeness(share: float, days: float) -> str:
    """“92 % of the best match, 3 days ago”."""
    whole = round(days)
    ago = "today" if whole < 1 else f"{human.counted(whole, 'day')} ago"
    return f"{share:.0%} of the best match, {ago}".replace("%", " %")
