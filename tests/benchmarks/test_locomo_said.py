"""LoCoMo through sessions: turns go in as an agent posts them, and a result counts for the turns it was said in."""

from __future__ import annotations

from pathlib import Path

from benchmarks.locomo_said import measure, sessions_table, talk_of
from benchmarks.sets import locomo
from memoryapp.inference.embedding import load_encoder


def test_a_conversation_becomes_a_talk_in_its_order(bench_dir: Path) -> None:
    talk = talk_of(next(locomo(bench_dir, "dev")))
    assert [one.ref for one in talk.turns] == ["D1:1", "D1:2", "D1:3", "D2:1", "D2:2"]
    assert talk.sessions == ("D1", "D2")
    assert talk.turns[0].at < talk.turns[1].at < talk.turns[2].at
    assert talk.turns[0].speaker == "Ann"


def test_what_was_said_is_found_by_its_turn(bench_dir: Path) -> None:
    told = measure(bench_dir, encoder=load_encoder("hashing"), split="dev", limit=0, say=lambda _: None)
    assert told["questions"] == 2
    assert told["all"]["R@5"] == told["all"]["plain R@5"] == 1
    assert "2 questions" in next(iter(sessions_table(told)))


def test_without_the_set_nothing_is_measured(tmp_path: Path) -> None:
    said: list[str] = []
    assert measure(tmp_path, encoder=load_encoder("hashing"), split="dev", limit=0, say=said.append) == {}
    assert "not in the folder" in said[0]
    assert list(sessions_table({})) == []
