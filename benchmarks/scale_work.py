"""The long work of a grown space, each piece once and in seconds: the map, names that may be one, a day folded, facts
under the floor, summaries, what waits for the tree, the check of every invariant, index, export and backup."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.scale_made import APART
from memoryapp import consolidate, graph, integrity, summaries, tree
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.spaces import Space
from memoryapp.store import backup
from memoryapp.transfer import export

_MACHINE = Actor(ActorKind.MACHINE, "bench")


def jobs(space: Space, place: Path) -> dict[str, Any]:
    """Seconds of the clock and of the processor by piece of work; `broken` is what the check found. Files go to
    `place`."""
    told: dict[str, Any] = {}

    def timed(name: str, work: Callable[[], Any]) -> Any:
        began, worked = time.perf_counter(), time.process_time()
        found = work()
        told[name] = {"s": round(time.perf_counter() - began, 3), "cpu_s": round(time.process_time() - worked, 3)}
        return found

    timed("draw the map", lambda: graph.draw(space))
    timed("find names that may be one", lambda: graph.find_alike(space))
    timed("plan the digests of a day", lambda: consolidate.preview(space, older_than_days=_but_a_day(space)))
    timed("look for expired facts", lambda: consolidate.expire(space, actor=_MACHINE, dry_run=True))
    timed("write summaries", lambda: summaries.refresh_summaries(space, model=None, actor=_MACHINE, force=True))
    timed("what waits for the tree", lambda: tree.waiting(space, limit=200))
    told["broken"] = len(timed("check every invariant", lambda: integrity.check(space)).broken)
    timed("save the index", space.index.save)
    timed("export", lambda: export.export(space, place / "export.zip", settings={}))
    timed("back up", lambda: backup.backup(space.db, place / "backup.gz"))
    return told


def _but_a_day(space: Space) -> int:
    """So many days that about one day of sections is older."""
    days = space.index.roster.held.sum() * APART.total_seconds() / 86_400
    return max(0, int(days) - 1)
