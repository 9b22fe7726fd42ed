"""The review page: the queue beside one case, a key a verdict; the next case comes with the answer."""

from __future__ import annotations

import json
import re
from datetime import timedelta

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.domain.conflict import Conflict, Outcome, Scope
from memoryapp.domain.errors import BadInput, Clash, NotFound
from memoryapp.interfaces.conflicts.presenter import ConflictsQuery, accepting, asked_of, changes_of, judge_of
from memoryapp.interfaces.conflicts.verdicts import done_told, proposed_told
from memoryapp.interfaces.memories.pages import memory_body
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.access import PageRequest, page, redirect_with_message, say, show
from memoryapp.interfaces.pages.filters import day_of

_LAST = "decided"  # the cookie with the reader's last decision
_SLEEPS = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}


@require_GET
@page()
def conflicts_page(request: PageRequest, key: str = "") -> HttpResponse:
    """`key` opens that case; without one the first of the queue. htmx is given what lies inside #judge."""
    asked = asked_of(request.GET)
    context = judge_of(request.desk, asked, key=key, last=_last(request))
    if request.htmx and request.htmx.target == "judge":
        return show(request, "conflicts/conflicts.html#judge", {**context, "moved": True}, at="conflicts")
    return show(request, "conflicts/conflicts.html", context, at="conflicts")


@require_GET
@page()
def changes(request: PageRequest, key: str) -> HttpResponse:
    """What each outcome would change, counted when it is asked for."""
    return show(request, "conflicts/changes.html#", changes_of(request.desk, key))


@require_POST
@page(Role.WRITER)
def decide(request: PageRequest, key: str, outcome: str) -> HttpResponse:
    """A curator decides; what a writer says is kept as a proposal. The answer holds the next case."""
    asked, chosen = asked_of(request.GET), Outcome(outcome)
    space, actor, sent = request.desk.memory, request.desk.actor, request.POST
    text, reason = sent.get("text") or None, sent.get("reason", "").strip()[:300]
    if not request.desk.role.allows(Role.CURATOR):
        told = "; ".join(filter(None, (reason, _scope_told(_scope(request)))))
        review.propose(space, key, chosen, actor=actor, text=text, reason=told)
        return _show_next_case(request, asked, told=proposed_told(chosen))
    try:
        conflict, _ = review.decide(space, key, chosen, actor=actor, text=text, reason=reason, scope=_scope(request))
    except (Clash, NotFound) as error:
        if request.htmx.target == "memory":
            raise
        return _show_next_case(request, asked, told=error.detail)
    told, undo = done_told(chosen, _words(request, conflict)), reverse("conflict-undo", args=[key])
    if request.htmx.target == "memory":
        return say(memory_body(request, conflict.existing), told, undo=undo)
    return _show_next_case(request, asked, told=told, undo=f"{undo}?{asked.query}", last=key)


@require_POST
@page(Role.CURATOR)
def snooze(request: PageRequest, key: str) -> HttpResponse:
    """Puts a case off for an hour, a day or a week, or wakes it."""
    asked, span = asked_of(request.GET), request.POST.get("for") or request.GET.get("for", "")
    space, actor = request.desk.memory, request.desk.actor
    if span == "wake":
        conflict = review.snooze(space, key, until=None, actor=actor)
        return _open(request, conflict.id, "It is waiting again.")
    if span not in _SLEEPS:
        raise BadInput(f"Snooze for {', '.join(_SLEEPS)}; not “{span[:20]}”.", field="for")
    until = space.clock() + _SLEEPS[span]
    review.snooze(space, key, until=until, actor=actor)
    wake = f"{reverse('conflict-snooze', args=[key])}?{asked.query}&for=wake"
    return _show_next_case(request, asked, told=f"Snoozed until {human.moment(until)}.", undo=wake)


