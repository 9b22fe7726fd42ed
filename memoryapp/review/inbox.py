"""The inbox: facts that were learned and that nobody has dealt with yet. Accepted, dropped, or marked as seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput, Clash
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.index.roster import KINDS, Roster
from memoryapp.review.rewrite import ReviewResult, rewrite
from memoryapp.review.state import all_of, mark_confirmed, turns_of
from memoryapp.spaces import Space
from memoryapp.store import memories, revisions, sessions
from memoryapp.store.retry import retry_write
from memoryapp.store.write import new_run

_LISTED = 50  # sessions that are offered as a filter

Slots = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Group:
    """A session with facts that wait; `session` is "" for facts that were written without one. `count`: all that wait
    in it, not only those of a page."""

    session: str
    agent: str
    count: int
    newest: datetime


@dataclass(frozen=True, slots=True)
class InboxPage:
    """Facts by session, the session that was learned from last first, newest first within it. `makers`: by memory, who
    wrote it where no session says whose it is. `next`: the cursor of the page after this one, None at the end.
    `sessions`: those of the whole inbox, unfiltered, at most 50."""

    facts: tuple[Memory, ...]
    groups: dict[str, Group]
    makers: dict[str, str]
    total: int
    next: str | None
    sessions: tuple[Group, ...]
    agents: tuple[str, ...]

    def agent_of(self, fact: Memory) -> str:
        """Return whose session a fact of this page was learned in or, without one, who wrote it."""
        return self.groups[_session(fact)].agent or self.makers.get(fact.id, "")


def waiting(
    space: Space,
    *,
    session: str | None = None,
    agent: str = "",
    until: datetime | None = None,
    after: str = "",
    limit: int = 25,
) -> InboxPage:
    """Return a page of the inbox behind the cursor `after`. `session`: of it alone, "" for facts without one; `until`:
    what was learned by then. Raises BadInput for a foreign cursor."""
    roster, every = _waiting_slots(space)
    groups = _groups(space, roster, every)
    slots = _filter_slots(space, roster, every, groups, session=session, agent=agent, until=until)
    ranked = _rank_slots(roster, slots)
    start = _page_start(roster, ranked, after) if after else 0
    here = ranked[start : start + limit]
    ids = [roster.ids[slot] for slot in here]
    found = memories.get_many(space.db, ids)
    facts = tuple(found[key] for key in ids if key in found)
    makers = revisions.makers(space.db, [fact.id for fact in facts if not groups[_session(fact)].agent])
    more = start + limit < len(ranked)
    named = {group.agent for group in groups.values()} | set(makers.values())
    return InboxPage(
        facts=facts,
        groups=groups,
        makers=makers,
        total=len(ranked),
        next=_cursor(roster, ranked, start + limit - 1) if more else None,
        sessions=tuple(sorted(groups.values(), key=lambda group: group.newest, reverse=True)[:_LISTED]),
        agents=tuple(sorted(named - {""})),
    )


def count_waiting(space: Space) -> int:
    """Return how many facts wait to be looked at."""
    return len(_waiting_slots(space)[1])


def accept(space: Space, keys: Sequence[str], *, actor: Actor, reason: str = "") -> ReviewResult:
    """Confirm those of these facts that still wait: they hold, and nobody needs to look again. What somebody else dealt
    with meanwhile is left as it is."""
    now = space.clock()

    def accepted(memory: Memory) -> Memory:
        return replace(mark_confirmed(memory, now=now), seen_at=now)

    return _dealt_with(space, keys, lambda fresh: [(one, accepted(one)) for one in fresh], "confirm", actor, reason)


def drop(space: Space, keys: Sequence[str], *, actor: Actor, reason: str = "") -> ReviewResult:
    """Delete those of these facts that still wait, as `delete` does."""

    def gone(fresh: Sequence[Memory]) -> list[tuple[Memory, Memory]]:
        along = [turn for turn in turns_of(space, fresh) if turn.state is State.HELD]
        going = {one.id: one for one in (*fresh, *along)}.values()
        return [(one, replace(one, state=State.DELETED)) for one in going]

    return _dealt_with(space, keys, gone, "delete", actor, reason)


def waiting_ids(
    space: Space, *, session: str | None = None, agent: str = "", until: datetime | None = None
) -> tuple[str, ...]:
    """Return the ids of what waits, narrowed as by `waiting`, in its order; at most as many as one act takes."""
    roster, every = _waiting_slots(space)
    groups = _groups(space, roster, every)
    slots = _filter_slots(space, roster, every, groups, session=session, agent=agent, until=until)
    return tuple(roster.ids[slot] for slot in _rank_slots(roster, slots)[: LIMITS.batch_items])


def see(space: Space, *, until: datetime, actor: Actor) -> Run:
    """Mark all that was learned up to an instant as seen, without a word on any of it; `undo_run` takes it back. Raises
    BadInput for an instant to come, Clash where that much is marked already."""
    now, until = space.clock(), as_utc(until)
    if until > now:
        raise BadInput("Only what was learned by now can be marked as seen.", field="/until")
    before = revisions.seen_until(space.db)
    if before is not None and until <= before:
        raise Clash(f"All up to {before:%Y-%m-%d %H:%M} UTC is marked as seen already.")
    run = new_run(revisions.SEE, actor, now=now, detail=_mark(until, before))
    revisions.mark_seen(space.db, run)
    return run


def unsee(space: Space, run: Run, *, actor: Actor) -> Run:
    """Take back a mark. Raises Clash where another one was set since."""
    last = revisions.last_seen_run(space.db)
    if last is None or last.id != run.id:
        raise Clash("Something else was marked as seen since; undo that first.")
    told = run.detail or {}
    back = new_run(
        revisions.SEE, actor, now=space.clock(), reason="undo", detail={"undoes": run.id} | _swapped_bounds(told)
    )
    revisions.mark_seen(space.db, back)
    return back


def _mark(until: datetime, before: datetime | None) -> dict[str, str | None]:
    return {"until": until.isoformat(), "before": before.isoformat() if before else None}


def _swapped_bounds(told: dict[str, object]) -> dict[str, object]:
    return {"until": told.get("before"), "before": told.get("until")}


def _dealt_with(
    space: Space,
    keys: Sequence[str],
    changes: Callable[[Sequence[Memory]], list[tuple[Memory, Memory]]],
    act: str,
    actor: Actor,
    reason: str,
) -> ReviewResult:
    def done() -> ReviewResult:
        fresh = [one for one in all_of(space, keys) if waits(one)]
        return rewrite(space, changes(fresh), act=act, actor=actor, reason=reason).only(one.id for one in fresh)

    return retry_write(done)


def waits(memory: Memory) -> bool:
    """Whether it is a fact that nobody has dealt with."""
    return memory.kind is Kind.FACT and memory.state is State.HELD and memory.seen_at is None


def _waiting_slots(space: Space) -> tuple[Roster, Slots]:
    space.index.refresh()
    roster = space.index.roster
    keep = roster.held & (roster.kind == KINDS.index(Kind.FACT)) & ~roster.seen
    keep &= ~(roster.expires <= space.clock().timestamp())
    marked = revisions.seen_until(space.db) if keep.any() else None
    if marked is not None:
        keep &= roster.created > marked.timestamp()
    return roster, np.flatnonzero(keep)


def _session(memory: Memory) -> str:
    return memory.origin.session or ""


def _sessions_of(roster: Roster) -> list[str]:
    """By code of `place`: the session."""
    return [session for _, _, session in roster.names["place"].names]


def _groups(space: Space, roster: Roster, slots: Slots) -> dict[str, Group]:
    """All sessions with something that waits, by name."""
    names, counts, newest = _sessions_of(roster), dict[str, int](), dict[str, float]()
    for code in np.unique(roster.place[slots]):
        mine = slots[roster.place[slots] == code]
        name = names[code] if code >= 0 else ""
        counts[name] = counts.get(name, 0) + len(mine)
        newest[name] = max(newest.get(name, 0.0), float(roster.created[mine].max()))
    agents = sessions.agents(space.db, [name for name in counts if name])
    return {
        name: Group(name, agents.get(name, ""), count, datetime.fromtimestamp(newest[name], tz=UTC))
        for name, count in counts.items()
    }


def _filter_slots(
    space: Space,
    roster: Roster,
    slots: Slots,
    groups: dict[str, Group],
    *,
    session: str | None,
    agent: str,
    until: datetime | None,
) -> Slots:
    names = _sessions_of(roster)
    of = [names[code] if code >= 0 else "" for code in roster.place[slots].tolist()]
    if session is not None:
        slots = slots[np.array([name == session for name in of], dtype=np.bool_)]
    if until is not None:
        slots = slots[roster.created[slots] <= as_utc(until).timestamp()]
    if not agent:
        return slots
    of = [names[code] if code >= 0 else "" for code in roster.place[slots].tolist()]
    unnamed = [roster.ids[slot] for slot, name in zip(slots.tolist(), of, strict=True) if not groups[name].agent]
    makers = revisions.makers(space.db, unnamed)
    pairs = zip(slots.tolist(), of, strict=True)
    mine = [groups[name].agent == agent or makers.get(roster.ids[slot]) == agent for slot, name in pairs]
    return slots[np.array(mine, dtype=np.bool_)]


def _rank_slots(roster: Roster, slots: Slots) -> Slots:
    """By session, the one with the newest fact first; newest first within it."""
    if not len(slots):
        return slots
    created, place = roster.created[slots], roster.place[slots]
    return slots[np.lexsort((roster.order[slots], -created, place, -_tops(roster, slots)))]


def _tops(roster: Roster, slots: Slots) -> NDArray[np.float64]:
    """Of each slot, when the newest of its session was learned."""
    _, at = np.unique(roster.place[slots], return_inverse=True)
    newest = np.full(int(at.max(initial=-1)) + 1, -np.inf)
    np.maximum.at(newest, at, roster.created[slots])
    top: NDArray[np.float64] = newest[at]
    return top


def _cursor(roster: Roster, ranked: Slots, last: int) -> str:
    slot = ranked[last]
    top = float(_tops(roster, ranked)[last])
    return f"{top!r}~{float(roster.created[slot])!r}~{roster.ids[slot]}"


def _page_start(roster: Roster, ranked: Slots, cursor: str) -> int:
    """Where the page behind a cursor begins: behind its fact or, where that waits no longer, behind its place."""
    told, _, rest = cursor.partition("~")
    instant, _, key = rest.partition("~")
    try:
        place = (float(told), float(instant))
    except ValueError:
        place = (float("nan"), float("nan"))
    if not key or place != place:
        raise BadInput("This page's address is damaged. Start again from the first page.", field="/cursor")
    slot = roster.slot(key)
    there = np.flatnonzero(ranked == slot) if slot is not None else np.empty(0, dtype=np.intp)
    if there.size:
        return int(there[0]) + 1
    pairs = zip(_tops(roster, ranked).tolist(), roster.created[ranked].tolist(), strict=True)
    return sum(pair >= place for pair in pairs)
