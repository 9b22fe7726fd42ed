"""The Context Tree: the page with the tree and a node of it, and what it asks for while one reads; what a person does
to nodes: make, edit, move, merge, delete, split, take lines in and freshen them; and the tree brought in, with a dry
run first, and taken out as a zip.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import replace_url

from memoryapp import tree
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, Clash, NotFound, PalimpsestError, Stale
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.node import parent_of
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, page, redirect_with_message, show
from memoryapp.interfaces.pages.clock import RECORDED
from memoryapp.interfaces.pages.filters import moment_of, whole_number
from memoryapp.interfaces.tree.editing import (
    address_with,
    brought_of,
    brought_told,
    change_response,
    edit_of,
    files_of,
    keywords_of,
    merge_of,
    moved_to,
    moved_with,
    new_of,
    node_at,
    paths_for,
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
from memoryapp.interfaces.tree.outline import Drawing, node_address, outline_of, path_in, reach_of
from memoryapp.interfaces.tree.presenter import case_of, page_of, waiting_of

_REFUSALS = (BadInput, Clash, NotFound, Stale)
_MOST_TAKEN = 200


@require_GET
@page(follows=RECORDED)
def tree_page(request: PageRequest, path: str = "") -> HttpResponse:
    """The whole page; over a boosted link the node alone. `edit` and `split` open it with its edit or its split."""
    path = path_in(path)
    if request.htmx.boosted:
        response = show(request, "tree/beside.html#", {**_node(request, path), "titled": True})
    else:
        context = {**page_of(request.desk, path, request.GET), "upload_limit": LIMITS.upload_bytes}
        context |= _form_context(request, context)
        gone = "missing" in context and not context["beneath"]
        response = show(request, "tree/tree.html", context, at="tree", status=404 if gone else 200)
    patch_vary_headers(response, ("HX-Request", "HX-Boosted"))
    return response


@require_GET
@page(follows=RECORDED)
def branch(request: PageRequest) -> HttpResponse:
    """The lines under one branch, or those after the ones that are there."""
    start = whole_number(request.GET.get("from", "")) or 0
    found = outline_of(request.desk.memory, moment_of(request.GET, "as_of"))
    twigs = Drawing(found).twigs(path_in(request.GET.get("of", "")), start=start)
    return show(request, "tree/twigs.html#", {"twigs": twigs})


@require_GET
@page(follows=RECORDED)
def reach(request: PageRequest) -> HttpResponse:
    """What a question reaches, while it is typed; the page's address takes it up."""
    as_of = moment_of(request.GET, "as_of")
    space = request.desk.memory
    found = outline_of(space, as_of) if as_of else ()
    context = reach_of(space, request.GET.get("q", ""), found, as_of=as_of)
    response = show(request, "tree/reached.html#", context)
    return replace_url(response, address_with(request, q=context["asked"]))


@require_GET
@page()
def waiting(request: PageRequest, path: str = "") -> HttpResponse:
    context = waiting_of(request.desk.memory, path_in(path))
    return show(request, "tree/waiting.html#", {**context, "may": request.desk.may.decide})


@require_GET
@page(follows=RECORDED)
def paths(request: PageRequest) -> HttpResponse:
    """Paths to choose from while one types."""
    return show(request, "tree/paths.html#", {"paths": paths_for(request.desk.memory, request.GET)})


def _node(request: PageRequest, path: str) -> dict[str, Any]:
    as_of = moment_of(request.GET, "as_of")
    space = request.desk.memory
    context = case_of(space, path, outline_of(space, as_of), as_of=as_of)
    return {**context, "may": request.desk.may.decide and as_of is None, "as_of": as_of}


