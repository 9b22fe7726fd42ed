"""Turns: which of them ask, and which were said by the same."""

from __future__ import annotations

import pytest

from memoryapp.domain.turn import Role, Turn, is_question, memory_of, same_speaker
from tests.samples import NOON


@pytest.mark.parametrize(
    "text",
    [
        "When is your exam?",
        "Really??",
        "언제 와？",
        "متى الامتحان؟",
        "“When is your exam?”",
        "Er fragte: „Wann?“",
        "(And you?)",
        "**Coming?**",
        "Coming? 😊",
        "Coming? 👍🏽 ❤️ \n",
        "Coming? 👨‍👩‍👧",
        "Coming? :-)",
        "What happened? :(",
        "올 거야?ㅋㅋ",
        "来る？」",
    ],
)
def test_what_ends_in_a_question_mark_asks_whatever_closes_behind_it(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize(
    "text",
    ["", "Is it? It is.", "Tuesday.", "When? I asked 3", "See https://x.example/?q=a", "😊", "ㅋㅋㅋ", '"'],
)
def test_all_else_does_not(text: str) -> None:
    assert not is_question(text)


def test_who_speaks_is_told_by_name_and_without_names_by_role() -> None:
    def said(speaker: str | None, role: Role = Role.USER) -> Turn:
        return Turn("a" * 16, "s", 1, "Hm.", NOON, speaker, role)

    def same(one: Turn, other: Turn) -> bool:
        return same_speaker(memory_of(one), memory_of(other))

    assert same(said("Ann"), said("ann ")) and not same(said("Ann"), said("Ben"))
    assert same(said(None), said(None)) and not same(said(None), said(None, Role.ASSISTANT))
    assert same(said("Ann"), said(None)) and not same(said("Ann"), said(None, Role.ASSISTANT))
