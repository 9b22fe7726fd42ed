"""The graph kept up by jobs: new words are read for relations and new names become vectors (kind graph), and the map is
drawn anew where it no longer fits (kind layout). Asked for by hand, and by the tick for what is due."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from django.db.models import QuerySet
from django.utils import timezone

from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import open_row
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.errors import PalimpsestError
from memoryapp.jobs.models import OPEN, Job, Status
from memoryapp.jobs.pipeline import submit
from memoryapp.jobs.schedule import open_to
from memoryapp.spaces import Space
from memoryapp.store import memories, relations

log = logging.getLogger(__name__)

GRAPH = Actor(ActorKind.MACHINE, "graph")
AT_ONCE = 5  # memories that are read for relations as soon as so many wait
WAIT = timedelta(minutes=2)  # and fewer than that after so long
TRY_AGAIN = timedelta(minutes=30)  # after a job that failed
PAUSE = timedelta(minutes=5)  # between two drawings at least
RESTS = 10  # times as long as the last drawing took: a large map is not drawn all day
GROWN = 0.05  # share of its entities, or of what joins them, by which a graph has outgrown its map

# Per space: at which state of its index its names were last counted. Nothing written since, nothing to do.
_looked_at: dict[str, tuple[int, int]] = {}


@dataclass(frozen=True, slots=True)
class Size:
    """`entities` that stand for themselves; `edges`: references to them and relations between them."""

    entities: int
    edges: int

    def outgrown(self, drawn: Size) -> bool:
        pairs = ((self.entities, drawn.entities), (self.edges, drawn.edges))
        return any(abs(now - then) > GROWN * max(then, 1) for now, then in pairs)


def submit_graph(space: str, *, actor: Actor, force: bool = False) -> Job:
    """The job that reads what waits, embeds names and looks for those that may be one; with `force` it looks even
    where nothing is new."""
    return submit("graph", space=space, arguments={"force": force}, actor=actor, subject=f"graph:{space}")


def submit_layout(space: str, *, actor: Actor) -> Job:
    """The job that draws the map of a space."""
    return submit("layout", space=space, arguments={}, actor=actor, subject=f"layout:{space}")


def submit_graphs(rows: Iterable[Row] | None = None, *, now: datetime | None = None) -> list[Job]:
    """Jobs for all that is due in these spaces, or in any. A space that cannot be opened is logged, the rest go on."""
    now = now or timezone.now()
    jobs: list[Job] = []
    for row in Row.objects.select_related("parent") if rows is None else rows:
        try:
            space = open_row(row, passing=True)
            if open_to(row.name, "graph") and graph_due(space, now=now):
                jobs.append(submit_graph(row.name, actor=GRAPH))
            elif open_to(row.name, "layout") and layout_due(space, now=now):
                jobs.append(submit_layout(row.name, actor=GRAPH))
        except PalimpsestError as error:
            log.warning("The graph of space %s cannot be kept up: %s", row.name, error.detail)
    return jobs


def submit_first_graph(space: Space) -> Job | None:
    """The first graph job of a space, as soon as there are words to read. Whoever is new here wants to see a graph
    now; later ones wait for more to come (the tick). None where there was one before, or nothing is to be read."""
    if _jobs_of("graph", space.name).exists() or not open_to(space.name, "graph"):
        return None
    if space.tuning.extractor == "off" or not relations.due_memories(space.db, limit=1):
        return None
    return submit_graph(space.name, actor=GRAPH)


def graph_due(space: Space, *, now: datetime) -> bool:
    """Whether there is something to read or to embed, and nobody is on the way to do it."""
    if _busy_or_failed("graph", space.name, now=now):
        return False
    return _words_wait(space, now=now) or _names_wait(space)


def layout_due(space: Space, *, now: datetime, beside: str = "") -> bool:
    """Whether the map no longer fits the graph, and is old enough to be drawn anew. `beside`: the id of the graph job
    that asks; while another one is about to change the graph it is not drawn."""
    growing = _jobs_of("graph", space.name).filter(status__in=OPEN).exclude(pk=beside)
    if _busy_or_failed("layout", space.name, now=now) or growing.exists():
        return False
    last = _last("layout", space.name)
    if last is not None and now < _rested_at(last):
        return False
    if beside:
        space.index.refresh()
        return bool(size_of(space).entities)
    return _is_outgrown(space, last)


def graph_waits(space: Space) -> bool:
    """Whether anything will be due in the graph by itself, now or later."""
    if open_to(space.name, "graph"):
        if space.tuning.extractor != "off" and relations.due_memories(space.db, limit=1):
            return True
        last = _last("graph", space.name)
        left = last.report.get("unnamed", 0) if last is not None else 0
        space.index.refresh()
        if not space.encoder.error and count_unnamed(space) > left:
            return True
    return open_to(space.name, "layout") and _is_outgrown(space, _last("layout", space.name))


def _is_outgrown(space: Space, last: Job | None) -> bool:
    space.index.refresh()
    size, drawn = size_of(space), _drawn_size(last)
    return bool(size.entities) and (drawn is None or size.outgrown(drawn) or _added_since(space.name, last))


def size_of(space: Space) -> Size:
    """How many entities and edges the space's graph has."""
    graph = space.index.view().graph
    standing = graph.canonical == np.arange(len(graph.canonical))
    there = sum(1 for code in np.flatnonzero(standing).tolist() if graph.entities[code] is not None)
    return Size(there, int(graph.incidence.matrix.nnz) + len(graph.relations.ids))


