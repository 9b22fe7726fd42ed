"""Where sections begin and end, what they are called, and that no word of the body is lost."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.document import Section
from memoryapp.ingest.cut import cut, plain_title
from memoryapp.ingest.split import Window

WIDE = Window(100_000, lambda text: len(text.split()))


def words(text: str) -> int:
    return len(text.split()) + 2  # two special tokens, as an encoder counts


def sections(text: str, *, name: str = "file", window: Window = WIDE, plain: bool = False) -> tuple[Section, ...]:
    return cut(text, key="s:a.md", name=name, window=window, plain=plain).sections


def titles(text: str, **options: object) -> list[str]:
    return [section.title for section in sections(text, **options)]  # type: ignore[arg-type]


def test_a_level_two_heading_starts_a_section() -> None:
    found = sections("# Doc\n\n## One\n\na\n\n## Two\n\nb\n")
    assert [(s.title, s.text) for s in found] == [("One", "## One\n\na"), ("Two", "## Two\n\nb")]


def test_text_before_the_first_heading_is_never_titled_by_a_later_one() -> None:
    found = sections("She runs the shop.\n\n# Contact\n\nBy phone.\n\n## Hours\n\nnine", name="Ida Berg")
    assert [(s.title, s.breadcrumb) for s in found] == [
        ("Ida Berg", ("Ida Berg",)),
        ("Contact", ("Ida Berg", "Contact")),
        ("Hours", ("Ida Berg", "Contact", "Hours")),
    ]


def test_a_badge_a_tag_or_a_picture_above_the_level_one_is_no_text() -> None:
    for above in ("[![build](a.svg)](http://x)", "#shop #배포", "<!-- draft -->", "[[Home]]"):
        assert titles(f"{above}\n\n# Doc\n\nmore\n\n## One\n\na") == ["Doc", "One"]
    assert sections("# Doc\nintro\n## One\na")[0].text == "# Doc\nintro"


def test_without_a_level_one_the_file_name_titles_it() -> None:
    assert titles("intro\n\n## One\n\na", name="rollback") == ["rollback", "One"]


def test_without_a_level_one_the_file_name_leads_every_breadcrumb() -> None:
    found = sections("## Budget\n\n2000 EUR\n\n## 숙소\n\ntwo nights", name="Kyushu trip")
    assert [s.breadcrumb for s in found] == [("Kyushu trip", "Budget"), ("Kyushu trip", "숙소")]


def test_the_title_of_the_front_matter_leads_before_the_level_one() -> None:
    text = "---\ntitle: x\n---\n# Doc\n\nintro\n\n## One\n\na"
    found = cut(text, key="k", name="n", title="Plan 2026", body_line=3, window=WIDE).sections
    assert [(s.title, s.breadcrumb) for s in found] == [
        ("Doc", ("Plan 2026", "Doc")),
        ("One", ("Plan 2026", "Doc", "One")),
    ]


def test_a_block_id_is_no_part_of_a_title_and_an_id_stays_what_it_was() -> None:
    (marked,) = sections("## Standup ^4f2a91\n\nwho does what")
    assert (marked.title, marked.heading) == ("Standup", "Standup ^4f2a91")
    assert titles("## 2 ^n") == ["2 ^n"]


def test_deeper_headings_stay_inside_and_make_the_breadcrumb() -> None:
    found = sections("# Doc\n\n## One\n\na\n\n### Deep\n\nb\n\n#### Deeper\n\nc\n\n## Two\n\nd")
    assert [s.breadcrumb for s in found] == [("Doc", "One", "Deep", "Deeper"), ("Doc", "Two")]
    assert "#### Deeper" in found[0].text


def test_a_heading_inside_a_code_fence_is_not_a_heading() -> None:
    for fence in ("```", "~~~", "````"):
        assert titles(f"## One\n\n{fence}sh\n## not a heading\n# nor this\n{fence}\n\nend") == ["One"]


def test_a_heading_in_an_indented_block_a_list_a_quotation_or_html_is_not_a_heading() -> None:
    text = "## One\n\n    ## code\n\n- item\n\n  ## in a list\n\n> ## quoted\n\n<pre>\n## html\n</pre>\n"
    assert titles(text) == ["One"]


def test_a_fence_that_never_ends_swallows_the_rest() -> None:
    assert titles("## One\n\n```\n\n## Two\n") == ["One"]


def test_seven_hashes_or_no_space_make_no_heading() -> None:
    assert titles("## One\n\n####### seven\n\n##nospace\n\n## ") == ["One", "file"]


def test_a_closing_run_of_hashes_is_no_part_of_the_title() -> None:
    assert titles("## One ##\n\na") == ["One"]


def test_a_second_level_one_starts_a_section() -> None:
    assert titles("# A\n\na\n\n# B\n\nb\n\n## C\n\nc") == ["A", "B", "C"]
    assert sections("# A\n\na\n\n# B\n\nb\n\n## C\n\nc")[2].breadcrumb == ("file", "B", "C")


def test_a_level_one_underlined_with_equals_titles_the_file() -> None:
    assert titles("Doc\n===\n\nintro\n\n## One\n\na") == ["Doc", "One"]


def test_a_level_two_underlined_with_dashes_stays_inside() -> None:
    found = sections("## One\n\nlooks like text\n---\n\nb")
    assert [(s.title, s.breadcrumb) for s in found] == [("One", ("file", "One", "looks like text"))]


def test_a_lone_level_one_above_a_section_is_only_a_step_of_the_breadcrumb() -> None:
    assert [(s.title, s.breadcrumb) for s in sections("# Doc\n\n## One\n\na")] == [("One", ("Doc", "One"))]


def test_a_heading_without_text_is_kept_so_that_its_words_can_be_found() -> None:
    assert titles("## Buy milk\n## Call Mina\n") == ["Buy milk", "Call Mina"]
    assert [(s.title, s.text) for s in sections("# Only a title\n")] == [("Only a title", "# Only a title")]


@pytest.mark.parametrize("text", ["", "\n\n", "   \n\t\n"])
def test_an_empty_file_has_no_sections(text: str) -> None:
    assert sections(text) == ()


def test_front_matter_is_left_out_and_lines_still_count_from_the_files_top() -> None:
    text = "---\ntitle: x\n---\n\n## One\n\na\n"
    found = cut(text, key="k", name="n", body_line=3, window=WIDE).sections
    assert [(s.text, s.first_line, s.last_line) for s in found] == [("## One\n\na", 5, 7)]


def test_lines_point_into_the_text() -> None:
    text = "# Doc\n\nintro\n\n\n## One\n\na\n\nb\n\n\n## Two\n"
    lines = text.split("\n")
    for section in sections(text):
        assert section.text == "\n".join(lines[section.first_line - 1 : section.last_line])


def test_two_sections_of_one_title_get_different_and_stable_ids() -> None:
    first = sections("## A\n\n1\n\n## A\n\n2\n")
    again = sections("## A\n\nchanged\n\n## A\n\n2\n")
    assert [s.ordinal for s in first] == [0, 1]
    assert len({s.id for s in first}) == 2
    assert [s.id for s in first] == [s.id for s in again]


def test_an_id_depends_on_path_and_title_alone() -> None:
    one = cut("## A\n\n1", key="s:a.md", name="n", window=WIDE).sections[0].id
    assert one == cut("intro\n\n## B\n\n## A\n\n2", key="s:a.md", name="n", window=WIDE).sections[2].id
    assert one != cut("## A\n\n1", key="s:b.md", name="n", window=WIDE).sections[0].id
    assert len(one) == 16


def test_plain_text_has_no_headings() -> None:
    assert titles("# not a heading\n\n## nor this", name="log", plain=True) == ["log"]


def test_titles_are_plain_and_of_bounded_length() -> None:
    assert plain_title("See [the  docs](http://x/y) and [[note|it]]") == "See the docs and it"
    assert len(plain_title("x" * 10_000)) == 300


def test_korean_headings_are_headings() -> None:
    assert titles("# 가치관\n\n## 배포 중단\n\n금요일에는 배포하지 않는다.\n") == ["배포 중단"]


def test_a_long_section_is_cut_at_paragraphs_and_every_part_keeps_the_title() -> None:
    body = "\n\n".join(f"paragraph {n} " + "word " * 8 for n in range(12))
    found = sections(f"## Long\n\n{body}\n\n## Next\n\nx", window=Window(40, words))
    parts = [s for s in found if s.title == "Long"]
    assert [s.part for s in parts] == list(range(1, len(parts) + 1))
    assert len(parts) > 2
    assert all(words(s.text) <= 40 for s in parts)
    assert all(s.text.startswith(("## Long", "paragraph")) for s in parts)
    assert len({s.id for s in found}) == len(found)
    assert found[-1].part == 0


def test_the_first_part_keeps_the_id_of_the_uncut_section() -> None:
    text = "## A\n\n" + "word " * 30 + "\n\n" + "more " * 30
    assert sections(text)[0].id == sections(text, window=Window(40, words))[0].id


def test_parts_carry_the_headings_in_force_where_they_begin() -> None:
    text = "## A\n\n" + "w " * 20 + "\n\n### B\n\n" + "w " * 20 + "\n\n" + "v " * 20
    crumbs = [s.breadcrumb for s in sections(text, window=Window(30, words))]
    assert crumbs == [("file", "A"), ("file", "A", "B"), ("file", "A", "B")]


def test_ten_thousand_headings_are_cut_in_linear_time() -> None:
    began = time.perf_counter()
    found = sections("".join(f"## H {n}\n\ntext {n}\n\n" for n in range(10_000)))
    assert len(found) == 10_000
    assert time.perf_counter() - began < 60


@pytest.mark.parametrize(
    "hostile",
    [
        ">" * 10_000 + " x",
        ("> " * 1_000 + "x\n") * 50,
        "".join(" " * (2 * n) + "- x\n" for n in range(1_000)),
        "- " * 10_000 + "x",
        "1) " * 5_000 + "x",
        "[a]: <\n" * 5_000,
        "[\n" * 10_000,
        "<!--\n" * 10_000,
        "```\n~~~\n" * 10_000,
        "|" * 50_000 + "\n" + "-|" * 50_000,
        "*" * 50_000,
        "w" * 1_000_000,
        "word " * 200_000,
        "\n" * 200_000,
    ],
    ids=range(14),
)
def test_hostile_markdown_neither_hangs_nor_overflows_the_stack(hostile: str) -> None:
    began = time.perf_counter()
    found = sections(f"## A\n\n{hostile}\n\n", window=Window(256, words))
    assert found[0].title == "A"
    assert time.perf_counter() - began < 60


LINES = st.sampled_from(
    [
        "", "", "# One", "## Two", "## Two", "### Three", "text words here", "- item", "  - nested", "> quote", "```",
        "~~~", "---", "===", "    code", "<div>", "</div>", "| a | b |", "[x]: y", "# ", "##", "가치관 배포", "\ttab",
        "1. one",
    ]
)  # fmt: skip


@given(st.lists(LINES, max_size=40), st.sampled_from([WIDE, Window(12, words)]), st.booleans())
def test_the_sections_together_are_the_whole_body(lines: list[str], window: Window, plain: bool) -> None:
    found = sections("\n".join(lines), window=window, plain=plain)
    kept = " ".join(section.text for section in found).split()
    steps = {word for section in found for step in section.breadcrumb for word in step.split()}
    wanted = " ".join(lines).split()
    at = 0
    for word in wanted:
        if at < len(kept) and kept[at] == word:
            at += 1
        else:  # only a level-1 heading may stand in the breadcrumb instead
            assert word in steps or word in ("#", "===")
    assert at == len(kept)
    assert len({section.id for section in found}) == len(found)
    assert all(section.text.strip() and section.title for section in found)
    places = [(section.first_line, section.last_line) for section in found]
    assert places == sorted(places)


@given(st.text(max_size=400))
def test_any_text_is_cut(text: str) -> None:
    text = text.replace("\r", "\n")
    for section in sections(text, window=Window(16, words)):
        assert section.text.strip()
