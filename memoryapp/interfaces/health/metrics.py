"""What /metrics tells: what this process counted, and the state of spaces and jobs at the moment of asking."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily

from memoryapp.accounts.models import Space
from memoryapp.index.roster import KINDS, STATES
from memoryapp.jobs.models import OPEN, Job, Status
from memoryapp.observability import counts
from memoryapp.observability.counts import CONTENT_TYPE, REQUEST_SECONDS, REQUESTS
from memoryapp.spaces import Space as OpenSpace
from memoryapp.spaces import list_open_spaces

__all__ = ["CONTENT_TYPE", "exposition", "note"]

MOST_SPACES = 50  # with series of their own: the largest; the rest are added up as "…"
OTHERS = "…"


class _State:
    """Read when asked, so that nothing has to be kept up to date in between."""

    def collect(self) -> Iterator[Any]:
        yield from _jobs()
        yield GaugeMetricFamily("palimpsest_spaces", "Spaces there are.", value=Space.objects.count())
        yield from _spaces()

    def describe(self) -> list[Any]:
        return []


def _jobs() -> Iterator[Any]:
    by_status = GaugeMetricFamily("palimpsest_jobs", "Jobs by status.", labels=["status"])
    for row in Job.objects.order_by().values("status").annotate(n=Count("pk")):
        by_status.add_metric([row["status"]], row["n"])
    length = GaugeMetricFamily("palimpsest_queue_length", "Jobs that wait or run.", labels=["kind", "status"])
    age = GaugeMetricFamily("palimpsest_queue_age_seconds", "How long the oldest waiting job waits.", labels=["kind"])
    now = timezone.now()
    for row in (
        Job.objects.filter(status__in=OPEN)
        .order_by()
        .values("kind", "status")
        .annotate(n=Count("pk"), since=Min("created_at"))
    ):
        length.add_metric([row["kind"], row["status"]], row["n"])
        if row["status"] == Status.QUEUED:
            age.add_metric([row["kind"]], max(0.0, (now - row["since"]).total_seconds()))
    yield from (by_status, length, age)


def _spaces() -> Iterator[Any]:
    """Of the spaces that are open in this process; one that nobody asked for yet costs nothing and tells nothing."""
    every = GaugeMetricFamily("palimpsest_memories", "Memories.", labels=["space", "kind", "state"])
    held = GaugeMetricFamily("palimpsest_memories_held", "Memories that are recalled.", labels=["space"])
    behind = GaugeMetricFamily("palimpsest_index_behind", "Changes that the index does not hold yet.", labels=["space"])
    size = GaugeMetricFamily("palimpsest_index_bytes", "Bytes of the index in memory.", labels=["space"])
    ready = GaugeMetricFamily("palimpsest_encoder_ready", "1 once the model is loaded.", labels=["space", "model"])
    spaces = list_open_spaces()  # held until all is told: none is closed meanwhile
    for space in spaces:
        space.index.refresh()
    largest = sorted(spaces, key=lambda one: -int(one.index.roster.held.sum()))
    for space in largest[:MOST_SPACES]:
        status = space.index.status()
        held.add_metric([space.name], int(space.index.roster.held.sum()))
        behind.add_metric([space.name], status.behind)
        size.add_metric([space.name], status.bytes)
        ready.add_metric([space.name, space.encoder.name], int(space.encoder.ready))
        _add_memories(every, space.name, _by_kind_and_state(space))
    if rest := largest[MOST_SPACES:]:
        held.add_metric([OTHERS], sum(int(space.index.roster.held.sum()) for space in rest))
        _add_memories(every, OTHERS, sum(map(_by_kind_and_state, rest)))
    yield from (every, held, behind, size, ready)


def _by_kind_and_state(space: OpenSpace) -> Any:
    """Numbers of memories, (kinds, states)."""
    roster = space.index.roster
    found = np.zeros((len(KINDS), len(STATES)), dtype=np.int64)
    known = roster.alive & (roster.kind < len(KINDS)) & (roster.state < len(STATES))
    np.add.at(found, (roster.kind[known], roster.state[known]), 1)
    return found


def _add_memories(family: Any, space: str, found: Any) -> None:
    for kind, state in zip(*np.nonzero(found), strict=True):
        family.add_metric([space, KINDS[kind].value, STATES[state].value], int(found[kind, state]))


_state = CollectorRegistry()
_state.register(_State())


def note(request: HttpRequest, response: HttpResponseBase, began: float) -> None:
    """Counts one answered request, by the route's pattern and never by the address: ids must not become labels."""
    match = getattr(request, "resolver_match", None)
    route = match.route if match else "?"
    method = request.method or "?"
    REQUESTS.labels(method, route, str(response.status_code)).inc()
    REQUEST_SECONDS.labels(method, route).observe(time.perf_counter() - began)


def exposition() -> bytes:
    return counts.exposition() + generate_latest(_state)
