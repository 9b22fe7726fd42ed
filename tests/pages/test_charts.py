from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.domain.trust import Trust, trust
from memoryapp.interfaces.pages import charts

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@settings(deadline=None)  # a busy machine is no failure
@given(st.floats(0.0, 1.0), st.floats(0, 3000), st.integers(0, 500), st.one_of(st.none(), st.floats(0.0, 1.35)))
def test_the_waterfall_ends_where_the_trust_bar_ends(
    confidence: float, days: float, repeats: int, ceiling: float | None
) -> None:
    value = trust(
        confidence,
        confirmed_at=NOW - timedelta(days=days),
        reinforcements=repeats,
        now=NOW,
        derived_from=[] if ceiling is None else [ceiling],
    )
    bars = charts.waterfall(value)
    last = bars[-1]
    end = last.to if last.label == "At most" else last.to + last.more
    assert abs(end - charts.width(value.value)) <= 0.11
    assert all(0 <= bar.to <= charts.FULL and bar.to + bar.more <= charts.FULL + 0.11 for bar in bars)


def test_a_ceiling_is_only_drawn_where_it_bites() -> None:
    assert [b.label for b in charts.waterfall(Trust(0.9, 1.0, 1.2, 0, 3, ceiling=1.3))][-1] == "× Repeats"
    assert [b.label for b in charts.waterfall(Trust(0.9, 1.0, 1.2, 0, 3, ceiling=0.4))][-1] == "At most"


def test_the_inks_change_at_the_quarters() -> None:
    words = [charts.word(v) for v in (0.0, 0.24, 0.25, 0.5, 0.75, 0.99, 1.0, 1.35)]
    assert words == ["faint", "faint", "thin", "fair", "firm", "firm", "settled", "settled"]


def test_the_histogram_always_runs_from_0_to_the_most_there_can_be() -> None:
    chart = charts.trust_histogram([0] * 14 + [7] + [0] * 12, floor=0.15)
    assert len(chart.columns) == 27
    assert chart.total == 7
    assert [c.count for c in chart.columns if c.height] == [7]
    assert chart.floor == 36.0


def test_an_empty_histogram_draws_no_guides() -> None:
    assert charts.trust_histogram([]).guides == []


def test_growth_needs_two_days() -> None:
    assert charts.growth([(date(2026, 11, 21), 5, 0)]) is None
    chart = charts.growth([(date(2026, 11, 20), 5, 0), (date(2026, 11, 21), 9, 1)])
    assert chart is not None
    assert (chart.first, chart.last, chart.last_second) == (5, 9, 1)


def test_both_lines_of_growth_have_one_scale_and_guides_that_say_what_they_stand_for() -> None:
    chart = charts.growth([(date(2026, 11, 20), 50, 50), (date(2026, 11, 21), 100, 0)])
    assert chart is not None
    assert chart.line.split(" ")[0] == chart.second.split(" ")[0], "fifty is as high in the one as in the other"
    assert chart.guides == [(58.5, 50), (21.0, 100)]


@settings(deadline=None)  # a busy machine is no failure
@given(
    st.timedeltas(timedelta(0), timedelta(days=4000)),
    st.one_of(st.none(), st.timedeltas(timedelta(0), timedelta(days=4000))),
    st.lists(st.timedeltas(timedelta(0), timedelta(days=3000)), max_size=4),
)
def test_the_validity_strip_stays_inside_its_width(
    back: timedelta, length: timedelta | None, confirmed: list[timedelta]
) -> None:
    since = NOW - back
    until = since + length if length is not None else None
    strip = charts.validity(since=since, until=until, confirmed=[NOW - c for c in confirmed], now=NOW)
    for x, wide in [strip.holds, *([strip.open] if strip.open else [])]:
        assert 0 <= x <= 400
        assert wide >= 0
        assert x + wide <= 402.1
    assert len(strip.labels) == 4
    assert ("no end date" in strip.sentence) == (until is None)
