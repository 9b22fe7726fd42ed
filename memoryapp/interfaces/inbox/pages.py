"""The inbox: what was learned and waits, a key an act; the list comes back with each answer."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, Stale
from memoryapp.domain.memory import Category
from memoryapp.interfaces.inbox.presenter import excluded_of, inbox_of
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.access import PageRequest, page, redirect_with_message, say, show
from memoryapp.interfaces.pages.filters import moment_of, whole_number
from memoryapp.review.rewrite import ReviewResult
from memoryapp.store import memories

_ACTS: dict[str, tuple[Callable[..., ReviewResult], str]] = {
    "accept": (review.accept, "accepted"),
    "drop": (review.drop, "dropped"),
}


@require_GET
@page()
def inbox_page(request: PageRequest) -> HttpResponse:
    return show(request, "inbox/inbox.html", inbox_of(request.desk, request.GET), at="inbox")


@require_POST
@page(Role.CURATOR)
def act(request: PageRequest) -> HttpResponse:
    """Accepts or drops the facts named by `ids`, or all that waits as the filters say; with `session` of that one."""
    verb = request.POST.get("act", "")
    if verb not in _ACTS:
        raise BadInput(f"“{verb[:40]}” is no act of the inbox. Known: {', '.join(_ACTS)}.", field="act")
    do, became = _ACTS[verb]
    keys = _keys(request)
    done = do(request.desk.memory, keys, actor=request.desk.actor) if keys else None
    count = len(done.memories) if done else 0
    told = f"{human.count_text(count, 'fact')} {became}."
    if count == 1 and done:
        told = f"“{wording.excerpt(done.memories[0].text, limit=60)}” {became}."
    if left := len(keys) - count:
        told += f" {human.count_text(left, 'was', 'were')} dealt with before."
    return _list(request, told, run=done.run.id if done and done.changed else "")


@require_POST
@page(Role.CURATOR)
def never(request: PageRequest, key: str) -> HttpResponse:
    """Deletes a fact, and nothing like it is learned again."""
    done = review.exclude(request.desk.memory, key, actor=request.desk.actor)
    words = wording.excerpt(done.memories[0].text, limit=60)
    return _list(request, f"Facts like “{words}” are no longer learned.", run=done.run.id)


@require_POST
@page(Role.CURATOR)
def see(request: PageRequest) -> HttpResponse:
    """Marks all that was learned up to `until` as seen: what came after the page was drawn goes on waiting."""
    until = moment_of(request.POST, "until")
    if until is None:
        raise BadInput("Up to when was it seen?", field="until")
    run = review.see(request.desk.memory, until=until, actor=request.desk.actor)
    return _list(request, "All marked as seen.", run=run.id)


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def edit(request: PageRequest, key: str) -> HttpResponse:
    """The edit in the row's own place: GET opens it, POST saves it, and the fact leaves the inbox."""
    space = request.desk.memory
    memory = memories.get(space.db, key)
    context: dict[str, object] = {
        "key": key,
        "text": memory.text,
        "category": memory.category or "",
        "version": memory.version,
        "categories": [one.value for one in Category],
        "state": request.GET.urlencode(),
    }
    if request.method == "GET":
        return show(request, "inbox/edit.html#", context)
    text, category = request.POST.get("text", ""), request.POST.get("category", "")
    version = whole_number(request.POST.get("version", ""))
    fields = {"text": text, "category": category or None}
    try:
        done = review.edit(space, key, fields, actor=request.desk.actor, expected=version)
    except (BadInput, Stale) as error:
        typed = {"text": text, "category": category, "problem": error.detail}
        response = show(request, "inbox/edit.html#", context | typed, status=error.status)
        response["HX-Retarget"], response["HX-Reswap"] = f"#f-{key}", "outerHTML"
        return response
    return _list(request, "Saved." if done.changed else "No change.", run=done.run.id if done.changed else "")


@require_POST
@page(Role.CURATOR)
def set_exclusion(request: PageRequest, key: str) -> HttpResponse:
    """Changes from which likeness on something is like the fact."""
    typed = request.POST.get("likeness", "").strip().replace(",", ".")
    try:
        likeness = float(typed)
    except ValueError:
        raise BadInput(f"“{typed[:40]}” is not a number. Enter one such as 0.7.", field="likeness") from None
    done = review.set_likeness(request.desk.memory, key, likeness, actor=request.desk.actor)
    return _exclusions(request, "Saved." if done.changed else "No change.", run=done.run.id if done.changed else "")


@require_POST
@page(Role.CURATOR)
def remove_exclusion(request: PageRequest, key: str) -> HttpResponse:
    """Facts like this one are learned again."""
    done = review.allow(request.desk.memory, key, actor=request.desk.actor)
    words = wording.excerpt(done.memories[0].text, limit=60)
    return _exclusions(request, f"Facts like “{words}” are learned again.", run=done.run.id)


def _exclusions(request: PageRequest, told: str, *, run: str = "") -> HttpResponse:
    undo = reverse("run-undo", args=[run]) if run else ""
    if not request.htmx:
        return redirect_with_message(request, f"{reverse('settings')}#exclusions", told, undo=undo)
    lines = excluded_of(review.all_exclusions(request.desk.memory))
    return say(show(request, "inbox/exclusions.html#", {"exclusions": lines}), told, undo=undo)


def _keys(request: PageRequest) -> list[str]:
    sent = request.POST
    if sent.get("which") != "all":
        if not sent.getlist("ids"):
            raise BadInput("No fact is selected.", field="ids")
        return list(dict.fromkeys(sent.getlist("ids")))
    session = sent.get("session", request.GET.get("session"))
    until = moment_of(sent, "until")
    return list(
        review.waiting_ids(request.desk.memory, session=session, agent=request.GET.get("agent", ""), until=until)
    )


def _list(request: PageRequest, told: str, *, run: str = "") -> HttpResponse:
    context = {**inbox_of(request.desk, request.GET), "moved": True}
    response = show(request, "inbox/inbox.html#list", context, at="inbox")
    return say(response, told, undo=reverse("run-undo", args=[run]) if run else "")
