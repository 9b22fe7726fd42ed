"""Names that became known in this ingest in; references from the memories that named them before they were known."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.domain.entity import Entity, Reference
from memoryapp.domain.memory import Memory, State
from memoryapp.extract.link import MENTION
from memoryapp.ingest.work import Work
from memoryapp.spaces.mentions import holders_of, named_in
from memoryapp.store import memories
from memoryapp.store.write import Batch, commit

_MEMORIES_A_WRITE = 200


def link_back(work: Work) -> None:
    """Adds what is missing; finding nothing to add, writes nothing. Raises Cancelled between two groups."""
    learned = list({entity.id: entity for entity in work.learned}.values())
    if not learned:
        return
    _link(work, learned, list(work.written.values()))
    older = [key for key in holders_of(work.space, learned) if key not in work.written]
    for start in range(0, len(older), _MEMORIES_A_WRITE):
        found = memories.get_many(work.space.db, older[start : start + _MEMORIES_A_WRITE])
        _link(work, learned, [memory for memory in found.values() if memory.state is not State.DELETED])


def _link(work: Work, learned: Sequence[Entity], group: Sequence[Memory]) -> None:
    named = list(named_in(learned, group))
    for start in range(0, len(named), _MEMORIES_A_WRITE):
        work.tally.stop_if_asked()
        piece = named[start : start + _MEMORIES_A_WRITE]
        standing = work.linker.standing([memory.id for memory, _ in piece])
        batch = Batch()
        for memory, keys in piece:
            batch.references_added.extend(
                Reference(memory.id, key, MENTION) for key in keys if key not in standing[memory.id]
            )
        work.tally.linked += len(batch.references_added)
        if not work.dry_run:
            commit(work.space.db, work.run, batch, now=work.space.clock())
