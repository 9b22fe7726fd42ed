"""How fast an encoder is here. In: an encoder. Out: texts a second, and how long one question takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from memoryapp.domain.errors import EncodingFailed
from memoryapp.inference.embedding.batch import encode_in_batches
from memoryapp.inference.embedding.encoder import Encoder

BATCH = 16
TEXTS = 96  # documents that are timed; the batch before them is not, since a model is slow at first
_QUERIES = 8
# As long as what is remembered: a sentence or two. {n} keeps every text new to an encoder that knows what it was asked.
_SENTENCES = (
    "The backup of server {n} starts at three in the morning and takes about forty minutes.",
    "Mina moved to Busan in March {n} and works from a desk with a view of the sea.",
    "We decided against a second queue in sprint {n}: one worker was enough, and nobody missed the other.",
    "Invoice {n} was paid late because the address on it was that of the old office.",
    "When the disk of node {n} is full, writes are refused and everything that was stored stays readable.",
    "Theo prefers short answers with a source, and wants to be asked before anything like case {n} is deleted.",
)


@dataclass(frozen=True, slots=True)
class Trial:
    """`seconds` for all `texts`; `query_seconds`: the median of one question's time."""

    texts: int
    seconds: float
    query_seconds: float

    @property
    def texts_a_second(self) -> float:
        return self.texts / max(self.seconds, 1e-9)


def trial_of(encoder: Encoder, *, advance: Callable[[int, int], None] = lambda done, total: None) -> Trial:
    """Encodes made-up texts and questions. `advance` is told how far it is; what it raises is passed on. Raises
    ModelMissing where the encoder is gone, EncodingFailed where it gives no usable vectors."""
    seconds = 0.0
    for start in range(0, TEXTS + BATCH, BATCH):
        texts = [_text(start + n) for n in range(BATCH)]
        began = time.perf_counter()
        encoded = encode_in_batches(encoder, texts)
        seconds += (time.perf_counter() - began) if start else 0.0
        if encoded.failed:
            raise EncodingFailed(f"{encoder.name} gives no usable vectors: {encoded.failed[0][1]}.")
        advance(start + BATCH, TEXTS + BATCH)
    return Trial(TEXTS, seconds, median(_query_seconds(encoder, n) for n in range(_QUERIES)))


def _query_seconds(encoder: Encoder, n: int) -> float:
    began = time.perf_counter()
    encoder.encode_query(f"Who knows how case {time.time_ns()} of {n} ended?")
    return time.perf_counter() - began


def _text(n: int) -> str:
    return _SENTENCES[n % len(_SENTENCES)].format(n=n + 1)
