from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.connect import jsonc

SETTINGS = """\
// mine
{
  /* servers */
  "mcpServers": {
    "a": {"command": "x"}, // the first
    // the second
    "b": {"command": "y"} // the last
  },
  "list": [1, 2,],
}
"""
OURS = {"command": "p", "args": ["mcp"]}
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=15,
)
objects = st.dictionaries(st.text(max_size=4), values, max_size=4)


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Settings as somebody might keep them: any indentation, either line end, comments between the lines."""
    value = draw(objects)
    value.pop("ours", None)
    text = json.dumps(value, indent=draw(st.sampled_from([None, 1, 2, 4, "\t"])), ensure_ascii=draw(st.booleans()))
    lines = text.split("\n")
    for at in sorted(draw(st.sets(st.integers(0, len(lines)), max_size=3)), reverse=True):
        lines.insert(at, draw(st.sampled_from(["// a note", "  /* { ] */", "", '// "ours": 1,'])))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return end.join(lines) + draw(st.sampled_from(["", end])), value


@given(texts(), st.sampled_from([("ours",), ("ours", "b"), ("ours", "b", "c")]))
def test_what_is_put_in_is_there_and_what_is_taken_out_leaves_the_rest(
    given: tuple[str, dict[str, Any]], path: tuple[str, ...]
) -> None:
    text, value = given
    new = jsonc.add_member(text, path, OURS)
    added: Any = OURS
    for name in reversed(path):
        added = {name: added}
    assert jsonc.parse(new) == value | added
    back = jsonc.remove(new, ("ours",))
    assert jsonc.parse(back) == value
    for note in ("// a note", "/* { ] */", '// "ours": 1,'):
        assert back.count(note) == text.count(note)


@given(texts(), st.lists(values, max_size=3))
def test_elements_of_an_array_too(given: tuple[str, dict[str, Any]], before: list[Any]) -> None:
    text, value = given
    for one in before:
        text = jsonc.add_element(text, ("ours", "list"), one)
    new = jsonc.add_element(text, ("ours", "list"), OURS)
    assert jsonc.parse(new) == value | {"ours": {"list": [*before, OURS]}}
    back = jsonc.remove(new, ("ours", "list", len(before)))
    assert jsonc.parse(back) == value | {"ours": {"list": before}}


def test_lines_around_it_stay_as_they_are() -> None:
    new = jsonc.add_member(SETTINGS, ("mcpServers", "ours"), OURS)
    assert new == SETTINGS.replace(
        '"b": {"command": "y"} // the last\n',
        '"b": {"command": "y"}, // the last\n'
        '    "ours": {\n      "command": "p",\n      "args": [\n        "mcp"\n      ]\n    }\n',
    )
    assert jsonc.remove(new, ("mcpServers", "ours")) == SETTINGS
    new = jsonc.add_element(SETTINGS, ("list",), 3)
    assert '"list": [1, 2, 3,],' in new and jsonc.remove(new, ("list", 2)) == SETTINGS


@pytest.mark.parametrize("text", ["", " \n", "// nothing yet\n", "{}", "{ // nothing yet\n}", "\ufeff{}", "{\n}\n"])
def test_settings_in_which_nothing_stands_take_an_entry(text: str) -> None:
    new = jsonc.add_member(text, ("mcpServers", "ours"), OURS)
    assert jsonc.parse(new) == {"mcpServers": {"ours": OURS}}
    assert text.count("// nothing yet") == new.count("// nothing yet")


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[1",
        '{"a"}',
        '{"a": }',
        '{"a": 1 "b": 2}',
        "{} {}",
        '{"a": nul}',
        "{'a': 1}",
        '{"a": 1}}',
        "[" * 1000,
        '{"a": "\n"}',
        "/* open",
        '{"a": 01}',
    ],
)
def test_what_is_no_json_is_said_to_be_none(text: str) -> None:
    for act in (jsonc.parse, lambda text: jsonc.add_member(text, ("ours",), 1)):
        with pytest.raises(ValueError, match=r"no JSON|levels"):
            act(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [("[]", "no object as a whole"), ('{"a": []}', "no object at “a”"), ('{"a": {"b": 1}}', "there already")],
)
def test_what_stands_in_the_way_is_named(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        jsonc.add_member(text, ("a", "b"), 1)


def test_of_a_name_that_is_there_twice_the_last_one_counts() -> None:
    text = '{"a": {"x": 1}, "a": {"y": 2}}'
    assert jsonc.add_member(text, ("a", "z"), 3) == '{"a": {"x": 1}, "a": {"y": 2, "z": 3}}'


def test_what_is_not_there_is_not_taken_out() -> None:
    for path in (("none",), ("list", 7), ("list", "x"), ("mcpServers", 0), ("mcpServers", "a", "command", "x")):
        assert jsonc.remove(SETTINGS, path) == SETTINGS
