from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.search.rank import best_slots, ranks_of

SCORES = st.lists(st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1, width=32), max_size=60)


@given(SCORES, st.integers(1, 70), st.randoms(use_true_random=False))
def test_the_best_are_those_of_a_full_sort_with_ties_by_order(scores: list[float], count: int, random) -> None:
    order = np.array(random.sample(range(1000), len(scores)), dtype=np.uint64)
    values = np.array(scores, dtype=np.float32)
    expected = sorted((n for n in range(len(values)) if values[n] > 0), key=lambda n: (-values[n], order[n]))[:count]
    assert best_slots(values, count, order=order).tolist() == expected


@given(SCORES, st.randoms(use_true_random=False))
def test_ranks_number_the_full_order_from_one(scores: list[float], random) -> None:
    order = np.array(random.sample(range(1000), len(scores)), dtype=np.uint64)
    values = np.array(scores, dtype=np.float32)
    ordered = best_slots(values, len(scores) + 1, order=order).tolist()
    ranks = ranks_of(values, np.arange(len(values)), order=order)
    assert ranks == [ordered.index(n) + 1 if n in ordered else None for n in range(len(values))]
