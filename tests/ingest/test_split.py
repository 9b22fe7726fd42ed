"""Long stretches into pieces: borders, sizes, and that the pieces are the whole."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from memoryapp.ingest.split import Piece, Span, Window, split


def words(text: str) -> int:
    return len(text.split()) + 2


def letters(text: str) -> int:
    return len(text.replace("\n", "").replace(" ", "")) + 2


def pieces(text: str, *, room: int, title: str = "", fences: tuple[Span, ...] = (), count=words) -> list[Piece]:  # type: ignore[no-untyped-def]
    lines = text.split("\n")
    return split(lines, Span(0, len(lines)), fences=fences, title=title, window=Window(room, count))


def test_a_text_that_fits_stays_whole_without_its_outer_blank_lines() -> None:
    assert pieces("\n\na b\n\nc\n\n", room=100) == [Piece("a b\n\nc", 2, 5)]


def test_paragraphs_are_not_parted_where_they_fit() -> None:
    found = pieces("\n\n".join("w " * 6 for _ in range(5)), room=16)
    assert sorted(p.text.count("\n\n") for p in found) == [0, 1, 1]


def test_pieces_are_of_about_equal_length_rather_than_full_and_a_crumb() -> None:
    found = pieces("\n\n".join("w " * 5 for _ in range(9)), room=42)
    assert [len(p.text.split()) for p in found] == [25, 20]


def test_a_code_fence_is_kept_whole_where_it_fits() -> None:
    text = "intro w w w w w w\n\n```\na\n\nb\n\nc\n```\n\nafter w w w w w w w"
    found = pieces(text, room=14, fences=(Span(2, 9),))
    assert len(found) > 1
    assert all(p.text.count("```") in (0, 2) for p in found)


def test_a_fence_that_is_too_long_is_cut_at_its_blank_lines() -> None:
    text = "```\n" + "\n\n".join("w " * 6 for _ in range(4)) + "\n```"
    found = pieces(text, room=16, fences=(Span(0, 9),))
    assert len(found) > 1
    assert all(words(p.text) <= 16 for p in found)


def test_a_heading_stays_with_the_text_under_it() -> None:
    text = "w " * 10 + "\n\n### Head\n\n" + "v " * 10
    assert [p.text.split()[0] for p in pieces(text, room=16)] == ["w", "###"]


def test_a_long_line_is_cut_between_words() -> None:
    found = pieces(" ".join(f"word{n}" for n in range(100)), room=20)
    assert all(words(p.text) <= 20 for p in found)
    assert " ".join(p.text for p in found).split() == [f"word{n}" for n in range(100)]
    assert {(p.first, p.last) for p in found} == {(0, 1)}


def test_a_word_longer_than_the_window_is_cut_anywhere() -> None:
    found = pieces("x" * 1_000, room=50, count=letters)
    assert "".join(p.text for p in found) == "x" * 1_000
    assert all(letters(p.text) <= 50 for p in found)


def test_the_title_takes_its_share_of_the_window_but_never_all_of_it() -> None:
    text = "\n\n".join("w " * 4 for _ in range(8))
    assert all(words(p.text) + 4 <= 20 for p in pieces(text, room=20, title="one two three four"))
    assert len(pieces(text, room=20, title="t " * 100)) < 10


@given(
    st.lists(st.sampled_from(["", "", "a", "b c d", "e " * 9, "f" * 30, "### H", "- i", "```"]), max_size=30),
    st.integers(4, 30),
)
def test_the_pieces_are_the_whole_and_none_is_too_long(lines: list[str], room: int) -> None:
    found = pieces("\n".join(lines), room=room, count=letters)
    assert "".join("".join(p.text.split()) for p in found) == "".join("".join(lines).split())
    assert all(letters(p.text) <= max(room, 8 + 2) for p in found)
    for earlier, later in itertools.pairwise(found):
        assert earlier.first <= later.first
        assert earlier.last <= later.last
