from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.filters import Filters
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.results import Query
from memoryapp.search.query import check


@pytest.mark.parametrize("text", ["", "   ", "\x00\x1f\n\t", "\ud800"])
def test_a_query_without_words_is_refused_at_its_field(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        check(Query(text))
    assert refused.value.field == "/query"


def test_a_query_over_the_limit_is_too_large() -> None:
    check(Query("x" * LIMITS.query_chars))
    with pytest.raises(TooLarge) as refused:
        check(Query("x" * (LIMITS.query_chars + 1)))
    assert refused.value.field == "/query"


def test_control_characters_part_words_instead_of_joining_them() -> None:
    assert check(Query("redis\x00queue\x1b moved")).text == "redis queue moved"


@pytest.mark.parametrize("top_k", [0, -1, LIMITS.top_k + 1, True])
def test_top_k_out_of_range_is_refused(top_k: int) -> None:
    with pytest.raises(BadInput) as refused:
        check(Query("redis", top_k=top_k))
    assert refused.value.field == "/top_k"


def test_a_range_that_ends_before_it_begins_is_refused() -> None:
    at = datetime(2026, 1, 1)
    with pytest.raises(BadInput) as refused:
        check(Query("redis", filters=Filters(since=at, until=at)))
    assert refused.value.field == "/filters/until"


def test_times_are_moved_to_utc() -> None:
    seoul = datetime(2026, 1, 1, 9, tzinfo=timezone(timedelta(hours=9)))
    asked = check(Query("redis", filters=Filters(since=datetime(2025, 1, 1), as_of=seoul)))
    assert asked.filters.since == datetime(2025, 1, 1, tzinfo=UTC)
    assert asked.filters.as_of == datetime(2026, 1, 1, tzinfo=UTC)
    assert asked.filters.as_of.utcoffset() == timedelta(0)


@given(st.text(max_size=300))
def test_any_text_is_either_checked_or_refused(text: str) -> None:
    try:
        once = check(Query(text))
    except BadInput:
        return
    assert once.text.isprintable() or " " in once.text or once.text
    assert check(once) == once
