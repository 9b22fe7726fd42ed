"""Settings, Heartbeat: acts with their times, set by administrators, begun by curators, told in words."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memoryapp import spaces
from memoryapp.accounts.models import Space
from memoryapp.jobs.acts import ACTS
from memoryapp.jobs.heartbeat import pulse
from memoryapp.jobs.models import Beat, Job, Status
from tests.pages.talking import HTMX

PAGE = "/settings/heartbeat/"


def shown(client: Client, act: str, *, htmx: bool = False) -> str:
    page = client.get(PAGE, headers=HTMX if htmx else {}).content.decode()
    found = re.search(rf'<li class="beat[^>]*id="beat-{act}".*?</li>', page)
    assert found, page
    return found[0]


def test_every_act_says_what_it_does_and_when_it_is_due(admin: Client, space: spaces.Space) -> None:
    page = admin.get(PAGE).content.decode()
    assert all(f'id="beat-{key}"' in page for key in ACTS)
    assert 'aria-current="page">Heartbeat<' in page
    assert "in 23 hours" in shown(admin, "expire") and "Has not run yet." in shown(admin, "expire")
    assert "next: when there is something to do" in shown(admin, "graph")
    assert "next: off" in shown(admin, "consolidate") and "checked" not in shown(admin, "consolidate")


def test_an_act_is_turned_on_for_a_time_of_the_readers_own_zone(admin: Client, row: Space) -> None:
    admin.cookies["tz"] = "Asia%2FSeoul"
    answer = admin.post(f"{PAGE}consolidate/", {"on": "on", "when": "daily", "at": "04:30"}, headers=HTMX)
    assert "Consolidation: once a day, at 04:30 Asia/Seoul." in answer["HX-Trigger"].encode().decode("unicode_escape")
    schedule = pulse(row, "consolidate").schedule
    assert (schedule.on, schedule.at, schedule.zone) == (True, "04:30", "Asia/Seoul")
    kept = shown(admin, "consolidate")
    assert 'value="04:30"' in kept and "Asia/Seoul" in kept and '<option value="daily" selected>' in kept
    admin.post(f"{PAGE}consolidate/", {"on": "on", "when": "360"}, headers=HTMX)
    assert pulse(row, "consolidate").schedule.every_minutes == 360
    assert '<option value="360" selected>' in shown(admin, "consolidate")
    off = admin.post(f"{PAGE}consolidate/", {"when": "360"})
    assert off.status_code == 302
    assert not pulse(row, "consolidate").schedule.on


def test_an_interval_that_the_page_does_not_offer_is_kept_and_shown(admin: Client, row: Space) -> None:
    Beat.objects.create(space=row, act="expire", on=True, every_minutes=45, set_at=timezone.now())
    assert '<option value="45" selected>every 45 minutes' in shown(admin, "expire")


@pytest.mark.parametrize("typed", [{"when": "sometimes"}, {"when": "daily", "at": "25:00"}, {}, {"when": "²"}], ids=str)
def test_a_time_that_is_none_is_refused_and_nothing_is_saved(admin: Client, row: Space, typed: dict[str, str]) -> None:
    assert admin.post(f"{PAGE}expire/", {"on": "on", **typed}, headers=HTMX).status_code == 422
    assert not Beat.objects.filter(space=row, act="expire").exists()
    assert admin.post(f"{PAGE}gossip/", {"on": "on", "when": "60"}).status_code == 404


def test_who_may_not_set_it_reads_it_in_words(reader: Client, curator: Client, space: spaces.Space) -> None:
    told = shown(reader, "expire")
    assert "every 24 hours" in told and "<form" not in told and "Run now" not in told
    assert "<form" not in shown(curator, "expire") and "Run now" in shown(curator, "expire")
    assert curator.post(f"{PAGE}expire/", {"on": "on", "when": "60"}).status_code == 403


def test_an_act_is_begun_at_once_and_the_page_waits_for_it(curator: Client, row: Space) -> None:
    answer = curator.post(f"{PAGE}index/run/", headers=HTMX).content.decode()
    job = Job.objects.get(space=row.name, kind="heartbeat")
    assert 'hx-trigger="every 2s"' in answer and f"/jobs/{job.pk}/" in answer and "running" in answer
    assert curator.get(PAGE, headers=HTMX).status_code == 200
    later = timezone.now() + timedelta(seconds=2)
    Job.objects.filter(pk=job.pk).update(
        status=Status.DONE, report={"told": "12 memories on disk."}, started_at=timezone.now(), finished_at=later
    )
    over = curator.get(PAGE, headers=HTMX)
    assert over.status_code == 286 and b"every 2s" not in over.content
    line = shown(curator, "index")
    assert "12 memories on disk." in line and "took 2.0 s" in line


def test_a_failure_and_a_skip_are_told(curator: Client, row: Space) -> None:
    now = timezone.now()
    Beat.objects.create(space=row, act="index", looked_at=now, error="The store is gone.")
    Beat.objects.create(space=row, act="expire", looked_at=now, skipped="nothing changed since the last run")
    assert 'conflict">failed</span>' in shown(curator, "index") and "The store is gone." in shown(curator, "index")
    line = shown(curator, "expire")
    assert ">skipped</span>" in line and "nothing changed since the last run" in line and "just now" in line
