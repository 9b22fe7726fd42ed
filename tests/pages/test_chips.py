from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.http import QueryDict
from django.utils import timezone

from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Kind, State
from memoryapp.interfaces.pages.filters import adders_of, address, chips_of, filters_of


def test_the_address_says_which_memories_are_listed() -> None:
    filters = filters_of(
        QueryDict("kind=fact&kind=note&state=archived&trust=0,6&tag=gpu&since=2026-11-01&until=2026-11-02")
    )
    assert filters.kinds == (Kind.FACT, Kind.NOTE)
    assert filters.states == (State.ARCHIVED,)
    assert filters.min_trust == 0.6
    assert filters.tags == ("gpu",)
    assert filters.since == datetime(2026, 11, 1, tzinfo=UTC)
    assert filters.until == datetime(2026, 11, 3, tzinfo=UTC)  # the last day counts as a whole


def test_without_a_state_what_is_held_is_listed() -> None:
    assert filters_of(QueryDict("")).states == (State.HELD,)


def test_a_day_begins_where_the_reader_is() -> None:
    with timezone.override("Asia/Seoul"):
        assert filters_of(QueryDict("since=2026-11-01")).since == datetime(2026, 10, 31, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    "asked", ["kind=blue", "state=gone", "trust=much", "trust=9", "trust=nan", "since=yesterday", "until=9999-12-31"]
)
def test_a_filter_that_means_nothing_is_refused_by_name(asked: str) -> None:
    with pytest.raises(BadInput) as refused:
        filters_of(QueryDict(asked))
    assert refused.value.field == asked.split("=")[0]


def test_a_chip_takes_its_own_filter_away_and_nothing_else() -> None:
    chips = chips_of(QueryDict("kind=fact&tag=gpu&sort=trust&after=x"), ("kind", "tag"))
    assert [(c.label, c.value) for c in chips] == [("Kind", "fact"), ("Tag", "gpu")]
    assert chips[0].without == "?tag=gpu&sort=trust"  # and the list begins at its first page again


def test_adding_a_filter_keeps_the_others() -> None:
    adder = adders_of(QueryDict("tag=gpu&kind=fact&before=x"), ("kind",))[0]
    assert ("tag", "gpu") in adder.kept
    assert not {name for name, _ in adder.kept} & {"kind", "before"}
    assert ("fact", "fact", True) in adder.options


def test_an_address_escapes_what_it_carries() -> None:
    assert address(QueryDict("source=a%26b"), tag="회의") == "?source=a%26b&tag=%ED%9A%8C%EC%9D%98"


def test_dates_of_an_address_are_told_as_the_pages_write_them() -> None:
    shown = ("since", "as_of")
    asked = "since=2026-11-01&until=2026-11-02&as_of=2026-11-20T18:42"
    assert [c.value for c in chips_of(QueryDict(asked), shown)] == ["1 Nov 2026 and 2 Nov 2026", "20 Nov 2026, 18:42"]
    assert [c.value for c in chips_of(QueryDict("since=2026-11-01"), shown)] == ["1 Nov 2026 and now"]
    assert [c.value for c in chips_of(QueryDict("until=2026-11-01"), shown)] == ["the start and 1 Nov 2026"]
    assert [c.value for c in chips_of(QueryDict("as_of=2026-11-20&since=soon"), shown)] == [
        "soon and now",
        "20 Nov 2026",
    ]
