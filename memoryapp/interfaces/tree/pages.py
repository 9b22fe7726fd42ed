"""The Context Tree: the page with the tree and a node of it, and what it asks for while one reads."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET
from django_htmx.http import replace_url

from memoryapp.domain.limits import LIMITS
from memoryapp.interfaces.pages.access import PageRequest, page, show
from memoryapp.interfaces.pages.filters import moment_of
from memoryapp.interfaces.pages.numbers import whole_number
from memoryapp.interfaces.tree.editing import address_with, edit_of, paths_for, split_of
from memoryapp.interfaces.tree.outline import Drawing, outline_of, path_in, reach_of
from memoryapp.interfaces.tree.presenter import case_of, page_of, waiting_of


@require_GET
@page()
def tree_page(request: PageRequest, path: str = "") -> HttpResponse:
    """The whole page; over a boosted link the node alone. `edit` and `split` open it with its edit or its split."""
    path = path_in(path)
    if request.htmx.boosted:  # type: ignore[attr-defined]
        response = show(request, "tree/beside.html#", {**_node(request, path), "titled": True})
    else:
        context = {**page_of(request.desk, path, request.GET), "upload_limit": LIMITS.upload_bytes}
        context |= _opened(request, context)
        gone = "missing" in context and not context["beneath"]
        response = show(request, "tree/tree.html", context, at="tree", status=404 if gone else 200)
    patch_vary_headers(response, ("HX-Request", "HX-Boosted"))
    return response


@require_GET
@page()
def branch(request: PageRequest) -> HttpResponse:
    """The lines under one branch, or those after the ones that are there."""
    start = whole_number(request.GET.get("from", "")) or 0
    found = outline_of(request.desk.memory, moment_of(request.GET, "as_of"))
    twigs = Drawing(found).twigs(path_in(request.GET.get("of", "")), start=start)
    return show(request, "tree/twigs.html#", {"twigs": twigs})


@require_GET
@page()
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
@page()
def paths(request: PageRequest) -> HttpResponse:
    """Paths to choose from while one types."""
    return show(request, "tree/paths.html#", {"paths": paths_for(request.desk.memory, request.GET)})


def _node(request: PageRequest, path: str) -> dict[str, Any]:
    as_of = moment_of(request.GET, "as_of")
    space = request.desk.memory
    context = case_of(space, path, outline_of(space, as_of), as_of=as_of)
    return {**context, "may": request.desk.may.decide and as_of is None, "as_of": as_of}


def _opened(request: PageRequest, context: dict[str, Any]) -> dict[str, Any]:
    if not context["may"] or "node" not in context:
        return {}
    if "edit" in request.GET:
        return edit_of(context["node"])
    return split_of(request.desk.memory, context["path"]) if "split" in request.GET else {}
