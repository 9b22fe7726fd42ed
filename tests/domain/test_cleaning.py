from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.cleaning import check_text, clean, clean_name, clean_tags
from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.limits import LIMITS

anything = st.text(st.characters(exclude_categories=())) | st.text(
    st.sampled_from("\x00\x1b\ud800\udfff\r\n\t a가\x85")
)


@given(anything)
def test_what_is_clean_can_be_stored_and_stays_as_it_is(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert clean(cleaned) == cleaned
    assert not [c for c in cleaned if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cs")]


@given(st.text(st.characters(exclude_categories=("Cc", "Cs"))))
def test_what_has_no_control_characters_is_left_alone(text: str) -> None:
    assert clean(text) == text


def test_line_breaks_of_windows_become_plain_ones_and_tabs_stay() -> None:
    assert clean("a\r\nb\tc\x00\x1b[31md\u200d🙂") == "a\nb\tcd\u200d🙂"


@pytest.mark.parametrize("end", ["\r", "\r\n", "\x0b", "\x0c", "\x85"], ids=ascii)
def test_words_that_only_a_line_end_parts_stay_two(end: str) -> None:
    assert clean(f"the last{end}the first") == "the last\nthe first"


@given(st.lists(anything, max_size=20))
def test_tags_come_out_trimmed_each_once_in_their_order(tags: list[str]) -> None:
    try:
        found = clean_tags(tags, field="/tags")
    except BadInput:
        return
    assert list(dict.fromkeys(found)) == list(found)
    assert all(tag and tag == tag.strip() and not tag.startswith("#") for tag in found)
    assert clean_tags(found, field="/tags") == found


def test_limits_are_told_with_the_field() -> None:
    with pytest.raises(BadInput) as many:
        clean_tags([str(n) for n in range(LIMITS.tags + 1)], field="/items/2/tags")
    assert many.value.field == "/items/2/tags"
    with pytest.raises(BadInput):
        clean_tags(["x" * (LIMITS.tag_chars + 1)], field="/tags")
    with pytest.raises(TooLarge, match="200,001 characters"):
        check_text("x" * (LIMITS.text_chars + 1), field="/text")
    with pytest.raises(BadInput, match="empty"):
        check_text(" \x00\n\t ", field="/text")
    with pytest.raises(BadInput):
        clean_name("x" * 301, field="/ref")
    assert check_text("x" * LIMITS.text_chars, field="/text")


@given(st.none() | anything)
def test_a_name_is_one_line_or_nothing(value: str | None) -> None:
    try:
        name = clean_name(value, field="/title")
    except BadInput:
        return
    assert name is None or (name == " ".join(name.split()) and name != "")


def test_a_naive_time_is_utc_and_the_ends_of_the_calendar_are_refused_and_not_a_crash() -> None:
    assert as_utc(datetime(2026, 1, 1)) == datetime(2026, 1, 1, tzinfo=UTC)
    seoul = timezone(timedelta(hours=9))
    assert as_utc(datetime(2026, 1, 1, 9, tzinfo=seoul)) == datetime(2026, 1, 1, tzinfo=UTC)
    last = datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-9)))
    for at in (datetime(1, 1, 1, tzinfo=seoul), last, datetime(1, 6, 1), datetime(9999, 1, 1)):
        with pytest.raises(BadInput, match="years 2 to 9998"):
            as_utc(at)
