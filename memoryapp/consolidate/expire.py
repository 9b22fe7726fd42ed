"""What is over is put aside: memories past their `expires_at`, turns older than the space keeps them, and facts whose
trust fell under its floor. Archived in one run, restorable, never deleted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.index.roster import KINDS
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories, revisions
from memoryapp.store.retry import retry_write
from memoryapp.store.write import Batch, commit, new_run

_CHUNK = 500  # memories of one write
_TURN = KINDS.index(Kind.TURN)
_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class ExpiryResult:
    """`archived`: what was put aside, or in a dry run would be, with the trust each had, the least trusted first.
    `disputed`: how many were left because a conflict about them waits for a decision. `run` is None where nothing
    was written; `floor` 0 says that nothing expires in this space."""

    floor: float
    archived: tuple[tuple[Memory, float], ...] = ()
    disputed: int = 0
    run: Run | None = None
    dry_run: bool = False


def expire(space: Space, *, actor: Actor, dry_run: bool = False) -> ExpiryResult:
    """Archives what is `over`, and held facts with less trust than `trust_floor` unless a conflict about them waits.
    Of the latter pinned ones stay, and so does what nobody stated as a fact: notes and sections. Costs a look at the
    index where there is none."""
    floor, now = space.tuning.trust_floor, space.clock()
    due = _due_trusts(space)
    if not due:
        return ExpiryResult(floor, dry_run=dry_run)
    past = over(space)
    waiting = conflicts.waiting_for(space.db, list(due)).keys() - past.keys()
    keys = [key for key in due if key not in waiting]
    low = f"trust under {floor:g}"
    why = low if not past else f"expired, or {low}" if floor > 0 else "expired"
    run = new_run("expire", actor, now=now, reason=why, detail={"floor": floor})
    gone: list[Memory] = []
    for start in range(0, len(keys), _CHUNK):
        chunk = keys[start : start + _CHUNK]
        gone += _memories_still_due(space, chunk) if dry_run else _put_aside(space, chunk, run)
    archived = tuple((memory, due[memory.id]) for memory in gone)
    if dry_run or not archived:
        return ExpiryResult(floor, archived, len(waiting), dry_run=dry_run)
    ended = revisions.finish_run(space.db, run, at=space.clock(), detail={"archived": len(archived)})
    return ExpiryResult(floor, archived, len(waiting), ended)


def over(space: Space) -> dict[str, float]:
    """Trust by id of the held memories past their date, and of turns said more than `turn_days` ago; nobody keeps
    these by pinning them, who can move the date."""
    space.index.refresh()
    roster, now = space.index.view().roster, space.clock()
    past = roster.expires <= now.timestamp()
    if space.tuning.turn_days > 0:
        said = np.where(np.isnan(roster.occurred), roster.created, roster.occurred)
        past |= (roster.kind == _TURN) & (said < now.timestamp() - space.tuning.turn_days * _DAY) & ~roster.pinned
    slots = np.flatnonzero(past & roster.held)
    values = roster.trust(now, half_life=space.tuning.trust_half_life_days)
    return {roster.ids[slot]: float(values[slot]) for slot in slots.tolist()}


def _due_trusts(space: Space) -> dict[str, float]:
    return over(space) | under_the_floor(space)


def under_the_floor(space: Space) -> dict[str, float]:
    """Trust by id of the held facts under the floor as it is now, the least trusted first; none where there is no
    floor."""
    floor, half_life = space.tuning.trust_floor, space.tuning.trust_half_life_days
    if floor <= 0:
        return {}
    space.index.refresh()
    roster, now = space.index.view().roster, space.clock()
    values = roster.trust(now, half_life=half_life)
    mask = roster.mask(Filters(kinds=(Kind.FACT,)), now=now, half_life=half_life)
    slots = np.flatnonzero(mask & ~roster.pinned & (values < floor))
    slots = slots[np.lexsort((roster.order[slots], values[slots]))]
    return {roster.ids[slot]: float(values[slot]) for slot in slots.tolist()}


def _memories_still_due(space: Space, keys: Sequence[str]) -> list[Memory]:
    """Those that are still held and still so low. The rows are read before the index looks again: who confirms one
    after that makes the write stale."""
    found = memories.get_many(space.db, keys)
    due = _due_trusts(space)
    return [found[key] for key in keys if key in found and key in due and found[key].state is State.HELD]


def _put_aside(space: Space, keys: Sequence[str], run: Run) -> list[Memory]:
    def archive() -> list[Memory]:
        pairs = [(memory, replace(memory, state=State.ARCHIVED)) for memory in _memories_still_due(space, keys)]
        commit(space.db, run, Batch(updated=pairs), now=space.clock())
        return [after for _, after in pairs]

    return retry_write(archive)
