"""Embeddings by slot in blocks of float32 rows, searched exactly. Blocks grow one by one, so nothing is ever moved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BLOCK = 4_096  # rows
_FEW = 0.15  # under this share of the slots it is cheaper to gather the wanted rows than to read all of them
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class VectorScores:
    """`cosines`: float32 (n,), 0 where a memory has no vector or was masked out; `has`: where one was compared."""

    cosines: Floats
    has: NDArray[np.bool_]


def unit(vector: NDArray[np.floating]) -> Floats | None:
    """The vector at length 1; None for one that has no direction (zero, NaN, infinite)."""
    length = float(np.linalg.norm(vector))
    if not np.isfinite(length) or length < 1e-12:
        return None
    scaled: Floats = (np.asarray(vector, dtype=np.float64) / length).astype(np.float32)
    return scaled


class Vectors:
    """The writer's side. A block that readers hold is copied before a row they may read is altered."""

    def __init__(self) -> None:
        self.dimension = 0
        self._blocks: list[Floats] = []
        self._shared: set[int] = set()

    def put(self, slot: int, vector: Floats, *, replaces: bool) -> bool:
        """Keeps a unit vector. `replaces`: readers may be reading the row. False where the dimension is another."""
        if not self.dimension:
            self.dimension = len(vector)
        if len(vector) != self.dimension:
            return False
        number, row = divmod(slot, BLOCK)
        while len(self._blocks) <= number:
            self._blocks.append(np.zeros((BLOCK, self.dimension), dtype=np.float32))
        if replaces and number in self._shared:
            self._blocks[number] = self._blocks[number].copy()
            self._shared.discard(number)
        self._blocks[number][row] = vector
        return True

    def get(self, slot: int) -> Floats:
        number, row = divmod(slot, BLOCK)
        vector: Floats = self._blocks[number][row]
        return vector

    def publish(self) -> tuple[Floats, ...]:
        self._shared = set(range(len(self._blocks)))
        return tuple(self._blocks)

    @classmethod
    def of(cls, matrix: Floats) -> Vectors:
        """Vectors of a dense matrix whose rows are slots."""
        made = cls()
        made.dimension = matrix.shape[1] if matrix.size else 0
        for start in range(0, len(matrix), BLOCK):
            block = np.zeros((BLOCK, made.dimension), dtype=np.float32)
            part = matrix[start : start + BLOCK]
            block[: len(part)] = part
            made._blocks.append(block)
        return made


def cosines(
    blocks: tuple[Floats, ...], has: NDArray[np.bool_], query: NDArray[np.floating], mask: NDArray[np.bool_] | None
) -> VectorScores:
    """Cosine of a query with every wanted row. A query of another dimension, or without direction, matches nothing."""
    n = len(has)
    wanted = has if mask is None else has & mask
    out = np.zeros(n, dtype=np.float32)
    direction = unit(query)
    if direction is None or not blocks or len(direction) != blocks[0].shape[1]:
        return VectorScores(out, np.zeros(n, dtype=np.bool_))
    count = int(np.count_nonzero(wanted))
    if count < _FEW * n:
        slots = np.flatnonzero(wanted)
        if count:
            out[slots] = _products(rows(blocks, slots), direction)
    else:
        for number, block in enumerate(blocks):
            start, end = number * BLOCK, min((number + 1) * BLOCK, n)
            if start < end:
                out[start:end] = _products(block[: end - start], direction)
        # A row written since this state was published may hold anything: only what the state knows of is told.
        np.multiply(out, wanted, out=out)
    np.clip(out, -1, 1, out=out)
    return VectorScores(out, wanted)


def _products(matrix: Floats, direction: Floats) -> Floats:
    """matrix @ direction on one core and without BLAS. Memory is what limits it, so BLAS is no faster on an idle
    machine; on a busy one its threads wait for each other: 20 ms against 300 ms at 50,000 rows on two loaded cores.
    Each row's sum is the same wherever the row stands."""
    products: Floats = np.einsum("ij,j->i", matrix, direction)
    return products


def rows(blocks: tuple[Floats, ...], slots: NDArray[np.intp]) -> Floats:
    """The vectors of some slots, (len(slots), dimension)."""
    found = np.empty((len(slots), blocks[0].shape[1]), dtype=np.float32)
    numbers, places = np.divmod(slots, BLOCK)
    for number in _distinct_numbers(numbers):
        inside = numbers == number
        found[inside] = blocks[number][places[inside]]
    return found


def _distinct_numbers(numbers: NDArray[np.intp]) -> Iterable[int]:
    return (int(number) for number in np.unique(numbers))
