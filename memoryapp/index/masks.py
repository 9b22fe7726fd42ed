"""Filters as a boolean mask over the slots of a roster: every condition is one numpy comparison."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Category, Kind, MemoryType, Mood, State

if TYPE_CHECKING:
    from memoryapp.index.roster import Roster

Mask = NDArray[np.bool_]
_SUPERSEDED = tuple(State).index(State.SUPERSEDED)


def mask(roster: Roster, filters: Filters, *, now: datetime, half_life: float) -> Mask:
    """True where a memory passes every filter, (n,). With `as_of` the instant decides instead of the states. What has
    expired by then passes only where memories of every state do."""
    keep: Mask = roster.alive & (
        _states(roster, filters) if filters.as_of is None else _stood_at(roster, filters.as_of)
    )
    if filters.states or filters.as_of is not None:
        keep &= ~(roster.expires <= (filters.as_of or now).timestamp())  # NaN, no end, is not before anything
    if filters.review_before is not None:
        keep &= roster.review < filters.review_before.timestamp()
    for column, members, wanted in (
        (roster.kind, tuple(Kind), filters.kinds),
        (roster.category, tuple(Category), filters.categories),
        (roster.memory_type, tuple(MemoryType), filters.memory_types),
        (roster.mood, tuple(Mood), filters.moods),
    ):
        if wanted:
            keep &= _coded(column, members, wanted)
    if filters.tags:
        keep &= _named(roster, "tagset", lambda tags: set(filters.tags) <= set(tags))
    if filters.speakers:
        spoken = {name.casefold() for name in filters.speakers}
        keep &= _named(roster, "speaker", lambda name: name.casefold() in spoken)
    if filters.sources:
        keep &= _sources(roster, filters.sources)
    if filters.entities:
        keep &= roster.incidence.touching(filters.entities)
    return keep & _times(roster, filters) & _levels(roster, filters, now=now, half_life=half_life)


def _states(roster: Roster, filters: Filters) -> Mask:
    return _coded(roster.state, tuple(State), filters.states) if filters.states else roster.alive


def _coded(column: NDArray[np.uint8], members: Sequence[StrEnum], wanted: Sequence[StrEnum]) -> Mask:
    passes = np.zeros(256, dtype=np.bool_)
    passes[[members.index(one) for one in wanted]] = True
    return passes[column]


def _named(roster: Roster, column: str, passes) -> Mask:  # type: ignore[no-untyped-def]
    """Asks `passes` once a name, not once a slot; slots without a name do not pass."""
    codes = roster.columns[column]
    names = list(roster.names[column].names)
    verdict = np.zeros(len(names) + 1, dtype=np.bool_)  # the last place is for −1, no name
    verdict[: len(names)] = [passes(name) for name in names]
    return verdict[codes]


def _sources(roster: Roster, sources: Sequence[str]) -> Mask:
    """The start of the path, or exactly the document, the session or the group."""
    exact = set(sources)
    starts = tuple(source for source in sources if source)

    def from_there(place: tuple[str, str, str]) -> bool:
        path, document, session = place
        return (bool(path) and path.startswith(starts)) or document in exact or session in exact

    return _named(roster, "place", from_there) | _named(roster, "group", lambda group: group in exact)


def _stood_at(roster: Roster, instant: datetime) -> Mask:
    """Known by then, not yet superseded or archived, its validity not yet over.

    What tells when it happened counts as known from then on, so that a conversation or a log that was brought in later
    answers as of its own time.
    """
    at = instant.timestamp()
    learned: Mask = np.fmin(roster.created, roster.occurred) <= at
    # Comparisons with NaN are False: no end. Of a superseded one `ended` says all: see roster.cells.
    over = (roster.valid_to <= at) & (roster.state != _SUPERSEDED)
    stood: Mask = learned & ~(roster.ended <= at) & ~over
    return stood


def _times(roster: Roster, filters: Filters) -> Mask | np.bool_:
    """When it happened, or without a date when it was learned; `until` is exclusive."""
    keep: Mask | np.bool_ = np.True_
    if filters.since is None and filters.until is None:
        return keep
    happened = np.where(np.isnan(roster.occurred), roster.created, roster.occurred)
    if filters.since is not None:
        keep = keep & (happened >= filters.since.timestamp())
    if filters.until is not None:
        keep = keep & (happened < filters.until.timestamp())
    return keep


def _levels(roster: Roster, filters: Filters, *, now: datetime, half_life: float) -> Mask | np.bool_:
    keep: Mask | np.bool_ = np.True_
    if filters.min_trust is not None:
        keep = keep & (roster.trust(now, half_life=half_life) >= np.float32(filters.min_trust))
    if filters.min_strength is not None:
        keep = keep & (roster.strength(now) >= np.float32(filters.min_strength))
    return keep
