"""`palimpsest traces`: what agents asked, as lines; one call; deleted."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from memoryapp.management.show_traces import trace_lines, traces_lines
from tests.live import Live

LINE: dict[str, Any] = {
    "id": "9f2c1b7a40d3e685", "at": "2026-11-21T09:30:00Z", "act": "context", "question": "which\nport?",
    "agent": "atlas", "key": "pal_1a2b3c4d", "strategy": "hybrid", "result": "unclear", "given": 2, "used": 1,
    "tokens": 1310, "ms": 14.2, "budget": 1500, "cached": False,
}  # fmt: skip
ITEM: dict[str, Any] = {
    "id": "0f2c1b7a40d3e685", "kind": "fact", "state": "held", "text": "The port is 8080.", "relevance": 0.81,
    "answer": "", "changed": False, "layer": "facts", "tokens": 9, "use": 1, "conflicts": [], "inherited_from": None,
}  # fmt: skip
PAGE: dict[str, Any] = {
    "items": [LINE], "calls": 41, "results": {"answered": 40, "unclear": 1}, "ms": 14.2, "tokens": 310, "agents": [],
    "next_cursor": "x",
}  # fmt: skip


def test_a_list_says_what_it_comes_to_and_a_line_a_call() -> None:
    head, line, more = traces_lines(PAGE)
    assert head == "41 calls: 40 answered, 1 unclear; median 14 ms, 310 tokens"
    assert line == "9f2c1b7a40d3e685  2026-11-21T09:30  atlas  unclear  2 given, 1 used  which port?"
    assert more == "… 41 in all: --limit"
    assert list(traces_lines(PAGE | {"items": [], "calls": 0})) == ["No calls."]


def test_a_call_says_who_asked_what_was_given_and_what_of_it_is_not_as_it_was() -> None:
    gone = ITEM | {"kind": None, "state": None, "text": None, "relevance": None, "layer": "", "use": -1}
    disputed = ITEM | {"state": "superseded", "changed": True, "use": 0, "conflicts": ["c" * 16]}
    lines = list(trace_lines(LINE | {"items": [ITEM, gone, disputed]}))
    assert lines[1].endswith("hybrid: unclear; 1,310 of 1,500 tokens, 14 ms")
    assert lines[2:4] == ["[1] 0f2c1b7a40d3e685  81%  facts, fact, used", "    The port is 8080."]
    assert lines[4:6] == ["[2] 0f2c1b7a40d3e685  –  not useful", "    no longer there"]
    assert lines[6] == f"[3] 0f2c1b7a40d3e685  81%  facts, fact, superseded, changed since, in conflict {'c' * 16}"


@pytest.mark.slow
def test_what_an_agent_asked_is_listed_shown_and_deleted(live: Live) -> None:
    running = live.in_new_space()
    with running.client() as api:
        api.post("/memories", json={"text": "The queue moved to Redis."})
        made = api.post("/keys", json={"name": "atlas", "role": "reader", "space": running.space}).json()
        # The key of the commands speaks for a person, whose searches leave no trace.
        asked = {"query": "where is the queue?", "strategy": "keyword"}
        answer = api.post("/search", json=asked, headers={"Authorization": f"Bearer {made['key']}"})
        assert answer.status_code == 200, answer.text
    found: dict[str, Any] = {"items": []}
    for _ in range(50):  # a trace is written half a second after the call
        answer = running.command("traces", "--json")
        assert answer.returncode == 0, answer.stderr
        found = json.loads(answer.stdout)
        if found["items"]:
            break
        time.sleep(0.1)
    key = found["items"][0]["id"]
    assert "The queue moved to Redis." in running.command("traces", key).stdout
    assert running.command("traces", "--delete").returncode != 0
    assert running.command("traces", key, "--delete").stdout.strip() == "Deleted."
    assert json.loads(running.command("traces", "--json").stdout)["items"] == []
