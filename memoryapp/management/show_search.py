"""Comparisons, explanations, profiles, golden queries and their runs as lines for a terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from rich.cells import cell_len, set_cell_size

from memoryapp.management.show import shorten_text
from memoryapp.program import program_name

Answer = dict[str, Any]
_BETWEEN = " │ "
_NARROWEST = 32  # cells of a column: a place, a score and an id
_PLAIN_WIDTH = 160  # where no terminal says how wide it is
_MARKS = {True: "✓", False: "✗", None: "·"}
MEASURES = ("recall", "mrr", "ndcg", "precision")
_TEXT = 80  # characters of a relevant memory


def compare_lines(made: Answer, *, width: int | None = None) -> Iterator[str]:
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
        yield _row([_hit_heading(place, hit, made["agreement"]) if hit else "" for hit in hits], cells)
        yield _row([f"    {' '.join((hit['title'] or hit['text']).split())}" if hit else "" for hit in hits], cells)
    yield from _agreement(made["agreement"], columns=len(columns))


def why_lines(found: Answer) -> Iterator[str]:
    """One explanation: what came of it, then every stage, marked by whether the memory passed it."""
    yield f"{found['strategy']}: {found['reason']}"
    yield from (f"  {_MARKS[step['passed']]} {_stage(step)}: {step['told']}" for step in found["steps"])
    yield from (f"  → {lift['told']}" for lift in found["lifts"])
    yield from (f"  note: {note}" for note in found["notes"])


def _stage(step: Answer) -> str:
    """ "arm keyword": of a filter or an arm, which."""
    which = step["detail"].get(step["stage"], "") if step["stage"] in ("filter", "arm") else ""
    return f"{step['stage']} {which}".strip().replace("_", " ")


def _width() -> int:
    return shutil.get_terminal_size((_PLAIN_WIDTH, 24)).columns


def _row(words: list[str], cells: int) -> str:
    cut = [word if cell_len(word) <= cells else f"{set_cell_size(word, cells - 1).rstrip()}…" for word in words]
    return _BETWEEN.join(set_cell_size(word, cells) for word in cut).rstrip(" │")


def _hit_heading(place: int, hit: Answer, agreed: Answer) -> str:
    ranks = agreed["ids"][hit["id"]]
    mark = ""
    if len(ranks) > 1:
        mark = " =" if None not in ranks else " *" if sum(rank is not None for rank in ranks) == 1 else ""
    return f"{place:>2}. {hit['score']:.5f}  {hit['id']}{mark}"


def _agreement(agreed: Answer, *, columns: int) -> Iterator[str]:
    for pair in agreed["overlap"]:
        yield (
            f"{pair['a']} and {pair['b']}: {pair['common']} in both, "
            f"Jaccard {pair['jaccard']:.2f}, rank-biased overlap {pair['rbo']:.2f}"
        )
    if columns > 2:
        yield f"{len(agreed['in_all'])} in all {columns} columns"


def profile_lines(found: Answer) -> Iterator[str]:
    for one in found["items"]:
        yield f"{one['name']}  {one['plan']}" + (f"  {one['note']}" if one["note"] else "")
    if not found["items"]:
        yield f'No profiles. `{program_name()} profiles save NAME "hybrid;vector=1.4"` makes one.'


def golden_lines(page: Answer) -> Iterator[str]:
    """Each question, and beneath it what it should find."""
    for one in page["items"]:
        narrowed = "".join(f"  {name}: {_value_text(value)}" for name, value in one["filters"].items())
        then = f"  as of {one['as_of']}" if one["as_of"] else ""
        yield f"{one['query']}{narrowed}{then}  [{one['id']}]"
        for memory in one["relevant"]:
            state = "" if memory["state"] == "held" else f" ({memory['state'] or 'purged'})"
            yield f"    {memory['id']}{state}  {shorten_text(memory['text'], _TEXT)}".rstrip()
    if not page["items"]:
        yield f'No golden queries. `{program_name()} golden add "a question" ID` makes one.'
    elif page["next_cursor"]:
        yield f"… {page['total']:,} in all: --limit"


def act_lines(done: Answer) -> Iterator[str]:
    one = done["golden"]
    count = len(one["relevant"])
    means = "means 1 memory" if count == 1 else f"means {count} memories"
    yield f"{done['outcome']}: {one['query']}  {means}  [{one['id']}]"


def import_lines(done: Answer) -> Iterator[str]:
    """What came of each line that is not simply new, then the counts."""
    for line in done["lines"]:
        if line["outcome"] != "add":
            yield f"line {line['line']}: {line['outcome']}: {line['told']}"
    unwritten = "" if done["written"] else " (dry run)" if done["dry_run"] else " (nothing was written)"
    yield f"{done['added']} added, {done['joined']} joined, {done['same']} the same, {done['bad']} bad{unwritten}"


def runs_lines(page: Answer) -> Iterator[str]:
    """The newest first, a line each; times are UTC."""
    for run in page["items"]:
        yield f"{run['at'][:16].replace('T', ' ')}  {_measures_text(run)}  {run['plan']}  [{run['id']}]"
    if not page["items"]:
        yield f"No runs. `{program_name()} golden run --strategy hybrid` asks all golden queries."
    elif page["next_cursor"]:
        yield "… more: --limit"


def run_lines(run: Answer) -> Iterator[str]:
    """One run: how it did, what changed since the run before, and where each relevant memory stood."""
    yield f"{run['plan']}  {_measures_text(run)}  [{run['id']}]"
    if run["change"]:
        yield from change_lines(run["change"])
    for one in run["outcomes"]:
        ranks = ", ".join(map(_place, one["ranks"].values()))
        yield f"  {one['measures']['ndcg']:.3f}  {one['query']}  (at {ranks})"


def change_lines(change: Answer) -> Iterator[str]:
    """What changed since the run before: conditions, figures, queries."""
    verdict = "worse than the run before" if change["worse"] else "beside the run before"
    moved = ", ".join(f"{name} {delta:+.3f}" for name, delta in change["deltas"].items())
    both = "1 query" if change["shared"] == 1 else f"{change['shared']} queries"
    yield f"  {verdict} ({both} in both): {moved or 'nothing to compare'}"
    yield from (f"  changed: {told}" for told in change["conditions"])
    for name in ("worse", "better"):
        for one in change[f"{name}_queries"]:
            steps = ", ".join(f"{_place(was)} → {_place(now)}" for was, now in one["ranks"].values())
            yield f"  {name}: {one['query']}  ({steps})"


def _place(rank: int | None) -> str:
    return str(rank) if rank else "not found"


def _measures_text(run: Answer) -> str:
    at = {"mrr": ""}
    return "  ".join(f"{name}{at.get(name, '@' + str(run['k']))} {run['measures'][name]:.3f}" for name in MEASURES)


def _value_text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
