from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from memoryapp.interfaces.pages import human

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("octets", "told"),
    [
        (0, "0 B"),
        (512, "512 B"),
        (3686, "3.6 KB"),
        (1011 * 1024, "1.0 MB"),
        (64 * 1024**2, "64 MB"),
        (5 * 1024**4 + 1024**3, "5.0 TB"),
        (None, "–"),
    ],
)
def test_a_size_is_told_in_the_unit_a_person_would_choose(octets: int | None, told: str) -> None:
    assert human.size(octets) == told


@pytest.mark.parametrize(
    ("passed", "short", "long"),
    [
        (timedelta(seconds=5), "now", "just now"),
        (timedelta(minutes=13), "13 m", "13 minutes ago"),
        (timedelta(hours=4), "4 h", "4 hours ago"),
        (timedelta(days=1), "1 d", "1 day ago"),
        (timedelta(days=800), "2 y", "2 years ago"),
        (timedelta(hours=-2), "in 2 h", "in 2 hours"),
    ],
)
def test_an_age_is_short_in_tables_and_long_in_text(passed: timedelta, short: str, long: str) -> None:
    with human.standing_at(NOW):
        assert human.age(NOW - passed) == short
        assert human.ago(NOW - passed) == long


def test_near_days_have_names_and_far_ones_a_date() -> None:
    with human.standing_at(NOW):
        assert human.near_moment(NOW - timedelta(hours=2)) == "today, 10:00"
        assert human.near_moment(NOW - timedelta(days=1)) == "yesterday, 12:00"
        assert human.near_moment(NOW - timedelta(days=3)) == "18 Nov 2026, 12:00"


def test_times_are_told_in_the_readers_own_zone() -> None:
    with timezone.override("Asia/Seoul"):
        assert human.moment(NOW) == "21 Nov 2026, 21:00"


def test_numbers_are_grouped_and_small_ones_written_out() -> None:
    assert human.number(1284) == "1,284"
    assert human.number(0.5) == "0.5"
    assert human.in_words(12) == "twelve"
    assert human.in_words(13) == "13"
    assert human.count_text(1, "memory", "memories") == "1 memory"
    assert human.count_text(0, "file") == "0 files"


@pytest.mark.parametrize(("value", "told"), [(0.31, "0.3 s"), (12, "12 s"), (72, "1 min 12 s"), (4320, "1 h 12 min")])
def test_a_span_is_told_in_at_most_two_units(value: float, told: str) -> None:
    assert human.seconds(value) == told


def test_a_day_of_another_year_says_which() -> None:
    with human.standing_at(NOW):
        assert human.short_day(datetime(2026, 11, 18, 10, tzinfo=UTC)) == "18 Nov"
        assert human.short_day(date(2024, 11, 18)) == "18 Nov 2024"
    assert abs(human.now() - timezone.now()) < timedelta(minutes=1)
    assert human.day(date(2026, 3, 1)) == "1 Mar 2026"
    assert human.month(date(2026, 3, 1)) == "Mar 2026"
