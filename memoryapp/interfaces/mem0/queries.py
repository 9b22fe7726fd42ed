"""Memories found for a mem0 client: a page of them, the best for a question, all that a condition picks."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from memoryapp.domain.filters import Filters
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.results import Hit, Query
from memoryapp.domain.trace import Asker
from memoryapp.interfaces.mem0.filters import Condition, holds, of_owner, tags_of
from memoryapp.interfaces.mem0.owners import FOUND, KEPT, holdings
from memoryapp.interfaces.mem0.serializers import serialize_hit, serialize_memory
from memoryapp.search import mark_outdated, search, trace_search
from memoryapp.spaces import Space
from memoryapp.store import memories

_READ_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a condition is to be looked for. `sessions`: those of the owners that can pass; `settled`: all of theirs
    do, so that no single memory has to be asked."""

    condition: Condition
    sessions: tuple[str, ...]
    settled: bool


@dataclass(frozen=True, slots=True)
class Page:
    """`total` counts all that pass, on whatever page."""

    items: list[dict[str, Any]]
    total: int


def scope_of(space: Space, condition: Condition) -> Scope:
    said = [(held, of_owner(condition, held.owner)) for held in holdings(space)]
    passing = [(held, verdict) for held, verdict in said if verdict is not False]
    sessions = tuple(session for held, _ in passing for session in held.sessions)
    return Scope(condition, sessions, all(verdict for _, verdict in passing))


def matching_ids(
    space: Space, condition: Condition, *, show_expired: bool = True, kinds: tuple[Kind, ...] = KEPT
) -> list[str]:
    """Ids of all memories of these kinds that pass, the last learned first."""
    scope = scope_of(space, condition)
    if not scope.sessions:
        return []
    now = space.clock()
    roster = space.index.view().roster
    keep = roster.held & roster.mask(_narrowed(kinds, scope.sessions, show_expired=show_expired), now=now)
    slots = np.flatnonzero(keep)
    ids = [roster.ids[slot] for slot in slots[np.lexsort((-roster.position[slots], -roster.created[slots]))]]
    if scope.settled:
        return ids
    return [memory.id for memory in _read(space, ids) if holds(condition, serialize_memory(memory))]


def list_page(space: Space, condition: Condition, *, page: int, page_size: int, show_expired: bool) -> Page:
    """Page 1 is the first."""
    ids = matching_ids(space, condition, show_expired=show_expired)
    shown = ids[(page - 1) * page_size : page * page_size]
    return Page([serialize_memory(memory) for memory in _read(space, shown)], len(ids))


def search_memories(
    space: Space, query: str, condition: Condition, *, top_k: int, show_expired: bool, asker: Asker | None = None
) -> list[dict[str, Any]]:
    """The best first, each with its score, what a later one makes untrue behind that one. What the index cannot
    narrow (dates, lists of categories) is looked for among the best 100. A trace of it is kept for the `asker`."""
    began = time.perf_counter()
    scope = scope_of(space, condition)
    if not scope.sessions:
        return []
    asked = Query(
        text=query,
        filters=replace(_narrowed(FOUND, scope.sessions, show_expired=show_expired), tags=tags_of(condition)),
        floor=space.tuning.relevance_floor,
    )
    hits: list[Hit] = []
    for deep in (top_k, LIMITS.top_k) if scope.settled else (LIMITS.top_k,):
        answer = search(space, replace(asked, top_k=deep))
        every = [one for hit in answer.hits for one in _each(hit)]
        hits = [hit for hit in every if _passes(scope, hit.memory)]
        if len(hits) >= top_k or len(every) < deep:
            break
    shown = mark_outdated(hits[:top_k])
    trace_search(space, replace(answer, hits=tuple(shown)), asker, began=began, narrowed=True)
    return [serialize_hit(hit) for hit in shown]


def _narrowed(kinds: tuple[Kind, ...], sessions: tuple[str, ...], *, show_expired: bool) -> Filters:
    """What has expired passes no filter of states, so those that show it look through all, and take what is held."""
    states = () if show_expired else (State.HELD,)
    return Filters(kinds=kinds, sources=sessions, states=states)


def _each(hit: Hit) -> list[Hit]:
    """mem0's memories are single: what was learned from one turn comes one after the other."""
    return [hit, *(replace(hit, memory=fact, beside=()) for fact in hit.facts)]


def _passes(scope: Scope, memory: Memory) -> bool:
    if memory.state is not State.HELD:
        return False
    return scope.settled or holds(scope.condition, serialize_memory(memory))


def _read(space: Space, ids: list[str]) -> list[Memory]:
    """In the order of `ids`."""
    known: dict[str, Memory] = {}
    for start in range(0, len(ids), _READ_AT_ONCE):
        known |= memories.get_many(space.db, ids[start : start + _READ_AT_ONCE])
    return [known[key] for key in ids if key in known]
