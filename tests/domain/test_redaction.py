from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.redaction import (
    MARK,
    marks,
    quotes,
    redact_phrases,
    redacted_all,
    redacted_turn,
    telling,
    without_sentences_like,
)

words = st.lists(st.text("abcdefgh가나다라", min_size=3, max_size=8), min_size=3, max_size=6)


@given(words, st.lists(st.sampled_from([" ", "  ", "\n", "\t"]), min_size=6, max_size=6), st.text(max_size=20))
def test_a_phrase_is_found_and_taken_out_whatever_the_spaces_and_the_case(
    said: list[str], spaces: list[str], around: str
) -> None:
    phrase = " ".join(said)
    written = "".join(f"{word}{space}" for word, space in zip(said, spaces, strict=False)).strip().upper()
    text = f"{around}. {written}. {around}"
    assert quotes(text, [phrase])
    assert MARK in redact_phrases(text, [phrase])
    assert not quotes(redact_phrases(text, [phrase]).replace(MARK, ""), [phrase]) or phrase in around
    assert any(mark in text.lower() for mark in marks([phrase]))


def test_what_is_said_everywhere_is_not_looked_for() -> None:
    assert telling(["Yes.", "I do", "", None, "“I keep bees.”", "채식주의자이고 고양이를 키운다"]) == (
        "I keep bees",
        "채식주의자이고 고양이를 키운다",
    )


def test_a_phrase_inside_another_word_is_not_it() -> None:
    assert redact_phrases("The bee keepers meet. Bee keeper!", ["bee keeper"]) == f"The bee keepers meet. {MARK}!"


def test_korean_endings_do_not_hide_a_phrase() -> None:
    assert redact_phrases("민수는 부산에 산다고 했다.", ["민수는 부산에 산다"]) == f"{MARK}고 했다."


def test_every_text_inside_plain_values_is_redacted_and_the_rest_stays() -> None:
    value = {"a": ["I keep bees", 3, None], "b": {"c": "no"}}
    assert redacted_all(value, ["I keep bees"]) == {"a": [MARK, 3, None], "b": {"c": "no"}}


@pytest.mark.parametrize(
    ("text", "quote", "about", "left"),
    [
        ("Hi. I'm vegan.", "I'm vegan.", "Ana is vegan.", f"Hi. {MARK}."),
        ("Hi. Ana is really vegan now.", "", "Ana is vegan.", f"Hi. {MARK}"),
        ("Hi. Of bees and bee keeping, more later.", "", "Ana keeps bees.", MARK),
        ("Nothing of it", "Something else", "Ana is vegan.", MARK),
    ],
)
def test_a_turn_loses_the_sentence_it_was_learned_from(text: str, quote: str, about: str, left: str) -> None:
    assert redacted_turn(text, quote=quote, about=about) == left


def test_a_reason_that_tells_it_in_nearly_its_words_loses_them() -> None:
    told = without_sentences_like("He asked. Forget that she is allergic to nuts.", "Ana is allergic to nuts.")
    assert told == f"He asked. {MARK}"
    assert without_sentences_like("He asked for it.", "Ana is allergic to nuts.") == "He asked for it."
