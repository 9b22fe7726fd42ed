"""Facts that contradict each other, and the conflicts that wait about them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from memoryapp.contradictions import slots
from memoryapp.domain.conflict import Conflict, Outcome
from memoryapp.domain.filters import Filters
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.results import Query
from memoryapp.search import search
from memoryapp.spaces import Space, embed
from memoryapp.store import conflicts, memories
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, a_memory

SEOUL, BUSAN, DAEGU = "Minsu lives in Seoul.", "Minsu lives in Busan.", "Minsu lives in Daegu."


def facts(space: Space, *texts: str, **more: Any) -> tuple[Memory, ...]:
    """Held facts of these words, with what they state and their vectors."""
    made = tuple(
        a_memory(text, **({"kind": Kind.FACT, "slots": tuple(slot.key for slot in slots(text))} | more))
        for text in texts
    )
    written = Batch(created=list(made), embeddings=embed(space, made))
    commit(space.db, new_run("remember", AGENT, now=NOON), written, now=NOON)
    return made


def raised(space: Space, existing: Memory, incoming: Memory, **more: Any) -> Conflict:
    made = {"outcome": Outcome.REPLACE, "confidence": 0.8, "attribute": "lives in", "created_at": NOON} | more
    conflict = Conflict(
        new_id(), existing.id, made.pop("detector", "slot"), "They live in two places.", incoming=incoming.id, **made
    )
    commit(space.db, new_run("remember", AGENT, now=NOON), Batch(conflicts=[conflict]), now=NOON)
    return conflict


def now_of(space: Space, memory: Memory) -> Memory:
    return memories.get(space.db, memory.id)


def conflict_now(space: Space, conflict: Conflict) -> Conflict:
    found = conflicts.get(space.db, conflict.id)
    assert found is not None
    return found


def recalled(space: Space, query: str, *, as_of: datetime | None = None) -> set[str]:
    """Texts that a search gives."""
    answer = search(space, Query(query, strategy="keyword", filters=Filters(as_of=as_of)))
    return {hit.memory.text for hit in answer.hits}


def edges(space: Space) -> set[tuple[str, str]]:
    """(stands, replaced)"""
    found = space.db.query("SELECT VALUE [record::id(in), record::id(out)] FROM supersedes")[0]
    return {(stands, replaced) for stands, replaced in found}
