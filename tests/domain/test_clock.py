"""Times as people and programs write them."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memoryapp.domain.clock import read_moment


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2023", datetime(2023, 1, 1, tzinfo=UTC)),
        (" 2023-11 ", datetime(2023, 11, 1, tzinfo=UTC)),
        ("2023-11-05", datetime(2023, 11, 5, tzinfo=UTC)),
        ("2023-11-05T09:30+09:00", datetime(2023, 11, 5, 0, 30, tzinfo=UTC)),
        ("0002", datetime(2, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_time_is_read_a_year_or_a_month_alone_as_its_first_instant(text: str, read: datetime) -> None:
    assert read_moment(text) == read


def test_a_time_without_an_offset_is_one_of_the_readers_zone() -> None:
    assert read_moment("2023-11-05", ZoneInfo("Asia/Seoul")) == datetime(2023, 11, 4, 15, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "20231105", "-5", "+5", "1700000000", "1.5", "2023-13", "2023-1", "soon", "0001"])
def test_digits_alone_and_what_is_no_time_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="time"):
        read_moment(text)
