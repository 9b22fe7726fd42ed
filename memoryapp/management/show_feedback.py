"""Feedback as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_TEXT = 80  # characters of a memory


def feedback_lines(page: dict[str, Any]) -> Iterator[str]:
    """How many moved, then a line a memory: its factor, what was said, and how it begins."""
    yield f"{page['rose']} rose, {page['fell']} fell, {page['even']} even"
    for one in page["items"]:
        text = " ".join(one["text"].split())
        told = f"{text[: _TEXT - 1]}…" if len(text) > _TEXT else text
        yield f"{one['id']}  x{one['factor']:.3f}  used {one['used']}, not useful {one['not_useful']}  {told}"
    if page["next_cursor"]:
        yield "… more: --limit"
