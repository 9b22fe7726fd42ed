"""Korean: only where it is sure."""

from __future__ import annotations

import pytest

from memoryapp.contradictions import slots
from memoryapp.domain.statement import Relation
from tests.contradictions.say import verdict


@pytest.mark.parametrize(
    ("text", "key", "value", "positive"),
    [
        ("저는 서울에 살아요.", "user|lives in", "서울", True),
        ("저는 부산으로 이사했어요.", "user|lives in", "부산", True),
        ("민수는 네이버에서 일합니다.", "민수|works at", "네이버", True),
        ("제 이름은 민수입니다.", "user|name", "민수", True),
        ("마감일은 금요일입니다.", "team|deadline", "금요일", True),
        ("저는 김치를 좋아하지 않아요.", "user|likes", "김치", False),
        ("제가 제일 좋아하는 색은 파란색이에요.", "user|favourite 색", "파란색", True),
        ("커피를 끊었어요.", "user|eats", "커피", False),
    ],
)
def test_particles_and_endings_fill_slots(text: str, key: str, value: str, positive: bool) -> None:
    assert [(slot.key, slot.value, slot.positive) for slot in slots(text)] == [(key, value, positive)]


@pytest.mark.parametrize(
    "text", ["서울에 살아요?", "예전에 서울에 살았어요.", "서울에 살고 싶어요.", "서울에 산다면 좋겠다."]
)
def test_what_is_asked_wished_or_over_fills_none(text: str) -> None:
    assert slots(text) == ()


def test_moving_is_a_succession_and_another_weekday_a_conflict() -> None:
    assert verdict("저는 서울에 살아요.", "저는 부산으로 이사했어요.").relation is Relation.SUCCESSION
    assert verdict("배포는 매주 목요일에 한다.", "배포는 매주 월요일에 한다.").relation is Relation.CONFLICT
    assert verdict("회의는 3명이 한다.", "회의는 5명이 한다.").detector == "number"


def test_liking_two_things_is_compatible_and_values_of_two_scripts_are_not_compared() -> None:
    assert verdict("저는 김치를 좋아해요.", "저는 라면을 좋아해요.").relation is Relation.COMPATIBLE
    assert verdict("저는 서울에 살아요.", "I live in Seoul.").relation is Relation.COMPATIBLE


def test_liking_and_disliking_the_same_is_a_conflict() -> None:
    assert verdict("저는 커피를 좋아해요.", "저는 커피를 싫어해요.").relation is Relation.CONFLICT


def test_whoever_is_named_after_the_speaker_is_spoken_of() -> None:
    (slot,) = slots("서연: 동생은 대전에 살아요.", speaker="서연")
    assert (slot.subject, slot.value) == ("동생", "대전")
