"""What every encoder is, and what each does to a text and to a vector (unit length, float32)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


@runtime_checkable
class Encoder(Protocol):
    """Text to vectors. Safe to call from several threads at once."""

    @property
    def name(self) -> str:
        """What a space records, e.g. "all-MiniLM-L6-v2"."""

    @property
    def dimension(self) -> int: ...

    @property
    def max_tokens(self) -> int:
        """What lies beyond this many tokens of a text is not read."""

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes. A Hangul query leaves an encoder without "ko" out of the sum."""

    @property
    def precision(self) -> str:
        """How the numbers are computed here, e.g. "bf16 packed"; for people, not for programs."""

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """Return an array (len(texts), dimension), rows of unit length, in the order of `texts`."""

    def encode_query(self, text: str) -> Vectors:
        """Return a read-only array (dimension,) of unit length."""

    def count_tokens(self, text: str) -> int:
        """How many tokens `text` takes of `max_tokens`, uncut, with those the model adds itself."""


def readable(text: str) -> str:
    """Return `text` with lone surrogates replaced: tokenizers and JSON encoders refuse them."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def unit(vectors: Vectors) -> Vectors:
    """Scale each row to length 1. Zero and NaN rows stay as they are: `encode_in_batches` refuses them."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = np.divide(vectors, lengths, out=np.array(vectors, dtype=np.float32), where=lengths > 0)
    return scaled


def no_vectors(dimension: int) -> Vectors:
    """Return what the empty list is encoded to: an array (0, dimension)."""
    return np.empty((0, dimension), dtype=np.float32)
