"""The models that come along, computed by numpy. See `engine.py`.

Cores share the groups of a batch, not one product: each group is computed on one thread, and BLAS is kept to one for
as long. Small products that are shared wait for each other at every step, and they spin while they wait.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.inference.embedding.bert import Shape
from memoryapp.inference.embedding.bert_numpy import Array, build, embed, linear, read_weights, through
from memoryapp.inference.embedding.budget import group_by_budget
from memoryapp.inference.embedding.encoder import Vectors
from memoryapp.inference.embedding.engine import PairRow, apply_lora, by_module
from memoryapp.inference.embedding.threads import available_cores

PRECISION = "fp32 by numpy"
ROWS = 512  # tokens that travel together: best of 256 to 4096 on one core


class NumpyEmbedding:
    """See `Embedding`."""

    precision = PRECISION

    def __init__(self, folder: Path, *, shape: Shape) -> None:
        self._bert = build(_base(folder), shape=shape)

    def vectors(self, rows: Sequence[list[int]]) -> Vectors:
        """See `Embedding`."""
        made = np.empty((len(rows), self._bert.shape.width), dtype=np.float32)

        def compute(group: list[int]) -> None:
            ids, lengths = _pad_rows([rows[row] for row in group])
            made[group] = embed(self._bert, ids, lengths)

        _each_on_a_core(compute, group_by_budget([len(ids) for ids in rows], budget=ROWS))
        return made

    def vector_alone(self, ids: list[int]) -> Vectors:
        """See `Embedding`."""
        vector: Vectors = self.vectors([ids])[0]
        return vector


class NumpyPairReading:
    """See `PairReading`."""

    precision = PRECISION

    def __init__(self, folder: Path, *, shape: Shape, update: Path, scale: float) -> None:
        weights = _base(folder)
        learned = by_module(read_weights(update))
        self._bert = build(apply_lora(weights, learned, scale=scale), shape=shape)
        types = weights["embeddings.token_type_embeddings.weight"]
        self._second = types[1] - types[0]  # (width,): the first type is within `bert.places`
        self._pooler = learned["bert.pooler.dense.weight"], learned["bert.pooler.dense.bias"]
        self._classifier = learned["classifier.weight"], learned["classifier.bias"]
        self.labels = len(self._classifier[1])

    def logits(self, rows: Sequence[PairRow]) -> NDArray[np.float32]:
        """See `PairReading`."""
        found = np.empty((len(rows), self.labels), dtype=np.float32)

        def compute(group: list[int]) -> None:
            found[group] = self._read([rows[row] for row in group])

        _each_on_a_core(compute, group_by_budget([len(ids) for ids, _ in rows], budget=ROWS))
        return found

    def _read(self, rows: Sequence[PairRow]) -> Array:
        ids, lengths = _pad_rows([own for own, _ in rows])
        at = np.arange(ids.shape[1])[None, :]
        own = at < lengths[:, None]
        second = own & (at >= np.array([begins for _, begins in rows])[:, None])
        x = self._bert.words[ids] + self._bert.places[: ids.shape[1]]
        x += second[:, :, None] * self._second
        first = through(self._bert, x, own)[:, 0]
        return linear(np.tanh(linear(first, self._pooler)), self._classifier)


@cache
def _base(folder: Path) -> dict[str, Array]:
    """Read once: four models share the vocabulary's half of the weights, and what of the rest was taught nothing."""
    return read_weights(folder / "model.safetensors")


def _pad_rows(rows: Sequence[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Ids (rows, longest), zeros at the end, and lengths (rows,)."""
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    ids = np.zeros((len(rows), int(lengths.max())), dtype=np.int64)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = row
    return ids, lengths


def _each_on_a_core(compute: Callable[[list[int]], None], groups: Sequence[list[int]]) -> None:
    with _blas_on_one_thread():
        if len(groups) < 2 or _threads() is None:
            for group in groups:
                compute(group)
        else:
            list(_threads().map(compute, groups))


@cache
def _threads() -> Any:
    """As many threads as torch would take, by OMP_NUM_THREADS or the cores; None for one, which needs no pool."""
    told = os.environ.get("OMP_NUM_THREADS", "")
    many = int(told) if told.isdigit() and int(told) else available_cores()
    return ThreadPoolExecutor(many, thread_name_prefix="encode") if many > 1 else None


_entered = Lock()
_inside: list[Any] = []  # one entry a caller that is inside; the first holds what gives the threads back


@contextmanager
def _blas_on_one_thread() -> Iterator[None]:
    """The number is the process's: the first who comes in lowers it, the last who leaves puts it back."""
    with _entered:
        _inside.append(_blas().limit(limits=1, user_api="blas") if not _inside else _inside[0])
    try:
        yield
    finally:
        with _entered:
            lowered = _inside.pop()
            if not _inside:
                lowered.restore_original_limits()


@cache
def _blas() -> Any:
    """What sets numpy's threads; looking for the libraries takes milliseconds, so it is done once."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
