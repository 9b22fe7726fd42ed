from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.bootstrap import above, paired_difference, plain, read_each, write_each
from memoryapp.domain.errors import BadInput


def test_a_difference_that_every_question_shows_is_sure() -> None:
    told = paired_difference([0.0] * 20, [0.5] * 20)
    assert (told.points, told.low, told.high) == (50, 50, 50)
    assert told.sure
    assert str(told) == "+50.0 [+50.0, +50.0]*"


def test_a_difference_that_hangs_on_one_question_is_not_sure() -> None:
    told = paired_difference([0.0] * 50, [1.0] + [0.0] * 49)
    assert told.points == pytest.approx(2)
    assert told.low == 0 and not told.sure


def test_pairing_sees_what_two_means_alone_do_not() -> None:
    """Every question a little better, while the questions differ much among themselves."""
    hard = np.linspace(0, 0.9, 30)
    assert paired_difference(hard.tolist(), (hard + 0.05).tolist()).sure


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=30))
def test_the_interval_holds_the_difference_and_turns_with_the_columns(pairs: list[tuple[float, float]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    there, back = paired_difference(one, other), paired_difference(other, one)
    assert -100 <= there.low <= there.high <= 100
    assert back.points == pytest.approx(-there.points)
    assert (back.low, back.high) == (pytest.approx(-there.high), pytest.approx(-there.low))


def test_unequal_numbers_of_questions_cannot_be_paired() -> None:
    with pytest.raises(ValueError, match="3 questions beside 2"):
        paired_difference([0, 0, 0], [1, 1])


def test_columns_are_held_against_their_own_or_against_one(tmp_path: Path) -> None:
    before = {"notes": {"hybrid": {"R@1": [0.0, 1.0]}, "keyword": {"R@1": [0.0, 0.0]}}}
    now = {"notes": {"hybrid": {"R@1": [1.0, 1.0], "R@5": [1.0, 1.0]}, "keyword": {"R@1": [0.0, 0.0]}}}
    write_each(tmp_path / "each.json", before)
    own = above(read_each(tmp_path / "each.json"), now)
    assert own["notes"]["hybrid"]["R@1"].points == 50
    assert set(own["notes"]["hybrid"]) == {"R@1"}, "what the earlier run did not measure is left out"
    one = above(now, now, column="hybrid")
    assert plain(one)["notes"]["keyword"]["R@1"][0] == -100


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "each.json").write_text('{"notes": [1, 2]}', encoding="utf-8")
    with pytest.raises(BadInput, match="no scores by question"):
        read_each(tmp_path / "each.json")
