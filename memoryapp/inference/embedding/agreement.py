"""How an encoder compares with plain fp32 sentence-transformers, in agreement and in speed.

For `manage.py bench`: a faster form is worth having only while it finds what the plain one finds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean, median
from time import perf_counter
from typing import TypeVar

import numpy as np

from memoryapp.inference.embedding.encoder import Encoder, Vectors
from memoryapp.inference.embedding.minilm import NAME, packaged_folder
from memoryapp.inference.embedding.sentence import SentenceEncoder, load_sentence

_Given = TypeVar("_Given")


@dataclass(frozen=True, slots=True)
class Agreement:
    """`agreement`: the mean share of one top-`top` list that is in the other; `speed_ratio`: median over rounds."""

    precision: str
    texts: int
    queries: int
    top: int
    agreement: float
    lowest_cosine: float
    texts_per_second: float
    plain_texts_per_second: float
    speed_ratio: float
    query_ms: float  # median, of queries not remembered


def plain_minilm() -> SentenceEncoder:
    """Return what the default encoder is measured against. Raises ModelMissing, ModelUnreadable."""
    return load_sentence(NAME, folder=packaged_folder(), languages=frozenset({"en"}), plain=True)


def compare(
    encoder: Encoder, plain: Encoder, *, texts: Sequence[str], queries: Sequence[str], top: int = 10, rounds: int = 3
) -> Agreement:
    """Measure `encoder` against `plain` over a pool of `texts`.

    The texts are cut into `rounds` parts and the two take turns on each, so that other work on the machine
    burdens both alike; the first few texts are encoded beforehand, unmeasured. Raises ValueError for fewer texts
    than `rounds` or no query.
    """
    if len(texts) < rounds or not queries:
        raise ValueError("Give at least one text a round and one query.")
    for one in (plain, encoder):
        one.encode_documents(texts[:16])
    parts = [texts[number::rounds] for number in range(rounds)]
    turns = [
        (_measure_time(plain.encode_documents, part), _measure_time(encoder.encode_documents, part)) for part in parts
    ]
    plain_seconds, fast_seconds = [turn[0][1] for turn in turns], [turn[1][1] for turn in turns]
    plain_texts, fast_texts = (np.concatenate([turn[side][0] for turn in turns]) for side in (0, 1))
    asked = [_measure_time(encoder.encode_query, query) for query in queries]
    scores = np.stack([vector for vector, _ in asked]) @ fast_texts.T
    wanted = np.stack([plain.encode_query(query) for query in queries]) @ plain_texts.T
    return Agreement(
        precision=encoder.precision,
        texts=len(texts),
        queries=len(queries),
        top=top,
        agreement=top_agreement(scores, wanted, top=top),
        lowest_cosine=float((fast_texts * plain_texts).sum(axis=1).min()),
        texts_per_second=len(texts) / sum(fast_seconds),
        plain_texts_per_second=len(texts) / sum(plain_seconds),
        speed_ratio=median(slow / fast for slow, fast in zip(plain_seconds, fast_seconds, strict=True)),
        query_ms=1000 * median(took for _, took in asked),
    )


def top_agreement(scores: Vectors, wanted: Vectors, *, top: int) -> float:
    """Return the mean overlap, 0 to 1, of the `top` best columns of each row of two arrays (queries, texts)."""
    top = min(top, scores.shape[1])
    found, expected = np.argsort(-scores, axis=1)[:, :top], np.argsort(-wanted, axis=1)[:, :top]
    return mean(len(set(a) & set(b)) / top for a, b in zip(found.tolist(), expected.tolist(), strict=True))


def _measure_time(encode: Callable[[_Given], Vectors], given: _Given) -> tuple[Vectors, float]:
    start = perf_counter()
    made = encode(given)
    return made, perf_counter() - start
