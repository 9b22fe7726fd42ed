"""Nodes are written as every memory is: in one block, with revisions, a run and the vectors of new words."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.domain.change import Run
from memoryapp.domain.conflict import Conflict
from memoryapp.domain.memory import Memory, index_text
from memoryapp.spaces import Space, embed_into
from memoryapp.store.write import Batch, commit


def write(
    space: Space,
    run: Run,
    *,
    created: Sequence[Memory] = (),
    updated: Sequence[tuple[Memory, Memory]] = (),
    conflicts: Sequence[Conflict] = (),
) -> None:
    """Writes them together or not at all. Pairs in which nothing differs are left out.

    Raises Stale where a node was changed meanwhile, Clash where a path was taken meanwhile.
    """
    changed = [(before, after) for before, after in updated if before != after]
    batch = Batch(created=list(created), updated=changed, conflicts=list(conflicts))
    embed_into(batch, space, [*created, *(b for a, b in changed if index_text(a) != index_text(b))])
    commit(space.db, run, batch, now=space.clock())
