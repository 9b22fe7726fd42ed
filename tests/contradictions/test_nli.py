"""The inference model as a judge, and what it is not asked about."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from memoryapp.contradictions.model_judges import nli_judge
from memoryapp.domain.conflict import Outcome
from memoryapp.domain.statement import Relation
from tests.contradictions.say import said


class Oracle:
    """Gives the same probabilities in one direction and in the other; counts what it was asked."""

    def __init__(self, there: Sequence[float], back: Sequence[float]) -> None:
        self.rows, self.asked = [there, back], 0

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        self.asked += 1
        assert pairs[0] == pairs[1][::-1]
        return np.array(self.rows, dtype=np.float32)


CONTRA, SAME, OPEN = (0.95, 0.02, 0.03), (0.01, 0.97, 0.02), (0.3, 0.3, 0.4)


def test_both_directions_against_is_a_possible_conflict() -> None:
    judged = nli_judge(Oracle(CONTRA, CONTRA))(said("The tea is hot."), said("The tea has gone cold.", days=1))
    assert judged and (judged.relation, judged.detector) == (Relation.POSSIBLE, "nli")
    assert judged.outcome is Outcome.REPLACE


def test_both_directions_alike_is_the_same_unless_a_number_differs() -> None:
    judge = nli_judge(Oracle(SAME, SAME))
    judged = judge(said("The tea is hot."), said("The tea is very warm."))
    assert judged and judged.relation is Relation.SAME
    assert judge(said("The tea costs 3 euros."), said("The tea costs 4 euros.")) is None


@pytest.mark.parametrize("back", [OPEN, SAME])
def test_one_direction_is_not_enough(back: Sequence[float]) -> None:
    assert nli_judge(Oracle(CONTRA, back))(said("The tea is hot."), said("The tea has gone cold.")) is None


def test_it_is_not_asked_about_what_one_may_have_several_of_or_what_is_over() -> None:
    oracle = Oracle(CONTRA, CONTRA)
    judge = nli_judge(oracle)
    assert judge(said("Mina likes tea."), said("Mina likes coffee.")) is None
    assert judge(said("I live in Busan."), said("I used to live in Seoul.")) is None
    assert oracle.asked == 0
