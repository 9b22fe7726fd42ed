"""Where a markdown is cut: at its headings, near the size of a piece, never in code, and with nothing lost."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.domain.node import MOST_BYTES
from memoryapp.tree.segmentation import Source, choose_segments, taken_apart
from tests.sampling import examples
from tests.tree.gardens import FENCE, a_large_page, markdowns


def parts(source: Source) -> list[str]:
    return [source.text(0, source.head), *(source.text(one.first, one.last) for one in source.units)]


@settings(max_examples=examples(200), deadline=None)
@given(markdowns())
def test_the_opening_and_the_units_are_the_text(text: str) -> None:
    assert "".join(parts(taken_apart(text))) == text


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.tuples(st.integers(1, 12_000), st.integers(0, 2), st.floats(0, 1)), max_size=40))
def test_runs_follow_each_other_are_two_at_least_and_too_large_only_alone(units: list[tuple[int, int, float]]) -> None:
    sizes = [size for size, _, _ in units]
    runs = choose_segments(sizes, [border for _, border, _ in units], [near for _, _, near in units])
    assert [n for first, last in runs for n in range(first, last)] == list(range(len(units)))
    assert len(runs) >= min(len(units), 2)
    assert all(sum(sizes[first:last]) <= MOST_BYTES or last == first + 1 for first, last in runs)


def test_the_highest_level_with_two_parts_is_cut_at_and_what_opens_the_text_stays() -> None:
    first, *rest = parts(taken_apart("# T\n\nIntro.\n\n## A\n\na\n\n### A1\n\nb\n\n## B\n\nc\n"))
    assert first == "# T\n\nIntro.\n\n"
    assert rest == ["## A\n\na\n\n### A1\n\nb\n\n", "## B\n\nc\n"]


def test_a_heading_stays_with_what_it_heads() -> None:
    source = taken_apart("# T\n\n## A\n\n### A1\n\n" + "x\n\n" * 6_000 + "### A2\n\ny\n")
    assert all(not text.rstrip().endswith(("## A", "### A1", "### A2")) for text in parts(source)[1:])


def test_a_fence_is_never_cut_and_a_section_too_large_is_cut_between_paragraphs() -> None:
    code = "```\n" + "line\n\n# not a heading\n\n" * 700 + "```\n"
    source = taken_apart(f"# T\n\n## A\n\n{'Para. ' * 300}\n\n{code}\n{'More. ' * 300}\n\n## B\n\nb\n")
    assert [text for text in parts(source) if "```" in text] == [code + "\n"]


def test_what_is_alike_stays_together_where_sizes_allow() -> None:
    alike = [0.0, 0.9, 0.9, 0.1, 0.9, 0.9]
    assert choose_segments([1_000] * 6, [0] * 6, alike) == [(0, 3), (3, 6)]
    assert choose_segments([1_000] * 6, [0] * 6, [0.0, 0.9, 0.1, 0.9, 0.9, 0.9]) == [(0, 2), (2, 6)]


def test_a_cut_between_paragraphs_is_worse_than_one_between_sections() -> None:
    assert choose_segments([2_400, 600, 600, 2_400], [0, 2, 0, 2], [0.5] * 4) == [(0, 2), (2, 4)]


def test_a_large_page_comes_apart_at_its_topics() -> None:
    source = taken_apart(a_large_page())
    assert source.text(0, source.head) == "# SurrealDB\n\nWhat we know of it, 그리고 배운 것.\n\n"
    assert [one.under for one in source.units] == ["Storage", "Search", "Changefeed", "백업과 복구"]
    assert sum(text.count(FENCE) for text in parts(source)) == 12


def test_thousands_of_small_paragraphs_are_taken_together() -> None:
    source = taken_apart("x\n\n" * 20_000)
    assert 2 <= len(source.units) <= 600
