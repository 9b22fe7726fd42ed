"""Episodes: how many a day, and one after the other; or those like a question, the recent ones first among equals. Each
tells what happened, what was decided, who took part, what was learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from memoryapp import context, summaries
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Memory, State
from memoryapp.interfaces.facts.source import session_href
from memoryapp.interfaces.memories.rows import Tag, tags_of
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.access import PageRequest, page, show
from memoryapp.interfaces.pages.charts import ZOOMS, bucket, density, read_day, zoom_for
from memoryapp.interfaces.pages.clock import EITHER
from memoryapp.interfaces.pages.filters import address
from memoryapp.interfaces.pages.paging import Pager
from memoryapp.interfaces.sessions.presenter import duration_text
from memoryapp.spaces import Space
from memoryapp.store import memories, sessions

_FACTS = 60  # of one page; the rest are on the episode's own
_PAGE = 15
_NEAR = 20


@dataclass(frozen=True, slots=True)
class FactRow:
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
    learned: list[FactRow]
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
            FactRow(one.id, wording.excerpt(one.text, limit=200), wording.language(one.text), one.state != State.HELD)
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
        return duration_text(first, last)
    except (ValueError, TypeError):
        return ""


def likeness(share: float, days: float) -> str:
    """“92 % of the best match, 3 days ago”."""
    whole = round(days)
    ago = "today" if whole < 1 else f"{human.count_text(whole, 'day')} ago"
    return f"{share:.0%} of the best match, {ago}".replace("%", " %")


@require_GET
@page(follows=EITHER)
def episodes_page(request: PageRequest) -> HttpResponse:
    return show(request, "episodes/episodes.html", list_context(request), at="episodes")


def list_context(request: PageRequest) -> dict[str, Any]:
    """Those like a question, or a page of the timeline. Raises BadInput."""
    space, question = request.desk.then, request.GET.get("q", "").strip()
    return {"q": question, **(_similar_stories(space, question) if question else _timeline(request, space))}


def _similar_stories(space: Space, question: str) -> dict[str, Any]:
    """By similarity and recency."""
    found = [one for one in context.episodes_near(space, question, limit=_NEAR) if one.inherited_from is None]
    near = {one.memory.id: likeness(one.similarity, one.days) for one in found}
    return {"stories": stories_of(space, [one.memory for one in found], near=near), "total": len(found)}


def _timeline(request: PageRequest, space: Space) -> dict[str, Any]:
    asked, today = request.GET, human.now().date()
    days = summaries.day_density(space)
    zoom = asked.get("zoom") or zoom_for(days, today=today)
    if zoom not in ZOOMS:
        raise BadInput(f"“{zoom[:20]}” is not a zoom level. Known: {', '.join(ZOOMS)}.", field="zoom")
    picked, at = read_day(asked.get("on", ""), "on"), read_day(asked.get("at", ""), "at")
    since, until = bucket(picked, zoom) if picked else (None, None)
    found = summaries.episode_page(
        space,
        before=asked.get("before") or None,
        after=asked.get("after") or None,
        limit=_PAGE,
        since=since,
        until=until,
    )
    chart = density(days, zoom=zoom, today=today, at=at or picked, picked=since.date() if since else None)
    return {
        "stories": stories_of(space, found.episodes),
        "total": found.total,
        "chart": chart if days else None,
        "bars": [(one, address(asked, on=one.first.isoformat(), zoom=zoom) if one.count else "") for one in chart.bins],
        "zooms": [(key, name, key == zoom) for key, name in ZOOMS.items()],
        "picked": picked,
        "closer": {"month": "week", "week": "day"}.get(zoom, ""),
        "under_way": 0 if days or space.at else sessions.count(space.db)[1],
        "pager": Pager(
            address(asked, after=found.newer) if found.newer else "",
            address(asked, before=found.older) if found.older else "",
            f"{human.number(len(found.episodes))} of {human.count_text(found.total, 'episode')}"
            if found.total > len(found.episodes)
            else human.count_text(found.total, "episode"),
            _PAGE,
        ),
    }
