"""The list of memories: filters and sort in the address, bulk acts, inline edit, writing one."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, Stale
from memoryapp.domain.memory import Category, Kind
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, came_from, page, say, show, then
from memoryapp.interfaces.pages.numbers import whole_number
from memoryapp.interfaces.pages.paging import MEMORIES, Listing, list_of, listing_of, one_row, row_words, sort_of
from memoryapp.interfaces.tree.editing import taken_back
from memoryapp.remember import remember
from memoryapp.review.rewrite import Done
from memoryapp.spaces import trust_of
from memoryapp.store import memories

BULK = {
    "archive": "archived",
    "delete": "deleted",
    "restore": "restored",
    "tag": "tagged",
    "confirm": "confirmed",
    "category": "set to {}",
}


@require_GET
@page()
def listed(request: PageRequest) -> HttpResponse:
    return show(request, "memories/list.html", list_of(request, MEMORIES), at="memories")


@require_POST
@page(Role.CURATOR)
def bulk(request: PageRequest) -> HttpResponse:
    return picked(request, MEMORIES)


def picked(request: PageRequest, listing: Listing) -> HttpResponse:
    """One act on the picked memories, as one run; the list comes back with a message and its Undo."""
    act, ids = request.POST.get("act", ""), request.POST.getlist("ids")
    if act not in BULK:
        raise BadInput(f"“{act[:40]}” cannot be done to a list.", field="act")
    if not ids:
        raise BadInput(f"No {listing.one} is selected.", field="ids")
    done = _done(request, act, ids)
    response = show(request, "memories/list.html#list", list_of(request, listing), at=listing.name)
    became = BULK[act].format(request.POST.get("category") or "no category")
    told = f"{human.counted(len(done.memories), listing.one, listing.many)} {became}."
    return say(response, told, undo=reverse("run-undo", args=[done.run.id]) if done.changed else "")


def _done(request: PageRequest, act: str, ids: list[str]) -> Done:
    space, actor = request.desk.memory, request.desk.actor
    if act == "archive":
        return review.archive(space, ids, actor=actor)
    if act == "delete":
        return review.delete(space, ids, actor=actor)
    if act == "restore":
        return review.hold(space, ids, actor=actor)
    if act == "confirm":
        return review.confirm(space, ids, actor=actor)
    if act == "category":
        return review.categorise(space, ids, _category(request.POST.get("category", "")), actor=actor)
    return review.tag(space, ids, add=(request.POST.get("tag", ""),), actor=actor)


def _category(value: str) -> Category | None:
    try:
        return Category(value) if value else None
    except ValueError:
        known = ", ".join(Category)
        raise BadInput(f"“{value[:40]}” is not a category. Known: {known}.", field="category") from None


@require_POST
@page(Role.WRITER)
def write(request: PageRequest) -> HttpResponse:
    asked = request.POST
    form = {name: asked.get(name, "") for name in ("text", "kind", "category", "tags")}
    try:
        item = NewMemory(
            text=form["text"],
            kind=Kind.FACT if form["kind"] == "fact" else Kind.NOTE,
            category=Category(form["category"]) if form["category"] and form["kind"] == "fact" else None,
            tags=tuple(t.strip() for t in form["tags"].split(",") if t.strip()),
        )
        became = remember(request.desk.memory, [item], actor=request.desk.actor)[0]
    except (BadInput, ValueError) as error:
        problem = error.detail if isinstance(error, BadInput) else "That is not a category."
        context = {"form": form, "problem": problem, "categories": [c.value for c in Category]}
        return show(request, "memories/write.html#form", context, status=422)
    if became.conflict:
        at_odds = "Saved. It conflicts with an existing fact: decide which holds."
        return then(request, reverse("conflict", args=[became.conflict]), at_odds)
    told = {Became.WRITTEN: "Saved.", Became.REINFORCED: "Already known; its trust increased."}
    return then(request, reverse("memory", args=[became.id]), told.get(became.outcome, "Already known."))


@require_GET
@page()
def row(request: PageRequest, key: str) -> HttpResponse:
    return show(request, "memories/list.html#row", _row(request, key))


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def line(request: PageRequest, key: str) -> HttpResponse:
    """The edit in the row's own place: GET opens it, POST saves it."""
    space = request.desk.memory
    memory = memories.get(space.db, key)
    if request.method == "GET":
        filled = {"text": memory.text, "version": memory.version, "category": memory.category or ""}
        return show(request, "memories/line.html#", _row(request, key) | filled)
    text, version = request.POST.get("text", ""), whole_number(request.POST.get("version", ""))
    fields: dict[str, object] = {"text": text}
    if memory.kind == Kind.FACT:
        fields["category"] = request.POST.get("category") or None
    try:
        done = review.edit(space, key, fields, actor=request.desk.actor, expected=version)
    except (BadInput, Stale) as error:
        kept = {"text": text, "version": memory.version, "category": fields.get("category", "")}
        told = _row(request, key) | kept | {"problem": error.detail}
        return show(request, "memories/line.html#", told, status=error.status)
    response = show(request, "memories/list.html#row", _row(request, key, came=True))
    if not done.changed:
        return say(response, "No change.")
    return say(response, "Saved.", undo=reverse("run-undo", args=[done.run.id]))


@require_GET
@page()
def why(request: PageRequest, key: str) -> HttpResponse:
    """The waterfall that a trust bar opens."""
    space = request.desk.memory
    memory = memories.get(space.db, key)
    return show(request, "memories/why.html#", {"trust": trust_of(space, [memory])[memory.id]})


@require_POST
@page(Role.CURATOR)
def undo(request: PageRequest, run: str) -> HttpResponse:
    """Takes a whole run back, and draws the page anew."""
    told = taken_back(request.desk.memory, run, actor=request.desk.actor)
    return then(request, came_from(request), told)


def _row(request: PageRequest, key: str, *, came: bool = False) -> dict[str, object]:
    """One line of the list that the address names."""
    listing = listing_of(request.GET)
    return {
        "row": one_row(request.desk.memory, key, came=came),
        **row_words(listing, sort_of(request.GET, listing)),
    }
