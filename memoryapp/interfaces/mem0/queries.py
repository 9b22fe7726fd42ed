"""Memories found for a mem0 client (a page of them, the best for a question, all that a condition picks), and memories,
revisions and owners in the shapes that it hands to its caller.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from memoryapp.domain.filters import Filters
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.results import Hit, Query
from memoryapp.domain.trace import Asker
from memoryapp.interfaces.mem0.filters import Condition, holds, of_owner, tags_of
from memoryapp.interfaces.mem0.metadata import label_of, last_day
from memoryapp.interfaces.mem0.owners import FOUND, KEPT, TYPES, Holding, holdings, owner_of
from memoryapp.review.history import Layer
from memoryapp.search import mark_outdated, search, trace_search
from memoryapp.spaces import Space
from memoryapp.store import memories

_ALWAYS = frozenset({"id", "memory", "score"})
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
    keep = roster.held & roster.mask(_session_filters(kinds, scope.sessions, show_expired=show_expired), now=now)
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
        filters=replace(_session_filters(FOUND, scope.sessions, show_expired=show_expired), tags=tags_of(condition)),
        floor=space.tuning.relevance_floor,
    )
    hits: list[Hit] = []
    for deep in (top_k, LIMITS.top_k) if scope.settled else (LIMITS.top_k,):
        answer = search(space, replace(asked, top_k=deep))
        every = [one for hit in answer.hits for one in _single_hits(hit)]
        hits = [hit for hit in every if _passes(scope, hit.memory)]
        if len(hits) >= top_k or len(every) < deep:
            break
    shown = mark_outdated(hits[:top_k])
    trace_search(space, replace(answer, hits=tuple(shown)), asker, began=began, narrowed=True)
    return [serialize_hit(hit) for hit in shown]


def _session_filters(kinds: tuple[Kind, ...], sessions: tuple[str, ...], *, show_expired: bool) -> Filters:
    """What has expired passes no filter of states, so those that show it look through all, and take what is held."""
    states = () if show_expired else (State.HELD,)
    return Filters(kinds=kinds, sources=sessions, states=states)


def _single_hits(hit: Hit) -> list[Hit]:
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


def serialize_memory(memory: Memory) -> dict[str, Any]:
    """`state` and `confidence` are ours; mem0's client passes on what it does not know."""
    label = label_of(memory)
    return {
        "id": memory.id,
        "memory": memory.text,
        **asdict(owner_of(memory.origin.session)),
        "metadata": label.metadata or None,
        "categories": [memory.category.value] if memory.category else [],
        "immutable": label.immutable,
        "expiration_date": last_day(memory),
        "created_at": label.at or memory.created_at.isoformat(),
        "updated_at": memory.updated_at.isoformat(),
        "state": memory.state.value,
        "confidence": memory.confidence,
    }


def serialize_hit(hit: Hit) -> dict[str, Any]:
    """`score` is the hit's relevance, which a threshold can be held against; the order is that of the search.
    `conflicts` are the ids of those that wait for a decision about it, `outdated_by` is a later hit that says
    otherwise."""
    return serialize_memory(hit.memory) | {
        "score": round(hit.relevance, 4),
        "conflicts": list(hit.conflicts),
        "outdated_by": hit.outdated_by,
    }


def select_fields(told: dict[str, Any], fields: list[str] | None) -> dict[str, Any]:
    """With the fields that were asked for alone."""
    return told if not fields else {name: value for name, value in told.items() if name in _ALWAYS | set(fields)}


def serialize_history(memory: Memory, layers: tuple[Layer, ...]) -> list[dict[str, Any]]:
    """The layers that changed the words, or took the memory away or brought it back, the first one first. mem0 knows
    nothing of the others: reinforcements, tags, trust."""
    told: list[dict[str, Any]] = []
    there = False
    for layer in reversed(layers):
        gone = layer.state == State.DELETED
        event = _event(layer, there=there, gone=gone)
        there = not gone
        if event is None:
            continue
        told.append(
            {
                "id": layer.revision.id,
                "memory_id": memory.id,
                "old_memory": None if event == "ADD" else layer.was,
                "new_memory": None if gone else layer.text,
                "event": event,
                "metadata": label_of(memory).metadata or None,
                "user_id": owner_of(memory.origin.session).user_id,
                "actor_id": layer.revision.actor.name,
                "reason": layer.revision.reason,
                "created_at": memory.created_at.isoformat(),
                "updated_at": layer.revision.at.isoformat(),
            }
        )
    return told


def _event(layer: Layer, *, there: bool, gone: bool) -> str | None:
    if there and gone:
        return "DELETE"
    if not there:
        return None if gone else "ADD"
    return "UPDATE" if layer.was != layer.text else None


def serialize_entities(holdings: list[Holding]) -> list[dict[str, Any]]:
    """Users, agents, apps and runs of whom something is held; one that shares memories with another counts them too."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for held in holdings:
        for name, value in held.owner.named.items():
            first, last = held.first.isoformat(), held.last.isoformat()
            told = found.setdefault(
                (TYPES[name], value),
                {"id": value, "name": value, "type": TYPES[name], "total_memories": 0, "created_at": first,
                 "updated_at": last, "metadata": None},
            )  # fmt: skip
            told["total_memories"] += held.memories
            told["created_at"], told["updated_at"] = min(told["created_at"], first), max(told["updated_at"], last)
    return [found[key] for key in sorted(found)]
