"""What may be kept as one memory."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.contradictions import says_same
from memoryapp.contradictions.same import likeness
from memoryapp.inference.embedding.zones import DEFAULT, zones_of
from tests.sampling import examples


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The weekly meeting with the design team is at 2 pm.", "The weekly meeting with the design team is at 14:00."),
        ("The user has two children.", "The user has two kids."),
        ("Our sprints last two weeks.", "Our sprints last 14 days."),
        ("Mina works as a nurse in Busan.", "Mina is working as a nurse in Busan."),
        ("저는 서울에 살아요.", "저는 서울에 거주합니다."),
    ],
)
def test_a_paraphrase_with_a_high_cosine_says_the_same(one: str, other: str) -> None:
    assert says_same(one, other, 0.93, DEFAULT) and says_same(other, one, 0.93, DEFAULT)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The database is PostgreSQL 16.", "The database is PostgreSQL 13."),  # a number
        ("The user runs in the park.", "The user runs 5 km in the park."),  # a number that one side lacks
        ("The deploy is on Thursday.", "The deploy is on Monday."),
        ("Tom is allergic to peanuts.", "Tom is not allergic to peanuts."),
        ("Mina prefers dark mode.", "Mina prefers light mode."),
        ("I prefer tabs over spaces.", "I prefer spaces over tabs."),
        ("Mina met Tom in the city of Paris.", "Mina met Tom in the city of Rome."),
        ("I work at Naver.", "I used to work at Naver."),
        ("Ravi's manager is Helen.", "Helen's manager is Ravi."),
        ("The API returns JSON.", "The API returns XML."),
    ],
)
def test_nothing_is_merged_where_something_tells_the_two_apart(one: str, other: str) -> None:
    assert not says_same(one, other, 0.99, DEFAULT) and not says_same(other, one, 0.99, DEFAULT)


def test_what_says_much_more_is_not_merged_into_what_says_less() -> None:
    short, long = "The user likes hiking.", "The user likes hiking and got promoted to head chef in Oslo."
    assert not says_same(short, long, 0.9, DEFAULT)


def test_below_the_model_s_line_only_equal_words_say_the_same() -> None:
    assert not says_same("The user lives in Seoul.", "The user's home is in Seoul.", 0.84, DEFAULT)
    assert not says_same("The user lives in Seoul.", "The user's home is in Seoul.", None, DEFAULT)
    assert says_same("The user lives in Seoul.", "the user lives in Seoul", None, DEFAULT)


@settings(max_examples=examples(200), deadline=None, derandomize=True)
@given(st.text(max_size=80), st.text(max_size=80), st.floats(0, 1))
def test_likeness_is_symmetric_and_lies_between_0_and_1(one: str, other: str, cosine: float) -> None:
    assert likeness(one, other, cosine) == likeness(other, one, cosine)
    assert 0 <= likeness(one, other, cosine) <= 1


@settings(max_examples=examples(200), deadline=None, derandomize=True)
@given(st.integers(0, 999), st.integers(0, 999))
def test_statements_with_different_numbers_are_never_one(one: int, other: int) -> None:
    same = says_same(f"The limit is {one} requests.", f"The limit is {other} requests.", 1.0, DEFAULT)
    assert same == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("민아는 부산으로 이사했어요.", "민아는 회를 좋아해요."),
        ("둘째는 우유 알레르기가 있어요.", "서연은 땅콩 알레르기가 있어요."),
        ("Atlas will write the decision down.", "Atlas has written down the decision."),
    ],
)
def test_a_high_cosine_alone_makes_nothing_the_same(one: str, other: str) -> None:
    assert not says_same(one, other, 0.95, zones_of("all-MiniLM-L6-v2"))
    assert not says_same(other, one, 0.95, zones_of("all-MiniLM-L6-v2"))


def test_korean_endings_of_one_statement_are_the_same() -> None:
    assert says_same("민아는 서울에 살아요.", "민아는 서울에 삽니다.", 0.89, zones_of("all-MiniLM-L6-v2"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The mobile app supports offline mode.", "Offline mode was removed from the mobile app."),
        ("The partner gateway still accepts TLS 1.0.", "Support for TLS 1.0 was removed from the partner gateway."),
        ("Nils holds a single passport, the Danish one.", "Nils holds a single passport, the Norwegian one."),
    ],
)
def test_what_is_taken_back_or_exchanged_is_never_merged(one: str, other: str) -> None:
    assert not says_same(one, other, 0.95, DEFAULT) and not says_same(other, one, 0.95, DEFAULT)