def count_unnamed(space: Space) -> int:
    """How many entities have no vector of their name."""
    graph = space.index.view().graph
    standing = graph.canonical == np.arange(len(graph.canonical))
    standing[graph.names[0]] = False
    return sum(1 for code in np.flatnonzero(standing).tolist() if graph.entities[code] is not None)


def _words_wait(space: Space, *, now: datetime) -> bool:
    if space.tuning.extractor == "off":
        return False
    waiting = relations.due_memories(space.db, limit=AT_ONCE)
    if len(waiting) >= AT_ONCE:
        return True
    found = memories.get_many(space.db, list(waiting)).values()
    return any(memory.updated_at + WAIT <= now for memory in found) or len(found) < len(waiting)


def _names_wait(space: Space) -> bool:
    """Names that the last job could not embed do not make another one due."""
    space.index.refresh()
    state = (space.index.serial, space.index.view().content)
    if _looked_at.get(space.name) == state:
        return False
    last = _last("graph", space.name)
    left = last.report.get("unnamed", 0) if last is not None else 0
    waits = count_unnamed(space) > left
    if not waits:
        _looked_at[space.name] = state
    elif not space.encoder.ready:
        space.encoder.begin()
        return False
    return waits


def _busy_or_failed(kind: str, space: str, *, now: datetime) -> bool:
    """Whether somebody is on the way, or failed at it a moment ago."""
    mine = _jobs_of(kind, space)
    if mine.filter(status__in=OPEN).exists():
        return True
    last = mine.order_by("-created_at", "-id").first()
    return last is not None and last.status != Status.DONE and last.created_at + TRY_AGAIN > now


def _rested_at(last: Job) -> datetime:
    ended = last.finished_at or last.created_at
    took = ended - (last.started_at or ended)
    return ended + max(PAUSE, RESTS * took)


def _drawn_size(last: Job | None) -> Size | None:
    if last is None or "edges" not in last.report:
        return None
    return Size(int(last.report["entities"]), int(last.report["edges"]))


def _added_since(space: str, last: Job | None) -> bool:
    """Whether a graph job found something that came after the map."""
    found = _jobs_of("graph", space).filter(status=Status.DONE, report__added__gt=0)
    if last is not None and last.started_at is not None:
        found = found.filter(finished_at__gt=last.started_at)
    return found.exists()


def _last(kind: str, space: str) -> Job | None:
    return _jobs_of(kind, space).filter(status=Status.DONE).order_by("-created_at", "-id").first()


def _jobs_of(kind: str, space: str) -> QuerySet[Job]:
    return Job.objects.filter(kind=kind, space=space)
