"""Answers of the API as lines for a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from memoryapp.program import program_name

WIDTH = 160  # characters of a memory's text on a result line
COUNTS = ("files", "sections", "added", "changed", "unchanged", "archived", "linked", "embedded", "conflicts")


@contextlib.contextmanager
def progress_bar(verb: str) -> Iterator[Callable[[dict[str, Any]], None]]:
    """A function to be told of a job as it goes on. On a terminal it draws a bar on stderr; else it says nothing."""
    if not sys.stderr.isatty():
        yield lambda job: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(verb, total=None)

        def tell(job: dict[str, Any]) -> None:
            told = job.get("progress") or {}
            if told.get("sections_total"):
                what = f"Embedding, {'' if told['exact'] else 'about '}{told['sections_total']:,} sections"
                bar.update(task, description=what, completed=told["sections"], total=told["sections_total"])
                return
            what = str(told.get("phase") or verb).capitalize()
            bar.update(task, description=what, completed=told.get("done", 0), total=told.get("total") or None)

        yield tell


def report_lines(job: dict[str, Any]) -> Iterator[str]:
    """An ingest's report: the counts in one line, what was skipped and why, every file that could not be read."""
    report = job.get("report") or {}
    counted = ", ".join(f"{report[name]:,} {name}" for name in COUNTS if name in report)
    rehearsed = " (dry run: nothing was changed)" if report.get("dry_run") else ""
    yield f"{counted} in {report.get('seconds', 0):.1f} s{rehearsed}"
    for reason, files in (report.get("skipped") or {}).items():
        yield f"skipped: {files:,} ({reason})"
    for failed in report.get("failed") or []:
        yield f"not read: {failed.get('path', '')}: {failed.get('note', '')}"


def result_lines(answer: dict[str, Any], *, explain: bool) -> Iterator[str]:
    """Search results, best first: what each is, its text, how far it may be relied on; with `explain` also the parts
    that make up the score."""
    for place, item in enumerate(answer["items"], start=1):
        yield f"{place:>3}. {item['score']:.5f}  {item.get('title') or item['kind']}  [{item['id']}]"
        yield f"     {shortened(item['text'])}"
        answer_in = (item.get("answer") or {}).get("text", "")
        if answer_in and shortened(answer_in) not in shortened(item["text"]):
            yield f"     the answer: {shortened(answer_in)}"
        if asked := item.get("answers"):
            yield f"     in answer to: {shortened(asked['text'])}"
        if reply := item.get("reply"):
            yield f"     reply: {shortened(reply['text'])}"
        if turn := item.get("turn"):
            yield f"     said: {shortened(turn['text'])}"
        for fact in item.get("facts") or []:
            since = ", replaced since" if fact["state"] == "superseded" else ""
            yield f"     learned{since}: {shortened(fact['text'])}"
        if standing := _standing(item):
            yield f"     {standing}"
        if explain:
            yield from (f"     {line}" for line in _explained(item))
            if way := (item.get("evidence") or {}).get("path"):
                yield f"     path: {path_line(way)}"
    if not answer["items"]:
        yield "Nothing found."


def _standing(item: dict[str, Any]) -> str:
    """Who said it and when, how far it is trusted, and whether somebody must still decide: "Alice · 2026-11-20 · trust
    0.89 · disputed"."""
    when = item.get("valid_from") or item.get("occurred_at")
    parts = [item.get("speaker") or "", f"{when:.10}" if when else ""]
    claims = item.get("trust") is not None and item.get("kind") != "turn"
    parts += [f"trust {item['trust']:.2f}"] if claims else []
    parts += [f"from space {item['inherited_from']}"] if item.get("inherited_from") else []
    parts += ["probably outdated: a later hit says otherwise"] if item.get("outdated_by") else []
    parts += [f"disputed: see `{program_name()} conflicts show {key}`" for key in item.get("conflicts") or []]
    return " · ".join(part for part in parts if part)


def path_line(way: list[dict[str, Any]]) -> str:
    """How recall came to a memory: "deployment pipeline —runs on→ Terraform ←uses— Adam → this"."""
    told = ""
    for place, step in enumerate(way):
        here = "this" if place == len(way) - 1 else step.get("name") or f"“{shortened(step.get('text', ''), 40)}”"
        said = str(step["by"]).replace("_", " ")
        if not told:
            told = here
        elif said in ("mentions", "named", "nearest"):
            told += f" → {here}"
        else:
            told += f" ←{said}— {here}" if step.get("back") else f" —{said}→ {here}"
    return told


def shortened(text: str, width: int = WIDTH) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def _explained(item: dict[str, Any]) -> Iterator[str]:
    for name, arm in (item.get("arms") or {}).items():
        raw = arm.get("score")
        rank = f"rank {arm['rank']}" if arm.get("rank") else "not ranked"
        yield (
            f"{name}: {rank}, raw {raw:.4f}, share {arm.get('share') or 0:.5f}"
            if raw is not None
            else f"{name}: {rank}"
        )
    factors = item.get("factors") or {}
    if factors:
        yield " × ".join(["sum of shares", *(f"{name} {value:.4f}" for name, value in factors.items())])
