"""What is measured of a grown space, in one process: start, searches, pages, lists of the API, the long work of jobs,
each piece once and in seconds, resident memory. Pages are opened as people open them, lists read near their start and
far down, each by an example that a space of any size has.

Pages are timed twice: as they are when nothing was written since (`p50`, `p95`), and right after a memory was written
(`fresh`), when whatever is kept by the state of the space is made anew. Beside the milliseconds of the clock stand
those of the processor (`cpu`, `fresh_cpu`: medians, all threads of the process): on a machine that does other things as
well only these can be compared from size to size.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from django.test import Client
from django.urls import reverse

from benchmarks import scale_data
from benchmarks import scale_data as made
from benchmarks import scale_data as said
from benchmarks.scale_data import APART
from benchmarks.speed import _resident_megabytes, percentiles
from memoryapp import consolidate, graph, integrity, summaries, tree
from memoryapp.accounts.people import first_admin
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.memory import Kind
from memoryapp.domain.remembering import NewMemory
from memoryapp.domain.results import Query
from memoryapp.remember import remember
from memoryapp.search import search
from memoryapp.spaces import Space
from memoryapp.store import backup
from memoryapp.transfer import export

API = "/api/v1"
LISTS = ("memories", "entities", "conflicts", "audit", "runs", "sessions", "feedback", "episodes", "jobs")
_LARGEST = 200  # what one page of a list may hold
_DEEP = 25  # pages that are turned before the one that is measured
_HELD = made.memory_key(45)  # a fact that refers to entities, is at odds with none, and is never changed
_TALK = made.session_of(50)  # ended
_MACHINE = Actor(ActorKind.MACHINE, "bench")
STRATEGIES = ("hybrid", "rrf", "keyword", "vector", "bridge", "dual-arm", "recall", "context-tree")
PARTS = ("searches", "pages", "api", "jobs")
_QUERIES = 20
_VISITS, _FRESH = 10, 3
_PATIENCE_MS = 3_000.0  # what one page may take in all before fewer visits do
_AGENT = Actor(ActorKind.AGENT, "bench")


def browser() -> Client:
    """Somebody who may see everything, signed in."""
    client = Client(SERVER_NAME="localhost")
    client.force_login(first_admin())
    return client


def pages() -> dict[str, str]:
    """By name, the address of each page with something on it."""
    from memoryapp.domain.identity import derived_id

    most, few = made.entity_key(0), made.entity_key(20)
    asked, talk = urlencode({"q": said.question(45)}), derived_id("session", _TALK)
    found = {
        "Home": reverse("home"),
        "Memories": reverse("memories"),
        "Facts": reverse("facts"),
        "One memory": reverse("memory", args=[_HELD]),
        "A document": reverse("document", args=[made.document_key(0)]),
        "Graph": reverse("graph"),
        "Graph, its map": reverse("graph-scene"),
        "Graph, around one": f"{reverse('graph-scene')}?start={most}",
        "Graph, beside it": reverse("graph-panel", args=[most]),
        "Entities": reverse("entities"),
        "One entity, of much": reverse("entity", args=[most]),
        "One entity, of little": reverse("entity", args=[few]),
        "Conflicts": reverse("conflicts"),
        "Conflicts, decided": f"{reverse('conflicts')}?tab=decided",
        "Audit": reverse("audit"),
        "Sessions": reverse("sessions"),
        "One session": reverse("session", args=[talk]),
        "Episodes": reverse("episodes"),
        "Tree": reverse("tree"),
        "A node": reverse("tree-node", args=["area-0/topic-0"]),
        "Search": f"{reverse('search')}?{asked}",
        "Search lab": f"{reverse('lab')}?{asked}",
        "Context": f"{reverse('context')}?{asked}",
        "Summaries": reverse("summaries"),
        "Golden": reverse("golden"),
        "Feedback": reverse("feedback"),
        "Ingest": reverse("ingest"),
        "Consolidate": reverse("consolidate"),
        "Jobs": reverse("jobs"),
        "Settings": reverse("settings"),
        "Health": reverse("settings-health"),
    }
    return found


def answers(client: Client) -> dict[str, str]:
    """By name, addresses of the API: each list at its start and far down, and single questions."""
    most, few = made.entity_key(0), made.entity_key(20)
    found = {
        "GET /stats": f"{API}/stats",
        "GET /memories/{id}": f"{API}/memories/{_HELD}",
        "GET /relations of an entity": f"{API}/relations?entity={most}&limit=50",
        "GET /graph around one": f"{API}/graph?{urlencode({'start': most})}",
        "GET /graph/path": f"{API}/graph/path?{urlencode({'start': few, 'end': made.entity_key(30)})}",
        "GET /tree": f"{API}/tree",
        "GET /consolidate/runs": f"{API}/consolidate/runs",
        "GET /episodes/days": f"{API}/episodes/days",
        "GET /entities/alike": f"{API}/entities/alike",
    }
    for name in LISTS:
        found[f"GET /{name}"] = f"{API}/{name}?limit=50"
        if deep := _far_down(client, name):
            found[f"GET /{name}, far down"] = deep
    return found


def _far_down(client: Client, name: str) -> str:
    """The address of a page of fifty after many others; "" where the list ends before."""
    address = ""
    for cursor in _page_cursors(client, f"{API}/{name}?limit={_LARGEST}"):
        address = f"{API}/{name}?limit=50&cursor={quote(cursor)}"
    return address


def _page_cursors(client: Client, address: str) -> Iterator[str]:
    cursor = ""
    for _ in range(_DEEP):
        answer = client.get(f"{address}&cursor={quote(cursor)}" if cursor else address)
        if answer.status_code != 200:
            raise AssertionError(f"{address} answered {answer.status_code}: {answer.content[:300]!r}")
        cursor = json.loads(answer.content).get("next_cursor") or ""
        if not cursor:
            return
        yield cursor


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


@dataclass(frozen=True, slots=True)
class Took:
    ms: float
    cpu_ms: float


def look(opened: Callable[[], tuple[Space, Path]], *, only: str = "") -> dict[str, Any]:
    """`only`: one of PARTS; "" is all of them."""
    began = time.perf_counter()
    space, folder = opened()
    search(space, Query(scale_data.question(0)))
    told: dict[str, Any] = {
        "start_s": round(time.perf_counter() - began, 3),
        "memory_mb": {"at start": _resident_megabytes()},
    }
    wanted = (only,) if only else PARTS
    if "searches" in wanted:
        told["searches"] = {name: _measure_searches(space, name) for name in STRATEGIES}
    told["write_ms"] = _measure_writes(space)
    client = browser()
    if "pages" in wanted:
        told["pages"] = _measure_visits(space, client, pages())
    if "api" in wanted:
        told["api"] = _measure_visits(space, client, answers(client))
    told["memory_mb"]["after pages"] = _resident_megabytes()
    if "jobs" in wanted:
        with tempfile.TemporaryDirectory(dir=folder) as place:
            told["jobs"] = jobs(space, Path(place))
    told["memory_mb"]["at end"] = _resident_megabytes()
    return told


def _measure_searches(space: Space, strategy: str) -> dict[str, float]:
    """With the query's embedding, which costs next to nothing by the encoder of this measurement."""
    questions = [scale_data.question(n * 7) for n in range(_QUERIES)]
    search(space, Query("warm", strategy=strategy))
    return spent([measure_time(lambda q=q: search(space, Query(q, strategy=strategy))) for q in questions])  # type: ignore[misc]


