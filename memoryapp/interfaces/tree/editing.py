"""The forms of the tree: what each holds when it is opened, what is read from it, and what is said when it cannot be
done so.

What an act on the tree answers: a message with its undo, and where the page goes on.

What was done to the tree, in a sentence.

An import: the files that were sent, under the paths they had in their folder, and what it would change, told.

A whole run taken back, and what is said of it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django_htmx.http import trigger_client_event

from memoryapp import graph, review, tree
from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import BadInput, NotFound, PalimpsestError, Stale, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.node import ROOT, Node
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, came_from, redirect_with_message, say
from memoryapp.interfaces.pages.filters import whole_number
from memoryapp.interfaces.pages.wording import language, shorten_pieces, word_diff
from memoryapp.interfaces.tree.outline import node_address, outline_of, path_in
from memoryapp.interfaces.tree.presenter import crumbs_of, prose_of
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.nodes import Outline
from memoryapp.tree.bank_import import Brought
from memoryapp.tree.retain import RetainResult

_OFFERED = 14
_TYPED_IN = ("path", "under", "into")


def node_at(space: Space, path: str) -> Node:
    """The node at a path of an address. Raises NotFound."""
    node = nodes.at(space.db, path_in(path)) if path_in(path) != ROOT else None
    if node is None:
        raise NotFound(f"There is no node at “{path[:80]}” any more. It may have been moved or deleted.")
    return node


def edit_of(node: Node, *, sent: QueryDict | None = None, error: PalimpsestError | None = None) -> dict[str, Any]:
    """The edit as it is opened; with `sent` what was typed stays, over what the node says by now."""
    text = node.text if sent is None else _lines_of(sent)
    title = node.title if sent is None else sent.get("title", "")
    context: dict[str, Any] = {
        "editing": True,
        "node": node,
        "path": node.path,
        "crumbs": crumbs_of(node.path),
        "title": title,
        "text": text,
        "version": node.memory.version,
        **preview_of(text, title),
    }
    if isinstance(error, Stale):
        context["problem"] = (
            "This node was changed while you were editing. Your words are kept here; saving now puts them over the "
            "newer version. Changes from that version to yours:"
        )
        context["meanwhile"] = shorten_pieces(word_diff(node.text, text))
    elif error is not None:
        context["problem"] = error.detail
    return context


def preview_of(text: str, title: str) -> dict[str, Any]:
    """How markdown will read."""
    return {"prose": prose_of(text, title=title, behind={}), "lang": language(text)}


def read_edit(sent: QueryDict) -> dict[str, Any]:
    """Keyword arguments of tree.change."""
    version = whole_number(sent.get("version", ""))
    told: dict[str, Any] = {"title": sent.get("title", ""), "text": _lines_of(sent)}
    return told | ({} if version is None else {"version": version})


def read_new(sent: QueryDict) -> dict[str, Any]:
    """Keyword arguments of tree.grow but the path."""
    words = [word.strip() for word in sent.get("keywords", "").split(",")]
    return {"title": sent.get("title", "").strip(), "text": _lines_of(sent), "keywords": [w for w in words if w]}


def new_of(asked: QueryDict) -> dict[str, str]:
    """`under` the path that is shown, or the very `path`."""
    under = path_in(asked.get("under", ""))
    return {"path": path_in(asked.get("path", "")) or (f"{under}/" if under else "")}


def moved_to(node: Node, sent: QueryDict) -> str:
    """The path that is asked for; what is not sent stays."""
    under = path_in(sent.get("under", "").strip()) if "under" in sent else node.parent
    name = path_in(sent.get("name", "").strip()) if "name" in sent else node.name
    return f"{under}/{name}" if under else name


def place_in(sent: QueryDict) -> int | None:
    return whole_number(sent.get("position", ""))


def weight_in(sent: QueryDict) -> float:
    """Raises BadInput."""
    try:
        return round(float(sent.get("weight", "")), 2)
    except ValueError:
        raise BadInput("A weight must be a number.", field="weight") from None


def keywords_of(space: Space, node: Node) -> dict[str, Any]:
    known = {word.casefold() for word in node.keywords}
    offered = [word for word in tree.suggest_keywords(space, node.path) if word.casefold() not in known]
    return {"node": node, "words": node.keywords, "suggested": offered[:_OFFERED]}


def merge_of(space: Space, node: Node, into: str) -> dict[str, Any]:
    """What a merge would make, or why it would not."""
    try:
        return {"made": tree.preview_merge(space, node.path, path_in(into.strip()))} if into.strip() else {}
    except PalimpsestError as error:
        return {"trouble": error.detail}


def split_of(space: Space, path: str) -> dict[str, Any]:
    """What a split would make, or why there is none."""
    node = node_at(space, path)
    try:
        return {"node": node, "split": tree.preview_split(space, node.path)}
    except PalimpsestError as error:
        return {"node": node, "split": {"problem": error.detail}}


def paths_for(space: Space, asked: QueryDict) -> list[Outline]:
    """Nodes whose path or title holds what is typed; none of the branch `not`."""
    text = next(filter(None, (asked.get(name, "").strip().casefold() for name in _TYPED_IN)), "")
    without = path_in(asked.get("not", ""))
    found = [
        one
        for one in outline_of(space)
        if (text in one.path.casefold() or text in one.title.casefold())
        and not (without and (one.path == without or one.path.startswith(f"{without}/")))
    ]
    return found[:_OFFERED]


def _lines_of(sent: QueryDict) -> str:
    """A form sends its line ends as two characters; a file has one."""
    return sent.get("text", "").replace("\r\n", "\n")


CHANGED = "tree-changed"  # what the page listens for, to draw the tree and the node anew


def change_response(
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
    if to is not None or not request.htmx:
        return redirect_with_message(request, node_address(stood_at(request) if to is None else to), told, undo=undo)
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


_OUTCOMES = {
    "written": "accepted",
    "merged": "already there",
    "conflict": "contradicts a line: a conflict to decide",
    "unchanged": "already in the tree",
}


def retained_told(taken: RetainResult) -> str:
    """Of one memory where it is now; of several how many of which outcome."""
    if len(taken.items) == 1 and taken.items[0].outcome == "written":
        return f"Added to {taken.items[0].path}."
    counts: Counter[str] = Counter(one.outcome for one in taken.items)
    told = "; ".join(f"{human.number(counts[name])} {words}" for name, words in _OUTCOMES.items() if counts[name])
    return f"{told}." if told else "There was nothing to accept."


_MOST = 30  # lines of a group


@dataclass(frozen=True, slots=True)
class Line:
    path: str
    told: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    count: int
    lines: list[Line]
    more: int
    open: bool = False
    prune: bool = False  # whether they may be deleted here


def files_of(sent: Sequence[UploadedFile[Any]], paths: str) -> dict[str, bytes]:
    """By path; a single zip is unpacked. `paths`: JSON, where each file lay in the folder that was chosen, as a browser
    sends names alone. Raises BadInput, TooLarge."""
    if not sent:
        raise BadInput("No file was chosen.", field="files")
    if (size := sum(one.size or 0 for one in sent)) > LIMITS.upload_bytes:
        raise TooLarge(
            f"The file has {human.size(size)}; {human.size(LIMITS.upload_bytes)} is the limit.", field="files"
        )
    names = _names(sent, paths)
    if len(sent) == 1 and names[0].lower().endswith(".zip"):
        return tree.unzip_files(sent[0].read())
    return {name: one.read() for name, one in zip(names, sent, strict=True)}


def _names(sent: Sequence[UploadedFile[Any]], paths: str) -> list[str]:
    try:
        told = json.loads(paths) if paths else []
    except ValueError:
        told = []
    if isinstance(told, list) and len(told) == len(sent) and all(isinstance(name, str) for name in told):
        return told
    return [one.name or "" for one in sent]


def brought_of(brought: Brought) -> dict[str, Any]:
    """What a dry run found, group by group."""
    groups = [
        _group("Added", map(Line, brought.added)),
        _group("Changed", map(Line, brought.changed)),
        _group("Unchanged", map(Line, brought.unchanged), told=False),
        _group("Changed here, kept", map(Line, brought.kept)),
        replace(_group("Only here, left unchanged", map(Line, brought.gone)), prune=True),
        _group("In conflict", (Line(path, "changed here too") for path, _ in brought.conflicts), opened=True),
        _group("Adjusted on import", (Line(one.where, one.what) for one in brought.problems), opened=True),
        _group("Unrelated files", map(Line, brought.ignored)),
    ]
    return {
        "groups": [group for group in groups if group.count or group.name in ("Added", "Changed")],
        "anything": bool(brought.added or brought.changed or brought.removed or brought.conflicts),
    }


def brought_told(brought: Brought) -> str:
    counts = [("added", brought.added), ("changed", brought.changed), ("removed", brought.removed)]
    told = [f"{len(some)} {word}" for word, some in counts if some]
    if brought.conflicts:
        told.append(f"{human.count_text(len(brought.conflicts), 'conflict')} to decide")
    return f"Imported: {', '.join(told)}." if told else "No change."


def _group(name: str, some: Iterable[Line], *, told: bool = True, opened: bool = False) -> Group:
    every = list(some)
    shown = every[:_MOST] if told else []
    return Group(name, len(every), shown, len(every) - len(shown) if told else 0, opened)


def taken_back(space: Space, run: str, *, actor: Actor) -> str:
    """Undoes the run; the sentence tells how much of it, and what stayed."""
    undone = review.undo_run(space, run, actor=actor)
    graph.put_again(space, run)
    told = f"Undone: {human.count_text(undone.taken_back, 'change')}."
    if undone.left:
        told += f" {human.count_text(len(undone.left), 'change')} stayed, because something was changed since."
    return told
