"""Profiles, golden queries and their runs as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memoryapp.management.show import shortened
from memoryapp.program import program_name

Told = dict[str, Any]
MEASURES = ("recall", "mrr", "ndcg", "precision")
_TEXT = 80  # characters of a relevant memory


def profile_lines(found: Told) -> Iterator[str]:
    for one in found["items"]:
        yield f"{one['name']}  {one['plan']}" + (f"  {one['note']}" if one["note"] else "")
    if not found["items"]:
        yield f'No profiles. `{program_name()} profiles save NAME "hybrid;vector=1.4"` makes one.'


def golden_lines(page: Told) -> Iterator[str]:
    """Each question, and beneath it what it should find."""
    for one in page["items"]:
        narrowed = "".join(f"  {name}: {_told(value)}" for name, value in one["filters"].items())
        then = f"  as of {one['as_of']}" if one["as_of"] else ""
        yield f"{one['query']}{narrowed}{then}  [{one['id']}]"
        for memory in one["relevant"]:
            state = "" if memory["state"] == "held" else f" ({memory['state'] or 'purged'})"
            yield f"    {memory['id']}{state}  {shortened(memory['text'], _TEXT)}".rstrip()
    if not page["items"]:
        yield f'No golden queries. `{program_name()} golden add "a question" ID` makes one.'
    elif page["next_cursor"]:
        yield f"… {page['total']:,} in all: --limit"


def act_lines(done: Told) -> Iterator[str]:
    one = done["golden"]
    count = len(one["relevant"])
    means = "means 1 memory" if count == 1 else f"means {count} memories"
    yield f"{done['outcome']}: {one['query']}  {means}  [{one['id']}]"


def import_lines(done: Told) -> Iterator[str]:
    """What came of each line that is not simply new, then the counts."""
    for line in done["lines"]:
        if line["outcome"] != "add":
            yield f"line {line['line']}: {line['outcome']}: {line['told']}"
    unwritten = "" if done["written"] else " (dry run)" if done["dry_run"] else " (nothing was written)"
    yield f"{done['added']} added, {done['joined']} joined, {done['same']} the same, {done['bad']} bad{unwritten}"


def runs_lines(page: Told) -> Iterator[str]:
    """The newest first, a line each; times are UTC."""
    for run in page["items"]:
        yield f"{run['at'][:16].replace('T', ' ')}  {_measured(run)}  {run['plan']}  [{run['id']}]"
    if not page["items"]:
        yield f"No runs. `{program_name()} golden run --strategy hybrid` asks all golden queries."
    elif page["next_cursor"]:
        yield "… more: --limit"


def run_lines(run: Told) -> Iterator[str]:
    """One run: how it did, what changed since the run before, and where each relevant memory stood."""
    yield f"{run['plan']}  {_measured(run)}  [{run['id']}]"
    if run["change"]:
        yield from change_lines(run["change"])
    for one in run["outcomes"]:
        ranks = ", ".join(map(_place, one["ranks"].values()))
        yield f"  {one['measures']['ndcg']:.3f}  {one['query']}  (at {ranks})"


def change_lines(change: Told) -> Iterator[str]:
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


def _measured(run: Told) -> str:
    at = {"mrr": ""}
    return "  ".join(f"{name}{at.get(name, '@' + str(run['k']))} {run['measures'][name]:.3f}" for name in MEASURES)


def _told(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
