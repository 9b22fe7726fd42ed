from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import intake, speed
from benchmarks.table import intake_table, speed_table
from memoryapp.inference.embedding import load_encoder


@pytest.mark.slow
def test_searches_are_timed_beside_the_baseline_as_the_space_grows(bench_dir: Path) -> None:
    told = speed.measure(bench_dir, encoder=load_encoder("hashing"), sizes=[30, 60], say=lambda _: None)
    assert set(told["searches"]) == {"30", "60"}
    for one in told["searches"].values():
        assert 0 < one["hybrid_ms"]["p50"] <= one["hybrid_ms"]["p95"]
        assert one["ratio"] > 0
        assert one["graph"]["references"] > one["graph"]["entities"] > 0
        assert all(one["graph"][f"{name}_ms"]["p50"] > 0 for name in speed.WALKING)
    assert told["start_to_ready_s"] > 0
    printed = "\n".join(speed_table(told))
    assert "60" in printed and "dual-arm" in printed


@pytest.mark.slow
def test_ingest_is_timed_new_unchanged_and_with_one_change(bench_dir: Path) -> None:
    folder = bench_dir / "markdown/til/git"
    folder.mkdir(parents=True)
    for n in range(3):
        (folder / f"note-{n}.md").write_text(f"# Note {n}\n\nRebase {n} onto main.\n", encoding="utf-8")
    told = intake.measure(bench_dir, encoder=load_encoder("hashing"), limit=0, say=lambda _: None)
    assert (told["files"], told["sections"], told["changed_sections"]) == (3, 3, 1)
    assert told["share_of_encoder"] > 0
    assert "share of encoder" in "\n".join(intake_table(told))
    assert (folder / "note-0.md").read_text(encoding="utf-8").endswith("main.\n")


def test_a_corpus_is_as_large_as_asked_and_the_same_every_time(bench_dir: Path) -> None:
    assert len(speed.corpus(bench_dir, 40).texts) == 40
    assert speed.corpus(bench_dir, 40) == speed.corpus(bench_dir, 40)