@require_POST
@page(Role.CURATOR)
def undo(request: PageRequest, key: str) -> HttpResponse:
    """Takes a decision back, made by hand or by itself; the case is opened, waiting again."""
    review.undo_decision(request.desk.memory, key, actor=request.desk.actor)
    response = _open(request, key, "Undone. It is waiting again.")
    response.delete_cookie(_LAST, path=reverse("conflicts"), samesite="Lax")
    return response


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def accept(request: PageRequest) -> HttpResponse:
    """Proposals of several cases: GET counts and lists them, POST accepts them in one run."""
    asked, space = asked_of(request.GET), request.desk.memory
    if request.method == "GET":
        return show(request, "conflicts/accept.html#", accepting(request.desk, request.GET))
    keys = list(dict.fromkeys(request.POST.getlist("ids")))
    if not keys:
        raise BadInput("No conflict is selected.", field="ids")
    done = review.decide_many(space, keys, outcome=None, actor=request.desk.actor, reason="proposals accepted")
    told = f"{human.count_text(len(done.decided), 'proposal')} accepted."
    if done.left:
        told += f" {human.count_text(len(done.left), 'case')} not decided: {done.left[0][1]}"
    undo_all = reverse("run-undo", args=[done.run.id]) if done.run else ""
    return _show_next_case(request, asked, told=told, undo=undo_all)


def _scope(request: PageRequest) -> Scope | None:
    """Where or since when each side holds, as the reader stated it. Raises BadInput for what is no day."""
    sent = request.POST
    one, other = sent.get("scope_existing", "").strip()[:100], sent.get("scope_incoming", "").strip()[:100]
    ended = day_of(sent, "ended")
    return Scope(one, other, ended) if one or other or ended else None


def _scope_told(scope: Scope | None) -> str:
    """What a writer says of it goes into the reason of the proposal: a curator sees it and decides."""
    if scope is None:
        return ""
    parts = [f"A for “{scope.existing}”" * bool(scope.existing), f"B for “{scope.incoming}”" * bool(scope.incoming)]
    parts.append(f"A until {human.day(scope.ended_at)}, B from then on" if scope.ended_at else "")
    return ", ".join(filter(None, parts))


def _words(request: PageRequest, conflict: Conflict) -> str:
    from memoryapp.store import memories  # the words as they stand after the decision

    held = memories.find(request.desk.memory.db, conflict.existing)
    return wording.excerpt(held.text, limit=60) if held else conflict.existing


def _last(request: PageRequest) -> str:
    kept = request.COOKIES.get(_LAST, "")
    return kept if re.fullmatch(r"[0-9a-f]{16}", kept) else ""


def _show_next_case(
    request: PageRequest, asked: ConflictsQuery, *, told: str, undo: str = "", last: str = ""
) -> HttpResponse:
    """The case that the page had ready as the next one, or the first of what still waits. `last` was decided just now;
    the browser keeps it, so that "u" takes it back from any case."""
    kept = last or _last(request)
    context = judge_of(request.desk, asked, key=request.POST.get("next", ""), lenient=True, last=kept)
    response = show(request, "conflicts/conflicts.html#judge", {**context, "moved": True}, at="conflicts")
    shown = context["case"]
    to = reverse("conflict", args=[shown["key"]]) if shown else reverse("conflicts")
    response["HX-Replace-Url"] = f"{to}?{asked.query}"
    if last:
        response.set_cookie(_LAST, last, max_age=12 * 3600, path=reverse("conflicts"), httponly=True, samesite="Lax")
    return say(response, told, undo=undo)


def _open(request: PageRequest, key: str, told: str) -> HttpResponse:
    """Opens a case: in its place on the review page, by going there from anywhere else."""
    to = f"{reverse('conflict', args=[key])}?{urlencode({'tab': 'waiting'})}"
    if f"{reverse('conflicts')}" not in request.headers.get("HX-Current-URL", ""):
        return redirect_with_message(request, to, told)
    response = HttpResponse(status=204)
    response["HX-Location"] = json.dumps({"path": to, "target": "#judge", "swap": "innerHTML"})
    return say(response, told)
