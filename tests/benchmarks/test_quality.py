from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.quality import Variant, ablations, by_question, measure, strategies
from benchmarks.table import ablation_table, quality_table
from memoryapp.domain.errors import BadInput
from memoryapp.inference.embedding import load_encoder


def test_every_strategy_is_measured_through_the_products_own_path(bench_dir: Path) -> None:
    said: list[str] = []
    figures = measure(
        bench_dir,
        ["locomo", "markdown"],
        encoder=load_encoder("hashing"),
        variants=strategies(),
        split="dev",
        limit=0,
        say=said.append,
    )
    assert figures["markdown"]["keyword"] == {"R@1": 1, "R@5": 1}
    assert figures["locomo"]["hybrid"]["R@5"] == 1
    assert len(said) == 2
    printed = "\n".join(quality_table(figures))
    assert "hybrid" in printed and "1.000*" in printed


def test_each_ablation_takes_one_piece_out(bench_dir: Path) -> None:
    encoder = load_encoder("hashing")
    columns = [Variant("hybrid"), *ablations()]
    asked = by_question(
        bench_dir, ["locomo"], encoder=encoder, variants=columns, split="dev", limit=1, say=lambda _: None
    )
    assert set(asked["locomo"]) == {variant.name for variant in columns}
    printed = "\n".join(ablation_table(asked, whole="hybrid"))
    assert "without speaker" in printed and "[" in printed


def test_a_column_may_be_a_plan_and_not_a_strategy_that_nobody_knows() -> None:
    assert [one.strategy for one in strategies(["hybrid", "hybrid;graph=0"])] == ["hybrid", "hybrid;graph=0"]
    with pytest.raises(BadInput, match="no strategy “best"):
        strategies(["best"])


def test_a_set_that_is_not_there_is_skipped_by_name(bench_dir: Path) -> None:
    said: list[str] = []
    encoder, columns = load_encoder("hashing"), [Variant("hybrid")]
    figures = measure(bench_dir, ["korean"], encoder=encoder, variants=columns, split="dev", limit=0, say=said.append)
    assert (figures, said) == ({}, ["korean: not in the folder, skipped"])
