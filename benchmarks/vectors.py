"""An encoder that remembers on disk what it has encoded, so that a second measurement of quality takes seconds."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memoryapp.inference.embedding import Encoder, load_encoder

Vectors = NDArray[np.float32]


class RememberingEncoder:
    """Behaves as the encoder of this name. The model itself is loaded when a text comes that is not on disk.

    `folder`: where vectors lie, keyed by model and sha256 of the text; by default in the system's temporary folder.
    """

    def __init__(self, name: str, *, folder: Path | None = None, load: Callable[[str], Encoder] | None = None) -> None:
        self.name = name
        self._load = load or load_encoder
        self._inner: Encoder | None = None
        safe = "".join(c if c.isalnum() or c in "-." else "_" for c in name)
        self._file = (folder or Path(tempfile.gettempdir()) / "palimpsest-bench") / f"{safe}.npz"
        self._known: dict[bytes, Vectors] = {}
        self._grown = False
        if self._file.exists():
            with np.load(self._file, allow_pickle=False) as kept:
                keys, vectors = kept["keys"], kept["vectors"]
            self._known = {keys[n].tobytes(): vectors[n] for n in range(len(keys))}

    @property
    def inner(self) -> Encoder:
        if self._inner is None:
            self._inner = self._load(self.name)
        return self._inner

    @property
    def dimension(self) -> int:
        return len(next(iter(self._known.values()))) if self._known else self.inner.dimension

    @property
    def max_tokens(self) -> int:
        return self.inner.max_tokens

    @property
    def languages(self) -> frozenset[str]:
        english_only = self.name == "all-MiniLM-L6-v2"
        return frozenset({"en"}) if english_only else self.inner.languages

    @property
    def precision(self) -> str:
        return self.inner.precision

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        keys = [_key("d", text) for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            self._known.update(zip(new, self.inner.encode_documents(list(new.values())), strict=True))
            self._grown = True
        return np.stack([self._known[key] for key in keys]) if keys else np.empty((0, self.dimension), dtype=np.float32)

    def encode_query(self, text: str) -> Vectors:
        key = _key("q", text)
        if key not in self._known:
            self._known[key] = self.inner.encode_query(text)
            self._grown = True
        return self._known[key]

    def count_tokens(self, text: str) -> int:
        return self.inner.count_tokens(text)

    def save(self) -> None:
        """Writes what is new, as a whole file beside the old one."""
        if not self._grown:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        beside = self._file.with_suffix(".new")
        keys = np.frombuffer(b"".join(self._known), dtype=np.uint8).reshape(len(self._known), -1)
        with beside.open("wb") as file:
            np.savez(file, keys=keys, vectors=np.stack(list(self._known.values())))
        beside.replace(self._file)
        self._grown = False


def _key(kind: str, text: str) -> bytes:
    return hashlib.sha256(f"{kind}\x1f{text}".encode("utf-8", "surrogatepass")).digest()[:16]