def _measure_writes(space: Space) -> dict[str, Any]:
    """To remember one note and one fact, comparing included, and to see it in the index."""
    took: dict[str, list[Took]] = {"note": [], "refresh": [], "fact": []}
    for n in range(8):
        took["note"].append(measure_time(lambda n=n: _note(space, f"note {n}")))  # type: ignore[misc]
        took["refresh"].append(measure_time(space.index.refresh))
        took["fact"].append(measure_time(lambda n=n: _fact(space, n)))  # type: ignore[misc]
    return {name: spent(times) for name, times in took.items()}


def _note(space: Space, what: str) -> None:
    remember(space, [NewMemory(text=f"{what} of {time.time_ns()}")], actor=_AGENT)


def _fact(space: Space, n: int) -> None:
    text = f"{scale_data.entity_name(n)} keeps {scale_data.words(scale_data.chance(n), 6)} {time.time_ns()}."
    remember(space, [NewMemory(text=text, kind=Kind.FACT)], actor=_AGENT)


def _measure_visits(space: Space, client: Client, addresses: dict[str, str]) -> dict[str, Any]:
    return {name: _measure_visit(space, client, address) for name, address in addresses.items()}


def _measure_visit(space: Space, client: Client, address: str) -> dict[str, float]:
    def visit() -> None:
        answer = client.get(address)
        if answer.status_code != 200 or not answer.content:
            raise AssertionError(f"{address} answered {answer.status_code}: {answer.content[:300]!r}")

    visit()  # templates are compiled, and whatever is kept is made
    times = [measure_time(visit)]
    while len(times) < _VISITS and sum(one.ms for one in times) < _PATIENCE_MS:
        times.append(measure_time(visit))
    fresh: list[Took] = []
    while len(fresh) < _FRESH and sum(one.ms for one in fresh) < _PATIENCE_MS:
        _note(space, f"page {len(fresh)}")
        fresh.append(measure_time(visit))
    after = spent(fresh)
    return spent(times) | {"fresh": after["p50"], "fresh_cpu": after["cpu"]}


def measure_time(work: Callable[[], object]) -> Took:
    began, worked = time.perf_counter(), time.process_time()
    work()
    return Took((time.perf_counter() - began) * 1000, (time.process_time() - worked) * 1000)


def spent(times: Sequence[Took]) -> dict[str, float]:
    return percentiles([one.ms for one in times]) | {"cpu": round(statistics.median(one.cpu_ms for one in times), 3)}
