"""Every answer, problem and line of the log carries the id of its request, and so does the job it causes."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from memoryapp.accounts.models import Space
from memoryapp.jobs import tasks
from memoryapp.jobs.pipeline import queue
from memoryapp.observability import log_fields, work
from tests.api.conftest import Agent
from tests.logged import lines_of_requests

pytestmark = pytest.mark.django_db


def test_the_callers_own_id_comes_back_and_a_new_one_where_it_sent_none() -> None:
    answer = Client().get("/api/v1/health/live", headers={"X-Request-ID": "trace:42.a-b"})
    assert answer["X-Request-ID"] == "trace:42.a-b"
    first, second = (Client().get("/api/v1/health/live")["X-Request-ID"] for _ in range(2))
    assert len(first) == 16 and first != second


@pytest.mark.parametrize("said", ["x" * 81, "two words", "a\x1b[2J", "{{7*7}}", "-begins-so"])
def test_an_id_that_could_not_stand_in_a_log_is_replaced(said: str) -> None:
    assert Client().get("/api/v1/health/live", headers={"X-Request-ID": said})["X-Request-ID"] != said


def test_a_problem_names_its_request_and_pages_carry_one_too(reader: Agent) -> None:
    answer = reader.get("/memories/nothing-like-it")
    assert answer.status_code == 404 and answer.json()["request_id"] == answer["X-Request-ID"]
    assert Client().get("/login/")["X-Request-ID"]


def test_the_line_of_an_answered_request_tells_who_where_and_how_long_and_nothing_of_what_was_asked(
    writer: Agent, space: Space, settings: Any
) -> None:
    settings.LOG_REQUESTS = True
    with lines_of_requests() as seen:
        writer.post("/memories", {"text": "The heron's name is a secret."})
        writer.get("/search?q=heron")
    made, asked = seen
    assert (made["method"], made["route"], made["status"]) == ("POST", "api/v1/memories", 201)
    assert made["space"] == space.name and made["key"] and made["agent"] and len(made["run"]) == 16
    assert made["ms"] > 0 and asked["request"] != made["request"]
    assert "heron" not in str(seen)


def test_a_job_remembers_the_request_that_queued_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(tasks.run_job, "apply_async", lambda args, headers: sent.append(headers))
    with work(request="r-1"):
        queue("0" * 16)
    seen: list[dict[str, Any]] = []
    monkeypatch.setattr(tasks.run, "run", lambda job_id: seen.append(log_fields()))
    tasks.run_job.apply(args=("0" * 16,), headers=sent[0])
    assert seen == [{"request": "r-1", "job": "0" * 16}]


def test_an_error_that_nobody_expected_names_its_request_and_not_what_it_choked_on(
    reader: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> str:
        raise ValueError("The heron's name is a secret.")

    monkeypatch.setattr("memoryapp.interfaces.health.api.program_version", fails)
    answer = reader.get("/version")
    assert answer.status_code == 500 and answer.json()["request_id"] == answer["X-Request-ID"]
    assert "heron" not in answer.content.decode()
