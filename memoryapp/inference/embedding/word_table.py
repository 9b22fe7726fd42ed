"""The packaged encoder's vectors of word pieces, before any layer reads them, which cost next to nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.errors import ModelUnreadable
from memoryapp.inference.embedding.encoder import readable
from memoryapp.inference.embedding.minilm import WEIGHTS, load_tokenizer, packaged_folder

if TYPE_CHECKING:
    from tokenizers import Tokenizer

WIDTH = 384
_TABLE = "embeddings.word_embeddings.weight"


@dataclass(frozen=True, slots=True)
class Pieces:
    """Of a text: `starts` and `ends` in its characters, and `vectors` (pieces, WIDTH)."""

    starts: list[int]
    ends: list[int]
    vectors: NDArray[np.float32]


class WordTable:
    """Threads may share it. The table is read from the file as it is looked at: no second copy lies in memory."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer: Tokenizer = load_tokenizer(folder)
        self._table = _map_tensor(folder / WEIGHTS, _TABLE)
        self.known = frozenset(self._tokenizer.get_vocab())  # words and pieces of words, in small letters

    def pieces(self, text: str) -> Pieces:
        """The word pieces of a text, all of them however long it is."""
        read = self._tokenizer.encode(readable(text), add_special_tokens=False)
        vectors = np.asarray(self._table[np.asarray(read.ids, dtype=np.int64)], dtype=np.float32)
        return Pieces([start for start, _ in read.offsets], [end for _, end in read.offsets], vectors)


@cache
def word_table() -> WordTable:
    """The packaged encoder's. Raises ModelMissing, ModelUnreadable."""
    folder = packaged_folder()
    try:
        return WordTable(folder)
    except Exception as error:  # the readers of two formats each raise errors of their own
        raise ModelUnreadable(f"The words of the encoder in {folder} do not load ({error}).") from error


def _map_tensor(file: Path, name: str) -> Any:
    """A tensor of a .safetensors file, fp32, which the system reads as it is looked at. Raises OSError, KeyError,
    ValueError."""
    with file.open("rb") as opened:
        length = int.from_bytes(opened.read(8), "little")
        told = json.loads(opened.read(length))[name]
    if told["dtype"] != "F32":
        raise ValueError(f"{name} is of {told['dtype']}")
    begin = 8 + length + told["data_offsets"][0]
    return np.memmap(file, dtype="<f4", mode="r", offset=begin, shape=tuple(told["shape"]))
