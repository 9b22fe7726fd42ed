"""Links led on when the node they stand in, or the one they lead to, is elsewhere."""

from __future__ import annotations

import pytest

from memoryapp.domain.node import Line, Node, line_key, new_node, with_description
from memoryapp.tree.links import link_to, moved_places, relink_markdown, reword_lines
from tests.samples import NOON


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("[a](gpu.md)", "[a](../gpu.md)"),
        ("[a](gpu.md#x) [b](./gpu.md)", "[a](../gpu.md#x) [b](../gpu.md)"),
        ("![i](img/a%20b.png)", "![i](../img/a%20b.png)"),
        ("[a](<my page.md>)", "[a](<../my page.md>)"),
        ("[x]: gpu.md 'title'", "[x]: ../gpu.md 'title'"),
        ("[a](moved.md)", "[a](../../else/where.md)"),
        ("[a](https://x.org/gpu.md) [b](mailto:a@b) [c](/gpu.md) [d](#here)", None),
        ("`[a](gpu.md)` and ``[b](gpu.md) ` ``", None),
        ("```\n[a](gpu.md)\n```", None),
        ("[a](../../../../../../../../../../../../gpu.md)", None),
    ],
)
def test_links_of_a_page_that_goes_deeper(text: str, then: str | None) -> None:
    places = moved_places({"infra/moved": "else/where", "infra/surrealdb": "infra/surrealdb/storage"})
    now = relink_markdown(text, was="infra/surrealdb", now="infra/surrealdb/storage", places=places)
    assert now == (then if then is not None else text)


def test_a_page_that_stays_is_changed_only_where_it_leads_to_what_moved() -> None:
    places = moved_places({"a/b": "c d/e (f)"})
    text = "[1](b.md#p) [2](<b.md>) [3](%62.md) [4](other.md) ![5](x.png)\r\n"
    spaced = "../c%20d/e%20%28f%29.md"
    assert relink_markdown(text, was="a/x", now="a/x", places=places) == (
        f"[1]({spaced}#p) [2](<../c d/e (f).md>) [3]({spaced}) [4](other.md) ![5](x.png)\r\n"
    )


def test_a_link_to_its_own_heading_names_no_file() -> None:
    places = moved_places({"a/b": "a/c"})
    assert relink_markdown("[x](b.md#y)", was="a/c", now="a/c", places=places) == "[x](#y)"


def test_what_stands_behind_a_line_goes_on_standing_behind_it() -> None:
    text = "- See [b](b.md).\n- Other.\n"
    lines = [Line(line_key("See [b](b.md)."), "m1", 1, NOON), Line(line_key("Other."), "m2", 1, NOON)]
    memory = with_description(new_node("a", title="a", text=text, now=NOON), lines=lines)
    after = Node(reword_lines(memory, text, "- See [b](c/b.md).\n- Other.\n"))
    assert [one.memory for one in after.lines] == ["m1", "m2"]


def test_a_link_with_blanks_is_put_in_brackets() -> None:
    assert link_to("infra/a/b", at="infra/a") == "a/b.md"
    assert link_to("x (y)/가치", at="x (y)") == "<x (y)/가치.md>"
