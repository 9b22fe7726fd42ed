from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.index import spans, tokens
from memoryapp.search.evidence import _marks

TEXT = "Happiness is moving queues: the queue's moved, it was running (run, RUN!) and we queued 42 happy runners."

WORDS = ("moving", "Moved", "queue's", "queues", "don't", "re-run", "3rd", "happily", "happy", "x")


@pytest.mark.parametrize("query", ["happy", "queue", "run moves", "42", "absent", "don't", ""])
def test_the_short_way_marks_what_the_long_way_marks(query: str) -> None:
    terms = set(tokens(query))
    assert _marks(TEXT, terms) == [(start, end) for term, start, end in spans(TEXT) if term in terms]


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_both_ways_agree_on_any_order_of_words(words: list[str]) -> None:
    text = " ".join(words)
    for term in set(tokens(text)):
        assert _marks(text, {term}) == [(start, end) for t, start, end in spans(text) if t == term]


def test_korean_words_are_marked_whole() -> None:
    text = "나의 가치관은 정직이다"
    assert [text[start:end] for start, end in _marks(text, set(tokens("가치관이 뭐야?")))] == ["가치관은"]
