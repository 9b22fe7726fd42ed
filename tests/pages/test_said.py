from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memoryapp.interfaces.sessions.presenter import blocks_of, cut


def plain(blocks: list) -> list[tuple[bool, str]]:  # type: ignore[type-arg]
    return [(block.code, "".join(span.text for span in block.spans)) for block in blocks]


def test_code_and_prose_are_told_apart() -> None:
    text = "Before.\n\n```sh\nls -l\n\nexit\n```\n\nAfter.\n~~~\nraw\n~~~"
    assert plain(blocks_of(text)) == [(False, "Before."), (True, "ls -l\n\nexit"), (False, "After."), (True, "raw")]


def test_a_fence_that_is_never_closed_runs_to_the_end() -> None:
    assert plain(blocks_of("Look:\n```\nprint(1)\n")) == [(False, "Look:"), (True, "print(1)")]


def test_quotes_are_marked_whatever_the_white_space_and_overlaps_are_one() -> None:
    (block,) = blocks_of("Well. I live  in\nSeoul and work. Bye.", ["I live in Seoul", "Seoul and work.", "not said"])
    assert [(span.text, span.marked) for span in block.spans] == [
        ("Well. ", False),
        ("I live  in\nSeoul and work.", True),
        (" Bye.", False),
    ]


def test_a_cut_ends_between_words() -> None:
    assert cut("one two three", longest=9) == "one two …"
    assert cut("short", longest=9) == "short"
    assert cut("x" * 50, longest=9) == "x" * 9 + " …"


@given(st.text(alphabet="ab `~\n", max_size=80), st.lists(st.text(alphabet="ab ", max_size=6), max_size=3))
def test_nothing_of_the_words_is_lost_or_doubled(text: str, quotes: list[str]) -> None:
    shown = "".join(words for _, words in plain(blocks_of(text, quotes)))
    for letter in "ab":
        fenced = "```" in text or "~~~" in text  # an info string behind a fence is not shown
        assert shown.count(letter) == text.count(letter) or fenced
        assert shown.count(letter) <= text.count(letter)
