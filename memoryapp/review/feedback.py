"""Feedback: an agent says which memories it was given were of use. Counted as a factor, within ±20 %."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memoryapp.domain.change import Actor
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.feedback import MemoryFeedback
from memoryapp.domain.memory import Kind, State
from memoryapp.index.roster import KINDS, STATES
from memoryapp.review.state import all_of
from memoryapp.spaces import Space
from memoryapp.store import usage
from memoryapp.store import usage as said_of

SIDES = ("rose", "fell", "all")


def feedback(
    space: Space,
    *,
    used: Sequence[str] = (),
    not_useful: Sequence[str] = (),
    query: str = "",
    actor: Actor | None = None,
) -> None:
    """`query`: what the memories were given for. Raises BadInput when a memory is named on both sides or none is named,
    NotFound for an unknown one."""
    both = set(used) & set(not_useful)
    if both:
        raise BadInput(f"Memory {sorted(both)[0]} is named as used and as not useful.", field="/not_useful")
    all_of(space, [*used, *not_useful])
    usage.record_feedback(
        space.db,
        used=list(dict.fromkeys(used)),
        not_useful=list(dict.fromkeys(not_useful)),
        now=space.clock(),
        query=query,
        by=actor.name if actor else "",
    )


@dataclass(frozen=True, slots=True)
class Feedback:
    """One page of what was said. `rose`, `fell` and `even` count the memories of the whole space."""

    items: tuple[MemoryFeedback, ...]
    rose: int
    fell: int
    even: int
    more: bool


def feedback_ranking(
    space: Space,
    *,
    side: str = "all",
    kind: Kind | None = None,
    after: tuple[float, str] | None = None,
    limit: int = 50,
) -> Feedback:
    """Memories that something was said of, those that moved farthest first. `side`: rose, fell, or all with those that
    stand even; `after`: (distance from 1, id) of the last one shown. From the index alone. Raises BadInput."""
    if side not in SIDES:
        raise BadInput(f"“{side[:40]}” is no side. Known: {', '.join(SIDES)}.", field="side")
    space.index.refresh()
    roster = space.index.view().roster
    up, down = roster.used.astype(np.int64), roster.not_useful.astype(np.int64)
    said = roster.alive & (up + down > 0) & (roster.state != STATES.index(State.DELETED))
    if kind is not None:
        said &= roster.kind == KINDS.index(kind)
    factor = roster.feedback(reach=space.tuning.feedback_reach).astype(np.float64)
    rose, fell = said & (up > down), said & (up < down)
    slots = np.flatnonzero({"rose": rose, "fell": fell, "all": said}[side])
    found = sorted(
        (
            MemoryFeedback(roster.ids[slot], int(up[slot]), int(down[slot]), round(float(factor[slot]), 6))
            for slot in slots.tolist()
        ),
        key=place_of,
    )
    if after is not None:
        found = found[bisect_right(found, (-after[0], after[1]), key=place_of) :]
    counts = (int(rose.sum()), int(fell.sum()), int((said & (up == down)).sum()))
    return Feedback(tuple(found[:limit]), *counts, more=len(found) > limit)


def place_of(one: MemoryFeedback) -> tuple[float, str]:
    """What `feedback_ranking` orders by; its negative first part and its id are an `after`."""
    return -round(abs(one.factor - 1), 6), one.memory


def reset_feedback(space: Space, memories: Sequence[str], *, actor: Actor) -> str:
    """Takes back all that was said of these memories: their factor is 1 again. Returns the id by which that is undone.
    Raises BadInput where none is named, NotFound for an unknown one."""
    if not memories:
        raise BadInput("Name a memory first.", field="/ids")
    all_of(space, memories)
    return said_of.reset_feedback(space.db, list(dict.fromkeys(memories)), by=actor.name, now=space.clock())


def undo_reset(space: Space, key: str) -> int:
    """Gives back what a reset took, beside what was said since; of how many memories. Raises NotFound."""
    given = said_of.undo_reset_feedback(space.db, key)
    if not given:
        raise NotFound(f"There is no reset {key[:40]} that could be undone.")
    return given
