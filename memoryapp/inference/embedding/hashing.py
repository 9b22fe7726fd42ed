"""Encoder without a model: hashed words and letter groups, so that vectors share words, not meaning.

For tests, for a machine without a model, and as the baseline a real model has to beat.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from memoryapp.inference.embedding.encoder import Vectors, no_vectors, readable, unit
from memoryapp.text.hangul import HANGUL

_WORD = re.compile(r"[^\W_]+")
_LONGEST_WORD = 64  # letters; what is longer is no word, and its features would fill the cache
_EMPTY = ("", 1.0)  # the one feature of a text without words: its vector, too, must have a length


class HashingEncoder:
    """Feature hashing (Weinberger et al. 2009): each feature adds ±weight at one hashed place.

    Features: each word (weight 1) and its letter trigrams with borders (1.3 in all, so that no word is cancelled by
    its own trigram); for Hangul two-syllable groups instead, which survive particles. Counts are dampened as
    1 + ln(count); words of few letters count less, a stand-in for the rarity that only an index knows.
    """

    languages = frozenset({"en", "ko"})
    precision = "fp32"
    max_tokens = 512

    def __init__(self, dimension: int = 384) -> None:
        self.dimension = dimension
        self.name = f"hashing-{dimension}"

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder`."""
        if not texts:
            return no_vectors(self.dimension)
        return unit(np.stack([self._sum(text) for text in texts]))

    def encode_query(self, text: str) -> Vectors:
        """See `Encoder`."""
        vector = unit(self._sum(text))
        vector.setflags(write=False)
        return vector

    def count_tokens(self, text: str) -> int:
        """Return the number of words."""
        return sum(1 for _ in _WORD.finditer(text))

    def _sum(self, text: str) -> Vectors:
        found = islice(_WORD.finditer(readable(text)), self.max_tokens)
        counted = Counter(match.group()[:_LONGEST_WORD].casefold() for match in found) or Counter([""])
        total = np.zeros(self.dimension, dtype=np.float32)
        for word, count in counted.items():
            places, weights = _features(word, self.dimension)
            np.add.at(total, places, weights * np.float32(1 + np.log(count)))
        return total


@lru_cache(maxsize=65536)  # words repeat; hashing a word's features in Python is what takes the time
def _features(word: str, dimension: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    named = [(f"w:{word}", 1.0), *_letter_groups(word)] if word else [_EMPTY]
    hashes = [crc32(name.encode()) for name, _ in named]
    places = np.array([(h >> 1) % dimension for h in hashes], dtype=np.intp)
    signs = np.array([1.0 if h & 1 else -1.0 for h in hashes], dtype=np.float32)
    return places, signs * np.array([weight for _, weight in named], dtype=np.float32) * _importance(word)


def _letter_groups(word: str) -> list[tuple[str, float]]:
    size = 2 if HANGUL.search(word) else 3
    bordered = word if size == 2 else f"<{word}>"
    groups = [bordered[at : at + size] for at in range(max(1, len(bordered) - size + 1))]
    return [(f"g:{group}", 1.3 / len(groups) ** 0.5) for group in groups]


def _importance(word: str) -> np.float32:
    letters = len(word) * (3 if HANGUL.search(word) else 1)
    return np.float32(min(max(letters, 1), 6) / 6)
