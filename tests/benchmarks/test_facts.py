from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from benchmarks import facts
from memoryapp.inference.embedding import load_encoder
from tests.benchmarks.conftest import lines


@pytest.fixture
def with_facts(bench_dir: Path) -> Path:
    known = [
        {"conv": "c1", "session": "D1", "fact": "Ann painted a sunrise.", "evidence": ["D1:1"], "split": "dev"},
        {"conv": "c1", "session": "D2", "fact": "Nothing like it at all.", "evidence": ["D2:1"], "split": "dev"},
        {"conv": "c9", "session": "D1", "fact": "Of another conversation.", "evidence": ["D1:1"], "split": "heldout"},
    ]
    lines(bench_dir / "locomo/facts.jsonl", known)
    return bench_dir


def measured(folder: Path, *, split: str = "dev") -> dict[str, float]:
    told = facts.measure(folder, encoder=load_encoder("hashing"), split=split, limit=0, say=lambda _: None)
    return dict(told["all"]) if told else {}


def test_a_fact_in_the_same_words_is_met_and_one_in_none_is_not(with_facts: Path) -> None:
    assert measured(with_facts)["c75"] == 0.5


def test_facts_are_counted_by_turn_and_by_whose_turn_has_one(with_facts: Path) -> None:
    figures = measured(with_facts)
    assert 0 < figures["facts a turn"] <= 1
    assert 0 <= figures["noise"] <= figures["session noise"] <= 1


def test_a_split_without_facts_or_a_folder_without_the_set_gives_nothing(with_facts: Path, tmp_path: Path) -> None:
    assert measured(with_facts, split="heldout") == {}
    assert measured(tmp_path / "nowhere") == {}


def test_the_command_prints_the_table(monkeypatch: pytest.MonkeyPatch, with_facts: Path, tmp_path: Path) -> None:
    monkeypatch.setenv("MEMORY_BENCH_DIR", str(with_facts))
    out, file = StringIO(), tmp_path / "figures.json"
    words = ("--sets", "facts", "--encoder", "hashing", "--cache", str(tmp_path / "cache"), "--out", str(file))
    call_command("bench", *words, stdout=out, stderr=StringIO())
    assert "session noise" in out.getvalue() and "turns a second" in out.getvalue()
    assert json.loads(file.read_text(encoding="utf-8"))["facts"]["all"]["c75"] == 0.5
