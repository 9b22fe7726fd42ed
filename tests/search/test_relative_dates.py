from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.results import Query
from memoryapp.search import search
from memoryapp.search.dates import Span, dates_in, days_from, years_in
from memoryapp.spaces import Space
from tests.search.conftest import memory, write

TODAY = date(2026, 11, 21)  # a Saturday


def d(month: int, day: int, year: int = 2026) -> date:
    return date(year, month, day)


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("what did I do the day before yesterday?", (d(11, 19), d(11, 19))),
        ("who called 3 days ago?", (d(11, 18), d(11, 18))),
        ("the plan of two weeks ago", (d(11, 2), d(11, 8))),
        ("what we decided a month ago", (d(10, 1), d(10, 31))),
        ("notes of the last 10 days", (d(11, 11), d(11, 21))),
        ("last month", (d(10, 1), d(10, 31))),
        ("this year's trips", (d(1, 1), d(12, 31))),
        ("where were we last summer?", (d(6, 1), d(8, 31))),
        ("last Friday", (d(11, 20), d(11, 20))),
        ("this Monday", (d(11, 16), d(11, 16))),
        ("next Saturday", (d(11, 28), d(11, 28))),
        ("last May", (d(5, 1), d(5, 31))),
        ("last weekend", (d(11, 14), d(11, 15))),
        ("지난달에 뭐 했지?", (d(10, 1), d(10, 31))),
        ("지지난주 회의", (d(11, 2), d(11, 8))),
        ("지난주 금요일", (d(11, 13), d(11, 13))),
        ("이번 주말", (d(11, 21), d(11, 22))),
        ("사흘 전에 온 사람", (d(11, 18), d(11, 18))),
        ("두 달 전", (d(9, 1), d(9, 30))),
        ("2주 전 결정", (d(11, 2), d(11, 8))),
        ("일주일 전", (d(11, 9), d(11, 15))),
        ("최근 2주 동안", (d(11, 7), d(11, 21))),
        ("재작년 여행", (d(1, 1, 2024), d(12, 31, 2024))),
        ("지난 여름", (d(6, 1), d(8, 31))),
    ],
)
def test_days_are_counted_from_the_askers_own(query: str, days: tuple[date, date]) -> None:
    assert days_from(query, today=TODAY) == [days]


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("what happened in 2023?", (d(1, 1, 2023), d(12, 31, 2023))),
        ("the summer of 2022", (d(6, 1, 2022), d(8, 31, 2022))),
        ("2023년에 갔던 곳", (d(1, 1, 2023), d(12, 31, 2023))),
    ],
)
def test_years_stand_for_all_their_days(query: str, days: tuple[date, date]) -> None:
    assert years_in(query) == [days]


@pytest.mark.parametrize(
    "query", ["이전 버전", "미래 전망", "a last resort", "room 2023", "PR 2024-1", "last one", "0 days ago"]
)
def test_what_names_no_day_is_left_alone(query: str) -> None:
    assert (days_from(query, today=TODAY), years_in(query)) == ([], [])


@given(st.text(alphabet="last next week 39 days ago 지난 주 달 전 이번", max_size=40))
def test_no_text_breaks_the_reader_and_no_range_runs_backwards(query: str) -> None:
    assert all(first <= last for first, last in days_from(query, today=TODAY))


@pytest.mark.parametrize(
    ("query", "span"),
    [
        ("from 3 May to 10 May 2023", Span(2023, 5, 3, days=8, whole=True)),
        ("between May 3, 2023 and May 10, 2023", Span(2023, 5, 3, days=8, whole=True)),
        ("notes of 2023-05-03 – 2023-05-10", Span(2023, 5, 3, days=8, whole=True)),
        ("2023년 5월 3일부터 5월 10일까지", Span(2023, 5, 3, days=8, whole=True)),
        ("what did we do last May?", Span(2026, 5, 1, days=31, whole=True)),
        ("in May 2023, a year by its number", Span(2023, 5, 1, whole=True)),
        ("in 2023", Span(2023, 1, 1, days=365, whole=True)),
    ],
)
def test_a_range_and_the_nearest_date_named_are_what_counts(query: str, span: Span) -> None:
    assert dates_in(query, now=datetime(2026, 11, 21, 12, tzinfo=UTC)) == (span,)


def test_two_days_that_are_no_range_stand_for_themselves() -> None:
    spans = dates_in("the calls of May 3 and May 10", now=datetime(2026, 11, 21, tzinfo=UTC))
    assert spans == (Span(0, 5, 3), Span(0, 5, 10))


def test_last_month_brings_what_happened_then_to_the_top(space: Space) -> None:
    then = memory("We tasted the olive oil.", occurred_at=datetime(2026, 10, 8, tzinfo=UTC))
    before = memory("We tasted the olive oil again.", occurred_at=datetime(2026, 8, 8, tzinfo=UTC))
    write(space, before, then)
    hits = search(space, Query("what did we taste last month?")).hits
    assert hits[0].memory.id == then.id
    assert hits[0].evidence["date"] == 1
    assert hits[1].arms["date"].share == 0
