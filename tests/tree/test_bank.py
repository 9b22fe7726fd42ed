"""tree-index.json in whatever shape it comes, and spelled as it was when it goes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.domain.errors import BadInput
from memoryapp.tree.bank_files import read_bank
from memoryapp.tree.bank_index import read_index
from memoryapp.tree.json_document import JsonDocument

TITLES = {"identity": "Who we are", "identity/values": "가치관"}
FLAT = {
    "identity": {"title": "Who we are", "children": ["identity/values"], "keywords": ["name"], "weight": 1},
    "identity/values": {"title": "가치관", "parent": "identity", "keywords": ["values", "가치관"], "summary": "short"},
}
SHAPES: dict[str, Any] = {
    "a map of nodes": {"version": 1, "nodes": FLAT},
    "a list of nodes": {"nodes": [{"id": path, **body} for path, body in FLAT.items()]},
    "a bare list": [{"path": path, "name": body["title"]} for path, body in FLAT.items()],
    "a bare map": {"version": 3, **FLAT},
    "names joined by parents": {
        "nodes": [{"id": "values", "parent": "identity", "label": "가치관"}, {"id": "identity", "title": "Who we are"}]
    },
    "names joined by children": {
        "nodes": {"identity": {"title": "Who we are", "children": ["values"]}, "values": {"title": "가치관"}}
    },
    "nested lists": {
        "tree": [{"id": "identity", "title": "Who we are", "children": [{"id": "values", "title": "가치관"}]}]
    },
    "nested maps": {"tree": {"identity": {"title": "Who we are", "children": {"values": {"title": "가치관"}}}}},
    "under one root": {
        "root": {
            "id": "memory",
            "title": "Memory",
            "children": [{"id": "identity", "title": "Who we are", "children": [{"id": "values", "title": "가치관"}]}],
        }
    },
    "a root that is named": {
        "root": "r",
        "nodes": {
            "r": {"children": ["identity"]},
            "identity": {"title": "Who we are", "children": ["identity/values"]},
            "identity/values": {"title": "가치관"},
        },
    },
}
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=6)
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=20,
)
STYLES = st.sampled_from(
    [{"indent": 2}, {"indent": 4, "ensure_ascii": False}, {}, {"separators": (",", ":")}, {"indent": "\t"}]
)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_nodes_are_found_in_every_usual_shape(shape: str) -> None:
    index = read_index(json.dumps(SHAPES[shape]))
    assert {path: entry.title for path, entry in index.entries.items()} == TITLES
    assert index.problems == []


def test_fields_that_are_not_ours_are_kept_with_the_node() -> None:
    entries = read_index(json.dumps(SHAPES["a map of nodes"])).entries
    assert entries["identity/values"].given == {"summary": "short"}
    assert entries["identity/values"].keywords == ("values", "가치관")
    assert entries["identity"].weight == 1.0 and entries["identity/values"].weight is None


def test_a_weight_over_the_scale_is_cut_told_and_kept_as_it_was() -> None:
    index = read_index('{"nodes": {"a": {"weight": 5}, "b": {"weight": "1.5"}, "c": {"weight": "heavy"}}}')
    assert [entry.weight for entry in index.entries.values()] == [2.0, 1.5, None]
    assert index.entries["a"].given == {"weight": 5}
    assert [one.where for one in index.problems] == ["a", "c"]


def test_keywords_come_as_a_list_a_line_or_a_map() -> None:
    index = read_index('{"nodes": {"a": {"tags": "x, y"}, "b": {"keywords": {"x": 2, "y": 1}}, "c": {"tags": ["x"]}}}')
    assert [entry.keywords for entry in index.entries.values()] == [("x", "y"), ("x", "y"), ("x",)]


def test_wrong_json_is_named_with_line_and_column() -> None:
    with pytest.raises(BadInput, match=r"tree-index.json is not JSON.*line 2, column 12"):
        read_index('{"nodes":\n  {"a": {},}}')


@pytest.mark.parametrize(
    ("document", "where", "what"),
    [
        ('{"nodes": [{"id": "a"}, {"id": "a"}]}', "a", "twice"),
        ('{"nodes": {"a": {"parent": "b"}, "b": {"parent": "a"}}}', "a", "within itself"),
        ('{"nodes": {"../secret": {}}}', "../secret", "climbs out"),
        ('{"nodes": {"a": {"children": ["b"]}}}', "a", "child “b” that is not there"),
        ('{"nodes": {"a": 5, "b": {}}}', "a", "not an object"),
        ('"nothing"', "tree-index.json", "no nodes"),
    ],
)
def test_what_cannot_be_used_is_named_and_the_rest_is_read(document: str, where: str, what: str) -> None:
    (told,) = read_index(document).problems
    assert told.where == where and what in told.what


def test_a_circle_loses_no_node() -> None:
    assert list(read_index('{"nodes": {"a": {"parent": "b"}, "b": {"parent": "a"}}}').entries) == ["a", "a/b"]


def test_files_are_found_with_and_without_the_folder_and_whatever_unicode_their_names_are_in() -> None:
    index = {"nodes": {"a": {"file": "bank/x.md"}, "b": {"file": "y.md"}, "값": {}}}
    files = {"bank/x.md": b"x", "bank/y.md": b"y", "bank/\u1100\u1161\u11b9.md": b"z"}
    bank = read_bank({"tree-index.json": json.dumps(index).encode(), **files})
    assert {leaf.path: leaf.text for leaf in bank.leaves.values()} == {"a": "x", "b": "y", "값": "z"}
    assert bank.problems == []


def test_the_tree_may_lie_in_a_folder_of_its_own() -> None:
    files = {
        "my/tree-index.json": b'{"nodes": {"a": {}}}',
        "my/bank/a.md": b"x",
        "other/b.md": b"y",
        "my/.git/c.md": b"",
    }
    bank = read_bank(files)
    assert [(leaf.path, leaf.text) for leaf in bank.leaves.values()] == [("a", "x")]


def test_two_trees_at_once_are_refused() -> None:
    with pytest.raises(BadInput, match="more than one tree"):
        read_bank({"a/tree-index.json": b"{}", "b/tree-index.json": b"{}"})


def test_a_lone_file_is_a_node() -> None:
    (leaf,) = read_bank({"MEMORY.md": b"# All\n"}).leaves.values()
    assert (leaf.path, leaf.text) == ("MEMORY", "# All\n")


def test_bad_files_are_named_and_the_rest_is_read() -> None:
    bank = read_bank(
        {"bank/a.md": b"fine", "bank/b.md": b"\xff\xfe", "bank/c.md": b"a\0b", "../d.md": b"x", "bank/pic.png": b"\x89"}
    )
    assert [leaf.path for leaf in bank.leaves.values() if leaf.text is not None] == ["a"]
    assert {one.where for one in bank.problems} == {"bank/b.md", "bank/c.md", "../d.md"}
    assert bank.ignored == ("bank/pic.png",)


def test_without_anything_to_read_it_says_so() -> None:
    with pytest.raises(BadInput, match=r"no tree-index.json here"):
        read_bank({"picture.png": b"x"})


@settings(deadline=None)
@given(document=DOCUMENTS, style=STYLES)
def test_json_that_is_not_changed_keeps_every_letter(document: Any, style: dict[str, Any]) -> None:
    text = json.dumps(document, **style)
    for told in (text, f"\ufeff \n{text}\n\n", text.replace("\n", "\r\n")):
        assert str(JsonDocument(told)) == told


@settings(deadline=None)
@given(document=st.dictionaries(st.text(max_size=4), DOCUMENTS, min_size=1, max_size=4), style=STYLES)
def test_json_that_is_changed_says_the_change_and_nothing_else(document: Any, style: dict[str, Any]) -> None:
    spelled = JsonDocument(json.dumps(document, **style))
    spelled.value["new"] = {"list": ["가", 1], "empty": []}
    assert json.loads(str(spelled)) == {**document, "new": {"list": ["가", 1], "empty": []}}


@settings(deadline=None)
@given(document=st.dictionaries(st.text(max_size=4), DOCUMENTS, max_size=4), style=STYLES)
def test_what_is_added_is_written_in_the_manner_of_the_rest(document: Any, style: dict[str, Any]) -> None:
    document = {"first": {"a": 1}, **document, "last": [1, 2]}
    spelled = JsonDocument(json.dumps(document, **style))
    spelled.value["next"] = {"a": 2}
    assert str(spelled) == json.dumps({**document, "next": {"a": 2}}, **style)


def test_numbers_escapes_and_lists_on_one_line_stay_where_a_neighbour_changes() -> None:
    text = '{\n  "a": 1.50, "b": ["\\u0041", "x"],\n  "c": {"d": 1}\n}\n'
    spelled = JsonDocument(text)
    spelled.value["c"]["d"] = 2
    assert str(spelled) == '{\n  "a": 1.50,\n  "b": ["\\u0041", "x"],\n  "c": {"d": 2}\n}\n'


@settings(deadline=None)
@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        read_index(text)
    except BadInput as error:
        assert "tree-index.json" in error.detail


@settings(deadline=None)
@given(DOCUMENTS | st.fixed_dictionaries({"nodes": DOCUMENTS}) | st.fixed_dictionaries({"tree": DOCUMENTS}))
def test_no_document_breaks_the_reader(document: Any) -> None:
    index = read_index(json.dumps(document))
    assert str(index.text) == json.dumps(document)
    assert all(path and path == entry.path for path, entry in index.entries.items())
