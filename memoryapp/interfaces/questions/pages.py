"""Open questions: what agents asked and found nothing clear for, as a page; dismissed, brought back, deleted."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from memoryapp.accounts.roles import Role
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, came_from, page, say, show, then
from memoryapp.store import questions


@require_GET
@page()
def questions_page(request: PageRequest) -> HttpResponse:
    return show(request, "questions/questions.html", _context(request), at="questions")


@require_POST
@page(Role.CURATOR)
def act(request: PageRequest, key: str, verb: str) -> HttpResponse:
    """Dismiss, restore or delete one; the list it stood in is drawn again by whoever listens for it."""
    db = request.desk.memory.db
    if verb == "delete":
        questions.delete(db, key)
        told, undo = "Question deleted.", ""
    else:
        questions.dismiss(db, key, dismissed=verb == "dismiss")
        told = "Question dismissed." if verb == "dismiss" else "Question restored."
        undo = reverse("question-act", args=[key, "restore"]) if verb == "dismiss" else ""
    if not request.htmx or verb == "restore":  # type: ignore[attr-defined]
        return then(request, came_from(request, reverse("questions")), told, undo=undo)
    return say(HttpResponse(), told, undo=undo)


@require_POST
@page(Role.CURATOR)
def clear(request: PageRequest) -> HttpResponse:
    deleted = questions.clear(request.desk.memory.db)
    return then(request, reverse("questions"), f"{human.counted(deleted, 'question')} deleted.")


def _context(request: PageRequest) -> dict[str, Any]:
    db = request.desk.memory.db
    dismissed = request.GET.get("show") == "dismissed"
    lists = {False: questions.every(db), True: questions.every(db, dismissed=True)}
    return {
        "questions": lists[dismissed],
        "dismissed": dismissed,
        "tabs": [
            ("", "Open", len(lists[False]), not dismissed),
            ("dismissed", "Dismissed", len(lists[True]), dismissed),
        ],
        "any": any(lists.values()),
        "most": questions.MOST,
        "floor": f"{request.desk.memory.tuning.relevance_floor:g}",
    }
