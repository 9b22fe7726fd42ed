from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.results import ArmScore, Hit
from memoryapp.search import rounded_shares
from tests.search.conftest import memory


def hit(shares: list[float]) -> Hit:
    arms = {str(n): ArmScore(1, share, share) for n, share in enumerate(shares)}
    return Hit(memory("x"), sum(shares), 1, 1, arms, {}, {})


@given(st.lists(st.floats(0, 5), min_size=1, max_size=6))
def test_printed_shares_add_up_to_the_printed_sum(shares: list[float]) -> None:
    parts, total = rounded_shares(hit(shares))
    assert round(sum(parts.values()) * 100_000) == round(total * 100_000)
    assert abs(total - sum(shares)) <= 0.5e-5 + 1e-9
    assert all(abs(parts[str(n)] - share) <= 1e-5 + 1e-9 for n, share in enumerate(shares))
