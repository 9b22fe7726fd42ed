"""Which library computes a model that comes with the program: torch where it is installed, numpy where it is not.

Both give the same to the third digit and more; torch is the faster one (docs/INSTALL.md has figures), numpy comes
along anyway.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.errors import ModelMissing
from memoryapp.inference.embedding.bert import Shape
from memoryapp.inference.embedding.encoder import Vectors

TORCH = "pip install 'palimpsest-memory[torch]'"
PairRow = tuple[list[int], int]  # token ids of two texts, and where the second begins
_PREFIX = "base_model.model."


class Embedding(Protocol):
    """Token ids to vectors. Threads may share one."""

    @property
    def precision(self) -> str:
        """How the numbers are computed, e.g. "bf16 packed"; for people."""

    def vectors(self, rows: Sequence[list[int]]) -> Vectors:
        """Return unit vectors (rows, width) in the order of `rows`, each of one id or more."""

    def vector_alone(self, ids: list[int]) -> Vectors:
        """Return the unit vector (width,) of one short text, computed on one core."""


class PairReading(Protocol):
    """Token ids of two texts to numbers. Threads may share one."""

    @property
    def labels(self) -> int: ...

    def logits(self, rows: Sequence[PairRow]) -> NDArray[np.float32]:
        """Return (rows, labels) in the order of `rows`."""


def has_torch() -> bool:
    """Whether torch is installed and loads."""
    try:
        import torch  # noqa: F401
    except (ImportError, OSError):  # OSError: its own libraries are not there
        return False
    return True


def load_embedding(folder: Path, *, shape: Shape) -> Embedding:
    """Load the BERT of `folder`. Raises KeyError, OSError and safetensors' own error."""
    if has_torch():
        from memoryapp.inference.embedding.engine_torch import TorchEmbedding

        return TorchEmbedding(folder, shape=shape)
    from memoryapp.inference.embedding.engine_numpy import NumpyEmbedding

    return NumpyEmbedding(folder, shape=shape)


def load_pair_reading(folder: Path, *, shape: Shape, update: Path, scale: float) -> PairReading:
    """Load the BERT of `folder` with the low-rank update of the file `update`. Raises as `load_embedding` does."""
    if has_torch():
        from memoryapp.inference.embedding.engine_torch import TorchPairReading

        return TorchPairReading(folder, shape=shape, update=update, scale=scale)
    from memoryapp.inference.embedding.engine_numpy import NumpyPairReading

    return NumpyPairReading(folder, shape=shape, update=update, scale=scale)


def needs_torch(what: str) -> ModelMissing:
    """The error of `what`, which is none of the models that come along, where the general library is not installed."""
    return ModelMissing(
        f"{what} is read by sentence-transformers and PyTorch, which are not installed. Run: {TORCH}, then start the "
        "app again (docs/INSTALL.md says how without CUDA)."
    )


def apply_lora(weights: Mapping[str, Any], learned: Mapping[str, Any], *, scale: float) -> dict[str, Any]:
    """W + scale·B·A for each product of `weights` that `learned` has an update of; arrays of either library."""
    made = dict(weights)
    for name, a in learned.items():
        if name.endswith(".lora_A.weight"):
            product = name.removesuffix(".lora_A.weight")
            b = learned[f"{product}.lora_B.weight"]
            key = f"{product.removeprefix('bert.')}.weight"
            made[key] = weights[key] + scale * (b @ a)
    return made


def by_module(read: Mapping[str, Any]) -> dict[str, Any]:
    """The tensors of an update under the names of the model's own modules."""
    return {name.removeprefix(_PREFIX): part for name, part in read.items()}
