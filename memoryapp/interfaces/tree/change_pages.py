"""What a person does to the tree: nodes made, edited, moved, merged, deleted, split; lines taken in and freshened."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods, require_POST

from memoryapp import tree
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, Clash, NotFound, PalimpsestError, Stale
from memoryapp.domain.node import parent_of
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, page, show, then
from memoryapp.interfaces.pages.numbers import whole_number
from memoryapp.interfaces.tree.editing import (
    done,
    edit_of,
    held,
    keywords_of,
    merge_of,
    moved_to,
    moved_with,
    new_of,
    place_in,
    preview_of,
    read_edit,
    read_new,
    retained_told,
    split_of,
    stood_at,
    taken_back,
    weight_in,
)
from memoryapp.interfaces.tree.outline import node_address, outline_of, path_in

_REFUSALS = (BadInput, Clash, NotFound, Stale)
_MOST_TAKEN = 200


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def new(request: PageRequest) -> HttpResponse:
    if request.method == "GET":
        return show(request, "tree/new.html#", {"form": new_of(request.GET)})
    try:
        node, run = tree.grow(
            request.desk.memory, request.POST.get("path", ""), **read_new(request.POST), actor=request.desk.actor
        )
    except _REFUSALS as error:
        return _again(request, "tree/new.html#", {"form": request.POST}, error)
    return done(request, f"{node.path} was created.", run, to=node.path, back=parent_of(node.path))


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def edit(request: PageRequest, path: str) -> HttpResponse:
    """GET opens the edit in the page's place; POST saves it. Where the node was changed meanwhile, the words stay."""
    space, node = request.desk.memory, held(request.desk.memory, path)
    if request.method == "GET":
        return show(request, "tree/edit.html#", edit_of(node))
    try:
        after, run = tree.change(space, node.path, **read_edit(request.POST), actor=request.desk.actor)
    except (BadInput, Clash, Stale) as error:
        context = edit_of(held(space, path), sent=request.POST, error=error)
        return show(request, "tree/edit.html#", context, status=409 if isinstance(error, Stale) else 422)
    if after.memory.version == node.memory.version:
        return done(request, "No change.", saved=True)
    return done(request, "Saved.", run, saved=True)


@require_POST
@page(Role.CURATOR)
def preview(request: PageRequest, path: str) -> HttpResponse:
    """The markdown that is being typed, as it will read."""
    sent = request.POST
    return show(request, "tree/edit.html#preview", preview_of(sent.get("text", ""), sent.get("title", "")))


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def move(request: PageRequest, path: str) -> HttpResponse:
    """To another place: `under` and `name`, or `position` among its siblings. What lies beneath goes along."""
    space, node = request.desk.memory, held(request.desk.memory, path)
    if request.method == "GET":
        return show(request, "tree/move.html#", _moving(request, node.path, {"under": node.parent, "name": node.name}))
    to = moved_to(node, request.POST)
    try:
        after, run = tree.move(space, node.path, to, position=place_in(request.POST), actor=request.desk.actor)
    except _REFUSALS as error:
        if "name" not in request.POST:  # dragged there: no form to say it in
            raise
        return _again(request, "tree/move.html#", _moving(request, node.path, request.POST), error)
    told = f"{node.path} is now {after.path}." if after.path != node.path else f"{node.name} was moved."
    along = moved_with(stood_at(request), node.path, after.path)
    if along is None or after.path == node.path:
        return done(request, told, run)
    return done(request, told, run, to=along, back=stood_at(request))


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def merge(request: PageRequest, path: str) -> HttpResponse:
    space, node = request.desk.memory, held(request.desk.memory, path)
    if request.method == "GET" and "into" in request.GET:
        return show(request, "tree/merge.html#made", merge_of(space, node, request.GET["into"]))
    if request.method == "GET":
        return show(request, "tree/merge.html#", {"node": node, "form": {}})
    into = path_in(request.POST.get("into", "").strip())
    try:
        after, run = tree.merge(space, node.path, into, actor=request.desk.actor)
    except _REFUSALS as error:
        return _again(request, "tree/merge.html#", {"node": node, "form": request.POST}, error)
    return done(request, f"{node.path} was merged into {after.path}.", run, to=after.path, back=node.path)


