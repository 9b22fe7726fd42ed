"""One memory: its words, trust, source, entities, layers; and everything a person may do to it."""

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
from memoryapp.interfaces.memories.presenter import case_of, purge_word, words_of
from memoryapp.interfaces.pages import filters
from memoryapp.interfaces.pages.access import PageRequest, page, say, show
from memoryapp.interfaces.pages.numbers import whole_number
from memoryapp.interfaces.pages.paging import Pager
from memoryapp.review.withheld import readable
from memoryapp.spaces import Space
from memoryapp.store import documents, memories


@require_GET
@page()
def memory_page(request: PageRequest, key: str) -> HttpResponse:
    readable(memories.get(request.desk.memory.db, key), may_decide=request.desk.may.decide)
    context = case_of(request.desk, key, all_layers=request.GET.get("layers") == "all")
    at = "facts" if context["memory"].kind is Kind.FACT else "memories"
    return show(request, "memories/memory.html", context, at=at)


@require_GET
@page()
def words(request: PageRequest, key: str) -> HttpResponse:
    """The words again, after an edit that was left."""
    readable(memories.get(request.desk.memory.db, key), may_decide=request.desk.may.decide)
    return show(request, "memories/words.html#", words_of(request.desk.memory, key))


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def edit(request: PageRequest, key: str) -> HttpResponse:
    """GET opens the edit in the words' place; POST saves it and draws the memory anew."""
    space = request.desk.memory
    memory = memories.get(space.db, key)
    context: dict[str, Any] = {"categories": [c.value for c in Category], **words_of(request.desk.memory, key)}
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


_LINES, _CHARACTERS, _WIDEST = 300, 40_000, 2_000  # keep the page under 100 KB


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
    return show(
        request, "memories/memory.html#body", case_of(request.desk, key, all_layers=request.GET.get("layers") == "all")
    )
