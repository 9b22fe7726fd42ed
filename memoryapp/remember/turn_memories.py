"""Turns as memories of their own: those of before there were such get theirs, and all of them their vectors."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from memoryapp.domain.errors import Cancelled
from memoryapp.domain.memory import Kind
from memoryapp.index.roster import KINDS
from memoryapp.remember.turns import is_searchable
from memoryapp.spaces import Space
from memoryapp.spaces.embed import embed
from memoryapp.store import embeddings, memories, turns

_AT_ONCE = 256  # turns embedded and written together; a kill loses at most so many
_TURN = KINDS.index(Kind.TURN)


class Progress(Protocol):
    def advance(self, done: int, total: int, counts: dict[str, Any] | None = None) -> None: ...
    def cancelled(self) -> bool: ...


def remember_turns(space: Space, *, progress: Progress | None = None) -> int:
    """Gives every turn its memory and every such memory its vector; returns how many got a vector. What is done stays:
    ended anywhere, the next call goes on from there. Raises Cancelled, StoreError."""
    if not turns.all_remembered(space.db):
        for found in turns.unremembered(space.db):
            _stop_where_asked(progress)
            turns.remember(space.db, [turn for turn in found if is_searchable(turn)])
        turns.set_all_remembered(space.db, to=True)
    space.index.refresh()
    roster = space.index.view().roster
    waiting = np.flatnonzero(roster.alive & (roster.kind == _TURN) & ~roster.has)
    wanted = [roster.ids[slot] for slot in waiting[np.argsort(roster.created[waiting], kind="stable")].tolist()]
    count = 0
    for start in range(0, len(wanted), _AT_ONCE):
        _stop_where_asked(progress)
        batch = memories.get_many(space.db, wanted[start : start + _AT_ONCE])
        made = embed(space, list(batch.values()))
        embeddings.put(space.db, made)
        count += len(made)
    return count


def _stop_where_asked(progress: Progress | None) -> None:
    if progress is not None and progress.cancelled():
        raise Cancelled("Stopped. What is done stays; the other turns wait.")
