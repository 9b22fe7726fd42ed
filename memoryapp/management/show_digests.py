"""Digests as lines for a terminal: what would be folded, and what was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memoryapp.program import program_name

Told = dict[str, Any]


def preview_lines(preview: Told) -> Iterator[str]:
    for one in preview["digests"]:
        marks = " (rolled back once)" if one["rolled_back"] else " (written anew)" if one["rewrites"] else ""
        yield f"{one['title']}: {_counted(len(one['originals']), 'section')}{marks}  [{one['id']}]"
        for said in one["sentences"]:
            why = ", ".join(said["why"])
            yield f"  {'+' if said['taken'] else '-'} {said['score']:.2f}  {said['text']}"
            yield f"           {why}" + (f"; left: {said['left']}" if said["left"] else "")
        yield ""
    stays = len(preview["staying"])
    if not preview["digests"]:
        yield f"Nothing to fold: no daily log older than {preview['older_than_days']} days belongs to another."
    else:
        yield (
            f"{_counted(len(preview['digests']), 'digest')} of {_counted(preview['archives'], 'section')}, "
            f"{preview['taken']:,} of {preview['sentences']:,} sentences, "
            f"{preview['bytes_before']:,} to {preview['bytes_after']:,} bytes, {preview['links']:,} links carried over."
        )
    if stays:
        yield f"{_counted(stays, 'section')} {'stays as it is' if stays == 1 else 'stay as they are'}."
    if preview["digests"]:
        yield f"Nothing was written: `{program_name()} consolidate --apply` writes it."


def job_lines(job: Told) -> Iterator[str]:
    report = job["report"]
    if report["skipped"]:
        yield report["skipped"]
        return
    yield (
        f"{_counted(report['digests'], 'digest')} written, {_counted(report['archived'], 'section')} archived, "
        f"{report['bytes_before']:,} to {report['bytes_after']:,} bytes."
    )
    for one in report["left"]:
        yield f"Left out: {one['title'] or one['id']}: {one['why']}."
    if report["run"]:
        yield f"`{program_name()} undo {report['run']}` takes it back."


def _counted(value: int, one: str, many: str = "") -> str:
    return f"{value:,} {one if value == 1 else many or one + 's'}"
