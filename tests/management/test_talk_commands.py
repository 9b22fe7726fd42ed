"""The commands of facts, talks, conflicts and the past: the same words as the API, one clear line on a mistake."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.live import Live

pytestmark = pytest.mark.slow  # an app is started


@pytest.fixture(scope="module")
def app(live: Live) -> Live:
    return live.in_new_space()


def did(app: Live, *words: str, stdin: str = "") -> str:
    done = app.command(*words, stdin=stdin)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def told(app: Live, *words: str) -> Any:
    return json.loads(did(app, *words, "--json"))


def test_a_talk_is_opened_said_read_ended_and_shown(app: Live) -> None:
    assert "standup" in did(app, "session", "open", "standup", "--agent", "planner")
    said = did(app, "session", "say", "standup", "We decided to move the queue to Redis.", "--speaker", "Minsu")
    assert "Minsu: We decided to move the queue to Redis." in said and "rules: written" in said
    assert "I work at Naver." in did(
        app, "session", "say", "standup", "-", "--speaker", "Jihye", stdin="I work at Naver."
    )
    assert "Redis" in did(app, "facts", "list") and "Redis" in did(app, "facts")
    ended = did(app, "session", "end", "standup")
    assert "Decision: " in ended and "Redis" in ended
    shown = told(app, "session", "show", "standup")
    assert len(shown["said"]) == 2 and shown["told"]["id"] == shown["episode"]
    assert "Redis" in did(app, "episodes") and "Redis" in did(app, "episodes", "message queue")
    assert "Naver" in did(app, "context", "Where does Jihye work?", "--budget", "200")


def test_a_preview_stores_nothing(app: Live) -> None:
    before = told(app, "facts", "list")["total"]
    tried = did(app, "facts", "preview", "I started a new job as a nurse in May. Wow!", "--speaker", "Tomas")
    assert "+ " in tried and "nurse" in tried and "Tomas" in tried
    assert told(app, "facts", "list")["total"] == before


def test_a_conflict_is_listed_shown_decided_and_undone(app: Live) -> None:
    did(app, "spaces", "set", app.space or "default", "conflict_policy=review")
    for place in ("Seoul", "Busan"):
        did(app, "remember", f"Ada lives in {place}.", "--kind", "fact")
    (one,) = told(app, "conflicts", "list")["items"]
    listed = did(app, "conflicts")
    assert one["id"] in listed and "Ada lives in Seoul." in listed and "Ada lives in Busan." in listed
    found = did(app, "recall", "Where does Ada live?")
    assert found.count(f"disputed: see `manage.py conflicts show {one['id']}`") == 2 and "trust 0." in found
    shown = did(app, "conflicts", "show", one["id"])
    assert "proposed: replace" in shown and "keep:" in shown and "neither:" in shown
    assert "Snoozed until" in did(app, "conflicts", "snooze", one["id"], "--hours", "2")
    assert "No conflicts." in did(app, "conflicts", "list")
    did(app, "conflicts", "snooze", one["id"], "--hours", "0")
    decided = told(app, "conflicts", "resolve", one["id"], "replace", "--reason", "She moved.")
    assert decided["status"] == "decided"
    assert "She moved." in did(app, "audit", "--record", one["id"])
    assert "waits again" in did(app, "conflicts", "undo", one["id"])
    again = told(app, "conflicts", "resolve", one["id"], "keep")
    assert "taken back." in did(app, "undo", again["run"])
    assert told(app, "conflicts", "list")["total"] == 1


def test_a_memory_is_shown_edited_put_aside_brought_back_and_erased(app: Live) -> None:
    key = did(app, "remember", "The lamp is green.").strip()
    assert "trust 0.9" in did(app, "memory", "show", key)
    edited = did(
        app, "memory", "edit", key, "--text", "-", "--tag", "home", "--reason", "Painted.", stdin="The lamp is red."
    )
    assert "version 2" in edited and "manage.py undo" in edited
    assert told(app, "memory", "show", key)["tags"] == ["home"]
    assert "The lamp is green." in did(app, "memory", "history", key)
    assert "dry run" in did(app, "memory", "archive", key, "--dry-run")
    assert told(app, "memory", "archive", key)["memory"]["state"] == "archived"
    assert told(app, "memory", "restore", key)["memory"]["state"] == "held"
    run = told(app, "memory", "delete", key, "--reason", "Gone.")["run"]
    assert "1 change would be taken back." in did(app, "undo", run, "--dry-run")
    assert "1 change taken back." in did(app, "undo", run)
    assert "Would erase" in did(app, "memory", "purge", key, "--dry-run")
    refused = app.command("memory", "purge", key)
    assert refused.returncode == 1 and "pass --yes" in refused.stderr
    assert "Nothing of it is left." in did(app, "memory", "purge", key, "--yes")
    assert app.command("memory", "show", key).returncode == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("session", "say", "nobody-opened-this", "Hello."), "nobody-opened-this"),
        (("session", "say", "standup", "   "), "empty"),
        (("session", "open", "  "), "name"),
        (("conflicts", "show", "0" * 16), "There is no conflict"),
        (("conflicts", "snooze", "0" * 16, "--hours", "-1"), "--hours"),
        (("conflicts", "resolve", "0" * 16, "merge", "--text", " "), "merge needs"),
        (("memory", "edit", "0" * 16), "Nothing is to be changed"),
        (("memory", "show", "../stats"), "There is nothing at"),
        (("memory", "show", ""), "empty"),
        (("facts", "preview", ""), "nothing to read"),
        (("facts", "list", "--category", "gossip"), "categories"),
        (("context", " "), "no message"),
        (("audit", "--since", "yesterday"), "since"),
        (("undo", "0" * 16), "There is no run"),
        (("episodes", "--space", "nowhere"), "nowhere"),
    ],
)
def test_a_mistake_is_one_line_and_a_code(app: Live, words: tuple[str, ...], said: str) -> None:
    refused = app.command(*words)
    assert refused.returncode == 1 and refused.stdout == "", (refused.stdout, refused.stderr)
    lines = [line for line in refused.stderr.splitlines() if line and not line.startswith("Using ")]
    assert len(lines) == 1 and said in lines[0], refused.stderr


def test_every_verb_explains_itself(app: Live) -> None:
    for words in (
        ("facts",),
        ("session",),
        ("conflicts",),
        ("memory",),
        ("context",),
        ("episodes",),
        ("audit",),
        ("undo",),
    ):
        shown = app.command(*words, "--help")
        assert shown.returncode == 0 and "--json" in shown.stdout and "--data DIR" in shown.stdout, words
    for words in (("facts", "preview"), ("session", "say"), ("conflicts", "resolve"), ("memory", "purge")):
        shown = app.command(*words, "--help")
        assert shown.returncode == 0 and "--json" in shown.stdout and "--space" in shown.stdout, words
    assert app.command("memory").returncode == 2
    assert app.command("conflicts", "decide", "x").returncode == 2
