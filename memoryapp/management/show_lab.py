"""Comparisons and explanations as lines for a terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from rich.cells import cell_len, set_cell_size

Told = dict[str, Any]
_BETWEEN = " │ "
_NARROWEST = 32  # cells of a column: a place, a score and an id
_PLAIN_WIDTH = 160  # where no terminal says how wide it is
_MARKS = {True: "✓", False: "✗", None: "·"}


def compare_lines(made: Told, *, width: int | None = None) -> Iterator[str]:
    """The columns side by side, two lines a result: place, score and id, and how it begins. Then how far they agree.
    A “*” stands behind what one column alone found, a “=” behind what all did. `width` in cells."""
    columns = made["columns"]
    between = len(_BETWEEN) * (len(columns) - 1)
    cells = max(((width or _width()) - between) // len(columns), _NARROWEST)
    yield _row([column["strategy"] for column in columns], cells)
    yield _row([f"{len(column['items'])} found, {column['took_ms']:.1f} ms" for column in columns], cells)
    for column in columns:
        yield from (f"{column['strategy']}: {note}" for note in column["notes"])
    for place, hits in enumerate(zip_longest(*(column["items"] for column in columns)), start=1):
        yield _row([_headed(place, hit, made["agreement"]) if hit else "" for hit in hits], cells)
        yield _row([f"    {' '.join((hit['title'] or hit['text']).split())}" if hit else "" for hit in hits], cells)
    yield from _agreement(made["agreement"], columns=len(columns))


def why_lines(found: Told) -> Iterator[str]:
    """One explanation: what came of it, then every stage, marked by whether the memory passed it."""
    yield f"{found['strategy']}: {found['reason']}"
    yield from (f"  {_MARKS[step['passed']]} {_stage(step)}: {step['told']}" for step in found["steps"])
    yield from (f"  → {lift['told']}" for lift in found["lifts"])
    yield from (f"  note: {note}" for note in found["notes"])


def _stage(step: Told) -> str:
    """ "arm keyword": of a filter or an arm, which."""
    which = step["detail"].get(step["stage"], "") if step["stage"] in ("filter", "arm") else ""
    return f"{step['stage']} {which}".strip().replace("_", " ")


def _width() -> int:
    return shutil.get_terminal_size((_PLAIN_WIDTH, 24)).columns


def _row(words: list[str], cells: int) -> str:
    cut = [word if cell_len(word) <= cells else f"{set_cell_size(word, cells - 1).rstrip()}…" for word in words]
    return _BETWEEN.join(set_cell_size(word, cells) for word in cut).rstrip(" │")


def _headed(place: int, hit: Told, agreed: Told) -> str:
    ranks = agreed["ids"][hit["id"]]
    mark = ""
    if len(ranks) > 1:
        mark = " =" if None not in ranks else " *" if sum(rank is not None for rank in ranks) == 1 else ""
    return f"{place:>2}. {hit['score']:.5f}  {hit['id']}{mark}"


def _agreement(agreed: Told, *, columns: int) -> Iterator[str]:
    for pair in agreed["overlap"]:
        yield (
            f"{pair['a']} and {pair['b']}: {pair['common']} in both, "
            f"Jaccard {pair['jaccard']:.2f}, rank-biased overlap {pair['rbo']:.2f}"
        )
    if columns > 2:
        yield f"{len(agreed['in_all'])} in all {columns} columns"
