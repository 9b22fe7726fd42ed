from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.feedback import REACH, feedback_factor
from memoryapp.domain.ranking import rrf, rrf_share

rankings = st.dictionaries(
    st.sampled_from(["vector", "keyword", "graph"]), st.lists(st.integers(0, 30).map(str), unique=True, max_size=20)
)


@given(rankings, st.floats(0, 5), st.integers(0, 100))
def test_an_item_gets_one_share_of_each_arm_that_ranked_it(ranked: dict[str, list[str]], weight: float, k: int) -> None:
    shares = rrf(ranked, weights={"graph": weight}, k=k)
    assert shares.keys() == {item for items in ranked.values() for item in items}
    for item, by_arm in shares.items():
        assert by_arm == {
            arm: rrf_share(items.index(item) + 1, weight=weight if arm == "graph" else 1.0, k=k)
            for arm, items in ranked.items()
            if item in items
        }


def test_the_first_of_one_arm_with_the_usual_constant() -> None:
    assert rrf({"vector": ["a", "b"]}, weights={})["a"]["vector"] == pytest.approx(1 / 61)
    assert rrf_share(1) > rrf_share(2)


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.floats(0, 1))
def test_feedback_stays_within_its_reach(used: int, not_useful: int, reach: float) -> None:
    factor = feedback_factor(used=used, not_useful=not_useful, reach=reach)
    assert 1 - reach <= factor <= 1 + reach
    assert feedback_factor(used=used + 1, not_useful=not_useful) >= feedback_factor(used=used, not_useful=not_useful)


def test_without_a_word_feedback_changes_nothing_and_one_word_little() -> None:
    assert feedback_factor(used=0, not_useful=0) == 1
    assert feedback_factor(used=1, not_useful=0) == pytest.approx(1 + REACH / 4)
    assert REACH == 0.2
