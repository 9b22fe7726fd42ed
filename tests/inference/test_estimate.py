"""Token counts without a tokenizer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.inference.embedding.estimate import cut_to_tokens, estimate_tokens
from memoryapp.inference.embedding.minilm import MiniLM
from tests.inference.texts import NOTES


def test_the_estimate_of_english_is_near_a_real_count(minilm: MiniLM) -> None:
    real, estimated = (sum(map(count, NOTES)) for count in (minilm.count_tokens, estimate_tokens))
    assert real <= estimated <= 1.3 * real


def test_hangul_counts_by_the_syllable() -> None:
    assert estimate_tokens("가나다 라마") == 7


@pytest.mark.parametrize(("text", "kept"), [("one two three", "one two "), ("가나다라", "가나"), ("a", "a"), ("", "")])
def test_a_cut_keeps_whole_pieces(text: str, kept: str) -> None:
    assert cut_to_tokens(text, limit=4) == kept


@given(st.text(), st.integers(3, 50))
def test_a_cut_text_fits_and_a_text_that_fits_is_not_cut(text: str, limit: int) -> None:
    cut = cut_to_tokens(text, limit=limit)
    assert text.startswith(cut)
    assert estimate_tokens(cut) <= limit
    if estimate_tokens(text) <= limit:
        assert cut == text
