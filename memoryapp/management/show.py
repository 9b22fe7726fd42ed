"""Answers of the API as lines for a terminal: what every command shows, the reports of jobs, and what keeps an
installation going: spaces, people, keys, sources, counts.
"""

from __future__ import annotations

import contextlib
import shlex
import sys
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from memoryapp.program import program_name

WIDTH = 160  # characters of a memory's text on a result line
COUNTS = ("files", "sections", "added", "changed", "unchanged", "archived", "linked", "embedded", "conflicts")
Answer = dict[str, Any]


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


def _around(item: dict[str, Any]) -> Iterator[str]:
    """What stands beside a result: the answer in it, the turns before and after, what was learned from it."""
    answer_in = (item.get("answer") or {}).get("text", "")
    if answer_in and shorten_text(answer_in) not in shorten_text(item["text"]):
        yield f"the answer: {shorten_text(answer_in)}"
    for key, label in (("answers", "in answer to"), ("reply", "reply"), ("turn", "said")):
        if beside := item.get(key):
            yield f"{label}: {shorten_text(beside['text'])}"
    for fact in item.get("facts") or []:
        since = ", replaced since" if fact["state"] == "superseded" else ""
        yield f"learned{since}: {shorten_text(fact['text'])}"


def result_lines(answer: dict[str, Any], *, explain: bool) -> Iterator[str]:
    """Search results, best first: what each is, its text, how far it may be relied on; with `explain` also the parts
    that make up the score."""
    for place, item in enumerate(answer["items"], start=1):
        yield f"{place:>3}. {item['score']:.5f}  {item.get('title') or item['kind']}  [{item['id']}]"
        yield f"     {shorten_text(item['text'])}"
        yield from (f"     {line}" for line in _around(item))
        if standing := _standing(item):
            yield f"     {standing}"
        if explain:
            yield from (f"     {line}" for line in _explanation_lines(item))
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
        here = "this" if place == len(way) - 1 else step.get("name") or f"“{shorten_text(step.get('text', ''), 40)}”"
        said = str(step["by"]).replace("_", " ")
        if not told:
            told = here
        elif said in ("mentions", "named", "nearest"):
            told += f" → {here}"
        else:
            told += f" ←{said}— {here}" if step.get("back") else f" —{said}→ {here}"
    return told


def shorten_text(text: str, width: int = WIDTH) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def _explanation_lines(item: dict[str, Any]) -> Iterator[str]:
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


def job_list_lines(page: Answer) -> Iterator[str]:
    for one in page["items"]:
        yield f"{one['created_at']:.19}  {one['status']:<9} {one['kind']:<12} {_progress(one)}  [{one['id']}]"
        if one["error"]:
            yield f"    {shorten_text(one['error'])}"
    if not page["items"]:
        yield "No jobs."


def one_job_lines(job: Answer) -> Iterator[str]:
    yield f"{job['kind']} in {job['space']}, by {job['created_by']}: {job['status']} {_progress(job)}".rstrip()
    for name, value in job["report"].items():
        if isinstance(value, (int, float, str)) and not isinstance(value, bool) and value != "":
            yield f"    {name.replace('_', ' ')}: {value:,}" if isinstance(value, int) else f"    {name}: {value}"
    if job["error"]:
        yield f"    {job['error']}"
    if job["run"]:
        yield f"`{program_name()} undo {job['run']}` takes it back."


def job_file_lines(page: Answer) -> Iterator[str]:
    for one in page["items"]:
        note = f"  ({one['note']})" if one["note"] else ""
        yield f"{one['outcome']:<10} {one['sections']:>4}  {one['path']}{note}"
    if not page["items"]:
        yield "No files."


def space_lines(page: Answer) -> Iterator[str]:
    for one in page["items"]:
        below = f", reads {one['parent']}" if one["parent"] else ""
        own = f", {len(one['settings'])} settings changed" if one["settings"] else ""
        yield f"{one['name']:<20} {one['encoder']}, you are {one['role']}{below}{own}  {one['title']}".rstrip()


def setting_lines(settings: list[Answer]) -> Iterator[str]:
    group = ""
    for one in settings:
        if one["group"] != group:
            group = one["group"]
            yield group
        unit = f" {one['unit']}" if one["unit"] else ""
        default = f"  (default {one['default']})" if one["changed"] else ""
        value = one["value"] if one["value"] != "" else "–"
        mark = "*" if one["changed"] else " "
        yield f"{mark} {one['name']:<24} {value}{unit}{default}  {one['label']}: {one['help']}"
    if not settings:
        yield "No such settings."


def reset_lines(space: str, before: Answer) -> Iterator[str]:
    if not before:
        yield f"All settings of {space} are at their defaults."
        return
    typed = " ".join(shlex.quote(f"{name}={value}") for name, value in before.items())
    yield f"{len(before)} settings reset. To set them again:"
    yield f"    {program_name()} spaces set {space} {typed}"


