"""One result is one piece of evidence: a fact and the turn it was learned from are never two of them.

Whichever of the two stands higher is the hit, with its own shares; the other stands with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.turn import same_speaker
from memoryapp.index.roster import KINDS, STATES, Roster

_TURN, _SUPERSEDED = KINDS.index(Kind.TURN), STATES.index(State.SUPERSEDED)
_LITTLE = 3  # terms of a turn that says little by itself: “yes, Tuesday”, “the second one”
_REACH = 2  # turns behind a question among which its reply is looked for: whoever asks may add a sentence


@dataclass(frozen=True, slots=True)
class Folded:
    """`slots`: of the hits, the best first, (m,); `beside`: by slot of a hit, the slots that stand with it."""

    slots: NDArray[np.intp]
    beside: dict[int, tuple[int, ...]] = field(default_factory=dict)


def folded(roster: Roster, ranked: NDArray[np.intp], *, count: int) -> Folded:
    """The first `count` pieces of evidence of a ranking of slots. What was learned from one turn stands with it, where
    the turn was found as well: whatever is above is the hit. So does what has been replaced since: what the turn says
    is no longer so."""
    leaders: list[int] = []
    beside: dict[int, list[int]] = {}
    shown_by: dict[int, int] = {}  # code of a turn → the hit that shows it
    codes, found = roster.names["turn"], set(ranked.tolist())
    turns = {slot: code for slot in found if roster.kind[slot] == _TURN and (code := codes.find(roster.ids[slot])) >= 0}
    said = {code: slot for slot, code in turns.items()}
    for slot in ranked.tolist():
        code = turns.get(slot, int(roster.turn[slot]))
        if code in said and code in shown_by:
            beside.setdefault(shown_by[code], []).append(slot)
        elif len(leaders) < count:  # what stands with a hit above is still looked for
            leaders.append(slot)
            shown_by.setdefault(code, slot)
    for code, slot in shown_by.items():
        if code in said:
            replaced = np.flatnonzero((roster.turn == code) & (roster.state == _SUPERSEDED) & roster.alive)
            known = {slot, *beside.get(slot, ())}
            beside.setdefault(slot, []).extend(one for one in replaced.tolist() if one not in known)
    return Folded(np.array(leaders, dtype=np.intp), {slot: tuple(those) for slot, those in beside.items()})


def learned_from(roster: Roster, slot: int) -> NDArray[np.intp]:
    """The slots of the facts that were learned from a turn; of anything else none."""
    code = roster.names["turn"].find(roster.ids[slot]) if roster.kind[slot] == _TURN else -1
    return np.flatnonzero((roster.turn == code) & roster.alive) if code >= 0 else np.empty(0, dtype=np.intp)


def before(roster: Roster, slot: int, *, now: datetime) -> int | None:
    """Of a turn that says little by itself, the one that it answers: the slot of the turn before it."""
    if roster.kind[slot] != _TURN or roster.length[slot] > _LITTLE:
        return None
    near = roster.neighbours(slot, reach=1)
    found = next((one for one in near if roster.position[one] < roster.position[slot]), None)
    return None if found is None or roster.expires[found] <= now.timestamp() else found


def after(roster: Roster, slot: int, *, now: datetime) -> tuple[int, ...]:
    """The slots of the turns said directly after one in its session, two at most, in order. Where one of them is gone
    (deleted, expired, kept private), those behind it do not follow any more: they reply to what nobody sees."""
    if roster.kind[slot] != _TURN or roster.group[slot] < 0:
        return ()
    near = np.flatnonzero(roster.group == roster.group[slot])
    there = roster.held[near] & (roster.kind[near] == _TURN) & ~(roster.expires[near] <= now.timestamp())
    at = {int(roster.position[one]): int(one) for one in near[there]}
    following: list[int] = []
    for position in range(int(roster.position[slot]) + 1, int(roster.position[slot]) + 1 + _REACH):
        if position not in at:
            break
        following.append(at[position])
    return tuple(following)


def reply_among(asked: Memory, following: Sequence[Memory]) -> Memory | None:
    """The first of the turns after a question that somebody else said; None where the same speaker just goes on."""
    return next((turn for turn in following if not same_speaker(asked, turn)), None)
