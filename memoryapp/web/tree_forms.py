"""The forms of the tree: what each holds when it is opened, what is read from it, and what is said when it cannot be
done so."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from memoryapp import tree
from memoryapp.domain.errors import BadInput, NotFound, PalimpsestError, Stale
from memoryapp.domain.node import ROOT, Node
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.nodes import Outline
from memoryapp.web.tree_found import outline_of, path_in
from memoryapp.web.tree_node import crumbs_of
from memoryapp.web.tree_prose import prose_of
from memoryapp.web.whole import whole_number
from memoryapp.web.wording import language, shortened, word_diff

_OFFERED = 14
_TYPED_IN = ("path", "under", "into")


def held(space: Space, path: str) -> Node:
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
        context["meanwhile"] = shortened(word_diff(node.text, text))
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
    node = held(space, path)
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
