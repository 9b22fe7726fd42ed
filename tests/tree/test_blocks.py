"""Markdown taken into blocks, and put together again."""

from __future__ import annotations

from hypothesis import given, settings

from memoryapp.tree.markdown import anchors_of, blocks_of, lines_of_text, newline_of
from tests.sampling import examples
from tests.tree.gardens import FENCE, markdowns


def headings(text: str) -> list[tuple[int, str]]:
    return [(one.level, one.title) for one in blocks_of(lines_of_text(text)) if one.level]


@settings(max_examples=examples(200), deadline=None)
@given(markdowns())
def test_every_line_is_in_exactly_one_block(text: str) -> None:
    lines = lines_of_text(text)
    assert "".join(lines) == text
    at = 0
    for block in blocks_of(lines):
        assert block.first == at < block.last
        assert all(block.first <= item < block.last for item in block.items)
        at = block.last
    assert at == len(lines)


def test_only_headings_of_the_top_level_are_headings() -> None:
    text = f"\ufeff# A `b` [c](d.md)\r\n\r\n{FENCE}- # in a list\n\n> # quoted\n\nUnder\n=====\n\nA rule\n---\n"
    assert headings(text) == [(1, "A b c"), (1, "Under")]


def test_front_matter_is_no_heading_and_a_rule_at_the_top_is_no_front_matter() -> None:
    assert headings("---\ntitle: x\ntags: [a]\n---\n# T\n") == [(1, "T")]
    assert headings("---\n# T\n") == [(1, "T")]


def test_anchors_are_made_as_github_makes_them() -> None:
    blocks = blocks_of(lines_of_text("# What's new?\n## 두 번째 길\n## A-b c\n## A-b c\n"))
    assert anchors_of(blocks) == ("whats-new", "두-번째-길", "a-b-c", "a-b-c-1")


def test_the_end_of_a_line_is_that_of_the_first() -> None:
    assert [newline_of(text) for text in ("a\r\nb\n", "a\rb", "a", "\n")] == ["\r\n", "\r", "\n", "\n"]
