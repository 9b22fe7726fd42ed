"""What an act on the graph answers: a message with its undo, on whichever page it was done."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django_htmx.http import trigger_client_event

from memoryapp.domain.change import Run
from memoryapp.web.access import PageRequest, came_from, say, then

CHANGED = "graph-changed"  # what pages listen for, to draw anew what they show of it


def done(request: PageRequest, told: str, run: Run | None = None, *, undo: str = "", to: str = "") -> HttpResponse:
    """Over htmx the message and the event, nothing to swap; without scripts, or with `to`, on to a page that says it.
    `run` is what its undo takes back; `undo` another address that does."""
    undo = undo or (reverse("run-undo", args=[run.id]) if run else "")
    if to or not request.htmx:  # type: ignore[attr-defined]
        return then(request, to or came_from(request, reverse("entities")), told, undo=undo)
    return trigger_client_event(say(HttpResponse(status=204), told, undo=undo), CHANGED, {})
