"""When a second sentence says too little that is new."""

from __future__ import annotations

import pytest

from memoryapp.summaries.sentences import repeats, terms


@pytest.mark.parametrize(
    ("told", "new", "same"),
    [
        ("Minsu leads the gripper team.", "Minsu leads that gripper team.", True),
        ("Minsu leads the gripper team in Ulsan.", "Minsu leads the team.", True),
        ("Minsu leads the team.", "Minsu leads the gripper team in Ulsan.", False),
        ("Jihye works at Naver.", "Jihye works on search.", False),
        ("Ada paid 40 euros for the lamp.", "Ada paid 50 euros for the lamp.", False),
        ("민수는 서울에 산다.", "민수가 서울에서 산다.", True),
        ("민수는 서울에 산다.", "지수는 부산에 산다.", False),
    ],
)
def test_a_sentence_repeats_what_was_told_only_where_it_adds_nothing(told: str, new: str, same: bool) -> None:
    assert repeats(terms(new), [terms(told)]) is same


def test_nothing_repeats_where_nothing_was_told() -> None:
    assert not repeats(terms("A heron."), [])
