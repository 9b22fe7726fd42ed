"""The list of memories (filters and sort in the address, bulk acts, inline edit, writing one), and one memory: its
words, trust, source, entities, layers, and everything a person may do to it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.domain.document import Document
from memoryapp.domain.errors import BadInput, NotFound, Stale
from memoryapp.domain.memory import Category, Kind, Memory
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.interfaces.memories.presenter import begun, case_of, memory_then, purge_word, words_of
from memoryapp.interfaces.pages import filters, human
from memoryapp.interfaces.pages.access import PageRequest, came_from, page, redirect_with_message, say, show
from memoryapp.interfaces.pages.clock import EITHER
from memoryapp.interfaces.pages.filters import whole_number
from memoryapp.interfaces.pages.paging import MEMORIES, Listing, Pager, list_of, listing_of, one_row, row_words, sort_of
from memoryapp.interfaces.tree.editing import taken_back
from memoryapp.remember import remember
from memoryapp.review.redaction import readable
from memoryapp.review.rewrite import ReviewResult
from memoryapp.spaces import Space, trust_of
from memoryapp.store import documents, memories

_LINES, _CHARACTERS, _WIDEST = 300, 40_000, 2_000  # keep the page under 100 KB
BULK = {
    "archive": "archived",
    "delete": "deleted",
    "restore": "restored",
    "tag": "tagged",
    "confirm": "confirmed",
    "category": "set to {}",
}


@require_GET
@page(follows=EITHER)
def memory_page(request: PageRequest, key: str) -> HttpResponse:
    known = _read(request, key)
    at = "facts" if known.kind is Kind.FACT else "memories"
    memory = memory_then(request.desk.then, known)
    if memory is None:
        return show(request, "memories/not_then.html", {"known": known, "begun": begun(known)}, at=at, status=404)
    context = case_of(request.desk, memory, all_layers=request.GET.get("layers") == "all")
    return show(request, "memories/memory.html", context, at=at)


@require_GET
@page(follows=EITHER)
def words(request: PageRequest, key: str) -> HttpResponse:
    """The words again, after an edit that was left."""
    known = _read(request, key)
    return show(
        request, "memories/words.html#", words_of(request.desk.then, memory_then(request.desk.then, known) or known)
    )


def _read(request: PageRequest, key: str) -> Memory:
    """Raises NotFound; deleted words are read by curators alone."""
    memory = memories.get(request.desk.memory.db, key)
    readable(memory, may_decide=request.desk.role.allows(Role.CURATOR))
    return memory


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def edit(request: PageRequest, key: str) -> HttpResponse:
    """GET opens the edit in the words' place; POST saves it and draws the memory anew."""
    space = request.desk.memory
    memory = memories.get(space.db, key)
    context: dict[str, Any] = {"categories": [c.value for c in Category], **words_of(space, memory)}
    if request.method == "GET":
        return show(request, "memories/edit.html#", {**context, "text": memory.text, "version": memory.version})
    asked = request.POST
    fields: dict[str, Any] = {"text": asked.get("text", ""), "tags": _tags(asked.get("tags", ""))}
    if "category" in asked:
        fields["category"] = asked["category"] or None
    expected = whole_number(asked.get("version", ""))
    try:
        fields |= _days(memory, asked)
        done = review.edit(
            space, key, fields, actor=request.desk.actor, expected=expected, reason=asked.get("reason", "")[:300]
        )
    except (BadInput, Stale) as error:
        newer = memory.text if isinstance(error, Stale) else ""
        kept = {"text": fields["text"], "version": memory.version, "problem": _problem(error), "newer": newer}
        response = show(request, "memories/edit.html#", {**context, **kept}, status=error.status)
        response["HX-Retarget"] = "#words"
        return response
    if not done.changed:
        return say(memory_body(request, key), "No change.")
    return say(memory_body(request, key), "Saved.", undo=reverse("run-undo", args=[done.run.id]))


def _days(memory: Memory, asked: QueryDict) -> dict[str, Any]:
    """Midnight of each day that was put in; a day that was left as it stood keeps its hour. Raises BadInput."""
    named = {name: filters.day_of(asked, name) for name in ("expires_at", "review_at") if name in asked}
    stood = {name: getattr(memory, name) for name in named}
    return {name: day for name, day in named.items() if _midnight(stood[name]) != day}


