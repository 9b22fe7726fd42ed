from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memoryapp import review, spaces
from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.pages.charts import ZOOMS, bucket, density, read_day, zoom_for
from tests.pages.talking import ATLAS, say, told

MOVED = "We decided to move the database to Postgres 16."
PEANUTS = "I'm allergic to peanuts, so never order from the Thai place."
TODAY = date(2026, 11, 21)


def test_without_episodes_the_page_says_when_one_is_told(reader: Client, space: spaces.Space) -> None:
    say(space, MOVED)
    page = reader.get("/episodes/").content.decode()
    assert "No episodes yet." in page
    assert "1 session is under way." in page


def test_an_episode_is_told_with_its_decision_and_what_was_learned(reader: Client, space: spaces.Space) -> None:
    episode = told(space, MOVED, PEANUTS)
    page = reader.get("/episodes/").content.decode()
    assert f'href="/memories/{episode.id}/"' in page
    assert '<span class="tag good">decided</span>' in page
    assert "Postgres 16" in page
    assert "2 turns</a>" in page
    assert "Mina is allergic to peanuts" in page
    assert "written by rules (no LLM)" in page


def test_a_deleted_fact_is_not_listed_and_a_superseded_one_is_struck(reader: Client, space: spaces.Space) -> None:
    episode = told(space, MOVED, PEANUTS)
    gone = next(key for key in episode.detail["facts"])
    review.delete(space, [gone], actor=ATLAS)
    assert f"/memories/{gone}/" not in reader.get("/episodes/").content.decode()


def test_the_timeline_narrows_to_a_bar(reader: Client, space: spaces.Space) -> None:
    told(space, MOVED, PEANUTS)
    page = reader.get("/episodes/").content.decode()
    (bar,) = re.findall(r'<a href="([^"]+)" title="[^"]+: 1 episode"', page)
    day = timezone.now().date().isoformat()
    assert f"on={day}" in bar
    narrowed = reader.get("/episodes/" + bar.replace("&amp;", "&")).content.decode()
    assert "Postgres 16" in narrowed
    elsewhere = reader.get("/episodes/", {"zoom": "day", "on": "2020-01-01"}).content.decode()
    assert "Nothing happened then." in elsewhere


def test_episodes_are_found_by_what_happened(reader: Client, space: spaces.Space) -> None:
    told(space, MOVED, session="database")
    told(space, PEANUTS, "I live in Busan.", session="food")
    page = reader.get("/episodes/", {"q": "peanuts"}).content.decode()
    titles = re.findall(r'<article class="episode".*?</article>', page, re.DOTALL)
    assert "allergic to peanuts" in titles[0]
    assert "100 % of the best match, today" in titles[0]
    nothing = reader.get("/episodes/", {"q": "zxqv"}).content.decode()
    assert "No episode is like" in nothing or "of the best match" in nothing


def test_a_damaged_address_is_refused(reader: Client, space: spaces.Space) -> None:
    told(space, MOVED, PEANUTS)
    for asked in ({"zoom": "year"}, {"on": "2026-13-01"}, {"at": "0001-01-01"}, {"before": "x~y"}):
        assert reader.get("/episodes/", asked).status_code == 422, asked


def test_the_zoom_shows_all_there_is() -> None:
    assert zoom_for([], today=TODAY) == "day"
    assert zoom_for([(date(2026, 11, 1), 1)], today=TODAY) == "day"
    assert zoom_for([(date(2026, 8, 1), 1)], today=TODAY) == "week"
    assert zoom_for([(date(2025, 1, 1), 1)], today=TODAY) == "month"


def test_days_are_counted_into_their_buckets() -> None:
    days = [(date(2026, 9, 30), 2), (date(2026, 11, 2), 1), (date(2026, 11, 8), 4), (date(2026, 11, 21), 3)]
    weeks = {one.first: one.count for one in density(days, zoom="week", today=TODAY).bins if one.count}
    assert weeks == {date(2026, 9, 28): 2, date(2026, 11, 2): 5, date(2026, 11, 16): 3}
    months = {one.first: one.count for one in density(days, zoom="month", today=TODAY).bins if one.count}
    assert months == {date(2026, 9, 1): 2, date(2026, 11, 1): 8}


def test_a_window_leads_to_those_beside_it() -> None:
    days = [(date(2026, 1, 5), 1), (date(2026, 11, 20), 1)]
    now = density(days, zoom="day", today=TODAY)
    assert now.later is None
    assert now.earlier == now.bins[0].first - timedelta(days=1)
    back = density(days, zoom="day", today=TODAY, at=now.earlier)
    assert back.bins[-1].end == now.bins[0].first
    assert back.later == TODAY
    assert density(days, zoom="day", today=TODAY, at=date(2026, 1, 5)).earlier is None


def test_one_episode_does_not_look_like_a_busy_day() -> None:
    (bar,) = [one for one in density([(TODAY, 1)], zoom="day", today=TODAY).bins if one.count]
    assert bar.height == 24
    assert bar.y + bar.height == 72


def test_a_bucket_is_its_days_in_utc() -> None:
    assert bucket(date(2026, 11, 21), "week") == (
        datetime(2026, 11, 16, tzinfo=UTC),
        datetime(2026, 11, 23, tzinfo=UTC),
    )
    assert bucket(date(2026, 12, 31), "month")[1] == datetime(2027, 1, 1, tzinfo=UTC)
    with pytest.raises(BadInput):
        read_day("yesterday", "on")


@pytest.mark.parametrize("zoom", ZOOMS)
def test_the_window_ends_today_where_it_holds_anything(zoom: str) -> None:
    chart = density([(date(2023, 5, 8), 1), (date(2026, 11, 20), 2)], zoom=zoom, today=TODAY)
    assert chart.total == 2 and chart.bins[-1].first <= TODAY < chart.bins[-1].end
    assert chart.earlier is not None and chart.later is None


@pytest.mark.parametrize("zoom", ZOOMS)
def test_of_old_episodes_alone_the_last_are_in_sight(zoom: str) -> None:
    chart = density([(date(2023, 5, 8), 1), (date(2023, 11, 22), 2)], zoom=zoom, today=TODAY)
    assert chart.bins[-1].first <= date(2023, 11, 22) < chart.bins[-1].end
    assert chart.total >= 2 and chart.later is not None


def test_without_an_episode_the_window_is_empty_and_ends_today() -> None:
    chart = density([], zoom="day", today=TODAY)
    assert chart.total == 0 and chart.bins[-1].first == TODAY and chart.earlier is None
