"""Letta's agent files, LangGraph's store, Zep's and Graphiti's graph, transcripts of Claude Code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memoryapp.domain.fact import IMPLIED
from memoryapp.domain.memory import Kind
from memoryapp.domain.turn import Role
from memoryapp.transfer.foreign import recognise
from tests.transfer.foreign.conftest import Found

Write = Callable[..., Path]


def spoken(found: Found) -> list[tuple[Role, str]]:
    return [(turn.role, turn.text) for told in found.told for turn in told.turns]


def test_blocks_of_a_letta_agent_come_as_notes_and_its_messages_as_a_conversation(written: Write) -> None:
    def message(role: str, text: str) -> dict[str, Any]:
        return {"role": role, "content": [{"type": "text", "text": text}], "created_at": "2025-10-31T22:56:56+00:00"}

    agent = {
        "name": "Harbour",
        "block_ids": ["block-0", "block-1"],
        "messages": [
            message("system", "You are"),
            message("user", "When is low water?"),
            message("assistant", "At 4."),
        ],
    }
    blocks = [
        {"id": "block-0", "label": "human", "value": "Name: Mara"},
        {"id": "block-1", "label": "persona", "value": ""},
    ]
    path = written({"agents": [agent], "blocks": blocks}, "harbour.af")
    assert recognise(path) == "letta"
    found = Found(path, "letta")
    assert [(item.title, item.text) for item in found.items] == [("human (memory block of Harbour)", "Name: Mara")]
    assert spoken(found) == [(Role.USER, "When is low water?"), (Role.ASSISTANT, "At 4.")]


def test_an_agent_file_of_the_first_kind_tells_what_was_sent_and_not_what_was_thought(written: Write) -> None:
    sent = {"function": {"name": "send_message", "arguments": json.dumps({"message": "At four."})}}
    heartbeat = json.dumps({"type": "heartbeat", "reason": "again"})
    asked = json.dumps({"type": "user_message", "message": "When is low water?", "time": "now"})
    agent = {
        "agent_type": "memgpt_agent",
        "name": "Harbour",
        "core_memory": [{"label": "human", "value": "Mara sails"}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": heartbeat}]},
            {"role": "user", "content": [{"type": "text", "text": asked}]},
            {"role": "assistant", "content": [{"type": "text", "text": "She asks…"}], "tool_calls": [sent]},
        ],
    }
    found = Found(written(agent), "letta")
    assert found.texts == ["Mara sails"]
    assert spoken(found) == [(Role.USER, "When is low water?"), (Role.ASSISTANT, "At four.")]


def test_a_block_that_is_rewritten_keeps_its_ref(written: Write) -> None:
    def ref(value: str) -> str:
        agent = {"agent_type": "x", "name": "A", "core_memory": [{"label": "human", "value": value}]}
        return Found(written(agent), "letta").items[0].ref

    assert ref("before") == ref("after")


def test_items_of_a_langgraph_store_come_under_their_namespace_and_key(written: Write) -> None:
    when = {"created_at": "2025-01-01T00:00:00Z", "updated_at": "2025-02-01T00:00:00Z"}
    items = [
        {"namespace": ["users", "mara"], "key": "k1", "value": {"text": "Rows on Sundays"}, **when},
        {
            "namespace": ["users", "mara"],
            "key": "k2",
            "value": {"kind": "Memory", "content": {"content": "Prefers tea"}},
            **when,
        },
        {"namespace": ["users", "mara"], "key": "profile", "value": {"name": "Mara", "age": 34}, **when},
        {"namespace": ["users"], "key": "empty", "value": {}, **when},
    ]
    path = written({"items": items})
    assert recognise(path) == "langgraph"
    found = Found(path, "langgraph")
    assert found.texts == ["Rows on Sundays", "Prefers tea", "name: Mara\nage: 34"]
    assert found.items[0].ref == "langgraph:users/mara/k1"
    assert found.items[0].tags == ("users", "mara")
    assert found.skipped == {"It is no item with a key and words.": 1}


def test_a_graph_of_zep_or_graphiti_comes_with_what_still_holds(written: Write) -> None:
    ends = {"source_node_uuid": "n1", "target_node_uuid": "n2"}
    graph = {
        "edges": [
            {"uuid": "e1", "name": "WORKS_AT", "fact": "Mara works at Acme", "valid_at": "2025-01-01", **ends},
            {"uuid": "e2", "name": "WORKS_AT", "fact": "Mara works at Ebb", "invalid_at": "2024-12-31", **ends},
        ],
        "nodes": [
            {"uuid": "n1", "name": "Mara", "labels": ["Entity", "Person"], "summary": "An engineer."},
            {"uuid": "n2", "name": "Acme", "labels": ["Entity"], "summary": ""},
        ],
        "episodes": [{"uuid": "p1", "name": "chat", "content": "Mara: I work at Acme", "source": "message"}],
    }
    path = written(graph)
    assert recognise(path) == "graphiti"
    found = Found(path, "graphiti")
    assert found.links == [("Mara", "works_at", "Acme")]
    assert found.named == [("Mara", "Person"), ("Acme", "")]
    assert [(item.kind, item.text) for item in found.items] == [
        (Kind.NOTE, "An engineer."),
        (Kind.FACT, "Mara works at Acme"),
        (Kind.NOTE, "Mara: I work at Acme"),
    ]
    assert found.skipped == {"A fact that no longer holds there.": 1}


def test_a_transcript_of_claude_code_tells_the_talk_without_the_tools(written: Write) -> None:
    def entry(kind: str, uuid: str, content: Any, **more: Any) -> dict[str, Any]:
        return {
            "type": kind,
            "uuid": uuid,
            "sessionId": "s1",
            "cwd": "/home/mara/tide-gauge",
            "timestamp": "2026-01-08T20:16:04.050Z",
            "message": {"role": kind, "content": content},
            **more,
        }

    path = written(
        [
            {"type": "summary", "summary": "Fixing the gauge"},
            entry("user", "u1", "<command-name>/clear</command-name>"),
            entry("user", "u2", "Why is the gauge an hour off?"),
            entry("assistant", "u3", [{"type": "thinking", "thinking": "…"}, {"type": "tool_use", "name": "Read"}]),
            entry("user", "u4", [{"type": "tool_result", "content": "tz=UTC"}]),
            entry("assistant", "u5", [{"type": "text", "text": "It reads summer time as UTC."}]),
            entry("assistant", "u6", [{"type": "text", "text": "From a helper"}], isSidechain=True),
        ],
        "s1.jsonl",
        lines=True,
    )
    assert recognise(path) == "claude-code"
    found = Found(path, "claude-code")
    assert spoken(found) == [
        (Role.USER, "Why is the gauge an hour off?"),
        (Role.ASSISTANT, "It reads summer time as UTC."),
    ]
    assert (found.told[0].session_ref, found.told[0].title) == ("claude-code:s1", "tide-gauge")
    assert sum(found.skipped.values()) == 5


LIST = """Here is everything:
```
## Preferences
[2025-05-02] - Prefers metric units
- [unknown] - 김치를 좋아한다
3. [2024-01-31]. Sold the boat
[2025-05-02] - prefers  metric units
```
That is the complete set."""


def test_a_list_that_an_assistant_wrote_comes_as_dated_facts(tmp_path: Path) -> None:
    path = tmp_path / "memories.txt"
    path.write_text(LIST, "utf-8")
    assert recognise(path) == "memory-list"
    found = Found(path, "memory-list").items
    assert [(item.text, str(item.occurred_at)[:10], item.tags) for item in found] == [
        ("Prefers metric units", "2025-05-02", ("Preferences",)),
        ("김치를 좋아한다", "None", ("Preferences",)),
        ("Sold the boat", "2024-01-31", ("Preferences",)),
    ]
    assert {(item.kind, item.confidence) for item in found} == {(Kind.FACT, IMPLIED)}


@pytest.mark.parametrize(
    "text",
    [
        "- [x] buy filters\n- [ ] sharpen\n- [x] call\n",
        "[link](http://example.org)\n[other](http://example.org)\n",
        "# Diary\n\n[2025-05-02] - rowed\n\nThen a long day.\nAnd another.\nAnd one more.\n",
    ],
    ids=["tasks", "links", "diary"],
)
def test_other_texts_are_no_such_list(tmp_path: Path, text: str) -> None:
    path = tmp_path / "text.md"
    path.write_text(text, "utf-8")
    assert recognise(path) is None