def _midnight(moment: datetime | None) -> datetime | None:
    return moment and timezone.localtime(moment).replace(hour=0, minute=0, second=0, microsecond=0)


@require_POST
@page(Role.CURATOR)
def act(request: PageRequest, key: str, verb: str) -> HttpResponse:
    """Confirm, pin, archive, delete, restore, or go back to the file's words."""
    space, actor = request.desk.memory, request.desk.actor
    memory = memories.get(space.db, key)
    if verb == "confirm":
        done, told = review.confirm(space, [key], actor=actor), "Confirmed."
    elif verb == "pin":
        done = review.pin(space, [key], actor=actor, pinned=not memory.pinned)
        told = "Unpinned." if memory.pinned else "Pinned: decay never archives it."
    elif verb == "archive":
        done, told = review.archive(space, [key], actor=actor), "Archived."
    elif verb == "delete":
        done, told = review.delete(space, [key], actor=actor), "Deleted. It can be restored until it is purged."
    elif verb == "restore":
        done, told = review.hold(space, [key], actor=actor), "Restored."
    elif verb == "revert" and memory.source_text is not None:
        done = review.edit(space, key, {"text": memory.source_text}, actor=actor, reason="reverted to the file's text")
        told = "Reverted to the file's text."
    else:
        raise NotFound(f"“{verb[:40]}” cannot be done to this memory.")
    return say(memory_body(request, key), told, undo=reverse("run-undo", args=[done.run.id]) if done.changed else "")


@require_POST
@page(Role.CURATOR)
def restore(request: PageRequest, key: str, revision: str) -> HttpResponse:
    done = review.restore_revision(request.desk.memory, key, revision, actor=request.desk.actor)
    return say(memory_body(request, key), "Restored as a new layer.", undo=reverse("run-undo", args=[done.run.id]))


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def purge(request: PageRequest, key: str) -> HttpResponse:
    """GET says what else tells it, before the word is typed. POST purges for good, only with the word; the answer is
    the receipt."""
    if request.method == "GET":
        told = review.preview_purge(request.desk.memory, key, actor=request.desk.actor)
        return show(request, "memories/receipt.html#elsewhere", {"receipt": told})
    if request.POST.get("word", "").strip() != purge_word(key):
        raise BadInput(f"Type {purge_word(key)} to purge this memory. Nothing was changed.", field="word")
    receipt = review.purge(request.desk.memory, key, actor=request.desk.actor)
    removed = [(place, f"{count} removed") for place, count in receipt.removed.items()]
    left = [(place, f"{count} left") for place, count in receipt.left.items()]
    context = {"receipt": receipt, "lines": removed + left}
    return show(request, "memories/receipt.html", context, at="memories")


@require_GET
@page()
def document(request: PageRequest, key: str) -> HttpResponse:
    """A document as it was read, with the memories cut from it beside their lines."""
    space = request.desk.memory
    found = documents.get(space.db, key)
    cuts = [m for m in memories.of_document(space.db, key) if m.origin.first_line]
    start = whole_number(request.GET.get("line", "")) or 1
    lines = found.text.splitlines()
    shown = _lines(lines, start, cuts)
    end = start + len(shown)
    pager = Pager(
        f"?line={max(start - _LINES, 1)}" if start > 1 else "",
        f"?line={end}" if end <= len(lines) else "",
        f"lines {start} to {end - 1} of {len(lines)}" if shown else f"{len(lines)} lines",
        _LINES,
        "Above",
        "Below",
    )
    context = {"document": found, "lines": shown, "cuts": cuts, "pager": pager}
    return show(request, "memories/document.html", {**context, "source_name": _source_name(space, found)}, at="ingest")


def _lines(lines: list[str], start: int, cuts: list[Memory]) -> list[dict[str, Any]]:
    """The lines from `start` (from 1), each with the memory that begins there; as many as fit on a page."""
    opens = {m.origin.first_line: m for m in reversed(cuts)}
    inside = {n for m in cuts for n in range(m.origin.first_line or 0, (m.origin.last_line or 0) + 1)}
    shown: list[dict[str, Any]] = []
    room = _CHARACTERS
    for n, line in enumerate(lines[start - 1 : start - 1 + _LINES], start=start):
        room -= min(len(line), _WIDEST)
        if room < 0 and shown:
            break
        shown.append({"n": n, "text": line[:_WIDEST], "cut": n in inside, "opens": opens.get(n)})
    return shown


