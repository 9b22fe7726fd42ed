"""Answers of newer and of broken services."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from palimpsest_client import NotUnderstood, Page, Space, Weighed
from palimpsest_client.call import given as said
from palimpsest_client.reading import read

from tests.sampling import examples

WEIGHED = {"id": "9f2c1b7a40d3e685", "used": 1, "not_useful": 0, "factor": 1}
PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
JSON = st.recursive(PLAIN, lambda one: st.lists(one) | st.dictionaries(st.text(max_size=3), one), max_leaves=6)
SPACE = ("name", "title", "parent", "encoder", "role", "settings")


def test_a_field_that_is_not_known_here_stays_in_raw() -> None:
    found = read(Weighed, WEIGHED | {"mood": "new"})
    assert (found.used, found.raw["mood"]) == (1, "new")
    assert found == read(Weighed, WEIGHED)


def test_a_page_reads_its_items_as_what_they_are() -> None:
    page = read(Page[Weighed], {"items": [WEIGHED, WEIGHED], "total": 9})
    assert [one.id for one in page] == [WEIGHED["id"]] * 2
    assert (len(page), page.next_cursor, page.raw["total"]) == (2, None, 9)


def test_what_is_missing_or_of_another_kind_is_told_with_its_place() -> None:
    with pytest.raises(NotUnderstood, match=r"the answer\.items\[0\] has no “factor”"):
        read(Page[Weighed], {"items": [{"id": "x", "used": 1, "not_useful": 0}]})
    with pytest.raises(NotUnderstood, match=r"the answer\.used is str, not int"):
        read(Weighed, WEIGHED | {"used": "once"})


@settings(max_examples=examples(60))
@given(st.fixed_dictionaries(dict.fromkeys(SPACE, JSON)) | JSON)
def test_any_json_is_read_or_told(value: Any) -> None:
    try:
        assert read(Space, value).raw == value
    except NotUnderstood as error:
        assert "the answer" in error.detail


@given(st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(2200, 1, 1)), st.integers(-14, 14))
def test_times_are_sent_in_utc_and_read_as_the_same_moment(naive: datetime, hours: int) -> None:
    at = naive.replace(tzinfo=timezone(timedelta(hours=hours)))
    sent = said(at=at)["at"]
    assert sent.endswith("+00:00")
    assert read(datetime, sent) == at
    assert read(datetime, sent.replace("+00:00", "Z")) == at.astimezone(UTC)
