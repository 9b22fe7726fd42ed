"""Embeds what has no embedding by a model: what was written while the model was away, or everything when a space
changes its model. The space goes on answering with the old one until it is switched over."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.errors import Cancelled
from memoryapp.domain.memory import index_text
from memoryapp.domain.progress import Progress
from memoryapp.inference.embedding import Encoder
from memoryapp.inference.embedding.batch import encode_in_batches
from memoryapp.spaces.space import Space
from memoryapp.store import embeddings, memories
from memoryapp.store.embeddings import Embedding
from memoryapp.store.write import Batch, commit, new_run

_AT_ONCE = 256  # memories embedded and written together; a kill loses at most so many

MACHINE = Actor(ActorKind.MACHINE, "embedding")


def embed_missing(
    space: Space, encoder: Encoder, *, model: str, progress: Progress, actor: Actor = MACHINE
) -> dict[str, int]:
    """Embeds every memory that has no vector by `model` and returns {"embedded": n, "failed": n}.

    Each batch is written as it is done, so it can be killed and begun again. Raises Cancelled.
    """
    wanted = embeddings.missing(space.db, model, limit=10_000_000)
    run = new_run("embed", actor, now=space.clock(), detail={"model": model})
    counts = {"embedded": 0, "failed": 0}
    for start in range(0, len(wanted), _AT_ONCE):
        if progress.cancelled():
            raise Cancelled("Stopped. What is embedded stays; begin it again to go on.")
        vectors, failed = _embed_memories(space, encoder, model, wanted[start : start + _AT_ONCE])
        commit(space.db, run, Batch(embeddings=vectors), now=space.clock())
        counts["embedded"] += len(vectors)
        counts["failed"] += failed
        progress.advance(min(start + _AT_ONCE, len(wanted)), len(wanted), counts)
    return counts


def _embed_memories(space: Space, encoder: Encoder, model: str, keys: Sequence[str]) -> tuple[list[Embedding], int]:
    found = list(memories.get_many(space.db, keys).values())
    encoded = encode_in_batches(encoder, [index_text(memory) for memory in found])
    bad = {n for n, _ in encoded.failed}
    good = [Embedding(m.id, model, encoded.vectors[n]) for n, m in enumerate(found) if n not in bad]
    return good, len(bad)
