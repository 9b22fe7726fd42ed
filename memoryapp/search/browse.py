"""One page of the list of memories: filter, sort and cut over the index's columns, then fetch the few that are shown.

A list of 50,000 costs a few milliseconds this way; sorted by the database it costs a second.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.clock import read_instant
from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.index.draft import rank_of
from memoryapp.index.roster import KINDS, Roster
from memoryapp.index.tokens import tokens
from memoryapp.spaces import Space, rows_at, space_at
from memoryapp.store import memories

SORTS = {
    "trust": "strongest trust first",
    "learned": "last learned first",
    "confirmed": "last confirmed first",
    "strength": "strongest first",
}
PAGE = 50

Keys = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Page:
    """`first` and `last` are the cursors at the ends of this page; `total` counts all that the filters leave."""

    memories: tuple[Memory, ...]
    total: int
    first: str = ""
    last: str = ""
    newer: bool = False
    older: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a page begins: the sort key of a memory, and the instant that all keys of this walk are of. By the next
    page everything has faded a little, and what stood side by side might change places."""

    key: float
    at: datetime
    memory: str


def browse(
    space: Space,
    filters: Filters,
    *,
    sort: str = "learned",
    contains: str = "",
    only: Collection[str] | None = None,
    after: str = "",
    before: str = "",
    limit: int = PAGE,
) -> Page:
    """A keyset page below the cursor `after` or above `before`; `contains`: words that must all be in the text, `only`:
    the ids to choose among. As of an instant the memories come as they stood then. Turns are listed with their
    sessions, and here only where their kind is asked for.

    Raises BadInput for an unknown sort, a foreign cursor, or deleted memories asked for beside others.
    """
    if sort not in SORTS:
        raise BadInput(f"“{sort[:40]}” is no order. Known: {', '.join(SORTS)}.", field="/sort")
    if State.DELETED in filters.states:
        if len(set(filters.states)) > 1:
            raise BadInput("Deleted memories are listed by themselves: ask for that state alone.", field="/states")
        return _browse_deleted(space, filters, after=after, limit=limit)
    space.index.refresh()
    space = space_at(space, filters.as_of, filters.as_of_by)
    view, now = space.index.view(), space.clock()
    roster = view.roster
    keep = roster.mask(filters, now=now, half_life=space.tuning.trust_half_life_days)
    if not filters.kinds:
        keep = keep & (roster.kind != KINDS.index(Kind.TURN))
    if only is not None:
        among = np.zeros_like(keep)
        among[roster.slots(list(only))] = True
        keep = keep & among
    for term in dict.fromkeys(tokens(contains)):
        keep = keep & (view.keyword([term], k1=space.tuning.bm25_k1, b=space.tuning.bm25_b).own > 0)
    slots = np.flatnonzero(keep)
    place = _place(after or before) if after or before else None
    at = place.at if place else now
    every = _keys(roster, sort, at, space.tuning.trust_half_life_days)
    ranked = slots[np.lexsort((roster.order[slots], -every[slots]))]
    start = _start(ranked, every, roster, place, above=limit if before else 0) if place else 0
    shown = ranked[start : start + limit]
    ids = [roster.ids[slot] for slot in shown]
    found = rows_at(space, memories.get_many(space.db, ids))
    ends = [_cursor(every[slot], roster.ids[slot], at) for slot in (shown[0], shown[-1])] if len(shown) else ["", ""]
    return Page(
        memories=tuple(found[key] for key in ids if key in found),
        total=len(slots),
        first=ends[0],
        last=ends[1],
        newer=start > 0,
        older=start + limit < len(ranked),
    )


def _keys(roster: Roster, sort: str, at: datetime, half_life: float) -> Keys:
    """A number a slot; greater is earlier in the list. Strength alone depends on the instant."""
    if sort == "learned":
        return roster.created
    if sort == "confirmed":
        return roster.confirmed
    if sort == "strength":
        return roster.strength(at).astype(np.float64)
    return roster.trust_key(half_life=half_life)


def _cursor(key: float, memory: str, at: datetime) -> str:
    return f"{float(key)!r}@{at.isoformat()}~{memory}"


def _place(cursor: str) -> _Place:
    told, _, memory = cursor.partition("~")
    key, _, at = told.partition("@")
    try:
        place = _Place(float(key), read_instant(at), memory)
    except (ValueError, BadInput):
        place = None
    if place is None or math.isnan(place.key):
        raise BadInput("This page's address is damaged. Start again from the first page.", field="/cursor")
    return place


def _start(ranked: NDArray[np.intp], every: Keys, roster: Roster, place: _Place, *, above: int) -> int:
    """Position in the ranking at which the page begins: below the place or, by so many, above it. The place is at its
    memory as that is now, or where it was if the memory has gone."""
    slot = roster.slot(place.memory)
    key = place.key if slot is None else float(every[slot])
    tie = rank_of(place.memory)
    keys, order = every[ranked], roster.order[ranked]
    ahead = (keys > key) | ((keys == key) & (order < tie))
    if above:
        return max(int(np.count_nonzero(ahead)) - above, 0)
    return int(np.count_nonzero(ahead | ((keys == key) & (order == tie))))


def _browse_deleted(space: Space, filters: Filters, *, after: str, limit: int) -> Page:
    """Deleted memories are in no index: they are read from the store, the last deleted first."""
    place = None
    if after:
        told, _, key = after.partition("~")
        try:
            place = (read_instant(told), key)
        except (ValueError, BadInput):
            raise BadInput(
                "This page's address is damaged. Start again from the first page.", field="/cursor"
            ) from None
    found = memories.in_state(space.db, State.DELETED, before=place, limit=limit + 1)
    shown = tuple(m for m in found[:limit] if not filters.kinds or m.kind in filters.kinds)
    more = len(found) > limit
    last = f"{found[limit - 1].updated_at.isoformat()}~{found[limit - 1].id}" if more else ""
    return Page(shown, len(shown), "", last, bool(after), more)
