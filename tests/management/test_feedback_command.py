"""`manage.py feedback`: what rose and fell, said, taken back and given back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memoryapp.management.commands.feedback import feedback_lines
from tests.live import Live

ONE = {"id": "9f2c1b7a40d3e685", "text": "The queue\nmoved. " * 9, "used": 4, "not_useful": 1, "factor": 1.075}
PAGE: dict[str, Any] = {"items": [ONE], "rose": 1, "fell": 0, "even": 0, "next_cursor": None}


def test_a_memory_is_told_in_one_line_that_ends_where_it_must() -> None:
    head, line = feedback_lines(PAGE)
    assert head == "1 rose, 0 fell, 0 even"
    assert line.startswith("9f2c1b7a40d3e685  x1.075  used 4, not useful 1  The queue moved.") and line.endswith("…")
    assert list(feedback_lines(PAGE | {"next_cursor": "x"}))[-1].startswith("… more")


@pytest.mark.slow
def test_it_is_said_shown_taken_back_and_given_back(live: Live) -> None:
    running = live.in_new_space()

    def told(*words: str) -> dict[str, Any]:
        answer = running.command("feedback", *words, "--json")
        assert answer.returncode == 0, answer.stderr
        found: dict[str, Any] = json.loads(answer.stdout)
        return found

    with running.client() as api:
        key = api.post("/memories", json={"text": "The queue moved to Redis."}).json()["id"]
        said = told("--used", key, "--query", "where is the queue?")
        assert said["rose"] == 1 and said["items"][0]["last_query"] == "where is the queue?"
        assert key in running.command("feedback", "--side", "rose").stdout
        reset = told("--reset", key)
        assert reset["rose"] == 0
        assert told("--undo", reset["done"]["reset"])["rose"] == 1
        wrong = running.command("feedback", "--used", "0" * 16)
        assert wrong.returncode == 1 and "Traceback" not in wrong.stderr and wrong.stdout == ""
