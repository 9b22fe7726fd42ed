from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command


def run(*words: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("bench", *words, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_without_the_sets_it_says_so_and_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMORY_BENCH_DIR", raising=False)
    out, _ = run()
    assert out.startswith("Skipped: MEMORY_BENCH_DIR")


def test_it_prints_a_table_and_writes_json(monkeypatch: pytest.MonkeyPatch, bench_dir: Path, tmp_path: Path) -> None:
    monkeypatch.setenv("MEMORY_BENCH_DIR", str(bench_dir))
    file = tmp_path / "figures.json"
    words = ("--sets", "markdown", "--encoder", "hashing-384", "--cache", str(tmp_path / "cache"), "--out", str(file))
    out, _ = run(*words, "--strategies", "hybrid,keyword")
    assert "BM25" in out and "hybrid" in out and "vector" not in out
    figures = json.loads(file.read_text(encoding="utf-8"))
    assert figures["quality"]["markdown"]["hybrid"]["R@1"] == 1
    printed, _ = run(*words, "--json", "--ablations")
    assert set(json.loads(printed)) >= {"quality", "ablations", "encoder", "split"}


def test_an_unknown_set_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch, bench_dir: Path) -> None:
    monkeypatch.setenv("MEMORY_BENCH_DIR", str(bench_dir))
    with pytest.raises(SystemExit) as left:
        run("--sets", "locomo,nonsense")
    assert left.value.code == 1


def test_what_each_question_scored_is_held_against_a_later_run(
    monkeypatch: pytest.MonkeyPatch, bench_dir: Path, tmp_path: Path
) -> None:
    monkeypatch.setenv("MEMORY_BENCH_DIR", str(bench_dir))
    each = tmp_path / "each.json"
    words = ("--sets", "markdown", "--encoder", "hashing-384", "--cache", str(tmp_path / "cache"))
    run(*words, "--strategies", "hybrid", "--each", str(each))
    out, _ = run(*words, "--strategies", "hybrid", "--against", str(each))
    assert "+0.0 [+0.0, +0.0]" in out
    out, _ = run(*words, "--strategies", "hybrid,hybrid;keyword=0;vector=0", "--against", "hybrid")
    assert "-100.0 [-100.0, -100.0]*" in out


def test_a_file_that_holds_no_scores_is_refused(
    monkeypatch: pytest.MonkeyPatch, bench_dir: Path, tmp_path: Path
) -> None:
    monkeypatch.setenv("MEMORY_BENCH_DIR", str(bench_dir))
    with pytest.raises(SystemExit) as left:
        run("--sets", "markdown", "--encoder", "hashing-384", "--against", str(tmp_path / "none.json"))
    assert left.value.code == 1
