"""Fifth step: the changes of all items together, as one batch. Several reinforcements of one memory are one change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memoryapp.domain.conflict import Conflict, ConflictStatus
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.remembering import Became
from memoryapp.extract.link import link
from memoryapp.remember.match import Matched, reinforced
from memoryapp.spaces import Space
from memoryapp.store import conflicts
from memoryapp.store.embeddings import Embedding
from memoryapp.store.write import Batch


def gather(space: Space, matched: Sequence[Matched], embedded: Sequence[Embedding], *, now: datetime) -> Batch:
    """`embedded`: of what was new to match; of what turned out to be another the embedding is dropped."""
    batch = Batch()
    created = {one.after.id: one.after for one in matched if one.before is None}
    updated: dict[str, tuple[Memory, Memory]] = {}
    for one in matched:
        batch.conflicts.extend(one.conflicts)
        if one.before is None or one.after is one.before:
            continue
        if one.before.id in created:  # a repeat of something new in this very batch
            created[one.before.id] = _again(created[one.before.id], one)
        elif one.before.id in updated:
            before, after = updated[one.before.id]
            updated[one.before.id] = (before, _again(after, one))
        else:
            updated[one.before.id] = (one.before, one.after)
    batch.created, batch.updated = list(created.values()), list(updated.values())
    rewritten = [one.after for one in matched if one.rewritten]
    kept = {memory.id for memory in rewritten}
    batch.embeddings = [embedding for embedding in embedded if embedding.memory in kept]
    # The vector of the old words would answer for what is no longer said.
    lost = kept - {embedding.memory for embedding in batch.embeddings}
    batch.unembedded = [(space.encoder.name, memory.id) for memory in rewritten if memory.id in lost]
    batch.judged.extend(_moot(space, matched))
    named = {one.after.id: one.item.entities for one in matched if one.rewritten and one.item.entities}
    # What an atom speaks of stands in it: see taking_part.
    words = [memory for memory in rewritten if memory.kind is not Kind.ATOM]
    link(space.db, words, batch, now=now, sightings_to_know=space.tuning.sightings_to_know, named=named)
    return batch


def _again(memory: Memory, one: Matched) -> Memory:
    """Confirmed once more, or said in other words under its ref."""
    if one.outcome is Became.REINFORCED:
        return reinforced(memory, one.item, now=one.after.last_confirmed)
    return one.after


def _moot(space: Space, matched: Sequence[Matched]) -> list[tuple[Conflict, Conflict]]:
    """Waiting conflicts about words that are now said otherwise, under the same ref: that question is gone."""
    said_otherwise = [one.before.id for one in matched if one.before is not None and one.rewritten]
    waiting = conflicts.waiting_for(space.db, said_otherwise)
    raised = {conflict.id for one in matched for conflict in one.conflicts}
    keys = {key for found in waiting.values() for key in found} - raised
    return [
        (conflict, replace(conflict, status=ConflictStatus.WITHDRAWN, version=conflict.version + 1))
        for conflict in conflicts.get_many(space.db, sorted(keys)).values()
        if conflict.incoming is not None
    ]
