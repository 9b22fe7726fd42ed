"""Embedding of many texts, with the failures told by row.

A failing batch is halved down to one text, so that one bad text, or too little memory, does not stop an ingest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.errors import ModelMissing
from memoryapp.inference.embedding.encoder import Encoder, Vectors
from memoryapp.observability.counts import embedding


@dataclass(frozen=True, slots=True)
class EncodedBatch:
    """`vectors` (n, dimension); the row of a failed text is all NaN and must not be stored."""

    vectors: NDArray[np.float32]
    failed: tuple[tuple[int, str], ...]  # (row, reason), by row


def encode_in_batches(
    encoder: Encoder,
    texts: Sequence[str],
    *,
    batch_size: int = 64,
    on_progress: Callable[[int], None] | None = None,
) -> EncodedBatch:
    """Encode `texts` as documents; a text that fails alone is reported and the rest go on.

    `on_progress` is told how many texts are done so far, after each batch. What it raises (a cancelled job) is
    passed on. Zero, NaN and infinite vectors are failures. Raises ModelMissing where the encoder itself is gone (a
    server that no longer answers): then no text is at fault, and halving would only wait longer.
    """
    vectors = np.full((len(texts), encoder.dimension), np.nan, dtype=np.float32)
    failed: list[tuple[int, str]] = []
    # Texts of like length together: within a batch the encoder pads less, and the largest batch comes first.
    order = sorted(range(len(texts)), key=lambda row: -len(texts[row]))
    for start in range(0, len(order), batch_size):
        _encode_rows(encoder, texts, order[start : start + batch_size], vectors=vectors, failed=failed)
        if on_progress is not None:
            on_progress(min(start + batch_size, len(order)))
    return EncodedBatch(vectors=vectors, failed=tuple(sorted(failed)))


def _encode_rows(
    encoder: Encoder, texts: Sequence[str], rows: list[int], *, vectors: Vectors, failed: list[tuple[int, str]]
) -> None:
    waiting = [rows]  # a stack, not recursion: memory is what may be short
    while waiting:
        rows = waiting.pop()
        reason, made = _attempt(encoder, [texts[row] for row in rows])
        if made is not None:
            vectors[rows] = made
            failed.extend(_refuse(vectors, rows))
        elif len(rows) == 1:
            failed.append((rows[0], reason))
        else:
            half = len(rows) // 2
            waiting += [rows[half:], rows[:half]]


def _attempt(encoder: Encoder, texts: list[str]) -> tuple[str, Vectors | None]:
    try:
        with embedding(encoder.name, len(texts)):
            made = encoder.encode_documents(texts)
    except ModelMissing:
        raise
    except Exception as error:  # noqa: BLE001 - torch raises RuntimeError, tokenizers TypeError, endpoints their own
        return _reason(error), None
    if made.shape != (len(texts), encoder.dimension):
        return f"the encoder gave an array of shape {made.shape} for {len(texts)} text(s)", None
    return "", made


def _refuse(vectors: Vectors, rows: list[int]) -> list[tuple[int, str]]:
    refused = []
    for row in rows:
        if not np.isfinite(vectors[row]).all():
            refused.append((row, "the model gave a vector that is not a number"))
        elif not vectors[row].any():
            refused.append((row, "the model gave a vector of zeros"))
        else:
            continue
        vectors[row] = np.nan
    return refused


def _reason(error: Exception) -> str:
    said = str(error).strip().splitlines()
    return f"{type(error).__name__}: {said[0][:300]}" if said else type(error).__name__
