from __future__ import annotations

from datetime import datetime
from pathlib import Path

from benchmarks.sets import locomo, markdown
from memoryapp.domain.memory import words_of


def test_a_turn_keeps_its_words_speaker_session_and_date(bench_dir: Path) -> None:
    (pool,) = locomo(bench_dir, "dev")
    first = pool.items[0]
    assert (first.ref, first.session, first.speaker) == ("D1:1", "D1", "Ann")
    assert first.occurred_at == datetime(2023, 5, 8, 13, 56)
    assert words_of(first.text, speaker=first.speaker) == "Ann: I painted a sunrise."


def test_only_the_split_and_only_questions_with_gold_are_asked(bench_dir: Path) -> None:
    (pool,) = locomo(bench_dir, "dev")
    assert [asked.gold for asked in pool.questions] == [("D1:1",), ("D2:1",)]
    (whole,) = locomo(bench_dir, "all")
    assert len(whole.questions) == 3


def test_a_note_is_remembered_without_the_title_it_is_asked_by(bench_dir: Path) -> None:
    (pool,) = markdown(bench_dir, "dev")
    assert {item.title for item in pool.items} == {""}
