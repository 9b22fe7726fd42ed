from __future__ import annotations

import pytest

from benchmarks.score import by_session, complete, each, means, precision, recall, reciprocal


def test_recall_is_the_share_of_the_gold_among_the_first_k() -> None:
    assert recall(["a", "x", "b"], ["a", "b"], 2) == 0.5
    assert recall(["a", "x", "b"], ["a", "b"], 3) == 1
    assert recall([], ["a"], 5) == 0


def test_complete_asks_for_all_of_the_gold() -> None:
    assert complete(["a", "x", "b"], ["a", "b"], 2) == 0
    assert complete(["a", "x", "b"], ["a", "b"], 3) == 1


def test_precision_and_reciprocal_rank() -> None:
    assert precision(["a", "x", "b", "y"], ["a", "b"], 4) == 0.5
    assert reciprocal(["x", "b"], ["a", "b"]) == 0.5
    assert reciprocal(["x"], ["a"]) == 0


def test_sessions_come_in_the_order_of_their_first_turn() -> None:
    assert by_session(["D2:4", "D1:1", "D2:1"]) == ["D2", "D1"]


def test_adversarial_questions_stand_outside_locomos_headline() -> None:
    answers = [(["D1:1"], ["D1:1"], "single_hop"), (["D1:1"], ["D2:9"], "adversarial")]
    told = means(each("locomo", answers))
    assert told["R@10"] == 1
    assert told["adversarial R@10"] == 0
    assert told["session R@5"] == 1


@pytest.mark.parametrize("name", ["locomo", "markdown", "korean", "musique", "meetings"])
def test_no_answers_are_no_division_by_zero(name: str) -> None:
    assert set(means(each(name, [])).values()) <= {0.0}
