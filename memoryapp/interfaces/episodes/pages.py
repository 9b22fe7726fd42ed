"""Episodes: how many a day, and one after the other; or those like a question, the recent ones first among equals."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from memoryapp import context, summaries
from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.episodes.presenter import likeness, stories_of
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, page, show
from memoryapp.interfaces.pages.density import ZOOMS, bucket, density, read_day, zoom_for
from memoryapp.interfaces.pages.filters import address
from memoryapp.interfaces.pages.paging import Pager
from memoryapp.spaces import Space
from memoryapp.store import sessions

_PAGE = 15
_NEAR = 20


@require_GET
@page()
def episodes_page(request: PageRequest) -> HttpResponse:
    return show(request, "episodes/episodes.html", listed(request), at="episodes")


def listed(request: PageRequest) -> dict[str, Any]:
    """Those like a question, or a page of the timeline. Raises BadInput."""
    space, question = request.desk.memory, request.GET.get("q", "").strip()
    return {"q": question, **(_like(space, question) if question else _timeline(request, space))}


def _like(space: Space, question: str) -> dict[str, Any]:
    """By similarity and recency."""
    found = [one for one in context.episodes_near(space, question, limit=_NEAR) if one.inherited_from is None]
    near = {one.memory.id: likeness(one.similarity, one.days) for one in found}
    return {"stories": stories_of(space, [one.memory for one in found], near=near), "total": len(found)}


def _timeline(request: PageRequest, space: Space) -> dict[str, Any]:
    asked, today = request.GET, timezone.now().date()
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
        "under_way": 0 if days else sessions.count(space.db)[1],
        "pager": Pager(
            address(asked, after=found.newer) if found.newer else "",
            address(asked, before=found.older) if found.older else "",
            f"{human.number(len(found.episodes))} of {human.counted(found.total, 'episode')}"
            if found.total > len(found.episodes)
            else human.counted(found.total, "episode"),
            _PAGE,
        ),
    }
