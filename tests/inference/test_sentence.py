"""Any sentence-transformers model."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from memoryapp.domain.errors import ModelMissing, ModelUnreadable
from memoryapp.inference.embedding.minilm import packaged_folder
from memoryapp.inference.embedding.sentence import SentenceEncoder, load_sentence
from tests.inference.texts import NOTES

# Syllables as a vocabulary holds them: whole, and as what goes on a word.
KOREAN_WORDS = [
    mark + letter for letter in dict.fromkeys("다람쥐헌쳇바퀴에타고파그는어제회의에서발표했") for mark in ("", "##")
]


def test_an_english_vocabulary_is_recognised_as_such(sentence: SentenceEncoder) -> None:
    assert sentence.languages == {"en"}


def test_a_vocabulary_that_has_learnt_korean_is_recognised_as_such(tmp_path: Path) -> None:
    folder = tmp_path / "korean"
    shutil.copytree(packaged_folder(), folder)
    config = json.loads((folder / "tokenizer_config.json").read_text())
    config["strip_accents"] = False  # or Hangul is taken apart before the vocabulary is asked
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["normalizer"]["strip_accents"] = False
    vocabulary = tokenizer["model"]["vocab"]
    unused = [word for word in vocabulary if word.startswith("[unused")]
    for word, learnt in zip(unused, KOREAN_WORDS, strict=False):
        vocabulary[learnt] = vocabulary.pop(word)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    (folder / "vocab.txt").write_text("\n".join(sorted(vocabulary, key=vocabulary.__getitem__)), "utf-8")
    assert load_sentence(str(folder), plain=True).languages == {"en", "ko"}


def test_its_vectors_are_those_of_fp32(sentence: SentenceEncoder, plain: SentenceEncoder) -> None:
    assert plain.precision == "fp32"
    assert ((sentence.encode_documents(NOTES) * plain.encode_documents(NOTES)).sum(axis=1) >= 0.999).all()


def test_the_model_s_prompts_go_before_queries_and_documents(tmp_path: Path, plain: SentenceEncoder) -> None:
    folder = tmp_path / "with-prompts"
    shutil.copytree(packaged_folder(), folder)
    config = json.loads((folder / "config_sentence_transformers.json").read_text())
    config["prompts"] = {"query": "Represent this question: ", "document": "Passage: "}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(config))
    prompted = load_sentence("with-prompts", models_dir=tmp_path, plain=True)
    assert prompted.name == "with-prompts"
    expected = plain.encode_documents(["Represent this question: what is it", "Passage: it is a pump"])
    assert np.allclose(prompted.encode_query("what is it"), expected[0], atol=1e-5)
    assert np.allclose(prompted.encode_documents(["it is a pump"])[0], expected[1], atol=1e-5)


def test_a_hugging_face_name_is_found_in_the_models_folder_by_its_last_part(tmp_path: Path) -> None:
    (tmp_path / "some-model").symlink_to(packaged_folder())
    found = load_sentence("some-maker/some-model", models_dir=tmp_path)
    assert (found.name, found.dimension) == ("some-maker/some-model", 384)


def test_a_model_that_is_not_here_is_not_fetched(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="nobody/no-such-model is not on this machine"):
        load_sentence("nobody/no-such-model", models_dir=tmp_path)


def test_a_damaged_folder_is_unreadable(damaged_folder: Path) -> None:
    with pytest.raises(ModelUnreadable, match="does not load"):
        load_sentence(str(damaged_folder))


@pytest.mark.parametrize("path", ["/no/such/model", "~/no-such-model", "./no-such-model"])
def test_a_path_that_is_not_there_is_told_before_anything_is_loaded(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)  # importing it would fail, and takes seconds
    with pytest.raises(ModelMissing, match=path):
        load_sentence(path)
