"""The models that come along, computed by torch. See `engine.py`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import layer_norm, linear

from memoryapp.inference.embedding.bert import Shape, embed, read_weights, through
from memoryapp.inference.embedding.budget import group_by_budget
from memoryapp.inference.embedding.encoder import Vectors
from memoryapp.inference.embedding.engine import PairRow, apply_lora, by_module
from memoryapp.inference.embedding.precision import ROWS, fastest
from memoryapp.inference.embedding.threads import single_core_threads, use_available_cores

if TYPE_CHECKING:
    from torch import Tensor


class TorchEmbedding:
    """See `Embedding`. Threads share it: oneDNN runs them side by side, measured better than one at a time."""

    def __init__(self, folder: Path, *, shape: Shape) -> None:
        use_available_cores()
        self._bert, self.precision = fastest(read_weights(folder), shape=shape)

    def vectors(self, rows: Sequence[list[int]]) -> Vectors:
        """See `Embedding`."""
        made = np.empty((len(rows), self._bert.shape.width), dtype=np.float32)
        with torch.inference_mode():
            for group in group_by_budget([len(ids) for ids in rows], budget=ROWS):
                lengths = [len(rows[row]) for row in group]
                ids = torch.zeros((len(group), lengths[0]), dtype=torch.long)
                for at, row in enumerate(group):
                    ids[at, : lengths[at]] = torch.tensor(rows[row])
                made[group] = embed(self._bert, ids, torch.tensor(lengths)).numpy()
        return made

    def vector_alone(self, ids: list[int]) -> Vectors:
        """See `Embedding`."""
        vector: Vectors = single_core_threads().submit(self.vectors, [ids]).result()[0]
        return vector


class TorchPairReading:
    """See `PairReading`."""

    def __init__(self, folder: Path, *, shape: Shape, update: Path, scale: float) -> None:
        from safetensors.torch import load_file

        use_available_cores()
        weights = read_weights(folder)
        learned = by_module({name: part.float() for name, part in load_file(update).items()})
        self._bert, self.precision = fastest(apply_lora(weights, learned, scale=scale), shape=shape)
        types = weights["embeddings.token_type_embeddings.weight"]
        self._types = types - types[0]  # (2, width): of the first text (nothing: see `bert.places`), of the second
        self._pooler = learned["bert.pooler.dense.weight"], learned["bert.pooler.dense.bias"]
        self._classifier = learned["classifier.weight"], learned["classifier.bias"]
        self.labels = len(self._classifier[1])

    def logits(self, rows: Sequence[PairRow]) -> NDArray[np.float32]:
        """See `PairReading`."""
        found = np.empty((len(rows), self.labels), dtype=np.float32)
        with torch.inference_mode():
            for group in group_by_budget([len(ids) for ids, _ in rows], budget=ROWS):
                found[group] = self._read([rows[row] for row in group]).numpy()
        return found

    def _read(self, rows: Sequence[PairRow]) -> Tensor:
        lengths = [len(ids) for ids, _ in rows]
        ids = torch.zeros((len(rows), max(lengths)), dtype=torch.long)
        types = torch.zeros_like(ids)
        for row, (own, second) in enumerate(rows):
            ids[row, : len(own)] = torch.tensor(own)
            types[row, second : len(own)] = 1
        there = torch.arange(ids.shape[1])[None, :] < torch.tensor(lengths)[:, None]
        x = self._bert.words[ids] + self._bert.places[: ids.shape[1]] + self._types[types]
        x = layer_norm(x, (self._bert.shape.width,), *self._bert.norm, self._bert.shape.epsilon)
        first = through(self._bert, x, there)[:, 0]
        return linear(torch.tanh(linear(first, *self._pooler)), *self._classifier).float()