def _problem(error: BadInput | Stale) -> str:
    if isinstance(error, Stale):
        return (
            "This memory was changed while you were editing. Your text is kept here; "
            "saving now overwrites the newer version."
        )
    return error.detail


def _tags(text: str) -> tuple[str, ...]:
    return tuple(tag.strip() for tag in text.split(",") if tag.strip())


def _source_name(space: Space, found: Document) -> str:
    try:
        return documents.source(space.db, found.source).name
    except NotFound:
        return "a source that was forgotten"


def memory_body(request: PageRequest, key: str) -> HttpResponse:
    """The memory drawn anew, in its place on its page."""
    memory = memories.get(request.desk.memory.db, key)
    context = case_of(request.desk, memory, all_layers=request.GET.get("layers") == "all")
    return show(request, "memories/memory.html#body", context)


@require_GET
@page(follows=EITHER)
def memories_page(request: PageRequest) -> HttpResponse:
    return show(request, "memories/list.html", list_of(request, MEMORIES), at="memories")


@require_POST
@page(Role.CURATOR)
def bulk(request: PageRequest) -> HttpResponse:
    return bulk_act(request, MEMORIES)


def bulk_act(request: PageRequest, listing: Listing) -> HttpResponse:
    """One act on the picked memories, as one run; the list comes back with a message and its Undo."""
    act, ids = request.POST.get("act", ""), request.POST.getlist("ids")
    if act not in BULK:
        raise BadInput(f"“{act[:40]}” cannot be done to a list.", field="act")
    if not ids:
        raise BadInput(f"No {listing.one} is selected.", field="ids")
    done = _do_act(request, act, ids)
    response = show(request, "memories/list.html#list", list_of(request, listing), at=listing.name)
    became = BULK[act].format(request.POST.get("category") or "no category")
    told = f"{human.count_text(len(done.memories), listing.one, listing.many)} {became}."
    return say(response, told, undo=reverse("run-undo", args=[done.run.id]) if done.changed else "")


def _do_act(request: PageRequest, act: str, ids: list[str]) -> ReviewResult:
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
def write_memory(request: PageRequest) -> HttpResponse:
    """Writes one memory and leads to it; back `home` from the first steps."""
    asked = request.POST
    form = {name: asked.get(name, "") for name in ("text", "kind", "category", "tags", "home")}
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
        return redirect_with_message(request, reverse("conflict", args=[became.conflict]), at_odds)
    told = {Became.WRITTEN: "Saved.", Became.REINFORCED: "Already known; its trust increased."}
    to = reverse("home") if form["home"] else reverse("memory", args=[became.id])
    return redirect_with_message(request, to, told.get(became.outcome, "Already known."))


@require_GET
@page()
def memory_row(request: PageRequest, key: str) -> HttpResponse:
    return show(request, "memories/list.html#row", _row(request, key))


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def memory_line(request: PageRequest, key: str) -> HttpResponse:
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
@page(follows=EITHER)
def trust_reason(request: PageRequest, key: str) -> HttpResponse:
    """The waterfall that a trust bar opens."""
    space, known = request.desk.then, _read(request, key)
    memory = memory_then(space, known) or known
    return show(request, "memories/why.html#", {"trust": trust_of(space, [memory])[memory.id]})


@require_POST
@page(Role.CURATOR)
def undo_run(request: PageRequest, run: str) -> HttpResponse:
    """Takes a whole run back, and draws the page anew."""
    told = taken_back(request.desk.memory, run, actor=request.desk.actor)
    return redirect_with_message(request, came_from(request), told)


def _row(request: PageRequest, key: str, *, came: bool = False) -> dict[str, object]:
    """One line of the list that the address names."""
    listing = listing_of(request.GET)
    return {
        "row": one_row(request.desk.memory, key, came=came),
        **row_words(listing, sort_of(request.GET, listing)),
    }
