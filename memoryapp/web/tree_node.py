"""What stands beside the tree: one node with its page and its numbers; where none is chosen, the tree as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memoryapp import tree
from memoryapp.domain.memory import Usage
from memoryapp.domain.node import MOST_BYTES, MOST_WEIGHT, ROOT, Node
from memoryapp.spaces import Space
from memoryapp.store import usage
from memoryapp.store.nodes import Outline
from memoryapp.web.tree_found import node_of
from memoryapp.web.tree_outline import node_address
from memoryapp.web.tree_prose import Behind, prose_of
from memoryapp.web.wording import language

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
