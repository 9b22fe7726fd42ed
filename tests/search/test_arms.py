from __future__ import annotations

import numpy as np
import pytest

from memoryapp.index.view import OFFSETS, near_column
from memoryapp.search.arms.run import normalised_sum, window_mean


def columns(groups: list[int]) -> dict[str, np.ndarray]:
    """Neighbour columns of memories that stand in their groups in the order given."""
    made = {}
    for offset in OFFSETS:
        beside = np.full(len(groups), -1, dtype=np.int32)
        for slot, group in enumerate(groups):
            other = slot + offset
            if group >= 0 and 0 <= other < len(groups) and groups[other] == group:
                beside[slot] = other
        made[near_column(offset)] = beside
    return made


def test_the_window_mean_is_taken_within_the_group() -> None:
    cosines = np.array([1.0, 0.0, 0.5, 0.9, 0.3, 0.7], dtype=np.float32)
    mean = window_mean(cosines, columns([0, 0, 0, 0, 1, -1]))
    assert mean == pytest.approx([1.5 / 3, 2.4 / 4, 2.4 / 4, 1.4 / 3, 0.3, 0.7], rel=1e-6)


def test_memories_without_neighbours_keep_their_own_cosine() -> None:
    cosines = np.array([0.2, 0.4], dtype=np.float32)
    assert window_mean(cosines, columns([-1, -1])).tolist() == cosines.tolist()


def test_parts_are_measured_by_their_best_and_an_empty_one_adds_nothing() -> None:
    one, two, none = (np.array(values, dtype=np.float32) for values in ([2, 4, 0], [0, 3, 3], [0, 0, 0]))
    assert normalised_sum((0.4, one), (0.4, two), (0.2, none)) == pytest.approx([0.2, 0.8, 0.4])
