"""The shared step of every act that changes a memory's fields: embed and link what has new words, then write."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import Stale
from memoryapp.domain.memory import Memory, State, index_text
from memoryapp.extract.link import link
from memoryapp.review.rejudge import judge_again, restated
from memoryapp.spaces import Space, embed_into
from memoryapp.store import lineage, memories
from memoryapp.store.write import Batch, commit, new_run

_TRIES = 8


@dataclass(frozen=True, slots=True)
class Done:
    """What an act did: the run (for Undo) and the memories as they stand now. Where everything was so already nothing
    is `changed`: the run is not kept, and there is nothing to undo."""

    run: Run
    memories: tuple[Memory, ...]
    changed: bool = True

    def only(self, keys: Iterable[str]) -> Done:
        """The same without the memories that went along: turns of a fact."""
        asked = set(keys)
        return replace(self, memories=tuple(one for one in self.memories if one.id in asked))


def repeated(act: Callable[[], Done], *, expected: int | None) -> Done:
    """Who names no version asks for the change whatever the present state is: read and written again where somebody
    else was quicker. Raises Stale when a version was named."""
    for attempt in range(_TRIES - 1 if expected is None else 0):
        try:
            return act()
        except Stale:
            step_aside(attempt)
    return act()


def step_aside(attempt: int) -> None:
    """Waits a moment, so that two writers that met once do not meet again: up to 2 ms, then twice as long each time."""
    time.sleep(random.uniform(0, 0.002 * 2**attempt))


def rewrite(
    space: Space,
    pairs: Sequence[tuple[Memory, Memory]],
    *,
    act: str,
    actor: Actor,
    reason: str = "",
    detail: dict[str, Any] | None = None,
) -> Done:
    """Writes (before, after) pairs in one run. Pairs without a difference are left out.

    Raises Stale when a memory was changed meanwhile; nothing is written then.
    """
    now = space.clock()
    run = new_run(act, actor, now=now, reason=reason, detail=detail)
    changed = [(before, after) for before, after in pairs if before != after]
    back = [old.id for old, new in changed if old.state is State.SUPERSEDED and new.state is State.HELD]
    batch = Batch(updated=changed, unsuperseded=lineage.superseding(space.db, back))
    reworded(space, batch, run=run, now=now)
    commit(space.db, run, batch, now=now)
    found = memories.get_many(space.db, [after.id for _, after in pairs])
    return Done(run, tuple(found[after.id] for _, after in pairs if after.id in found), changed=bool(changed))


def reworded(space: Space, batch: Batch, *, run: Run, now: datetime) -> None:
    """What new words bring along, into the batch that writes them: vectors, references, what a fact states, and
    another look at the conflicts that wait about it."""
    batch.updated = [(before, restated(before, after)) for before, after in batch.updated]
    rewritten = [after for before, after in batch.updated if index_text(before) != index_text(after)]
    embed_into(batch, space, rewritten)
    if rewritten:
        link(space.db, rewritten, batch, now=now, sightings_to_know=space.tuning.sightings_to_know)
    judge_again(space, batch, run=run, now=now)
