"""What keeps an installation going as lines for a terminal: jobs, spaces, people, keys, sources, counts."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

from memoryapp.management.show import shortened
from memoryapp.program import program_name

Told = dict[str, Any]


def job_list_lines(page: Told) -> Iterator[str]:
    for one in page["items"]:
        yield f"{one['created_at']:.19}  {one['status']:<9} {one['kind']:<12} {_progress(one)}  [{one['id']}]"
        if one["error"]:
            yield f"    {shortened(one['error'])}"
    if not page["items"]:
        yield "No jobs."


def one_job_lines(job: Told) -> Iterator[str]:
    yield f"{job['kind']} in {job['space']}, by {job['created_by']}: {job['status']} {_progress(job)}".rstrip()
    for name, value in job["report"].items():
        if isinstance(value, (int, float, str)) and not isinstance(value, bool) and value != "":
            yield f"    {name.replace('_', ' ')}: {value:,}" if isinstance(value, int) else f"    {name}: {value}"
    if job["error"]:
        yield f"    {job['error']}"
    if job["run"]:
        yield f"`{program_name()} undo {job['run']}` takes it back."


def job_file_lines(page: Told) -> Iterator[str]:
    for one in page["items"]:
        note = f"  ({one['note']})" if one["note"] else ""
        yield f"{one['outcome']:<10} {one['sections']:>4}  {one['path']}{note}"
    if not page["items"]:
        yield "No files."


def space_lines(page: Told) -> Iterator[str]:
    for one in page["items"]:
        below = f", reads {one['parent']}" if one["parent"] else ""
        own = f", {len(one['settings'])} settings changed" if one["settings"] else ""
        yield f"{one['name']:<20} {one['encoder']}, you are {one['role']}{below}{own}  {one['title']}".rstrip()


def setting_lines(settings: list[Told]) -> Iterator[str]:
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


def reset_lines(space: str, before: Told) -> Iterator[str]:
    if not before:
        yield f"All settings of {space} are at their defaults."
        return
    typed = " ".join(shlex.quote(f"{name}={value}") for name, value in before.items())
    yield f"{len(before)} settings reset. To set them again:"
    yield f"    {program_name()} spaces set {space} {typed}"


def person_lines(page: Told) -> Iterator[str]:
    for one in page["items"]:
        role = "admin of every space" if one["everywhere"] else one["role"] or "no role here"
        last = f"last here {one['last_login']:.10}" if one["last_login"] else "never here"
        yield f"{one['name']:<20} {role}, {last}{'' if one['active'] else ', shut out'}"
    if not page["items"]:
        yield "Nobody has a role in this space."


def key_lines(page: Told) -> Iterator[str]:
    for one in page["items"]:
        where = one["space"] or "every space"
        used = f"used {one['last_used_at']:.10}" if one["last_used_at"] else "not used yet"
        gone = f", revoked {one['revoked_at']:.10}" if one["revoked_at"] else ""
        yield f"{one['id']:>4}  {one['prefix']}…  {one['role']} of {where}, {used}{gone}  {one['name']}"
    if not page["items"]:
        yield "No keys."


def source_lines(page: Told) -> Iterator[str]:
    for one in page["items"]:
        every = f"every {one['every_minutes']:,} min" if one["every_minutes"] else "when asked"
        every += ", and when a session opens" if one["on_session_start"] else ""
        yield f"{one['name']:<20} {one['files']:,} files, read {every}  {one['root']}  [{one['id']}]"
    if not page["items"]:
        yield f"No sources. `{program_name()} ingest PATH` reads a folder once; `sources add PATH` keeps it."


def document_lines(found: Told) -> Iterator[str]:
    yield f"{found['path']} of {found['source_name'] or 'a source that was forgotten'}, {found['size']:,} bytes"
    for one in found["memories"]:
        yield f"    lines {one['first_line']}–{one['last_line']}  {one['title'] or ''}  [{one['id']}]"


def summary_lines(page: Told) -> Iterator[str]:
    for one in page["items"]:
        yield f"{one['category']}, from {len(one['facts']):,} facts, by {one['by']}  [{one['id']}]"
        yield f"    {one['text']}"
    if not page["items"]:
        yield "No summaries yet: a category is told once five facts are in it."


def stats_lines(found: Told) -> Iterator[str]:
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


def relation_lines(page: Told) -> Iterator[str]:
    for one in page["items"]:
        marks = [word for word in ("hint", "planned") if one[word]] + ([] if one["holds"] else ["no longer"])
        said = f" ({', '.join(marks)})" if marks else ""
        verb = one["type"].replace("_", " ")
        yield f"{one['subject']['name']} —{verb}→ {one['object']['name']}  {one['confidence']:.2f}{said}  [{one['id']}]"
    if not page["items"]:
        yield "No relations."


def _progress(job: Told) -> str:
    told = job["progress"]
    return f"{told['done']:,} of {told['total']:,}" if told["total"] else ""
