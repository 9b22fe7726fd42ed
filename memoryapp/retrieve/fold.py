"""One result is one piece of evidence: a fact and the turn it was learned from are never two of them.

Whichever of the two matches better is the hit, with its own shares; the other stands with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.memory import Kind, State
from memoryapp.index.roster import KINDS, STATES, Roster

_TURN, _SUPERSEDED = KINDS.index(Kind.TURN), STATES.index(State.SUPERSEDED)


_LITTLE = 3  # terms of a turn that says little by itself: “yes, Tuesday”, “the second one”


@dataclass(frozen=True, slots=True)
class Folded:
    """`slots`: of the hits, the best first, (m,); `beside`: by slot of a hit, the slots that stand with it."""

    slots: NDArray[np.intp]
    beside: dict[int, tuple[int, ...]] = field(default_factory=dict)


def folded(roster: Roster, ranked: NDArray[np.intp], *, count: int) -> Folded:
    """The first `count` pieces of evidence of a ranking of slots. A turn stands with the best fact learned from it
    where that ranks above it; facts that rank below their turn stand with it, all of them: its words hold theirs. So do
    those that something else has taken the place of: what it says is no longer so."""
    leaders: list[int] = []
    beside: dict[int, list[int]] = {}
    fact_of: dict[int, int] = {}  # slot of a turn → the hit that shows it
    names = roster.names["turn"].names
    for slot in ranked.tolist():
        code = int(roster.turn[slot])
        turn = slot if code < 0 else roster.slot(names[code])
        shown_by = None if turn is None else fact_of.get(turn)
        if shown_by is not None and (slot == turn or shown_by == turn):
            beside.setdefault(shown_by, []).append(slot)
            continue
        if len(leaders) == count:
            continue  # what stands with a hit above is still looked for
        leaders.append(slot)
        if turn is not None and shown_by is None:
            fact_of[turn] = slot
    for slot in leaders:
        if roster.kind[slot] == _TURN and (code := roster.names["turn"].find(roster.ids[slot])) >= 0:
            replaced = np.flatnonzero((roster.turn == code) & (roster.state == _SUPERSEDED) & roster.alive)
            beside.setdefault(slot, []).extend(one for one in replaced.tolist() if one not in beside[slot])
    return Folded(np.array(leaders, dtype=np.intp), {slot: tuple(those) for slot, those in beside.items()})


def before(roster: Roster, slot: int) -> int | None:
    """Of a turn that says little by itself, the one that it answers: the slot of the turn before it."""
    if roster.kind[slot] != _TURN or roster.length[slot] > _LITTLE:
        return None
    near = roster.neighbours(slot, reach=1)
    return next((one for one in near if roster.position[one] < roster.position[slot]), None)
