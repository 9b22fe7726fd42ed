"""The job of those acts of the heartbeat that have no kind of their own: the tree's, and the search index."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memoryapp import tree
from memoryapp.accounts.spaces import open_space
from memoryapp.domain.errors import BadInput, Cancelled, Stale, StoreError
from memoryapp.jobs.acts import told_nodes
from memoryapp.jobs.models import Job
from memoryapp.jobs.narration import clear_old
from memoryapp.jobs.progress import JobProgress
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.text.wording import count_text

_AT_ONCE = 200  # memories that are taken in by one write
_LOOKED_AT = 50_000  # of those that wait, the newest


def run_heartbeat(job: Job, progress: JobProgress) -> dict[str, Any]:
    """`arguments`: {"act": tree-size, take-in or index, "split"?}. `told` of the report says in a line what was done.
    Raises BadInput for another act, Cancelled; what is written by then stays, whole."""
    clear_old("heartbeat", job.space)
    act = str(job.arguments.get("act", ""))
    if act not in _ACTS:
        raise BadInput(f"“{act[:40]}” is no act of this job. Known: {', '.join(_ACTS)}.", field="/act")
    space = open_space(job.space)
    report = _ACTS[act](space, job, progress)
    space.index.refresh()  # here, and not in the first search after it
    return {"act": act, **report}


def _tree_size(space: Space, job: Job, progress: JobProgress) -> dict[str, Any]:
    """Tells which nodes are too large and, with `split`, splits them; one that cannot be split stays, and is named."""
    large = tree.overfull(space)
    report: dict[str, Any] = {"large": [node.path for node in large], "split": [], "left": []}
    if not job.arguments.get("split"):
        return {**report, "told": _sentence(told_nodes(large))}
    for n, node in enumerate(large):
        _stop_if_asked(progress)
        progress.say(f"splitting {node.path}")
        try:
            _, act = tree.split(space, node.path, actor=job.actor, version=node.version)
            progress.belongs_to(act.id)
            report["split"].append(node.path)
        except (BadInput, Stale) as error:
            report["left"].append({"path": node.path, "why": error.detail})
        progress.advance(n + 1, len(large))
    told = f"{count_text(len(report['split']), 'node')} split." if large else "No node is over 10 KB."
    if report["left"]:
        told += f" {', '.join(one['path'] for one in report['left'][:3])} could not be: {report['left'][0]['why']}"
    return {**report, "told": told}


def _take_in(space: Space, job: Job, progress: JobProgress) -> dict[str, Any]:
    """Writes what waits, and where it belongs is certain, into the tree, so many at a time."""
    report: dict[str, Any] = {"taken": 0, "conflicts": 0, "nodes": 0}
    if not nodes.outline(space.db):
        return {**report, "told": "This space has no tree yet."}
    done: set[str] = set()
    paths: set[str] = set()
    while True:
        _stop_if_asked(progress)
        waits = [
            one.memory.id for one in tree.waiting(space, limit=len(done) + _AT_ONCE, certain=True, look_at=_LOOKED_AT)
        ]
        fresh = [key for key in waits if key not in done]
        if not fresh:
            break
        kept = tree.retain(space, fresh, actor=job.actor)
        done.update(fresh)
        if kept.run is not None:
            progress.belongs_to(kept.run.id)
        report["conflicts"] += sum(one.outcome == "conflict" for one in kept.items)
        written = [one for one in kept.items if one.outcome in ("written", "merged")]
        report["taken"] += len(written)
        paths.update(one.path for one in written)
        progress.advance(len(done), len(done))
    report["nodes"] = len(paths)
    if not done:
        return {**report, "told": "Nothing waits to be taken in."}
    told = f"{count_text(report['taken'], 'memory', 'memories')} taken into {count_text(len(paths), 'node')}."
    return {
        **report,
        "told": told + (f" {count_text(report['conflicts'], 'conflict')}." if report["conflicts"] else ""),
    }


def _index(space: Space, job: Job, progress: JobProgress) -> dict[str, Any]:
    progress.say("writing the index to disk")
    space.index.refresh()
    try:
        space.index.save()
    except OSError as error:
        raise StoreError(f"The search index cannot be written to disk: {error}.") from error
    status = space.index.status()
    told = f"{count_text(status.rows, 'memory', 'memories')}, {status.bytes / 1e6:,.1f} MB, on disk."
    return {"rows": status.rows, "bytes": status.bytes, "told": told}


def _stop_if_asked(progress: JobProgress) -> None:
    if progress.cancelled():
        raise Cancelled("Stopped; what is written stays.")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


_ACTS: dict[str, Callable[[Space, Job, JobProgress], dict[str, Any]]] = {
    "tree-size": _tree_size,
    "take-in": _take_in,
    "index": _index,
}
