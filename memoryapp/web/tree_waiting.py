"""What waits to go into the tree, or into one node of it, and why there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memoryapp import tree
from memoryapp.spaces import Space
from memoryapp.web.wording import excerpt, language

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