@require_POST
@page(Role.CURATOR)
def remove(request: PageRequest, path: str) -> HttpResponse:
    node = held(request.desk.memory, path)
    gone, run = tree.remove(request.desk.memory, node.path, actor=request.desk.actor)
    told = f"{node.path} was deleted"
    told += f", with {human.counted(len(gone) - 1, 'node')} below it." if len(gone) > 1 else "."
    if moved_with(stood_at(request), node.path, "") is None:
        return done(request, told, run)
    return done(request, told, run, to=node.parent, back=node.path)


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def keywords(request: PageRequest, path: str) -> HttpResponse:
    node = held(request.desk.memory, path)
    if request.method == "GET":
        return show(request, "tree/keywords.html#", keywords_of(request.desk.memory, node))
    words = request.POST.getlist("keywords")
    try:
        after, run = tree.change(request.desk.memory, node.path, keywords=words, actor=request.desk.actor)
    except _REFUSALS as error:
        context = {**keywords_of(request.desk.memory, node), "words": words}
        return _again(request, "tree/keywords.html#", context, error)
    if after.memory.version == node.memory.version:
        return done(request, "No change.")
    return done(request, f"{human.counted(len(after.keywords), 'keyword')} now.", run)


@require_POST
@page(Role.CURATOR)
def weight(request: PageRequest, path: str) -> HttpResponse:
    node = held(request.desk.memory, path)
    after, run = tree.change(request.desk.memory, node.path, weight=weight_in(request.POST), actor=request.desk.actor)
    return done(request, f"{after.name} now has weight {after.weight:g}.", run)


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def split(request: PageRequest, path: str) -> HttpResponse:
    """GET tells what it would make; POST makes it, of the version that was looked at."""
    if request.method == "GET":
        return show(request, "tree/split.html#", {**split_of(request.desk.memory, path), "may": True})
    node, sent = held(request.desk.memory, path), request.POST.get("version", "")
    pieces, run = tree.split(
        request.desk.memory,
        node.path,
        actor=request.desk.actor,
        version=whole_number(sent),
    )
    return done(request, f"{node.path} became {human.counted(len(pieces), 'node')}.", run)


@require_POST
@page(Role.CURATOR)
def take_in(request: PageRequest) -> HttpResponse:
    """Memories go in as lines: into the node that is named, else each where it is routed."""
    ids = request.POST.getlist("ids")[:_MOST_TAKEN]
    first = not outline_of(request.desk.memory)
    taken = tree.retain(request.desk.memory, ids, path=request.POST.get("path") or None, actor=request.desk.actor)
    return done(request, retained_told(taken), taken.run, to="" if first else None)


@require_POST
@page(Role.CURATOR)
def leave_out(request: PageRequest) -> HttpResponse:
    run = tree.leave_out(request.desk.memory, request.POST.getlist("ids")[:_MOST_TAKEN], actor=request.desk.actor)
    return done(request, "Skipped: it stays a memory and is not suggested for the tree again.", run)


@require_POST
@page(Role.CURATOR)
def freshen(request: PageRequest, path: str) -> HttpResponse:
    node = held(request.desk.memory, path)
    keys = request.POST.getlist("keys") or None
    after, run = tree.freshen(request.desk.memory, node.path, keys, actor=request.desk.actor)
    return done(request, f"{after.name} is up to date.", run)


@require_POST
@page(Role.CURATOR)
def undo(request: PageRequest, run: str) -> HttpResponse:
    """Takes a run back and goes to where its node stands then."""
    told = taken_back(request.desk.memory, run, actor=request.desk.actor)
    return then(request, node_address(path_in(request.GET.get("to", ""))), told)


def _moving(request: PageRequest, path: str, form: Any) -> dict[str, Any]:
    space = request.desk.memory
    beneath = sum(one.path.startswith(f"{path}/") for one in outline_of(space))
    return {"node": held(space, path), "form": form, "beneath": beneath}


def _again(request: PageRequest, template: str, context: dict[str, Any], error: PalimpsestError) -> HttpResponse:
    """The form as it was filled in, with what is wrong."""
    return show(request, template, {**context, "problem": error.detail}, status=422)