def _form_context(request: PageRequest, context: dict[str, Any]) -> dict[str, Any]:
    if not context["may"] or "node" not in context:
        return {}
    if "edit" in request.GET:
        return edit_of(context["node"])
    return split_of(request.desk.memory, context["path"]) if "split" in request.GET else {}


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def new_node(request: PageRequest) -> HttpResponse:
    if request.method == "GET":
        return show(request, "tree/new.html#", {"form": new_of(request.GET)})
    try:
        node, run = tree.grow(
            request.desk.memory, request.POST.get("path", ""), **read_new(request.POST), actor=request.desk.actor
        )
    except _REFUSALS as error:
        return _redisplay_form(request, "tree/new.html#", {"form": request.POST}, error)
    return change_response(request, f"{node.path} was created.", run, to=node.path, back=parent_of(node.path))


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def edit_node(request: PageRequest, path: str) -> HttpResponse:
    """GET opens the edit in the page's place; POST saves it. Where the node was changed meanwhile, the words stay."""
    space, node = request.desk.memory, node_at(request.desk.memory, path)
    if request.method == "GET":
        return show(request, "tree/edit.html#", edit_of(node))
    try:
        after, run = tree.change(space, node.path, **read_edit(request.POST), actor=request.desk.actor)
    except (BadInput, Clash, Stale) as error:
        context = edit_of(node_at(space, path), sent=request.POST, error=error)
        return show(request, "tree/edit.html#", context, status=409 if isinstance(error, Stale) else 422)
    if after.memory.version == node.memory.version:
        return change_response(request, "No change.", saved=True)
    return change_response(request, "Saved.", run, saved=True)


@require_POST
@page(Role.CURATOR)
def preview(request: PageRequest, path: str) -> HttpResponse:
    """The markdown that is being typed, as it will read."""
    sent = request.POST
    return show(request, "tree/edit.html#preview", preview_of(sent.get("text", ""), sent.get("title", "")))


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def move_node(request: PageRequest, path: str) -> HttpResponse:
    """To another place: `under` and `name`, or `position` among its siblings. What lies beneath goes along."""
    space, node = request.desk.memory, node_at(request.desk.memory, path)
    if request.method == "GET":
        return show(
            request, "tree/move.html#", _move_context(request, node.path, {"under": node.parent, "name": node.name})
        )
    to = moved_to(node, request.POST)
    try:
        after, run = tree.move(space, node.path, to, position=place_in(request.POST), actor=request.desk.actor)
    except _REFUSALS as error:
        if "name" not in request.POST:  # dragged there: no form to say it in
            raise
        return _redisplay_form(request, "tree/move.html#", _move_context(request, node.path, request.POST), error)
    told = f"{node.path} is now {after.path}." if after.path != node.path else f"{node.name} was moved."
    along = moved_with(stood_at(request), node.path, after.path)
    if along is None or after.path == node.path:
        return change_response(request, told, run)
    return change_response(request, told, run, to=along, back=stood_at(request))


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def merge_nodes(request: PageRequest, path: str) -> HttpResponse:
    space, node = request.desk.memory, node_at(request.desk.memory, path)
    if request.method == "GET" and "into" in request.GET:
        return show(request, "tree/merge.html#made", merge_of(space, node, request.GET["into"]))
    if request.method == "GET":
        return show(request, "tree/merge.html#", {"node": node, "form": {}})
    into = path_in(request.POST.get("into", "").strip())
    try:
        after, run = tree.merge(space, node.path, into, actor=request.desk.actor)
    except _REFUSALS as error:
        return _redisplay_form(request, "tree/merge.html#", {"node": node, "form": request.POST}, error)
    return change_response(request, f"{node.path} was merged into {after.path}.", run, to=after.path, back=node.path)


@require_POST
@page(Role.CURATOR)
def remove_node(request: PageRequest, path: str) -> HttpResponse:
    node = node_at(request.desk.memory, path)
    gone, run = tree.remove(request.desk.memory, node.path, actor=request.desk.actor)
    told = f"{node.path} was deleted"
    told += f", with {human.count_text(len(gone) - 1, 'node')} below it." if len(gone) > 1 else "."
    if moved_with(stood_at(request), node.path, "") is None:
        return change_response(request, told, run)
    return change_response(request, told, run, to=node.parent, back=node.path)


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def keywords(request: PageRequest, path: str) -> HttpResponse:
    node = node_at(request.desk.memory, path)
    if request.method == "GET":
        return show(request, "tree/keywords.html#", keywords_of(request.desk.memory, node))
    words = request.POST.getlist("keywords")
    try:
        after, run = tree.change(request.desk.memory, node.path, keywords=words, actor=request.desk.actor)
    except _REFUSALS as error:
        context = {**keywords_of(request.desk.memory, node), "words": words}
        return _redisplay_form(request, "tree/keywords.html#", context, error)
    if after.memory.version == node.memory.version:
        return change_response(request, "No change.")
    return change_response(request, f"{human.count_text(len(after.keywords), 'keyword')} now.", run)


