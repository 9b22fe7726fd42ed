"""`manage.py heartbeat`: what a space does by itself, in lines and as JSON, and one act done now."""

from __future__ import annotations

import json

import pytest

from memoryapp.jobs.acts import ACTS
from memoryapp.management.commands.heartbeat import heartbeat_lines, outcome_words, schedule_words
from tests.live import Live

PULSE = {
    "act": "expire", "on": True, "every_minutes": 1440, "at": "", "zone": "", "running": None, "failed": False,
    "skipped": False, "last_at": "2026-11-21T03:00:00Z", "took": 0.31, "told": "3 memories archived.",
    "next_at": "2026-11-22T03:00:00Z",
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "every 24 h"),
        ({"every_minutes": 45}, "every 45 min"),
        ({"every_minutes": 0}, "as soon as there is something to do"),
        ({"at": "03:00", "zone": "Asia/Seoul"}, "daily at 03:00 Asia/Seoul"),
    ],
    ids=["hours", "minutes", "soon", "daily"],
)
def test_a_time_is_told_in_words(changes: dict[str, object], told: str) -> None:
    assert schedule_words(PULSE | changes) == told


def test_what_came_of_it_is_told_in_a_line() -> None:
    assert outcome_words(PULSE).endswith("3 memories archived. (0.3 s)")
    assert "skipped: nothing changed" in outcome_words(
        PULSE | {"skipped": True, "told": "nothing changed", "took": None}
    )
    assert "failed: The disk is full." in outcome_words(
        PULSE | {"failed": True, "told": "The disk is full.", "took": None}
    )
    assert outcome_words(PULSE | {"last_at": None}) == "not done yet"
    assert outcome_words(PULSE | {"running": "8c7b6a5948372615"}) == "running now"
    assert next(heartbeat_lines([PULSE | {"on": False}])).split() == ["expire", "off"]


@pytest.mark.slow
def test_it_is_shown_and_an_act_is_done_now(live: Live) -> None:
    running = live.in_new_space()
    shown = running.command("heartbeat")
    assert shown.returncode == 0 and all(key in shown.stdout for key in ACTS)
    done = running.command("heartbeat", "--run", "index", "--json")
    told = json.loads(done.stdout)
    assert told["job"]["status"] == "done" and [one["act"] for one in told["items"]] == ["index"]
    assert told["items"][0]["told"].endswith("on disk.")
    wrong = running.command("heartbeat", "--run", "gossip")
    assert wrong.returncode == 1 and "Traceback" not in wrong.stderr and wrong.stdout == ""
