"""Memories as they were at an instant: their words, trust and confirmations of then, walked back to by revisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memoryapp.domain.memory import Memory
from memoryapp.domain.results import Hit
from memoryapp.domain.trust import trust
from memoryapp.review.history import stepped_back
from memoryapp.spaces import Space
from memoryapp.store import lineage, memories, revisions
from memoryapp.store.fields import memory_fields
from memoryapp.store.write import plain


def as_it_was(space: Space, memory: Memory, at: datetime) -> Memory:
    """The memory as its revisions say it stood at `at`. It was learned by then: which were is the index's to tell."""
    if memory.updated_at <= at:
        return memory
    values: dict[str, Any] = {name: plain(getattr(memory, name)) for name in Memory.__dataclass_fields__}
    for revision in reversed(revisions.of_record(space.db, memory.id)):
        if revision.record == "memory" and revision.at > at and revision.act != "create":
            values = stepped_back(values, revision)
    return replace(memory, **memory_fields(values))


def hits_then(space: Space, hits: Sequence[Hit], at: datetime) -> list[Hit]:
    """The hits in their order with the words and the trust of then; no conflict of today disputes them."""
    owners: dict[str, Space] = {}
    owner: Space | None = space
    while owner is not None:
        owners[owner.name] = owner
        owner = owner.parent
    found: dict[tuple[str, str], Hit] = {}
    for name, one in owners.items():
        mine = [hit for hit in hits if (hit.inherited_from or space.name) == name]
        standing = [as_it_was(one, hit.memory, at) for hit in mine]
        trusts = _trust_then(one, standing, at)
        for hit, memory in zip(mine, standing, strict=True):
            found[name, memory.id] = replace(hit, memory=memory, trust=trusts[memory.id], conflicts=())
    return [found[hit.inherited_from or space.name, hit.memory.id] for hit in hits]


def _trust_then(space: Space, standing: Sequence[Memory], at: datetime) -> dict[str, float]:
    """Trust at `at` by id, of memories as they stood then, and at most that of what they were made from by then."""

    def own(memory: Memory, ceiling: Sequence[float] = ()) -> float:
        return trust(
            memory.confidence,
            confirmed_at=memory.last_confirmed,
            reinforcements=memory.reinforcements,
            now=at,
            derived_from=ceiling,
            half_life=space.tuning.trust_half_life_days,
        ).value

    above = lineage.ancestors(space.db, [memory.id for memory in standing])
    sources = memories.get_many(space.db, sorted({key for keys in above.values() for key in keys}))
    levels = {key: own(as_it_was(space, one, at)) for key, one in sources.items() if one.created_at <= at}
    return {
        memory.id: own(memory, [levels[key] for key in above.get(memory.id, ()) if key in levels])
        for memory in standing
    }
