"""Two markdowns put together, without saying twice what both say."""

from __future__ import annotations

from hypothesis import given, settings

from memoryapp.domain.node import line_key
from memoryapp.tree.markdown import blocks_of, lines_of_text
from memoryapp.tree.merge import merge_texts
from tests.sampling import examples
from tests.tree.gardens import markdowns


def keys(text: str) -> set[str]:
    return {line_key(line) for line in text.splitlines() if line.strip()}


def test_sections_of_one_heading_come_together_and_the_rest_goes_behind() -> None:
    text = "# GPU\n\nIntro.\n\n## Limits\n\n- Batch 128.\n\n## Renting\n\nrent.\n"
    more = "# GPU\n\n## limits\n\n- batch  128.\n- Nine GB.\n\n## New\n\nwords\n"
    done = merge_texts(text, more)
    assert done.text == (
        "# GPU\n\nIntro.\n\n## Limits\n\n- Batch 128.\n- Nine GB.\n\n## Renting\n\nrent.\n\n## New\n\nwords\n"
    )
    assert (done.added, done.doubled) == (3, 1)


def test_the_same_again_adds_nothing() -> None:
    text = "# A\r\n\r\n- one\r\n- two\r\n\r\n```\r\nx\r\n```\r\n"
    again = merge_texts(text, "* TWO\n1. one\n\n```\nx\n```\n")
    assert (again.text, again.added) == (text, 0)


def test_code_and_paragraphs_are_taken_whole_or_not_at_all() -> None:
    text = "}\n\nFirst line\n"
    more = "```\na {\n}\n```\n\nFirst line\nand a second\n"
    assert merge_texts(text, more).text == "}\n\nFirst line\n\n```\na {\n}\n```\n\nFirst line\nand a second\n"


def test_a_section_beneath_one_that_both_have_stays_beneath_it() -> None:
    done = merge_texts("## A\n\na\n\n## B\n\nb\n", "## A\n\n### A1\n\nx\n")
    assert done.text == "## A\n\na\n\n### A1\n\nx\n\n## B\n\nb\n"


def test_the_ends_of_lines_are_those_of_the_first() -> None:
    assert merge_texts("- a\r\n", "- b\n- c").text == "- a\r\n- b\r\n- c\r\n"
    assert merge_texts("", "- b\r\n").text == "- b\r\n"
    assert merge_texts("a", "").text == "a"


@settings(max_examples=examples(150), deadline=None)
@given(markdowns(), markdowns())
def test_nothing_that_either_says_is_lost(text: str, more: str) -> None:
    done = merge_texts(text, more)
    lines = lines_of_text(more)
    below = "".join("".join(lines[one.first : one.last]) for one in blocks_of(lines) if not one.level)
    assert keys(text) | keys(below) <= keys(done.text)
