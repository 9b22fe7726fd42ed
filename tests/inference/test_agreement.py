"""How an encoder compares with the plain one."""

from __future__ import annotations

import numpy as np
import pytest

from memoryapp.inference.embedding.agreement import compare, top_agreement
from memoryapp.inference.embedding.hashing import HashingEncoder
from memoryapp.inference.embedding.minilm import MiniLM
from memoryapp.inference.embedding.sentence import SentenceEncoder
from tests.inference.texts import NOTES, QUESTIONS


def test_the_default_encoder_finds_what_the_plain_one_finds(minilm: MiniLM, plain: SentenceEncoder) -> None:
    report = compare(minilm, plain, texts=NOTES, queries=QUESTIONS, rounds=2)
    assert report.agreement >= 0.97
    assert report.lowest_cosine >= 0.999
    assert report.speed_ratio > 0
    assert report.query_ms > 0
    assert (report.texts, report.queries, report.precision) == (len(NOTES), len(QUESTIONS), minilm.precision)


def test_an_encoder_agrees_with_itself_and_not_with_another() -> None:
    same = compare(HashingEncoder(384), HashingEncoder(384), texts=NOTES, queries=QUESTIONS)
    other = compare(HashingEncoder(384), _reversed(), texts=NOTES, queries=QUESTIONS)
    assert same.agreement == 1
    assert other.agreement < 0.9


def _reversed() -> HashingEncoder:
    class Reversed(HashingEncoder):
        def encode_query(self, text: str) -> np.ndarray:
            return -super().encode_query(text)

    return Reversed(384)


def test_the_overlap_is_the_share_of_the_list() -> None:
    scores = np.array([[4, 3, 2, 1]], dtype=np.float32)
    wanted = np.array([[4, 1, 2, 3]], dtype=np.float32)
    assert top_agreement(scores, wanted, top=2) == 0.5
    assert top_agreement(scores, wanted, top=9) == 1


def test_too_few_texts_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one text"):
        compare(HashingEncoder(), HashingEncoder(), texts=["a"], queries=["b"])
