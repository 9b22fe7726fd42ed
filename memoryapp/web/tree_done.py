"""What an act on the tree answers: a message with its undo, and where the page goes on."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django_htmx.http import trigger_client_event

from memoryapp.domain.change import Run
from memoryapp.web.access import PageRequest, came_from, say, then
from memoryapp.web.tree_found import path_in
from memoryapp.web.tree_outline import node_address

CHANGED = "tree-changed"  # what the page listens for, to draw the tree and the node anew


def done(
    request: PageRequest,
    told: str,
    run: Run | None = None,
    *,
    to: str | None = None,
    back: str | None = None,
    saved: bool = False,
) -> HttpResponse:
    """Over htmx the message and the event, nothing to swap. `to`: the path of the node to go on to instead; `back`:
    where the undo of `run` goes, if not to the page one is on then. `saved`: an edit that was open is done with."""
    undo = _undo(run, back) if run else ""
    if to is not None or not request.htmx:  # type: ignore[attr-defined]
        return then(request, node_address(stood_at(request) if to is None else to), told, undo=undo)
    response = say(HttpResponse(status=204), told, undo=undo)
    return trigger_client_event(response, CHANGED, {"saved": saved})


def stood_at(request: PageRequest) -> str:
    """The path of the node whose page a request was made on; the root's for any other page."""
    address, root = urlsplit(came_from(request)).path, reverse("tree")
    path = path_in(unquote(address[len(root) :])) if address.startswith(root) else ""
    return "" if path.startswith("_") else path


def address_with(request: PageRequest, **put: str) -> str:
    """The address a request was made on with parameters set; "" drops one."""
    address = urlsplit(came_from(request))
    asked = QueryDict(address.query, mutable=True)
    for name, value in put.items():
        asked.pop(name, None)
        if value:
            asked[name] = value
    return address.path + (f"?{asked.urlencode()}" if asked else "")


def moved_with(path: str, old: str, new: str) -> str | None:
    """Where `path` is once `old` has become `new`: the node itself and what lies beneath it go along."""
    return new + path[len(old) :] if path == old or path.startswith(f"{old}/") else None


def _undo(run: Run, back: str | None) -> str:
    if back is None:
        return reverse("run-undo", args=[run.id])
    return reverse("tree-undo", args=[run.id]) + "?" + urlencode({"to": back})
