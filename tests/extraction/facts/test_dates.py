from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.extraction.facts.validity import days_named, spans

SAID = date(2024, 5, 15)  # a Wednesday


def days(text: str, *, past: bool = True) -> tuple[str, str]:
    (named,) = days_named(text, said=SAID, past=past)
    return str(named.first), str(named.last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("yesterday", "2024-05-14", "2024-05-14"),
        ("last night", "2024-05-14", "2024-05-14"),
        ("the day before yesterday", "2024-05-13", "2024-05-13"),
        ("last week", "2024-05-06", "2024-05-12"),
        ("last weekend", "2024-05-11", "2024-05-12"),
        ("two weekends ago", "2024-05-04", "2024-05-05"),
        ("last month", "2024-04-01", "2024-04-30"),
        ("last year", "2023-01-01", "2023-12-31"),
        ("last summer", "2023-06-01", "2023-08-31"),
        ("last June", "2023-06-01", "2023-06-30"),
        ("last Friday", "2024-05-10", "2024-05-10"),
        ("last Fri", "2024-05-10", "2024-05-10"),
        ("on Monday", "2024-05-13", "2024-05-13"),
        ("on Wednesday", "2024-05-15", "2024-05-15"),
        ("3 days ago", "2024-05-12", "2024-05-12"),
        ("two weeks ago", "2024-04-29", "2024-05-05"),
        ("about a month ago", "2024-04-01", "2024-04-30"),
        ("five years ago", "2019-01-01", "2019-12-31"),
        ("on the 20th", "2024-04-20", "2024-04-20"),
        ("on December 3rd", "2023-12-03", "2023-12-03"),
        ("on 3 July 2021", "2021-07-03", "2021-07-03"),
        ("in March", "2024-03-01", "2024-03-31"),
        ("in November", "2023-11-01", "2023-11-30"),
        ("in 2019", "2019-01-01", "2019-12-31"),
        ("on 2024-02-29", "2024-02-29", "2024-02-29"),
    ],
)
def test_words_of_the_past_name_their_days(text: str, first: str, last: str) -> None:
    assert days(f"I saw her {text}.") == (first, last)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("tomorrow", "2024-05-16"),
        ("next week", "2024-05-20"),
        ("next month", "2024-06-01"),
        ("next summer", "2024-06-01"),
        ("on Friday", "2024-05-17"),
        ("next Wednesday", "2024-05-22"),
        ("in two weeks", "2024-05-27"),
        ("on the 3rd", "2024-06-03"),
        ("on March 1", "2025-03-01"),
        ("in March", "2025-03-01"),
        ("this weekend", "2024-05-18"),
    ],
)
def test_words_of_the_future_name_theirs(text: str, first: str) -> None:
    assert days(f"We will meet {text}.", past=False)[0] == first


def test_since_and_until_tell_their_sense() -> None:
    since, until = days_named("I stay here since last March and until next June.", said=SAID, past=False)
    assert (since.sense, str(since.first)) == ("since", "2024-03-01")
    assert (until.sense, str(until.last)) == ("until", "2024-06-30")


def test_what_was_resolved_is_told() -> None:
    (named,) = days_named("I went last week.", said=SAID, past=True)
    assert named.told == "last week → 2024-05-06 to 2024-05-12"


@pytest.mark.parametrize("text", ["on 31 June", "on Monday mornings", "It may rain", "for a few years", "port 2019"])
def test_what_names_no_days_gives_none(text: str) -> None:
    assert days_named(text, said=SAID, past=True) == []


def test_for_some_years_is_since_then() -> None:
    (named,) = spans("I have lived here for 3 years.", said=SAID)
    assert (named.sense, str(named.first)) == ("since", "2021-01-01")


@given(st.text(max_size=80), st.dates(), st.booleans())
def test_any_text_at_any_date_is_borne(text: str, said: date, past: bool) -> None:
    for named in days_named(text, said=said, past=past):
        assert named.first <= named.last


@given(
    st.sampled_from(["last week", "999 years ago", "in 999 years", "next month", "last winter", "on the 31st"]),
    st.dates(),
    st.booleans(),
)
def test_the_ends_of_the_calendar_are_borne(words: str, said: date, past: bool) -> None:
    assert all(one.first <= one.last for one in days_named(f"It was {words}.", said=said, past=past))


@pytest.mark.parametrize("text", ["on 0001-01-01", "until 9999-12-31", "on 3 July 9998"])
def test_days_at_the_ends_of_the_calendar_name_no_time(text: str) -> None:
    assert days_named(text, said=SAID, past=True) == []


def test_a_span_that_began_before_the_first_year_is_none() -> None:
    assert spans("I have lived here for 999 years", said=date(500, 5, 15)) == []


def test_a_day_without_a_year_more_than_half_a_year_back_is_not_guessed() -> None:
    assert days_named("I switched to the race on September 14th.", said=SAID, past=True) == []
    (named,) = days_named("We met on December 20th.", said=SAID, past=True)
    assert str(named.first) == "2023-12-20"
