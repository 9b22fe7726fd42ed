"""What a job did, in one line, by its report. The words stand here so that pages, API and commands say the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memoryapp.text.wording import count_text

Report = dict[str, Any]
_SHOWN = 3  # strategies that are named


def summary_of(kind: str, report: Report) -> str:
    """Of a kind that reads no files; “” for one that tells nothing."""
    if not report or kind not in _WORDS:
        return ""
    problem = f" {report['problem']}" if report.get("problem") else ""
    return f"{_WORDS[kind](report)}{problem}"


def _read(report: Report) -> str:
    counts = ((report.get("facts"), "learned"), (report.get("reinforced"), "said again"))
    parts = [f"{count:,} {word}" for count, word in counts if count]
    if clashes := report.get("conflicts"):
        parts.append(count_text(clashes, "conflict"))
    if asked := report.get("asked"):
        parts.append(f"the model's wording used for {report.get('reworded', 0)} of {count_text(asked, 'fact')}")
    return f"{count_text(report.get('turns', 0), 'turn')}: {', '.join(parts) or 'nothing new'}."


def _narrate(report: Report) -> str:
    return f"{report.get('session')}: {'done' if report.get('episode') else 'too little to write about'}."


def _summaries(report: Report) -> str:
    return f"{', '.join(report.get('written') or ()) or 'nothing'} rewritten."


def _expire(report: Report) -> str:
    left = report.get("disputed", 0)
    told = f", {left:,} kept because of an open conflict about {'it' if left == 1 else 'them'}" if left else ""
    return f"{count_text(report.get('archived', 0), 'memory', 'memories')} archived{told}."


def _graph(report: Report) -> str:
    counts = (("relations", "relation", "relations"), ("entities", "new entity", "new entities"))
    parts = [count_text(report[name], one, many) for name, one, many in counts if report.get(name)]
    parts += [count_text(report["proposals"], "possible duplicate")] if report.get("proposals") else []
    read = count_text(report.get("read", 0), "memory", "memories")
    return f"{read} read: {', '.join(parts) or 'nothing new'}."


def _layout(report: Report) -> str:
    drawn = count_text(report.get("entities", 0), "entity", "entities")
    return f"{drawn} in {count_text(report.get('communities', 0), 'community', 'communities')}."


def _consolidate(report: Report) -> str:
    if report.get("skipped"):
        return f"Skipped: {report['skipped']}"
    if not report.get("digests"):
        told = "nothing to consolidate."
    else:
        folded = count_text(report.get("archived", 0), "section")
        told = f"{count_text(report['digests'], 'digest')} written, {folded} archived."
    left = len(report.get("left") or ())
    return told + (f" {count_text(left, 'digest')} skipped: changed since." if left else "")


def _golden_text(report: Report) -> str:
    if report.get("skipped"):
        return f"Skipped: {report['skipped']}."
    plans = [f"{one['plan']} {one['measures']['recall']:.2f}" for one in report.get("runs") or ()]
    named = ", ".join(plans[:_SHOWN]) + (", …" if len(plans) > _SHOWN else "")
    asked = count_text(report.get("queries", 0), "golden query", "golden queries")
    return f"{asked}, recall@{report.get('k')}: {named}."


def _heartbeat(report: Report) -> str:
    return str(report.get("told", ""))


def _import(report: Report) -> str:
    if report.get("records"):
        told = count_text(report["records"].get("memories", 0), "memory", "memories")
        parts = [f"{told} with all that belongs to {'it' if told.startswith('1 ') else 'them'}"]
    else:
        became = ("written", "reinforced", "unchanged", "skipped")
        parts = [f"{report[name]:,} {name}" for name in became if report.get(name)]
        came = {"turns": "turn", "entities": "entity", "relations": "relation", "conflict": "conflict"}
        many = {"conflict": "conflicts"}
        parts += [count_text(report[name], one, many.get(name, name)) for name, one in came.items() if report.get(name)]
    dry = "Dry run: " if report.get("dry_run") else ""
    return f"{dry}{', '.join(parts) or 'nothing new'}."


def _backup(report: Report) -> str:
    told = f"{report['file']}, {_size(report['size'])}, read again and whole."
    if report.get("instead"):
        told += " Nothing had changed, so it took the place of the one before."
    gone = len(report.get("removed") or ())
    return told + (f" {count_text(gone, 'older one')} removed." if gone else "")


def _restore(report: Report) -> str:
    told = count_text(report.get("rows", {}).get("memory", 0), "memory", "memories")
    return f"{told} with all that belongs to {'it' if told.startswith('1 ') else 'them'}, from {report.get('file')}."


def _demo(report: Report) -> str:
    told = count_text(report.get("memories", 0), "memory", "memories")
    return f"{told} of {count_text(report.get('days', 0), 'day')}, {count_text(report.get('talks', 0), 'talk')}."


def _size(octets: int) -> str:
    """In powers of 1,024, as the pages tell it."""
    return f"{octets / 1024:,.1f} KB" if octets < 1_000 * 1024 else f"{octets / 1024**2:,.1f} MB"


_WORDS: dict[str, Callable[[Report], str]] = {
    "read": _read,
    "narrate": _narrate,
    "summaries": _summaries,
    "expire": _expire,
    "graph": _graph,
    "layout": _layout,
    "consolidate": _consolidate,
    "golden": _golden_text,
    "demo": _demo,
    "heartbeat": _heartbeat,
    "import": _import,
    "backup": _backup,
    "restore": _restore,
    "chat-model": lambda report: str(report.get("told", "")),
    "encoder": lambda report: str(report.get("told", "")),
}
