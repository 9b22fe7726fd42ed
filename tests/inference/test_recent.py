"""The vectors of recent queries."""

from __future__ import annotations

import numpy as np
import pytest

from memoryapp.domain.errors import EncodingFailed
from memoryapp.inference.embedding.encoder import Vectors
from memoryapp.inference.embedding.recent import RecentQueries


class Counting:
    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, text: str) -> Vectors:
        self.asked.append(text)
        return np.array([len(text), 1], dtype=np.float32)


def test_a_query_asked_again_is_not_encoded_again() -> None:
    recent, encode = RecentQueries(), Counting()
    assert recent.vector("a", encode) is recent.vector("a", encode)
    assert encode.asked == ["a"]


def test_the_query_unused_longest_is_forgotten_first() -> None:
    recent, encode = RecentQueries(size=2), Counting()
    for text in ("a", "b", "a", "c", "a", "b"):
        recent.vector(text, encode)
    assert encode.asked == ["a", "b", "c", "b"]


def test_a_remembered_vector_cannot_be_changed_by_who_asked() -> None:
    vector = RecentQueries().vector("a", Counting())
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 7


@pytest.mark.parametrize("value", [0.0, float("nan"), float("inf")])
def test_a_query_without_a_usable_vector_is_an_error_each_time(value: float) -> None:
    recent = RecentQueries()
    for _ in range(2):
        with pytest.raises(EncodingFailed):
            recent.vector("a", lambda text: np.full(3, value, dtype=np.float32))
    assert recent.vector("a", Counting()).tolist() == [1, 1]
