"""Feedback: which memories rose and fell by what agents said of them, with the factor that came of it; reset, and the
reset undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput
from memoryapp.domain.feedback import FeedbackEntry, MemoryFeedback
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.access import PageRequest, came_from, page, redirect_with_message, say, show
from memoryapp.interfaces.pages.filters import address
from memoryapp.interfaces.pages.paging import Pager
from memoryapp.review.feedback import feedback_ranking, place_of, reset_feedback, undo_reset
from memoryapp.spaces import Space
from memoryapp.store import memories, usage

WEEKS = 12
_HALF = 10.0  # units of the spark above and below its line
_FULL = 3  # words in a week that fill the half at least: one alone must not look like a flood
_LEAST = 2.0
PAGE = 25
_TABS = (("all", "All"), ("rose", "Rose"), ("fell", "Fell"))


@dataclass(frozen=True, slots=True)
class Bar:
    """A week of a spark: `up` and `down` are heights, `y` where the upper bar begins."""

    x: int
    y: float
    up: float
    down: float


@dataclass(frozen=True, slots=True)
class FeedbackLine:
    """`query` is the last question it was given for; `spark` is empty where nothing is known word by word. `low` and
    `width`: the factor on a bar from `1 − reach` to `1 + reach`, 100 units wide."""

    one: MemoryFeedback
    memory: Memory
    text: str
    lang: str
    query: str
    last_at: datetime | None
    spark: list[Bar]
    told: str
    low: float
    width: float

    @property
    def rose(self) -> bool:
        return self.one.factor > 1

    @property
    def held(self) -> bool:
        return self.memory.state is State.HELD


def lines_of(space: Space, items: Sequence[MemoryFeedback]) -> list[FeedbackLine]:
    keys = [one.memory for one in items]
    found, said = memories.get_many(space.db, keys), usage.feedback_of(space.db, keys)
    now, reach = timezone.now(), space.tuning.feedback_reach
    return [_line(one, found[one.memory], said.get(one.memory, ()), now, reach) for one in items if one.memory in found]


def _line(
    one: MemoryFeedback, memory: Memory, said: Sequence[FeedbackEntry], now: datetime, reach: float
) -> FeedbackLine:
    words = [word for word in said if word.reset is None]
    moved = 50 * min(abs(one.factor - 1) / reach, 1.0) if reach else 0.0
    return FeedbackLine(
        one=one,
        memory=memory,
        text=wording.excerpt(memory.text, limit=200),
        lang=wording.language(memory.text),
        query=next((word.query for word in words if word.query), ""),
        last_at=words[0].at if words else None,
        spark=spark(words, now=now),
        told=f"{human.number(one.used)} times used, {human.number(one.not_useful)} times not useful",
        low=round(50 - moved, 1) if one.factor < 1 else 50.0,
        width=round(moved, 1),
    )


def spark(said: Sequence[FeedbackEntry], *, now: datetime) -> list[Bar]:
    """The last weeks, the oldest first: used above the line, not useful below it."""
    up, down = [0] * WEEKS, [0] * WEEKS
    for word in said:
        week = WEEKS - 1 - int((now - word.at) / timedelta(weeks=1))
        if 0 <= week < WEEKS:
            up[week] += word.used
            down[week] += word.not_useful
    top = max(*up, *down, _FULL)
    if not any(up) and not any(down):
        return []
    tall = [(_bar_height(up[n], top), _bar_height(down[n], top)) for n in range(WEEKS)]
    return [Bar(n * 5, round(_HALF - high, 1), high, low) for n, (high, low) in enumerate(tall)]


def _bar_height(count: int, top: int) -> float:
    return round(max(_HALF * count / top, _LEAST), 1) if count > 0 else 0.0


@require_GET
@page()
def feedback_page(request: PageRequest) -> HttpResponse:
    return show(request, "feedback/feedback.html", _context(request), at="feedback")


@require_POST
@page(Role.CURATOR)
def reset(request: PageRequest) -> HttpResponse:
    """The factor of the picked memories is 1 again, as if nothing had been said of them."""
    only = request.POST.get("only", "")  # its own button, whatever else is picked
    ids = [only] if only else request.POST.getlist("ids")
    if not ids:
        raise BadInput("No memory is selected.", field="ids")
    key = reset_feedback(request.desk.memory, ids, actor=request.desk.actor)
    undo = reverse("feedback-undo", args=[key])
    told = f"Feedback on {human.count_text(len(set(ids)), 'memory', 'memories')} no longer counts."
    if not request.htmx:
        return redirect_with_message(request, came_from(request, reverse("feedback")), told, undo=undo)
    return say(show(request, "feedback/feedback.html#list", _context(request)), told, undo=undo)


@require_POST
@page(Role.CURATOR)
def undo(request: PageRequest, key: str) -> HttpResponse:
    given = undo_reset(request.desk.memory, key)
    told = f"Feedback on {human.count_text(given, 'memory', 'memories')} counts again."
    return redirect_with_message(request, came_from(request, reverse("feedback")), told)


def _context(request: PageRequest) -> dict[str, Any]:
    asked, space = request.GET, request.desk.memory
    side = asked.get("side") or "all"
    kind, after = _kind(asked.get("kind", "")), _read_cursor(asked.get("after", ""))
    found = feedback_ranking(space, side=side, kind=kind, after=after, limit=PAGE)
    counts = {"all": found.rose + found.fell + found.even, "rose": found.rose, "fell": found.fell}
    last = found.items[-1] if found.more else None
    older = address(asked, after=f"{-place_of(last)[0]!r}~{last.memory}") if last else ""
    return {
        "lines": lines_of(space, found.items),
        "tabs": [(key, name, counts[key], key == side) for key, name in _TABS],
        "said": counts["all"],
        "kinds": [(kind.value, kind.value == asked.get("kind")) for kind in Kind],
        "kind": asked.get("kind", ""),
        "reach": round(100 * space.tuning.feedback_reach),
        "pager": Pager(
            newer=address(asked) if asked.get("after") else "",
            older=older,
            shown=f"{human.number(len(found.items))} of {human.count_text(counts[side], 'memory', 'memories')}, "
            "largest effect first",
            size=PAGE,
            back="First",
            on="Next",
        ),
    }


def _kind(text: str) -> Kind | None:
    try:
        return Kind(text) if text else None
    except ValueError:
        raise BadInput(f"“{text[:40]}” is not a kind. Known: {', '.join(Kind)}.", field="kind") from None


def _read_cursor(text: str) -> tuple[float, str] | None:
    if not text:
        return None
    distance, _, key = text.partition("~")
    try:
        return float(distance), key
    except ValueError:
        raise BadInput("This page's address is invalid. Start again from the first page.", field="after") from None
