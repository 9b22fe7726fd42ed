"""How often one caller may ask."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from memoryapp.interfaces.api import throttle
from memoryapp.interfaces.api.throttle import BURST_SECONDS, Buckets
from tests.api.conftest import Agent


class Hands:
    """A clock that is moved by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_is_emptied_and_fills_again() -> None:
    clock = Hands()
    buckets = Buckets(burst=2.0, clock=clock)
    assert [buckets.take("a", rate=1.0) for _ in range(2)] == [0.0, 0.0]
    assert buckets.take("a", rate=1.0) == pytest.approx(1.0)
    clock.now = 0.5
    assert buckets.take("a", rate=1.0) == pytest.approx(0.5)
    clock.now = 1.0
    assert buckets.take("a", rate=1.0) == 0.0
    clock.now = 1_000.0
    assert [bool(buckets.take("a", rate=1.0)) for _ in range(3)] == [False, False, True]


def test_callers_do_not_share_a_bucket() -> None:
    buckets = Buckets(burst=1.0, clock=Hands())
    assert buckets.take("a", rate=1.0) == 0.0 and buckets.take("b", rate=1.0) == 0.0
    assert buckets.take("a", rate=1.0) > 0


def test_too_many_requests_are_told_when_to_come_back(reader: Agent, settings: Settings) -> None:
    settings.RATE_LIMIT = 1
    for _ in range(int(BURST_SECONDS)):
        assert reader.get("/strategies").status_code == 200
    answer = reader.get("/strategies")
    assert answer.status_code == 429 and int(answer["Retry-After"]) >= 1
    assert answer.json()["type"] == "/api/docs#too-often"


def test_every_answer_tells_what_is_left(reader: Agent, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "buckets", throttle.Buckets(burst=2.0, clock=lambda: 0.0))
    settings.RATE_LIMIT = 1

    def told() -> tuple[int, ...]:
        answer = reader.get("/strategies")
        names = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
        return (answer.status_code, *(int(answer[name]) for name in names))

    assert [told() for _ in range(3)] == [(200, 2, 1, 1), (200, 2, 0, 2), (429, 2, 0, 2)]


def test_no_limit_is_no_limit(reader: Agent, settings: Settings) -> None:
    settings.RATE_LIMIT = 0
    answers = [reader.get("/strategies") for _ in range(10)]
    assert {answer.status_code for answer in answers} == {200}
    assert "RateLimit-Limit" not in answers[0]


@pytest.mark.django_db
def test_guessing_at_keys_is_slowed_down_and_keys_that_are_right_are_not(
    reader: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A clock that stands still: on a slow machine the bucket would fill again between two tries.
    monkeypatch.setattr(throttle, "buckets", throttle.Buckets(clock=lambda: 0.0))
    tries = [
        Client().get("/api/v1/strategies", headers={"Authorization": f"Bearer pal_{n:08x}_x"}).status_code
        for n in range(40)
    ]
    assert tries[0] == 401 and tries[-1] == 429
    assert reader.get("/strategies").status_code == 200
