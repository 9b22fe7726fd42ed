"""Cache of the vectors of short texts that many questions are held against: words of names, sentences of hits."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from threading import Lock

import numpy as np

from memoryapp.inference.embedding.encoder import Encoder, Vectors, readable


class VectorCache:
    """Of the `most` texts asked for last, under a digest: no words stay here. Threads may share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._vectors: OrderedDict[bytes, Vectors] = OrderedDict()
        self._lock = Lock()

    def vectors(self, encoder: Encoder, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, (texts, dimension), of at least one text. The encoder runs outside the lock. Raises
        EncoderError."""
        keys = [_key(encoder.name, text) for text in texts]
        with self._lock:
            known = {key: self._vectors[key] for key in keys if key in self._vectors}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            known.update(zip(new, encoder.encode_documents(list(new.values())), strict=True))
        with self._lock:
            for key in keys:
                self._vectors[key] = known[key]
                self._vectors.move_to_end(key)
            while len(self._vectors) > self._most:
                self._vectors.popitem(last=False)
        return np.stack([known[key] for key in keys])

    def clear(self) -> None:
        """Forget all, after a purge."""
        with self._lock:
            self._vectors.clear()


def _key(model: str, text: str) -> bytes:
    return blake2b(f"{model}\x1f{readable(text)}".encode(), digest_size=16).digest()
