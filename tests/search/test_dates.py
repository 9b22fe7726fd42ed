from __future__ import annotations

import math
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.search.dates import Span, closeness, dates_in

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)  # a Saturday


@pytest.mark.parametrize(
    "writing",
    [
        "7 May 2023",
        "7th of May, 2023",
        "May 7, 2023",
        "May 7th 2023",
        "2023-05-07",
        "2023/5/7",
        "2023. 5. 7.",
        "7.5.2023",
        "2023년 5월 7일",
        "2023년5월7일",
        "7 may, 2023",
    ],
)
def test_a_day_is_read_in_many_writings(writing: str) -> None:
    assert dates_in(f"what happened on {writing}?", now=NOW) == (Span(2023, 5, 7),)


@pytest.mark.parametrize(
    ("query", "span"),
    [
        ("who came on 12 August?", Span(0, 8, 12)),
        ("8월 12일에 누가 왔어?", Span(0, 8, 12)),
        ("trips in June 2023", Span(2023, 6, 1, whole=True)),
        ("2023년 6월에 뭐 했지?", Span(2023, 6, 1, whole=True)),
        ("notes of 2023-06", Span(2023, 6, 1, whole=True)),
        ("what did we do in May?", Span(0, 5, 1, whole=True)),
        ("what did I do yesterday?", Span(2026, 11, 20)),
        ("어제 뭐 했지?", Span(2026, 11, 20)),
        ("what did we decide last week?", Span(2026, 11, 9, days=7, whole=True)),
    ],
)
def test_other_dates_are_read(query: str, span: Span) -> None:
    assert dates_in(query, now=NOW) == (span,)


@pytest.mark.parametrize(
    "query",
    ["what may I do?", "version 3.11.7", "port 8000", "sun and sep", "31 of them", "100월", "a 45 may be", "2023"],
)
def test_what_is_no_date_is_not_read_as_one(query: str) -> None:
    assert dates_in(query, now=NOW) == ()


def epochs(*moments: datetime | None) -> np.ndarray:
    return np.array([math.nan if m is None else m.replace(tzinfo=UTC).timestamp() for m in moments])


def test_closeness_fades_with_the_days_and_is_none_without_a_date() -> None:
    occurred = epochs(datetime(2023, 5, 7, 23), datetime(2023, 5, 5), datetime(2023, 5, 11), None)
    close = closeness((Span(2023, 5, 7),), occurred)
    assert close == pytest.approx([1, math.exp(-0.5), math.exp(-1), 0], abs=1e-6)


def test_a_day_without_a_year_meets_that_day_of_any_year() -> None:
    occurred = epochs(datetime(2021, 8, 12), datetime(2023, 8, 12), datetime(2023, 2, 1))
    close = closeness((Span(0, 8, 12),), occurred)
    assert close[0] == close[1] == 1
    assert close[2] < 1e-6


def test_every_day_of_a_named_month_counts_the_same_and_none_outside() -> None:
    days = [datetime(2023, 1, 31), datetime(2023, 2, 1), datetime(2023, 2, 28, 23, 59), datetime(2023, 3, 1)]
    assert closeness((Span(2023, 2, 1, whole=True),), epochs(*days)).tolist() == [0, 1, 1, 0]


def test_29_february_of_a_common_year_meets_nothing() -> None:
    assert closeness((Span(2023, 2, 29),), epochs(datetime(2023, 3, 1))).tolist() == [0]


@given(st.text(alphabet="0123456789 -./월년일may", max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    spans = dates_in(text, now=NOW)
    close = closeness(spans, epochs(datetime(2023, 5, 7), None))
    assert ((close >= 0) & (close <= 1)).all()
