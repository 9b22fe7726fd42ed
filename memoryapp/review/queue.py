"""The queue of conflicts: one page of a tab, filtered and sorted, and how many each tab holds; and what happens to a
conflict before it is decided: agents propose, people snooze.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

from memoryapp.domain.change import Actor
from memoryapp.domain.clock import as_utc
from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome
from memoryapp.domain.errors import BadInput
from memoryapp.review.case import Case, cases
from memoryapp.review.decide import waiting
from memoryapp.review.edit import EDIT_OUTCOMES, merged_text
from memoryapp.spaces import Space
from memoryapp.store import conflicts
from memoryapp.store.conflicts import Line
from memoryapp.store.retry import retry_write
from memoryapp.store.write import Batch, commit, new_run

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
MOST_PROPOSALS = 20  # of one conflict; the oldest make room


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
    start = 0 if not after else _page_start(ranked, after)
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


def _page_start(ranked: list[tuple[float, str]], cursor: str) -> int:
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


def propose(
    space: Space, key: str, outcome: Outcome, *, actor: Actor, text: str | None = None, reason: str = ""
) -> Conflict:
    """What an agent suggests that may not decide; its earlier proposal gives way to this one.

    Raises NotFound, Clash where it is decided already, BadInput for an outcome that does not fit.
    """

    def proposed(conflict: Conflict, now: datetime) -> Conflict:
        if conflict.incoming is None and outcome not in EDIT_OUTCOMES:
            known = ", ".join(one.value for one in EDIT_OUTCOMES)
            raise BadInput(f"This conflict can be decided by {known}; not by “{outcome.value}”.", field="/outcome")
        one: dict[str, Any] = {
            "outcome": outcome.value,
            "by": actor.name,
            "by_kind": actor.kind.value,
            "at": now.isoformat(),
        }
        if outcome is Outcome.MERGE:
            one["text"] = merged_text(text)
        if reason:
            one["reason"] = reason
        others = [known for known in conflict.proposals if known.get("by") != actor.name]
        return replace(conflict, proposals=(*others, one)[-MOST_PROPOSALS:])

    return _change_conflict(space, key, proposed, act="propose", actor=actor, reason=reason or outcome.value)


def snooze(space: Space, key: str, *, until: datetime | None, actor: Actor) -> Conflict:
    """Out of the waiting queue until then; `until` None brings it back. Both sides go on carrying it in results.

    Raises NotFound, Clash where it is decided already, BadInput for an instant that has passed.
    """

    def put_off(conflict: Conflict, now: datetime) -> Conflict:
        if until is not None and as_utc(until) <= now:
            raise BadInput("It can only be put off to a time that is still to come.", field="/until")
        return replace(conflict, snoozed_until=as_utc(until) if until else None)

    told = f"until {as_utc(until):%Y-%m-%d %H:%M} UTC" if until else "back in the queue"
    return _change_conflict(space, key, put_off, act="snooze" if until else "wake", actor=actor, reason=told)


def _change_conflict(
    space: Space, key: str, change: Callable[[Conflict, datetime], Conflict], *, act: str, actor: Actor, reason: str
) -> Conflict:
    def write() -> Conflict:
        now = space.clock()
        conflict = waiting(space, key)
        after = change(conflict, now)
        if after == conflict:
            return conflict
        after = replace(after, version=conflict.version + 1)
        run = new_run(act, actor, now=now, reason=reason, detail={"conflicts": [key]})
        commit(space.db, run, Batch(judged=[(conflict, after)]), now=now)
        return after

    return retry_write(write)
