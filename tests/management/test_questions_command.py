"""`manage.py questions`: what agents asked and did not find, put aside and deleted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memoryapp.management.commands.questions import question_lines
from tests.live import Live

ONE = {
    "id": "9f2c1b7a40d3e685",
    "text": "which port does staging use?",
    "times": 3,
    "by": "atlas",
    "last_at": "2026-11-21T09:30:00Z",
}


def test_a_question_is_told_in_a_line() -> None:
    (line,) = question_lines({"items": [ONE], "total": 1})
    assert line == "9f2c1b7a40d3e685  3×  2026-11-21  atlas  which port does staging use?"
    assert list(question_lines({"items": [], "total": 0})) == ["No open questions."]
    assert list(question_lines({"items": [ONE], "total": 9}))[-1] == "… 9 in all: --limit"


@pytest.mark.slow
def test_they_are_listed_put_aside_and_deleted(live: Live) -> None:
    running = live.in_new_space()

    def told(*words: str) -> dict[str, Any]:
        answer = running.command("questions", *words, "--json")
        assert answer.returncode == 0, answer.stderr
        found: dict[str, Any] = json.loads(answer.stdout)
        return found

    with running.client() as api:
        api.post("/memories", json={"text": "The heron stands in the reeds."})
        api.post("/search", json={"query": "when is the dentist's invoice due?"})
        (one,) = told()["items"]
        assert told("--dismiss", one["id"])["items"] == []
        assert told("--restore", one["id"])["total"] == 1
        assert told("--clear")["done"] == {"deleted": 1}
        wrong = running.command("questions", "--delete", "0" * 16)
        assert wrong.returncode == 1 and "Traceback" not in wrong.stderr
