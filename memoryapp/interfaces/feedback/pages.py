"""Feedback: what rose and what fell by what agents said of it; taken back, and that undone."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Kind
from memoryapp.interfaces.feedback.presenter import lines_of
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, came_from, page, say, show, then
from memoryapp.interfaces.pages.filters import address
from memoryapp.interfaces.pages.paging import Pager
from memoryapp.review.feedback import place_of, reset_feedback, undo_reset, weighed

PAGE = 25
_TABS = (("all", "All"), ("rose", "Rose"), ("fell", "Fell"))


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
    told = f"Feedback on {human.counted(len(set(ids)), 'memory', 'memories')} no longer counts."
    if not request.htmx:  # type: ignore[attr-defined]
        return then(request, came_from(request, reverse("feedback")), told, undo=undo)
    return say(show(request, "feedback/feedback.html#list", _context(request)), told, undo=undo)


@require_POST
@page(Role.CURATOR)
def undo(request: PageRequest, key: str) -> HttpResponse:
    given = undo_reset(request.desk.memory, key)
    told = f"Feedback on {human.counted(given, 'memory', 'memories')} counts again."
    return then(request, came_from(request, reverse("feedback")), told)


def _context(request: PageRequest) -> dict[str, Any]:
    asked, space = request.GET, request.desk.memory
    side = asked.get("side") or "all"
    kind, after = _kind(asked.get("kind", "")), _after(asked.get("after", ""))
    found = weighed(space, side=side, kind=kind, after=after, limit=PAGE)
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
            shown=f"{human.number(len(found.items))} of {human.counted(counts[side], 'memory', 'memories')}, "
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


def _after(text: str) -> tuple[float, str] | None:
    if not text:
        return None
    distance, _, key = text.partition("~")
    try:
        return float(distance), key
    except ValueError:
        raise BadInput("This page's address is invalid. Start again from the first page.", field="after") from None
