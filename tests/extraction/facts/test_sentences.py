from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.extraction.facts.sentences import TURN_CHARS, cut


def texts(said: str) -> list[str]:
    return [piece.text for piece in cut(said)]


def test_a_sentence_ends_at_its_mark_and_a_line_ends_one_too() -> None:
    assert texts("I moved. It rained!\nWhy so late? Done") == ["I moved.", "It rained!", "Why so late?", "Done"]


@pytest.mark.parametrize(
    "said", ["I met Dr. Kim at 3.15 p.m. today.", "We use Node.js v1.2 here.", "See example.com/a.b for more."]
)
def test_a_dot_inside_a_name_or_a_number_ends_nothing(said: str) -> None:
    assert texts(said) == [said]


def test_an_abbreviation_before_a_new_sentence_ends_it_but_a_title_does_not() -> None:
    assert texts("We work for Acme Inc. They pay well.") == ["We work for Acme Inc.", "They pay well."]
    assert texts("I saw Mr. Park.") == ["I saw Mr. Park."]


def test_the_items_of_a_list_in_one_line_are_some_each() -> None:
    assert texts('1. the printer is "loud" 2. the coffee is sour 3. Tom is late') == [
        '1. the printer is "loud"',
        "2. the coffee is sour",
        "3. Tom is late",
    ]
    assert texts("It took 2. 5 is more.") == ["It took 2.", "5 is more."]


def test_code_blocks_are_left_out() -> None:
    assert texts("It fails:\n```py\nraise SystemExit. No\n```\nOn Windows only.") == ["It fails:", "On Windows only."]


def test_a_code_block_that_is_never_closed_takes_the_rest() -> None:
    assert texts("Look.\n```\nI live here.") == ["Look."]


def test_a_closing_quote_belongs_to_its_sentence() -> None:
    assert texts('He said "go." Then we went.') == ['He said "go."', "Then we went."]


@given(st.text(max_size=400))
def test_every_piece_is_where_it_says(said: str) -> None:
    pieces = cut(said)
    assert all(said[piece.start : piece.end] == piece.text and piece.text.strip() == piece.text for piece in pieces)
    assert all(one.end <= two.start for one, two in itertools.pairwise(pieces))


def test_what_is_pasted_beyond_a_turn_is_not_read() -> None:
    assert cut("word " * TURN_CHARS)[-1].end <= TURN_CHARS


def test_what_a_chat_notes_of_an_attachment_is_no_sentence() -> None:
    text = "I adopted a dog. [image: a photo of a dog in a park] He is called Rex. [see the notes]"
    assert [piece.text for piece in cut(text)] == ["I adopted a dog.", "He is called Rex.", "[see the notes]"]


def test_what_is_marked_as_code_is_not_cut() -> None:
    text = "Use `INSERT ... ON CONFLICT (sku) DO UPDATE` there. It works."
    assert [piece.text for piece in cut(text)] == [text[: -len(" It works.")], "It works."]
    assert len(cut("A ` left open. And more.")) == 2
