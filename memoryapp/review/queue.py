"""The queue of conflicts: one page of a tab, filtered and sorted, and how many each tab holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from memoryapp.domain.conflict import ConflictStatus
from memoryapp.domain.errors import BadInput
from memoryapp.review.case import Case, cases
from memoryapp.spaces import Space
from memoryapp.store import conflicts
from memoryapp.store.conflicts import Line

TABS = {
    "waiting": ConflictStatus.WAITING,
    "automatic": ConflictStatus.AUTOMATIC,
    "decided": ConflictStatus.DECIDED,
    "snoozed": ConflictStatus.WAITING,
}
SORTS = {
    "newest": "newest first",
    "oldest": "oldest first",
    "confidence": "surest first",
    "trust": "most trust at stake first",
}


@dataclass(frozen=True, slots=True)
class CasePage:
    """`total`: all in the tab that the filter leaves; `next`: the cursor of the page after this one, None at the
    end."""

    cases: tuple[Case, ...]
    total: int
    next: str | None
    detectors: tuple[tuple[str, int], ...] = ()  # of the whole tab, the most frequent first


def queue(
    space: Space,
    *,
    tab: str = "waiting",
    detector: str | None = None,
    sort: str = "newest",
    after: str | None = None,
    limit: int = 20,
) -> CasePage:
    """A keyset page behind the cursor `after`. Trust at stake is that of the better trusted side.

    Raises BadInput for an unknown tab or sort, or a foreign cursor.
    """
    found = _tab(space, tab)
    kept = [one for one in found if detector is None or one.detector == detector]
    key = _key(space, sort)
    ranked = sorted((-key(one), one.id) for one in kept)
    start = 0 if not after else _behind(ranked, after)
    here = ranked[start : start + limit]
    known = conflicts.get_many(space.db, [identity for _, identity in here])
    more = start + limit < len(ranked)
    return CasePage(
        cases=cases(space, [known[identity] for _, identity in here if identity in known]),
        total=len(ranked),
        next=f"{here[-1][0]!r}~{here[-1][1]}" if more else None,
        detectors=_detectors(found),
    )


def tallies(space: Space) -> dict[str, int]:
    """How many conflicts each tab holds."""
    counts = conflicts.tally(space.db, now=space.clock())
    return {
        "waiting": counts.get("waiting", 0) - counts["snoozed"],
        "automatic": counts.get("automatic", 0),
        "decided": counts.get("decided", 0),
        "snoozed": counts["snoozed"],
    }


def _tab(space: Space, tab: str) -> Sequence[Line]:
    if tab not in TABS:
        raise BadInput(f"“{tab[:40]}” is no tab. Known: {', '.join(TABS)}.", field="/tab")
    found, now = conflicts.lines(space.db, TABS[tab]), space.clock()
    if TABS[tab] is not ConflictStatus.WAITING:
        return found
    return [one for one in found if _sleeps(one, now) == (tab == "snoozed")]


def _sleeps(line: Line, now: datetime) -> bool:
    return line.snoozed_until is not None and line.snoozed_until > now


def _key(space: Space, sort: str) -> Callable[[Line], float]:
    """A number a conflict; greater is earlier."""
    if sort == "newest":
        return lambda one: one.at.timestamp()
    if sort == "oldest":
        return lambda one: -one.at.timestamp()
    if sort == "confidence":
        return lambda one: one.confidence
    if sort != "trust":
        raise BadInput(f"“{sort[:40]}” is no order. Known: {', '.join(SORTS)}.", field="/sort")
    space.index.refresh()
    roster = space.index.roster
    # By the key that orders as trust does at any moment: a cursor stays where it was while time goes on.
    trust = roster.trust_key(half_life=space.tuning.trust_half_life_days)

    def at_stake(one: Line) -> float:
        slots = [roster.slot(side) for side in (one.existing, one.incoming) if side]
        return max((float(trust[slot]) for slot in slots if slot is not None), default=-np.finfo(np.float64).max)

    return at_stake


def _behind(ranked: list[tuple[float, str]], cursor: str) -> int:
    """Where the page behind a cursor begins: behind its conflict, or behind where that was."""
    told, _, key = cursor.partition("~")
    try:
        place = (float(told), key)
    except ValueError:
        place = (float("nan"), key)
    if place[0] != place[0] or not key:
        raise BadInput("This page's address is damaged. Start again from the first page.", field="/cursor")
    return sum(one <= place for one in ranked)


def _detectors(found: Sequence[Line]) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for one in found:
        counts[one.detector] = counts.get(one.detector, 0) + 1
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
