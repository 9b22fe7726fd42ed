"""Words that are new become vectors, by the model of their space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memoryapp.domain.errors import EncoderError
from memoryapp.domain.memory import Memory, index_text
from memoryapp.inference.embedding.batch import encode_in_batches
from memoryapp.spaces.space import Space
from memoryapp.store.embeddings import Embedding
from memoryapp.store.write import Batch

PATIENCE = 90.0  # seconds a write waits for a model that is still loading


def embed(space: Space, written: Sequence[Memory]) -> list[Embedding]:
    """Embeddings of these memories. A text the model cannot take, or all of them where the model is not usable, are
    left out: the memory is then found by its words, and the health page counts it."""
    return embed_words(space, {memory.id: index_text(memory) for memory in written})


def embed_words(space: Space, words: Mapping[str, str]) -> list[Embedding]:
    """The same of memories of which only the words that are embedded are at hand, by id."""
    if not words:
        return []
    try:
        encoder = space.encoder.get(PATIENCE)
        encoded = encode_in_batches(encoder, list(words.values()))
    except EncoderError:
        return []
    failed = {n for n, _ in encoded.failed}
    return [Embedding(key, space.encoder.name, encoded.vectors[n]) for n, key in enumerate(words) if n not in failed]


def embed_into(batch: Batch, space: Space, rewritten: Sequence[Memory]) -> None:
    """Puts the embeddings of memories with new words into the batch that writes them. Where there is none, the vector
    of the old words is taken away: it would answer for what is no longer said."""
    batch.embeddings = embed(space, rewritten)
    embedded = {embedding.memory for embedding in batch.embeddings}
    batch.unembedded = [(space.encoder.name, memory.id) for memory in rewritten if memory.id not in embedded]
