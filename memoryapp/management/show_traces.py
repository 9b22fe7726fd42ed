"""Traces as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memoryapp.management.show import shorten_text

Told = dict[str, Any]


def traces_lines(page: Told) -> Iterator[str]:
    """What they come to, then a line a call."""
    if not page["items"]:
        yield "No calls."
        return
    results = ", ".join(f"{n:,} {result}" for result, n in page["results"].items())
    yield f"{page['calls']:,} calls: {results}; median {page['ms']:.0f} ms, {page['tokens']:,} tokens"
    for one in page["items"]:
        used = f"{one['given']} given, {one['used']} used"
        yield f"{one['id']}  {one['at'][:16]}  {one['agent']}  {one['result']}  {used}  {shorten_text(one['question'])}"
    if page["next_cursor"]:
        yield f"… {page['calls']:,} in all: --limit"


def trace_lines(one: Told) -> Iterator[str]:
    """The call, then a line a memory."""
    yield one["question"]
    budget = f" of {one['budget']:,}" if one["budget"] is not None else ""
    yield (
        f"{one['act']} by {one['agent']} ({one['key']}), {one['at'][:16]}, {one['strategy']}: {one['result']}; "
        f"{one['tokens']:,}{budget} tokens, {one['ms']:.0f} ms"
    )
    for rank, part in enumerate(one["items"], start=1):
        marks = [part["layer"], part["kind"], part["state"] if part["state"] != "held" else ""]
        marks += ["used" if part["use"] > 0 else "not useful" if part["use"] < 0 else ""]
        marks += ["changed since"] if part["changed"] and part["text"] else []
        marks += [f"in conflict {key}" for key in part["conflicts"]]
        relevance = f"{part['relevance']:.0%}" if part["relevance"] is not None else "–"
        yield f"[{rank}] {part['id']}  {relevance}  {', '.join(filter(None, marks))}"
        yield f"    {shorten_text(part['text'] or 'no longer there')}"