def person_lines(page: Answer) -> Iterator[str]:
    for one in page["items"]:
        role = "admin of every space" if one["everywhere"] else one["role"] or "no role here"
        last = f"last here {one['last_login']:.10}" if one["last_login"] else "never here"
        yield f"{one['name']:<20} {role}, {last}{'' if one['active'] else ', shut out'}"
    if not page["items"]:
        yield "Nobody has a role in this space."


def key_lines(page: Answer) -> Iterator[str]:
    for one in page["items"]:
        where = one["space"] or "every space"
        used = f"used {one['last_used_at']:.10}" if one["last_used_at"] else "not used yet"
        gone = f", revoked {one['revoked_at']:.10}" if one["revoked_at"] else ""
        yield f"{one['id']:>4}  {one['prefix']}…  {one['role']} of {where}, {used}{gone}  {one['name']}"
    if not page["items"]:
        yield "No keys."


def source_lines(page: Answer) -> Iterator[str]:
    for one in page["items"]:
        every = f"every {one['every_minutes']:,} min" if one["every_minutes"] else "when asked"
        every += ", and when a session opens" if one["on_session_start"] else ""
        yield f"{one['name']:<20} {one['files']:,} files, read {every}  {one['root']}  [{one['id']}]"
    if not page["items"]:
        yield f"No sources. `{program_name()} ingest PATH` reads a folder once; `sources add PATH` keeps it."


def first_step_lines(found: Answer) -> Iterator[str]:
    told = {
        "started": "Bring notes",
        "filled": f"Ingest them{', job ' + found['job'] if found['job'] else ''}",
        "asked": "Ask a question",
        "connected": f"Connect an agent{': ' + found['agent'] if found['agent'] else ''}",
    }
    for name, words in told.items():
        yield f"[{'x' if found[name] else ' '}] {words}"
    for question in found["questions"] if not found["asked"] else ():
        yield f"    {question}"
    yield "Home shows them." if found["shown"] else "Home does not show them."


def folder_lines(found: Answer) -> Iterator[str]:
    if found["folder"] is not None:
        yield _folder_line(found["folder"])
    for one in found["items"]:
        yield _folder_line(one)
    if found["more"]:
        yield f"… and {found['more']:,} more."
    if found["folder"] is None:
        for one in found["recent"]:
            yield f"{_folder_line(one)}, ingested before"
        if not found["items"]:
            yield "No folder may be ingested. Set MEMORY_INGEST_ROOTS and start the app again."


def _folder_line(one: Answer) -> str:
    files = f"{one['files']:,} {'file' if one['files'] == 1 else 'files'}{'' if one['exact'] else ' or more'}"
    return f"{one['path']}  {one['closed'] or files}"


def document_lines(found: Answer) -> Iterator[str]:
    yield f"{found['path']} of {found['source_name'] or 'a source that was forgotten'}, {found['size']:,} bytes"
    for one in found["memories"]:
        yield f"    lines {one['first_line']}–{one['last_line']}  {one['title'] or ''}  [{one['id']}]"


def summary_lines(page: Answer) -> Iterator[str]:
    for one in page["items"]:
        yield f"{one['category']}, from {len(one['facts']):,} facts, by {one['by']}  [{one['id']}]"
        yield f"    {one['text']}"
    if not page["items"]:
        yield "No summaries yet: a category is told once five facts are in it."


def stats_lines(found: Answer) -> Iterator[str]:
    for name in ("states", "kinds", "trust", "counts"):
        told = ", ".join(f"{count:,} {key.replace('_', ' ')}" for key, count in found[name].items() if count)
        yield f"{name:<8} {told or 'nothing'}"
    languages = found["languages"]
    told = ", ".join(f"{one['share']:.0%} {one['name']}" for one in languages["shares"])
    yield f"{'languages':<8} {told or 'too little to tell'}"
    yield f"{found['conflicts_waiting']:,} conflicts wait"
    if languages["advice"]:
        yield languages["advice"]
        switch = f"embed --model {languages['suggested_model']} --space {found['space']}"
        yield f"`{program_name()} {switch}` switches to it."


def relation_lines(page: Answer) -> Iterator[str]:
    for one in page["items"]:
        marks = [word for word in ("hint", "planned") if one[word]] + ([] if one["holds"] else ["no longer"])
        said = f" ({', '.join(marks)})" if marks else ""
        verb = one["type"].replace("_", " ")
        yield f"{one['subject']['name']} —{verb}→ {one['object']['name']}  {one['confidence']:.2f}{said}  [{one['id']}]"
    if not page["items"]:
        yield "No relations."


def _progress(job: Answer) -> str:
    told = job["progress"]
    return f"{told['done']:,} of {told['total']:,}" if told["total"] else ""