@require_POST
@page(Role.CURATOR)
def weight(request: PageRequest, path: str) -> HttpResponse:
    node = node_at(request.desk.memory, path)
    after, run = tree.change(request.desk.memory, node.path, weight=weight_in(request.POST), actor=request.desk.actor)
    return change_response(request, f"{after.name} now has weight {after.weight:g}.", run)


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def split_node(request: PageRequest, path: str) -> HttpResponse:
    """GET tells what it would make; POST makes it, of the version that was looked at."""
    if request.method == "GET":
        return show(request, "tree/split.html#", {**split_of(request.desk.memory, path), "may": True})
    node, sent = node_at(request.desk.memory, path), request.POST.get("version", "")
    pieces, run = tree.split(
        request.desk.memory,
        node.path,
        actor=request.desk.actor,
        version=whole_number(sent),
    )
    return change_response(request, f"{node.path} became {human.count_text(len(pieces), 'node')}.", run)


@require_POST
@page(Role.CURATOR)
def take_in(request: PageRequest) -> HttpResponse:
    """Memories go in as lines: into the node that is named, else each where it is routed."""
    ids = request.POST.getlist("ids")[:_MOST_TAKEN]
    first = not outline_of(request.desk.memory)
    taken = tree.retain(request.desk.memory, ids, path=request.POST.get("path") or None, actor=request.desk.actor)
    return change_response(request, retained_told(taken), taken.run, to="" if first else None)


@require_POST
@page(Role.CURATOR)
def leave_out(request: PageRequest) -> HttpResponse:
    run = tree.leave_out(request.desk.memory, request.POST.getlist("ids")[:_MOST_TAKEN], actor=request.desk.actor)
    return change_response(request, "Skipped: it stays a memory and is not suggested for the tree again.", run)


@require_POST
@page(Role.CURATOR)
def freshen(request: PageRequest, path: str) -> HttpResponse:
    node = node_at(request.desk.memory, path)
    keys = request.POST.getlist("keys") or None
    after, run = tree.freshen(request.desk.memory, node.path, keys, actor=request.desk.actor)
    return change_response(request, f"{after.name} is up to date.", run)


@require_POST
@page(Role.CURATOR)
def undo(request: PageRequest, run: str) -> HttpResponse:
    """Takes a run back and goes to where its node stands then."""
    told = taken_back(request.desk.memory, run, actor=request.desk.actor)
    return redirect_with_message(request, node_address(path_in(request.GET.get("to", ""))), told)


def _move_context(request: PageRequest, path: str, form: Any) -> dict[str, Any]:
    space = request.desk.memory
    beneath = sum(one.path.startswith(f"{path}/") for one in outline_of(space))
    return {"node": node_at(space, path), "form": form, "beneath": beneath}


def _redisplay_form(
    request: PageRequest, template: str, context: dict[str, Any], error: PalimpsestError
) -> HttpResponse:
    """The form as it was filled in, with what is wrong."""
    return show(request, template, {**context, "problem": error.detail}, status=422)


@require_POST
@page(Role.CURATOR)
def import_tree(request: PageRequest) -> HttpResponse:
    """With `dry_run` what would change; else it is changed."""
    dry_run = bool(request.POST.get("dry_run"))
    try:
        files = files_of(request.FILES.getlist("files"), request.POST.get("paths", ""))
        brought = tree.bring(
            request.desk.memory,
            files,
            actor=request.desk.actor,
            dry_run=dry_run,
            prune=bool(request.POST.get("prune")),
        )
    except BadInput as error:
        return show(request, "tree/brought.html#", {"problem": error.detail}, status=422)
    if dry_run:
        return show(request, "tree/brought.html#", brought_of(brought))
    return change_response(request, brought_told(brought), brought.run, to="")


@require_http_methods(["GET", "POST"])
@page()
def export_tree(request: PageRequest) -> HttpResponse:
    """The bank as a zip. Posted by a curator, the nodes remember what was taken out, so that an import of it later
    knows which side changed."""
    marks = request.method == "POST" and request.desk.may.decide
    files = tree.take(request.desk.memory, actor=request.desk.actor if marks else None)
    answer = HttpResponse(tree.zip_files(files), content_type="application/zip")
    answer["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(request.desk.space.name)}-tree.zip"
    return answer
