from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.sentences import sentence_spans, sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Dr. Osei moved. It rains!  And?", ("Dr. Osei moved.", "It rains!", "And?")),
        ("J. Smith is here, e.g. now.\n- a list\n\n- of two", ("J. Smith is here, e.g. now.", "- a list", "- of two")),
        ('She said "no." Then she left.', ('She said "no."', "Then she left.")),
        ("我走了。他来了！", ("我走了。", "他来了！")),
        ("version 3.11 of it", ("version 3.11 of it",)),
        ("  \n ", ()),
        ("", ()),
    ],
)
def test_a_text_is_cut_where_sentences_and_lines_end(text: str, parts: tuple[str, ...]) -> None:
    assert sentences(text) == parts


@given(st.text(alphabet="aB. !?\n。”)", max_size=60), st.integers(0, 20), st.integers(0, 60))
def test_the_spans_are_in_order_lie_inside_and_leave_only_white_space_and_closing_marks(
    text: str, start: int, end: int
) -> None:
    spans = sentence_spans(text, start, end)
    stop = min(end, len(text))
    assert all(start <= span.start < span.end <= stop for span in spans)
    assert all(one.end <= other.start for one, other in itertools.pairwise(spans))
    told = "".join(text[span.start : span.end] for span in spans)
    assert [c for c in text[start:stop] if c in "aB"] == [c for c in told if c in "aB"]
