"""The command of the inbox: the same words as the API, and how each act is taken back."""

from __future__ import annotations

import re

import pytest

from tests.live import Live
from tests.management.test_talk_commands import did, told

pytestmark = pytest.mark.slow  # an app is started


@pytest.fixture(scope="module")
def app(live: Live) -> Live:
    return live.in_new_space()


def test_what_was_heard_is_listed_accepted_dropped_excluded_and_brought_back(app: Live) -> None:
    assert "Nothing waits." in did(app, "inbox")
    did(app, "session", "open", "standup", "--agent", "planner")
    for words in ("I work at Naver in Seoul.", "We decided to move the queue to Redis.", "My sister lives in Busan."):
        did(app, "session", "say", "standup", words, "--speaker", "Jihye")
    listed = did(app, "inbox", "list", "--session", "standup")
    assert listed.startswith("standup, planner: ") and "Naver" in listed
    items = {item["fact"]["text"]: item["fact"]["id"] for item in told(app, "inbox")["items"]}
    naver = next(key for text, key in items.items() if "Naver" in text)
    redis = next(key for text, key in items.items() if "Redis" in text)
    assert "1 would be accepted." in did(app, "inbox", "accept", naver, "--dry-run")
    assert "1 accepted." in did(app, "inbox", "accept", naver)
    assert "1 left: somebody dealt with them before." in did(app, "inbox", "drop", naver)
    assert "are not learned" in did(app, "inbox", "never", redis, "--likeness", "0.6")
    assert "(0.7, 0 kept out)" in did(app, "inbox", "likeness", redis, "0.7")
    assert "0 kept out" in did(app, "inbox", "exclusions")
    removed = did(app, "inbox", "allow", redis)
    assert "Nothing is excluded." in did(app, "inbox", "exclusions")
    run = re.findall(r"undo ([0-9a-f]{16})", removed)[0]
    did(app, "undo", run)
    assert "Redis" in did(app, "inbox", "exclusions")
    assert "marked as seen" in did(app, "inbox", "seen")
    assert "Nothing waits." in did(app, "inbox")


def test_a_mistake_is_one_clear_line(app: Live) -> None:
    nothing = app.command("inbox", "drop")
    assert nothing.returncode != 0 and "Name the facts by `ids`" in nothing.stderr
    strange = app.command("inbox", "never", "0123456789abcdef")
    assert strange.returncode != 0 and "There is no memory" in strange.stderr
