"""The Context Tree's page: the sentence at its head, the tree with what a question reaches, and what is chosen."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from memoryapp.domain.node import MOST_BYTES
from memoryapp.web.access import Desk
from memoryapp.web.chips import moment_of
from memoryapp.web.tree_found import outline_of
from memoryapp.web.tree_node import case_of
from memoryapp.web.tree_outline import Drawing
from memoryapp.web.tree_reach import reach_of

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
        "asof_told": asked.get("as_of", ""),
        "may": desk.may.decide and as_of is None,
        "page_keys": KEYS,
    }
