"""What counts as a decision, and what as an outcome, in English and Korean."""

from __future__ import annotations

import pytest

from memoryapp.summaries.sentences import came_of_it, decides, happened_in_korean


@pytest.mark.parametrize(
    "sentence",
    [
        "We decided to rewrite the module.",
        "Let's go with Redis.",
        "They agreed on Friday.",
        "We'll use the blue paint.",
        "Ada switched to Valkey.",
        "금요일에 배포하기로 결정했어요.",
        "우리는 파란색으로 정했어요.",
        "다음 주에 만나기로 했어요.",
    ],
)
def test_a_decision_is_seen(sentence: str) -> None:
    assert decides(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "We have not decided yet.",
        "I can't decide between tea and coffee.",
        "We need to decide by Friday.",
        "Have you decided?",
        "We will decide later.",
        "The heron stands in the reeds.",
        "아직 결정하지 못했어요.",
        "색깔은 미정이에요.",
        "무엇으로 정했어요?",
    ],
)
def test_what_is_still_open_is_no_decision(sentence: str) -> None:
    assert not decides(sentence)


@pytest.mark.parametrize("sentence", ["Alice fixed the leak.", "The build failed twice.", "버그를 고쳤어요."])
def test_an_outcome_is_seen(sentence: str) -> None:
    assert came_of_it(sentence)


def test_a_korean_statement_of_what_was_done_is_told_from_a_greeting_and_a_question() -> None:
    assert happened_in_korean("로그 보관 기간을 30일에서 7일로 줄였어요.")
    assert happened_in_korean("저는 모니터링 알림을 추가할게요.")
    assert not happened_in_korean("안녕하세요 지난 주말에 감사했어요.")
    assert not happened_in_korean("배포는 언제 끝났어요?")
    assert not happened_in_korean("잘 쉬었어요.")
    assert not happened_in_korean("The logs were cut.")
