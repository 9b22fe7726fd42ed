"""Digests are written, each in one block with its originals put aside: whole, or not at all. Several may share a block,
which is quicker; where one of them is refused, each is tried alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memoryapp.consolidate.draft import Planned
from memoryapp.consolidate.told import DIGEST, ORIGINALS, WORDS
from memoryapp.domain.change import Run
from memoryapp.domain.entity import Reference
from memoryapp.domain.errors import Clash, Stale
from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import Kind, Memory, MemoryType, State, index_text
from memoryapp.spaces import Space
from memoryapp.store import references
from memoryapp.store.embeddings import Embedding
from memoryapp.store.write import Batch, commit


def as_memory(one: Planned, *, now: datetime) -> Memory:
    """The digest as it is to stand; where there was one at its id, in its place."""
    digest = one.digest
    made = Memory(
        id=digest.id,
        kind=Kind.DIGEST,
        title=digest.title,
        text=digest.text,
        created_at=now,
        updated_at=now,
        tags=digest.tags,
        confidence=digest.confidence,
        memory_type=MemoryType.EPISODIC,
        # As old as the last thing it tells, so that what is folded is not news again.
        occurred_at=digest.ended,
        detail=_detail(one),
    )
    made = replace(made, content_hash=content_hash(index_text(made)))
    before = one.before
    if before is None:
        return made
    tags = tuple(dict.fromkeys([*before.tags, *made.tags]))
    return replace(
        made,
        created_at=before.created_at,
        version=before.version,
        tags=tags,
        pinned=before.pinned,
        reinforcements=before.reinforcements,
        reinforced_at=before.reinforced_at,
        salience=before.salience,
    )


@dataclass(frozen=True, slots=True)
class Made:
    """A digest about to be written."""

    planned: Planned
    memory: Memory
    embedding: Embedding | None


def write(space: Space, some: Sequence[Made], *, run: Run) -> tuple[list[tuple[Made, int]], list[Made]]:
    """Writes digests and archives their originals. Returns those that were written, each with how many of its
    originals were archived by it, and those that were refused because something of theirs was changed since it was
    read: nothing of these is written."""
    try:
        return _together(space, some, run), []
    except (Stale, Clash):
        if len(some) == 1:
            return [], list(some)
    written: list[tuple[Made, int]] = []
    refused: list[Made] = []
    for one in some:
        done, left = write(space, [one], run=run)
        written += done
        refused += left
    return written, refused


def _together(space: Space, some: Sequence[Made], run: Run) -> list[tuple[Made, int]]:
    batch = Batch()
    archived = [(one, _into(space, one, batch)) for one in some]
    commit(space.db, run, batch, now=space.clock())
    return archived


def _into(space: Space, one: Made, batch: Batch) -> int:
    """Puts a digest and its originals into the batch; returns how many are archived by it."""
    planned, made = one.planned, one.memory
    archived = [
        (memory, replace(memory, state=State.ARCHIVED, detail={**memory.detail, DIGEST: made.id}))
        for memory in planned.sections
        if memory.state is State.HELD or memory.detail.get(DIGEST) != made.id
    ]
    batch.updated += archived
    if planned.before is None:
        batch.created.append(made)
    else:
        batch.updated.append((planned.before, made))
    batch.derived += [(made.id, memory.id) for memory in planned.sections]
    added, removed = _links(space, planned)
    batch.references_added += added
    batch.references_removed += removed
    if one.embedding is not None:
        batch.embeddings.append(one.embedding)
    else:
        batch.unembedded.append((space.encoder.name, made.id))
    return sum(memory.state is State.HELD for memory, _ in archived)


def _links(space: Space, one: Planned) -> tuple[list[Reference], list[Reference]]:
    if one.before is None:
        return list(one.links), []
    standing = set(references.of_memories(space.db, [one.digest.id]).get(one.digest.id, ()))
    wanted = set(one.links)
    gone = sorted(standing - wanted, key=lambda edge: (edge.entity, edge.role))
    return [edge for edge in one.links if edge not in standing], gone


def _detail(one: Planned) -> dict[str, Any]:
    digest = one.digest
    detail: dict[str, Any] = {
        "from": digest.began.isoformat(),
        "to": digest.ended.isoformat(),
        "topic": digest.topic.name,
        "entity": digest.topic.entity,
        "ranker": digest.ranker.value,
        "bytes": digest.bytes_before,
        "of": len(digest.sentences),
        # In the order of the text's lines: which section said each, so that a purge finds its words.
        "sentences": [
            {"id": told.id, "section": told.section, "score": told.score} for told in digest.sentences if told.taken
        ],
        ORIGINALS: {memory.id: content_hash(memory.text) for memory in one.sections},
        WORDS: content_hash(digest.text),
    }
    return {name: value for name, value in detail.items() if value is not None}  # the store keeps no None
