"""Open questions are bounded, and go with what is purged."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memoryapp.domain.question import question_id
from memoryapp.store import questions
from memoryapp.store.database import Database

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def test_the_same_words_are_one_question() -> None:
    assert question_id("Where is  Mina?") == question_id("where is mina") != question_id("where is Minsu?")


def test_only_the_last_are_kept(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "MOST", 3)
    for n in range(5):
        questions.keep(db, f"question number {n}", by="atlas", now=NOON + timedelta(minutes=n))
    assert [one.text for one in questions.every(db)] == [f"question number {n}" for n in (4, 3, 2)]
    questions.answered(db, "Question number 3?")
    questions.answered(db, "never asked")
    assert [one.text for one in questions.every(db)] == ["question number 4", "question number 2"]
