"""Which texts travel together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memoryapp.inference.embedding.budget import group_by_budget


def test_texts_of_like_length_travel_together_longest_first() -> None:
    assert group_by_budget([3, 100, 4, 90], budget=200) == [[1, 3], [2, 0]]


def test_a_text_over_the_budget_travels_alone() -> None:
    assert group_by_budget([500, 2], budget=10) == [[0], [1]]


@given(st.lists(st.integers(0, 300)), st.integers(1, 1000))
def test_each_text_travels_once_and_no_group_overruns(lengths: list[int], budget: int) -> None:
    groups = group_by_budget(lengths, budget=budget)
    assert sorted(row for group in groups for row in group) == list(range(len(lengths)))
    for group in groups:
        assert len(group) == 1 or len(group) * max(lengths[row] for row in group) <= budget or budget < 1
