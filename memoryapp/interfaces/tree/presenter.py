"""The Context Tree's page: the sentence at its head, the tree with what a question reaches, and what is chosen.

The markdown of a node as its page shows it: beside a line the memory that stands behind it, struck through where that
memory holds no more.

What stands beside the tree: one node with its page and its numbers; where none is chosen, the tree as a whole.

What waits to go into the tree, or into one node of it, and why there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memoryapp import tree
from memoryapp.domain.memory import Usage
from memoryapp.domain.node import MOST_BYTES, MOST_WEIGHT, ROOT, Node, line_key
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import Desk
from memoryapp.interfaces.pages.filters import moment_of
from memoryapp.interfaces.pages.markdown import render_markdown
from memoryapp.interfaces.pages.wording import excerpt, language
from memoryapp.interfaces.tree.outline import Drawing, node_address, node_of, outline_of, reach_of
from memoryapp.spaces import Space
from memoryapp.store import usage
from memoryapp.store.nodes import Outline

_MOST_MARKDOWN = 24_000  # characters, and …
_MOST_HTML = 32_000  # bytes of what they become: the page has a tree beside it, and 100 KB for all
_SHORTEST = 500


@dataclass(frozen=True, slots=True)
class Behind:
    """What stands behind a line: `at`, since when; `stale`: it holds no more."""

    memory: str
    at: datetime
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Prose:
    """`shown`: characters of the markdown that are rendered, where that is not all of it; else 0."""

    html: SafeString
    shown: int = 0


def prose_of(text: str, *, title: str, behind: Mapping[str, Behind]) -> Prose:
    """`behind` by line key. Cut at the end of a line where the page would grow too large."""

    def beside(line: str) -> tuple[str, str]:
        known = behind.get(line_key(line))
        return ("", "") if known is None else _line_source_marks(known)

    shown = _cut(text, _MOST_MARKDOWN)
    while True:
        html = render_markdown(shown, title=title, beside=beside)
        if len(html.encode()) <= _MOST_HTML or len(shown) <= _SHORTEST:
            return Prose(html, len(shown) if len(shown) < len(text) else 0)
        shown = _cut(shown, len(shown) * 3 // 5)


def _line_source_marks(known: Behind) -> tuple[str, str]:
    href, day = reverse("memory", args=[known.memory]), human.short_day(known.at)
    if known.stale:
        return '<span class="was">', format_html('</span> <a href="{}"><small>until {}</small></a>', href, day)
    return "", format_html(' <a href="{}"><small>{}</small></a>', href, day)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit].rpartition("\n")[0] or text[:limit]


_MOST_LISTED = 12


@dataclass(frozen=True, slots=True)
class Crumb:
    name: str
    href: str


def case_of(space: Space, path: str, found: Sequence[Outline], *, as_of: datetime | None = None) -> dict[str, Any]:
    """The node at `path`; without one what lies beneath, or that nothing does (`missing`); of "" the whole tree."""
    node = node_of(space, path, as_of)
    if path == ROOT:
        return whole_of(node, found)
    if node is None:
        beneath = [one for one in found if one.path.startswith(f"{path}/")]
        return {"missing": path, "crumbs": crumbs_of(path), "beneath": beneath[:_MOST_LISTED], "path": path}
    return {**_node(space, node, found, as_of=as_of), "crumbs": crumbs_of(path), "path": path}


def _node(space: Space, node: Node, found: Sequence[Outline], *, as_of: datetime | None) -> dict[str, Any]:
    gone = tree.stale(space, node) if as_of is None else ()
    behind = {line.key: Behind(line.memory, line.at) for line in sorted(node.lines, key=lambda line: line.at)}
    behind |= {one.key: Behind(one.memory, one.until or behind[one.key].at, stale=True) for one in gone}
    children = [one for one in found if one.path.startswith(f"{node.path}/")]
    return {
        "node": node,
        "lang": language(node.text or node.title),
        "prose": prose_of(node.text, title=node.title, behind=behind),
        "over": node.size > MOST_BYTES,
        "stale": gone,
        "beneath": children,
        "behind_count": len({line.memory for line in node.lines}),
        "usage": usage.get_many(space.db, [node.id]).get(node.id, Usage(node.id)),
        "most_weight": MOST_WEIGHT,
        "cache_minutes": space.tuning.cache_minutes,
    }


def whole_of(root: Node | None, found: Sequence[Outline]) -> dict[str, Any]:
    """The tree as a whole: what is too large, and what no question reaches."""
    large = sorted((one for one in found if one.size > MOST_BYTES), key=lambda one: -one.size)
    mute = [one for one in found if one.has_file and not one.keywords]
    return {
        "whole": True,
        "root": root,
        "path": ROOT,
        "large": large[:_MOST_LISTED],
        "mute": mute[:_MOST_LISTED],
        "mute_more": max(len(mute) - _MOST_LISTED, 0),
        "keywords_total": len({word.casefold() for one in found for word in one.keywords}),
        "behind_count": len({key for one in found for key in one.lines}),
    }


def crumbs_of(path: str) -> list[Crumb]:
    """From the bank down to the node's parent, then the node itself without a link."""
    parts = path.split("/")
    above = [Crumb(part, node_address("/".join(parts[: n + 1]))) for n, part in enumerate(parts[:-1])]
    return [Crumb("bank", node_address(ROOT)), *above, Crumb(parts[-1], "")]


KEYS = [
    ("↑ ↓", "Next line of the tree"),
    ("→ ←", "Open or close a branch"),
    ("↵", "Show the node"),
    ("e", "Edit"),
    ("m", "Move"),
    ("alt ↑", "Move up"),
    ("alt ↓", "Move down"),
    ("r", "Find the nodes that a question reaches"),
    ("u", "Undo the last action"),
]


def page_of(desk: Desk, path: str, asked: QueryDict) -> dict[str, Any]:
    """Everything the page shows. With `as_of` in the address it is read only."""
    space, as_of = desk.memory, moment_of(asked, "as_of")
    found = outline_of(space, as_of)
    reached = reach_of(space, asked.get("q", ""), found, as_of=as_of)
    large = [one for one in found if one.size > MOST_BYTES]
    return {
        **case_of(space, path, found, as_of=as_of),
        **reached,
        "twigs": Drawing(found, here=path, reached=reached["reached_paths"]).twigs(),
        "total": len(found),
        "bytes": sum(one.size for one in found),
        "large_count": len(large),
        "largest": max(large, key=lambda one: one.size, default=None),
        "as_of": as_of,
        "may": desk.may.decide and as_of is None,
        "page_keys": KEYS,
    }


SHOWN = 8


@dataclass(frozen=True, slots=True)
class Line:
    id: str
    line: str
    lang: str
    path: str
    why: str


def waiting_of(space: Space, path: str) -> dict[str, Any]:
    """Of the whole tree where `path` is empty."""
    found = tree.waiting(space, path or None, limit=SHOWN + 1)
    lines = [
        Line(one.memory.id, excerpt(one.memory.text, limit=220), language(one.memory.text), one.path, one.why)
        for one in found[:SHOWN]
    ]
    total = len(lines) if len(found) <= SHOWN or path else tree.count_waiting(space)
    more = len(found) > SHOWN
    return {"waiting": lines, "waiting_total": total, "waiting_more": more, "whole": not path, "path": path}
