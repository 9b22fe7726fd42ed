from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.node import line_key, with_row, without_rows
from memoryapp.tree.lines import add_line, append_block, escape_line, read, remove_lines, replace_line

PAGE = (
    "# GPU\n\nWhat runs where.\n\n## Runs\n\n* A on one.\n* B on two,\n  and three.\n\n## Limits\n\n1. First.\n\n"
    "```\n- code\n```\n"
)
ROWS = st.sampled_from(
    ["# T", "## S", "- one", "* two", "  wrapped", "plain words", "", "> said", "```", "1. first", "| a |", "말과 글"]
)
TEXTS = st.builds(lambda rows, end, last: end.join(rows) + (end if last else ""), st.lists(ROWS, max_size=14),
                  st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())  # fmt: skip


def test_lines_are_items_and_paragraphs_and_neither_code_nor_headings() -> None:
    assert [(one.said, one.section, one.listed) for one in read(PAGE).lines] == [
        ("What runs where.", 0, False),
        ("A on one.", 1, True),
        ("B on two, and three.", 1, True),
        ("First.", 2, True),
    ]


@pytest.mark.parametrize(
    ("text", "beside", "made"),
    [
        ("", None, "- new\n"),
        ("# T", None, "# T\n\n- new"),
        ("# T\n", None, "# T\n\n- new\n"),
        ("- a", None, "- a\n- new"),
        ("* a\r\n* b\r\n", None, "* a\r\n* b\r\n* new\r\n"),
        ("- a\n\n- b\n", None, "- a\n\n- b\n\n- new\n"),
        ("- a\n\n## S\n\nx\n\n## U\n", 4, "- a\n\n## S\n\nx\n\n- new\n\n## U\n"),
        ("## S\n- a\n## U\n- b\n", 0, "## S\n- a\n- new\n## U\n- b\n"),
        ("- a\n\ntext\n\n- b\n", 0, "- a\n- new\n\ntext\n\n- b\n"),
        ("1. a\n", None, "1. a\n\n- new\n"),
        ("  -  a\n", None, "  -  a\n  -  new\n"),
    ],
)
def test_a_line_is_added_where_it_fits_in_the_manner_of_the_file(text: str, beside: int | None, made: str) -> None:
    assert add_line(text, "new", beside=beside) == made


def test_a_line_is_replaced_with_the_rows_it_went_on_in() -> None:
    key = line_key("* B on two,")
    assert replace_line(PAGE, key, "C.") == PAGE.replace("B on two,\n  and three.", "C.")
    assert with_row(PAGE, key, "* C.") == PAGE.replace("B on two,\n  and three.", "C.")
    assert without_rows(PAGE, {key}) == PAGE.replace("* B on two,\n  and three.\n", "")
    assert remove_lines(PAGE, {key}) == PAGE.replace("* B on two,\n  and three.\n", "")
    assert replace_line(PAGE, "0" * 16, "C.") == PAGE


@given(TEXTS, st.one_of(st.none(), st.integers(0, 14)))
def test_adding_a_line_changes_no_other_byte(text: str, beside: int | None) -> None:
    made = add_line(text, "quetzal", beside=beside)
    rows = [row for row in read(made).rows if "quetzal" in row]
    assert len(rows) == 1
    kept = [row.strip() for row in read(made).rows if "quetzal" not in row and row.strip()]
    assert kept == [row.strip() for row in read(text).rows if row.strip()]


@given(TEXTS)
def test_what_was_added_in_a_place_of_its_own_can_be_taken_out_again(text: str) -> None:
    made = append_block(text, "quetzal")
    said = [one for one in read(made).lines if "quetzal" in one.said]
    if said and said[0].said == "quetzal":
        assert "quetzal" not in remove_lines(made, {line_key("quetzal")})


@given(TEXTS)
def test_joined_rows_are_the_text(text: str) -> None:
    assert "".join(read(text).rows) == text


@pytest.mark.parametrize(
    ("said", "line"),
    [("- a  b", "a b"), ("# no", "\\# no"), ("2. Liga", "2\\. Liga"), ("> x", "\\> x"), ("plain", "plain")],
)
def test_words_open_nothing_behind_a_bullet(said: str, line: str) -> None:
    assert escape_line(said) == line
    assert [one.said for one in read(f"- {escape_line(said)}").lines] == [line]
