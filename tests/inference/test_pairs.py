"""A cross-encoder by path. The model is a tiny one with random weights, built here."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from memoryapp.domain.errors import ModelMissing, ModelUnreadable
from memoryapp.inference.embedding.minilm import packaged_folder
from memoryapp.inference.reranking.pairs import load_pair_judge

LABELS = ("entailment", "neutral", "contradiction")  # in another order than ours


def tiny(folder: Path, labels: tuple[str, ...]) -> Path:
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=30_522,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        num_labels=len(labels),
        id2label=dict(enumerate(labels)),
        label2id={label: n for n, label in enumerate(labels)},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    for file in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copyfile(packaged_folder() / file, folder / file)
    return folder


def test_it_loads_and_gives_contradiction_entailment_neutral(tmp_path: Path) -> None:
    judge = load_pair_judge(tiny(tmp_path / "nli", LABELS))
    assert judge.name == "nli"
    made = judge.probabilities([("a cat sits", "a cat stands"), ("one", "two"), ("\ud800", "x")])
    assert made.shape == (3, 3)
    assert np.allclose(made.sum(axis=1), 1, atol=1e-4)
    assert judge.probabilities([]).shape == (0, 3)


def test_the_columns_follow_the_model_s_labels(tmp_path: Path) -> None:
    ours = load_pair_judge(tiny(tmp_path / "ours", ("contradiction", "entailment", "neutral")))
    theirs = load_pair_judge(tiny(tmp_path / "theirs", LABELS))  # the same weights under other labels
    pair = [("a cat sits", "a cat stands")]
    assert np.allclose(ours.probabilities(pair)[0], theirs.probabilities(pair)[0][[1, 2, 0]], atol=1e-5)


def test_a_folder_that_is_not_there_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="MEMORY_NLI_MODEL"):
        load_pair_judge(tmp_path / "nowhere")


def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnreadable, match="three labels"):
        load_pair_judge(tiny(tmp_path / "two", ("yes", "no")))
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelUnreadable):
        load_pair_judge(tmp_path / "empty")
