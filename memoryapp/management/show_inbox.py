"""The inbox and what is not learned again, as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from memoryapp.management.show import shortened

Told = dict[str, Any]


def inbox_lines(page: Told) -> Iterator[str]:
    """Facts under the session that they were learned in."""
    counts = {one["session"]: one["count"] for one in page["sessions"]}
    for session, items in groupby(page["items"], key=lambda item: item["fact"]["session"] or ""):
        found = list(items)
        by = f", {found[0]['agent']}" if found[0]["agent"] else ""
        yield f"{session or 'without a session'}{by}: {counts.get(session, len(found)):,}"
        for item in found:
            fact = item["fact"]
            marks = ["disputed"] * bool(fact["conflicts"]) + ["replaces another"] * bool(item["replaces"])
            yield f"    {fact['trust']:.2f}  {shortened(fact['text'])}{_marked(marks)}  [{fact['id']}]"
    if not page["items"]:
        yield "Nothing waits."
    elif page["next_cursor"]:
        yield f"… {page['total']:,} in all"


def exclusion_lines(found: Told) -> Iterator[str]:
    for one in found["items"]:
        counted = f"{one['kept_out']:,} kept out"
        yield f"Facts like “{shortened(one['text'])}” are not learned  ({one['likeness']:g}, {counted})  [{one['id']}]"
    if not found["items"]:
        yield "Nothing is excluded."


def _marked(marks: list[str]) -> str:
    return f"  ({', '.join(marks)})" if marks else ""
