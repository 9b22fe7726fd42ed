from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.interfaces.pages.wording import (
    excerpt,
    language,
    mark_terms,
    plain,
    quote_passage,
    shorten_pieces,
    word_diff,
)


def test_a_word_is_marked_where_it_stands_alone() -> None:
    assert mark_terms("A Ti takes time, ti", ["ti"]) == "A <mark>Ti</mark> takes time, <mark>ti</mark>"


def test_a_hangul_word_is_marked_with_its_particle_left_outside() -> None:
    assert mark_terms("우리의 가치관이 있다", ["가치관"]) == "우리의 <mark>가치관</mark>이 있다"


def test_markup_in_a_memory_is_never_markup_on_the_page() -> None:
    shown = mark_terms('<script>alert("x")</script> & run', ["run", "script"])
    assert shown.startswith("&lt;<mark>script</mark>&gt;alert(&quot;x&quot;)")
    assert "<script>" not in shown


@settings(deadline=None)  # a busy machine is no failure
@given(st.text(max_size=200), st.lists(st.text(max_size=6), max_size=4))
def test_marking_adds_marks_and_loses_nothing(text: str, terms: list[str]) -> None:
    from django.utils.html import escape

    assert re.sub(r"</?mark>", "", str(mark_terms(text, terms))) == str(escape(text))


@settings(deadline=None)  # a busy machine is no failure
@given(st.text(max_size=300), st.text(max_size=300))
def test_a_diff_holds_all_words_of_both_sides(before: str, after: str) -> None:
    pieces = word_diff(before, after)
    assert "".join("".join(p.text for p in pieces if p.kind != "in").split()) == "".join(before.split())
    assert "".join("".join(p.text for p in pieces if p.kind != "out").split()) == "".join(after.split())


def test_neighbouring_changes_are_shown_as_one() -> None:
    pieces = word_diff("the 4090 takes short runs.", "the 4090 takes anything under 20 minutes.")
    assert [(p.kind, p.text) for p in pieces] == [
        ("same", "the 4090 takes "),
        ("out", "short runs."),
        ("in", "anything under 20 minutes."),
    ]


def test_a_long_unchanged_stretch_is_cut_in_its_middle() -> None:
    pieces = shorten_pieces(word_diff("a " + "word " * 200 + "z", "b " + "word " * 200 + "y"))
    assert [p.kind for p in pieces] == ["out", "in", "same", "out", "in"]
    assert len(pieces[2].text) < 300
    assert " … " in pieces[2].text


def test_a_diff_of_huge_texts_does_not_hold_up_the_page() -> None:
    assert [p.kind for p in word_diff("a " * 9000, "b " * 9000)] == ["out", "in"]


def test_a_small_change_in_a_huge_text_is_still_told() -> None:
    pad = "pad text here " * 900
    pieces = word_diff(f"The limit is 5 GB. {pad}", f"The limit is 7 GB. {pad}")
    assert [(p.kind, p.text) for p in pieces if p.kind != "same"] == [("out", "5"), ("in", "7")]


def test_an_excerpt_opens_near_the_word_that_was_searched() -> None:
    text = "begin " + "filler " * 100 + "the bucket lives in Seoul " + "filler " * 100
    assert "bucket" in excerpt(text, limit=120, around=["bucket"])
    assert excerpt(text, limit=120).startswith("begin")


def test_markdown_signs_are_taken_off_in_a_list() -> None:
    assert plain("## Backup\n\n- **Starts** at `03:00`\n") == "Backup Starts at 03:00"
    assert plain("```python\nx = 1\n```") == "x = 1"
    assert plain("kept in `ap-northeast-2`") == "kept in ap-northeast-2"
    assert plain("a _simple state_, *not* a **composite** one") == "a simple state, not a composite one"


def test_a_link_in_a_list_is_told_by_its_words() -> None:
    assert plain("build [state machines](https://a.example/guides/x.html) now") == "build state machines now"
    assert plain('see [Rust](https://a.example/Rust_(language) "title")!') == "see Rust!"
    assert plain("![a chart](chart.png) of growth") == "a chart of growth"


def test_signs_that_are_no_markdown_stay() -> None:
    assert plain("snake_case_name and 2 * 3 * 4 and __init__") == "snake_case_name and 2 * 3 * 4 and init"
    assert plain("items[0](x) of a_b") == "items[0](x) of a_b"
    assert plain("f(x)[1] and [an aside] (so)") == "f(x)[1] and [an aside] (so)"


def test_korean_is_told_from_english_by_its_letters() -> None:
    assert language("배포는 금요일 16시부터 멈춘다.") == "ko"
    assert language("Deploys stop on Friday, 금요일.") == "en"
    assert language("12:00") == "en"


def test_a_quote_holds_the_lines_and_what_stands_around_them() -> None:
    document = "one\n\ntwo\nthree\n\nfour\nfive\nsix\nseven"
    quote = quote_passage(document, first_line=3, last_line=4, context=2)
    assert quote.span == "two three"
    assert (quote.before, quote.after) == ("one\n", "\nfour")


def test_a_quote_beyond_the_end_of_a_shorter_file_does_not_fail() -> None:
    assert quote_passage("only\n", first_line=5, last_line=9).span == ""
