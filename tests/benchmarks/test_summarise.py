"""The measures of consolidation: dialogues summarised by each ranker, and the speed of folding."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from benchmarks import folding, summarise
from memoryapp.inference.embedding import load_encoder
from tests.benchmarks.conftest import lines

SCORER = """
def rouge(text, references, l=False):
    said, wanted = set(text.lower().split()), set(references[0].lower().split())
    share = len(said & wanted) / max(len(wanted), 1)
    return {"r1": share, "r2": share, "rl": share if l else 0.0}
"""
DIALOGUES = [
    {
        "id": f"dev_{n}",
        "turns": [
            "#Person1#: Hello! Well, I ' m looking for the harbour office.",
            "#Person2#: The harbour office moved. It is on the north bank now.",
            "#Person1#: Thanks.",
            f"#Person2#: You need ticket {n} for the ferry to the north bank.",
        ],
        "refs": ["#Person1# looks for the harbour office on the north bank."],
        "oracle": [1],
        "split": split,
    }
    for n, split in enumerate(("dev", "dev", "dev", "heldout"))
]


@pytest.fixture
def with_dialogues(bench_dir: Path) -> Path:
    lines(bench_dir / "summarisation/dialogsum.jsonl", DIALOGUES)
    (bench_dir / "summarisation/score.py").write_text(SCORER, encoding="utf-8")
    return bench_dir


def measured(folder: Path, **more: object) -> dict[str, dict[str, dict[str, float]]]:
    told = {"encoder": load_encoder("hashing"), "split": "dev", "limit": 0, "say": lambda _: None} | more
    return summarise.measure(folder, **told)  # type: ignore[arg-type]


def test_every_ranker_is_scored_on_both_halves(with_dialogues: Path) -> None:
    figures = measured(with_dialogues)
    assert set(figures) == {"first three turns", "marks", "central, no model", "central", "central, told"}
    for halves in figures.values():
        assert set(halves) == {"fitted", "other", "both"}
        assert all(0 <= halves["both"][name] <= 1 for name in ("rouge-1", "rouge-2", "rouge-l"))
        assert halves["both"]["words"] > 3


def test_sentences_are_cut_cleaned_and_told_of_their_speaker(with_dialogues: Path) -> None:
    one = next(summarise.read(with_dialogues / "summarisation/dialogsum.jsonl", "dev"))
    assert [piece.text for piece in one.pieces][:2] == [
        "I'm looking for the harbour office.",
        "The harbour office moved.",
    ]
    assert summarise._third_person_text(one, [0]) == "#Person1# is looking for the harbour office."
    assert summarise._third_person_text(one, [len(one.pieces) - 1]).startswith("#Person2#: #Person1# need ticket")


def test_a_folder_without_the_set_gives_nothing_and_says_so(tmp_path: Path) -> None:
    said: list[str] = []
    assert measured(tmp_path, say=said.append) == {} and "dialogsum" in said[0]


def test_folding_is_timed_by_size() -> None:
    figures = folding.measure(sizes=(20,), say=lambda _: None)
    told = figures["20"]
    assert told["digests"] >= 2 and told["bytes"] > told["bytes after"] > 0 and told["write"] > 0
    assert next(iter(folding.table_of(figures))).startswith("sections")


def test_the_command_prints_both_tables(monkeypatch: pytest.MonkeyPatch, with_dialogues: Path, tmp_path: Path) -> None:
    monkeypatch.setenv("MEMORY_BENCH_DIR", str(with_dialogues))
    monkeypatch.setattr(folding.measure, "__kwdefaults__", {"sizes": (10,)})
    out, file = StringIO(), tmp_path / "figures.json"
    words = (
        "--sets",
        "dialogsum,consolidate",
        "--encoder",
        "hashing",
        "--cache",
        str(tmp_path / "c"),
        "--out",
        str(file),
    )
    call_command("bench", *words, stdout=out, stderr=StringIO())
    assert "central, told" in out.getvalue() and "preview, marks" in out.getvalue()
    told = json.loads(file.read_text(encoding="utf-8"))
    assert set(told["consolidate"]) == {"10"} and told["dialogsum"]["marks"]["both"]["words"] > 0
