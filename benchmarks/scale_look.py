"""What is measured of a grown space, in one process: start, searches, pages, lists of the API, jobs, resident memory.

Pages are timed twice: as they are when nothing was written since (`p50`, `p95`), and right after a memory was written
(`fresh`), when whatever is kept by the state of the space is made anew. Beside the milliseconds of the clock stand
those of the processor (`cpu`, `fresh_cpu`: medians, all threads of the process): on a machine that does other things as
well only these can be compared from size to size."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.test import Client

from benchmarks import scale_pages, scale_words
from benchmarks.scale_work import jobs
from benchmarks.speed import _resident, spread
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.memory import Kind
from memoryapp.domain.remembering import NewMemory
from memoryapp.domain.results import Query
from memoryapp.remember import remember
from memoryapp.search import search
from memoryapp.spaces import Space

STRATEGIES = ("hybrid", "rrf", "keyword", "vector", "bridge", "dual-arm", "recall", "context-tree")
PARTS = ("searches", "pages", "api", "jobs")
_QUERIES = 20
_VISITS, _FRESH = 10, 3
_PATIENCE_MS = 3_000.0  # what one page may take in all before fewer visits do
_AGENT = Actor(ActorKind.AGENT, "bench")


@dataclass(frozen=True, slots=True)
class Took:
    ms: float
    cpu_ms: float


def look(opened: Callable[[], tuple[Space, Path]], *, only: str = "") -> dict[str, Any]:
    """`only`: one of PARTS; "" is all of them."""
    began = time.perf_counter()
    space, folder = opened()
    search(space, Query(scale_words.question(0)))
    told: dict[str, Any] = {"start_s": round(time.perf_counter() - began, 3), "memory_mb": {"at start": _resident()}}
    wanted = (only,) if only else PARTS
    if "searches" in wanted:
        told["searches"] = {name: _searched(space, name) for name in STRATEGIES}
    told["write_ms"] = _written(space)
    client = scale_pages.browser()
    if "pages" in wanted:
        told["pages"] = _visited(space, client, scale_pages.pages())
    if "api" in wanted:
        told["api"] = _visited(space, client, scale_pages.answers(client))
    told["memory_mb"]["after pages"] = _resident()
    if "jobs" in wanted:
        with tempfile.TemporaryDirectory(dir=folder) as place:
            told["jobs"] = jobs(space, Path(place))
    told["memory_mb"]["at end"] = _resident()
    return told


def _searched(space: Space, strategy: str) -> dict[str, float]:
    """With the query's embedding, which costs next to nothing by the encoder of this measurement."""
    questions = [scale_words.question(n * 7) for n in range(_QUERIES)]
    search(space, Query("warm", strategy=strategy))
    return spent([timed(lambda q=q: search(space, Query(q, strategy=strategy))) for q in questions])  # type: ignore[misc]


def _written(space: Space) -> dict[str, Any]:
    """To remember one note and one fact, comparing included, and to see it in the index."""
    took: dict[str, list[Took]] = {"note": [], "refresh": [], "fact": []}
    for n in range(8):
        took["note"].append(timed(lambda n=n: _note(space, f"note {n}")))  # type: ignore[misc]
        took["refresh"].append(timed(space.index.refresh))
        took["fact"].append(timed(lambda n=n: _fact(space, n)))  # type: ignore[misc]
    return {name: spent(times) for name, times in took.items()}


def _note(space: Space, what: str) -> None:
    remember(space, [NewMemory(text=f"{what} of {time.time_ns()}")], actor=_AGENT)


def _fact(space: Space, n: int) -> None:
    text = f"{scale_words.entity_name(n)} keeps {scale_words.words(scale_words.chance(n), 6)} {time.time_ns()}."
    remember(space, [NewMemory(text=text, kind=Kind.FACT)], actor=_AGENT)


def _visited(space: Space, client: Client, addresses: dict[str, str]) -> dict[str, Any]:
    return {name: _one(space, client, address) for name, address in addresses.items()}


def _one(space: Space, client: Client, address: str) -> dict[str, float]:
    def visit() -> None:
        answer = client.get(address)
        if answer.status_code != 200 or not answer.content:
            raise AssertionError(f"{address} answered {answer.status_code}: {answer.content[:300]!r}")

    visit()  # templates are compiled, and whatever is kept is made
    times = [timed(visit)]
    while len(times) < _VISITS and sum(one.ms for one in times) < _PATIENCE_MS:
        times.append(timed(visit))
    fresh: list[Took] = []
    while len(fresh) < _FRESH and sum(one.ms for one in fresh) < _PATIENCE_MS:
        _note(space, f"page {len(fresh)}")
        fresh.append(timed(visit))
    after = spent(fresh)
    return spent(times) | {"fresh": after["p50"], "fresh_cpu": after["cpu"]}


def timed(work: Callable[[], object]) -> Took:
    began, worked = time.perf_counter(), time.process_time()
    work()
    return Took((time.perf_counter() - began) * 1000, (time.process_time() - worked) * 1000)


def spent(times: Sequence[Took]) -> dict[str, float]:
    return spread([one.ms for one in times]) | {"cpu": round(statistics.median(one.cpu_ms for one in times), 3)}
