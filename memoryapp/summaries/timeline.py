"""Episodes in time: a page of them, and how many each day has. From the index, so that a long life costs no more."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory
from memoryapp.index.roster import Roster
from memoryapp.spaces import Space
from memoryapp.store import memories

PAGE = 20


@dataclass(frozen=True, slots=True)
class EpisodePage:
    """Newest first. `older` and `newer` are the cursors of the pages beside this one, None at an end; `total` counts
    all episodes between `since` and `until`."""

    episodes: tuple[Memory, ...]
    total: int
    older: str | None = None
    newer: str | None = None


def episode_page(
    space: Space,
    *,
    before: str | None = None,
    after: str | None = None,
    limit: int = PAGE,
    since: datetime | None = None,
    until: datetime | None = None,
) -> EpisodePage:
    """Held episodes by when they happened: those older than the cursor `before`, or newer than `after`; `until` is
    exclusive. Raises BadInput for a foreign cursor."""
    roster, slots, times = _episodes(space, since=since, until=until)
    order = np.lexsort((roster.order[slots], -times))
    slots, times = slots[order], times[order]
    start = _start(roster, slots, times, before=before, after=after, limit=limit)
    shown = slots[start : start + limit].tolist()
    ids = [roster.ids[slot] for slot in shown]
    ends = [f"{float(times[n])!r}~{roster.ids[slots[n]]}" for n in (start, start + len(shown) - 1)] if shown else []
    found = memories.get_many(space.db, ids)
    return EpisodePage(
        episodes=tuple(found[key] for key in ids if key in found),
        total=len(slots),
        older=ends[1] if start + limit < len(slots) else None,
        newer=ends[0] if ends and start > 0 else None,
    )


def day_density(
    space: Space, *, since: datetime | None = None, until: datetime | None = None
) -> tuple[tuple[date, int], ...]:
    """Episodes by the day (UTC) on which they ended, the oldest day first; days without one are left out."""
    _, _, times = _episodes(space, since=since, until=until)
    days = Counter(datetime.fromtimestamp(at, tz=UTC).date() for at in times.tolist())
    return tuple(sorted(days.items()))


def _episodes(
    space: Space, *, since: datetime | None, until: datetime | None
) -> tuple[Roster, NDArray[np.intp], NDArray[np.float64]]:
    space.index.refresh()
    roster = space.index.view().roster
    filters = Filters(kinds=(Kind.EPISODE,), since=since, until=until)
    slots = np.flatnonzero(roster.mask(filters, now=space.clock(), half_life=space.tuning.trust_half_life_days))
    times = np.where(np.isnan(roster.occurred[slots]), roster.created[slots], roster.occurred[slots])
    return roster, slots, times


def _start(
    roster: Roster,
    slots: NDArray[np.intp],
    times: NDArray[np.float64],
    *,
    before: str | None,
    after: str | None,
    limit: int,
) -> int:
    """Position at which the page begins."""
    cursor = before or after
    if not cursor:
        return 0
    told, _, key = cursor.partition("~")
    try:
        at = float(told)
    except ValueError:
        raise BadInput("This page's address is damaged. Start again from the first page.", field="/cursor") from None
    known = roster.slot(key)
    place = int(roster.order[known]) if known is not None else 0
    ahead = int(np.count_nonzero((times > at) | ((times == at) & (roster.order[slots] < place))))
    if after:
        return max(ahead - limit, 0)
    return ahead + int(np.count_nonzero((times == at) & (roster.order[slots] == place)))
