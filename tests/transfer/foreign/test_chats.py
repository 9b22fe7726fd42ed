"""Chat exports of OpenAI and Claude: what two people would call the conversation, and nothing of the machine's own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memoryapp.domain.fact import IMPLIED
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind
from memoryapp.domain.turn import Role
from memoryapp.transfer.foreign import recognise
from tests.transfer.foreign.conftest import SAMPLES, Found

OPENAI, CLAUDE = SAMPLES / "openai", SAMPLES / "claude"


def said(path: Path, form: str) -> list[list[tuple[Role, str]]]:
    return [[(turn.role, turn.text) for turn in told.turns] for told in Found(path, form).told]


def test_chatgpt_tells_the_branch_that_was_read_last_without_the_machine() -> None:
    assert said(OPENAI, "openai-chat") == [
        [
            (Role.USER, "When is high water on 3 January?"),
            (Role.ASSISTANT, "High water is at 09:42 and 21:58."),
        ],
        [(Role.USER, "돛을 어떻게 접나요?")],
    ]


def test_chatgpt_sessions_carry_their_id_title_and_times() -> None:
    told = Found(OPENAI, "openai-chat").told[0]
    assert (told.session_ref, told.title) == ("openai-chat:c0ffee00-0001", "Tide tables for Busan")
    assert told.at == datetime(2025, 1, 1, 0, 0, 0, 250000, tzinfo=UTC)
    assert [turn.ref for turn in told.turns] == ["n3", "n7"]
    assert told.turns[0].at == datetime(2025, 1, 1, 0, 0, 10, 500000, tzinfo=UTC)


def test_what_chatgpt_remembered_comes_as_facts_that_are_less_sure() -> None:
    facts = [item for item in Found(OPENAI, "openai-chat").items if item.kind is Kind.FACT]
    assert [fact.text for fact in facts] == ["User sails out of Busan.", "User prefers metric units."]
    assert {fact.confidence for fact in facts} == {IMPLIED}


def test_custom_instructions_come_once_without_their_wrapping() -> None:
    notes = {item.title: item.text for item in Found(OPENAI, "openai-chat").items if item.kind is Kind.NOTE}
    assert notes == {
        "About me (custom instructions of ChatGPT)": "I sail out of Busan.",
        "How to answer me (custom instructions of ChatGPT)": "Answer in metric units.",
    }


def test_a_chatgpt_conversation_that_was_not_to_be_remembered_is_not() -> None:
    found = Found(OPENAI, "openai-chat")
    assert found.skipped["A conversation whose owner asked that it not be remembered."] == 1
    assert "secret" not in str(found.all)


def test_what_is_left_out_of_a_chatgpt_export_is_counted_by_reason() -> None:
    assert Found(OPENAI, "openai-chat").skipped == {
        "It is no conversation: it has no tree of messages.": 1,
        "Of the machine: what the system said, and what was said to tools and by them.": 3,
        "Never on the screen: thoughts, summaries of them, hidden messages.": 2,
        "A conversation whose owner asked that it not be remembered.": 1,
        "A conversation in which nothing was said.": 1,
        "A picture or a file beside the words of a turn.": 1,
    }


def test_the_dated_list_that_chatgpt_was_given_of_its_memory_keeps_its_dates(written: Callable[..., Path]) -> None:
    content = {
        "content_type": "model_editable_context",
        "model_set_context": "1. [2024-05-02]. User keeps bees.\n\n2. [2024-06-01]. User sold the boat.",
    }
    path = written([conversation(content, role="assistant")])
    assert [(item.text, str(item.occurred_at)[:10]) for item in Found(path, "openai-chat").items] == [
        ("User keeps bees.", "2024-05-02"),
        ("User sold the boat.", "2024-06-01"),
    ]


def conversation(content: Any, *, role: str = "user", **more: Any) -> dict[str, Any]:
    message = {"id": "b", "author": {"role": role}, "content": content, "recipient": "all", **more}
    return {"id": "c", "mapping": {"a": {"parent": None}, "b": {"parent": "a", "message": message}}}


def test_a_tree_that_goes_in_a_circle_ends(written: Callable[..., Path]) -> None:
    one = conversation({"content_type": "text", "parts": ["Hello"]})
    one["mapping"]["a"]["parent"] = "b"
    one["current_node"] = "b"
    assert said(written([one]), "openai-chat") == [[(Role.USER, "Hello")]]


def test_a_turn_longer_than_a_turn_may_be_comes_in_pieces_that_lose_no_word(written: Callable[..., Path]) -> None:
    text = "\n\n".join(f"Paragraph {n} " + "tide " * 200 for n in range(30))
    path = written([conversation({"content_type": "text", "parts": [text]})])
    turns = Found(path, "openai-chat").told[0].turns
    assert len(turns) > 1
    assert all(len(turn.text) <= LIMITS.turn_chars for turn in turns)
    assert " ".join(turn.text for turn in turns).split() == text.split()
    assert [turn.ref for turn in turns] == ["b", *(f"b/{n}" for n in range(2, len(turns) + 1))]


def test_claude_tells_the_last_branch_with_the_words_of_its_blocks() -> None:
    assert said(CLAUDE, "claude-chat") == [
        [
            (Role.USER, "How thick should the lines be?"),
            (Role.ASSISTANT, "For a boat of 10 m take 14 mm.\n\nPolyester, not nylon."),
            (Role.USER, "감사합니다"),
        ],
        [(Role.USER, "Only text, as exports had it once")],
    ]


def test_what_is_left_out_of_a_claude_export_is_counted_by_reason() -> None:
    assert Found(CLAUDE / "conversations.json", "claude-chat").skipped == {
        "It is no conversation: it has no list of messages.": 1,
        "A file that was sent along.": 2,
        "Of the machine: thoughts, what was said to tools and by them.": 3,
        "A conversation in which nothing was said.": 1,
    }


def test_what_claude_remembers_comes_as_notes_under_their_headings() -> None:
    found = Found(CLAUDE, "claude-chat")
    assert [(item.title, item.text) for item in found.items] == [
        ("What Claude remembers: Work context", "Mara is a structural engineer in Busan."),
        ("What Claude remembers: Work context", "She maintains the tide-gauge service."),
        ("What Claude remembers: Personal context", "- Sails on weekends\n- Learns Portuguese"),
        ("What Claude remembers of Tide Gauge", "The gauge reports every six minutes."),
        ("preferences", "- Prefers metric units"),
    ]


def test_a_memory_has_the_same_ref_with_and_without_the_projects_file() -> None:
    alone = Found(CLAUDE / "memories.json", "claude-chat").items
    together = Found(CLAUDE, "claude-chat").items
    assert [item.ref for item in alone] == [item.ref for item in together]


@pytest.mark.parametrize(
    ("folder", "form"), [(OPENAI, "openai-chat"), (CLAUDE, "claude-chat")], ids=["openai", "claude"]
)
def test_the_zip_archive_that_is_sent_is_read_as_its_folder_is(
    folder: Path, form: str, zipped: Callable[[Path], Path]
) -> None:
    archive = zipped(folder)
    assert recognise(archive) == recognise(folder) == form
    assert Found(archive, form).refs == Found(folder, form).refs
