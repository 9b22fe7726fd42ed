"""A tree out and in again: byte for byte while nothing changes, and only what changed where something does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp import review, spaces
from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import State
from memoryapp.domain.node import MOST_WEIGHT, new_node, placed_at, rewritten, with_description
from memoryapp.review.undo import undo_run
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.write import new_run
from memoryapp.tree.bank_export import handed_out, last_handed_out, take
from memoryapp.tree.bank_import import bring
from memoryapp.tree.bank_index import read_index
from memoryapp.tree.write import write
from tests.samples import PERSON, HandClock, a_space, runs_of
from tests.sampling import examples
from tests.store.test_purge import dumped
from tests.tree.test_bank import SHAPES, STYLES

BANK = {"bank/identity.md": b"# Who we are\r\n\r\n- one\r\n", "bank/identity/values.md": "\ufeff가치관\n".encode()}


def index_of(space: Space) -> str:
    return take(space)["tree-index.json"].decode()


def with_index(document: Any, **style: Any) -> dict[str, bytes]:
    return {"tree-index.json": json.dumps(document, **style).encode(), **BANK}


def put(space: Space, path: str, text: str | None = "New.\n", **more: Any) -> None:
    made = new_node(path, title=path.rpartition("/")[2], text=text, now=space.clock(), **more)
    write(space, new_run("grow", PERSON, now=space.clock()), created=[made])


def change(space: Space, path: str, **changes: Any) -> None:
    node = nodes.at(space.db, path)
    assert node is not None
    after = node.memory
    if "to" in changes:
        after = placed_at(after, changes["to"])
    if "text" in changes:
        after = rewritten(after, changes["text"])
    after = replace(after, **{name: value for name, value in changes.items() if name in ("title", "position", "state")})
    after = with_description(after, keywords=changes.get("keywords"), weight=changes.get("weight"))
    write(space, new_run("edit", PERSON, now=space.clock()), updated=[(node.memory, after)])


@pytest.mark.parametrize(
    "style", [{"indent": 2}, {}, {"indent": "\t", "ensure_ascii": False}], ids=["wide", "one line", "tabs"]
)
@pytest.mark.parametrize("shape", SHAPES)
def test_what_was_brought_is_taken_byte_for_byte(space: Space, shape: str, style: dict[str, Any]) -> None:
    files = with_index(SHAPES[shape], **style)
    bring(space, files, actor=PERSON)
    assert take(space) == files
    before = len(runs_of(space.db))
    assert bring(space, take(space), actor=PERSON).run is None
    assert len(runs_of(space.db)) == before


@pytest.mark.parametrize("shape", SHAPES)
def test_one_edit_changes_one_place_of_the_index(space: Space, shape: str) -> None:
    files = with_index(SHAPES[shape], indent=2, ensure_ascii=False)
    bring(space, files, actor=PERSON)
    change(space, "identity/values", title="Values")
    expected = files["tree-index.json"].decode().replace("가치관", "Values", 1)
    assert index_of(space).replace('["values", "Values"]', '["values", "가치관"]') == expected
    assert {name: data for name, data in take(space).items() if name.startswith("bank/")} == BANK


@pytest.mark.parametrize("shape", SHAPES)
def test_a_new_a_moved_and_a_removed_node_are_in_the_index_that_is_taken(space: Space, shape: str) -> None:
    bring(space, with_index(SHAPES[shape], indent=2), actor=PERSON)
    put(space, "infra", None)
    put(space, "infra/gpu", "# GPU\n", keywords=("gpu", "그래픽"), weight=1.5)
    change(space, "identity/values", to="infra/values")
    taken = take(space)
    with a_space_beside() as other:
        bring(other, taken, actor=PERSON)
        told = {node.path: (node.text, node.title, node.keywords, node.weight) for node in nodes.every(other.db)}
        assert set(told) - {""} == {"identity", "infra", "infra/gpu", "infra/values"}
        assert told["infra/gpu"] == ("# GPU\n", "gpu", ("gpu", "그래픽"), 1.5)
        assert told["infra/values"][:2] == ("\ufeff가치관\n", "가치관")
        assert take(other) == taken
    change(space, "infra/values", state=State.DELETED)
    change(space, "infra/gpu", state=State.DELETED)
    left = take(space)
    assert sorted(left) == ["bank/identity.md", "tree-index.json"]
    assert sorted(read_index(left["tree-index.json"].decode()).entries) == ["identity", "infra"]


@contextmanager
def a_space_beside() -> Iterator[Space]:
    """A second space, while the first is open."""
    yield spaces.open_space("beside")
    spaces.close_space("beside")


def test_fields_that_are_not_ours_survive_every_change(space: Space) -> None:
    document = {"version": 7, "made_by": "hand", "nodes": {"a": {"title": "A", "summary": "s", "x": [1, 1.50]}}}
    bring(space, {"tree-index.json": json.dumps(document).encode(), "bank/a.md": b"x\n"}, actor=PERSON)
    change(space, "a", keywords=("k",), weight=1.2)
    told = json.loads(index_of(space))
    assert told == {**document, "nodes": {"a": {**document["nodes"]["a"], "keywords": ["k"], "weight": 1.2}}}


def test_a_file_that_no_node_names_is_left_out_of_the_index_until_something_is_said_of_it(space: Space) -> None:
    files = {"tree-index.json": b'{"nodes": {"a": {}}}', "bank/a.md": b"x", "bank/b/c.md": b"# Loose ends\n"}
    bring(space, files, actor=PERSON)
    assert take(space) == files
    change(space, "b/c", weight=1.5)
    assert set(json.loads(index_of(space))["nodes"]) == {"a", "b/c"}


def test_a_tree_without_an_index_gets_one(space: Space) -> None:
    bring(space, BANK, actor=PERSON)
    taken = take(space)
    told = json.loads(taken["tree-index.json"])["nodes"]
    assert list(told) == ["identity", "identity/values"]
    assert told["identity"]["children"] == ["identity/values"] and told["identity/values"]["parent"] == "identity"
    assert told["identity"]["title"] == "Who we are" and told["identity"]["file"] == "bank/identity.md"
    assert {name: data for name, data in taken.items() if name != "tree-index.json"} == BANK


def test_an_empty_space_gives_an_index_without_nodes(space: Space) -> None:
    assert json.loads(take(space)["tree-index.json"]) == {"version": 1, "nodes": {}}


def test_siblings_that_changed_places_do_so_in_the_index(space: Space) -> None:
    document = {"nodes": {"a": {"t": 1}, "x": {}, "b": {"t": 2}}}
    bring(space, {"tree-index.json": json.dumps(document).encode()}, actor=PERSON)
    change(space, "a", position=2)
    change(space, "b", position=0)
    assert list(json.loads(index_of(space))["nodes"]) == ["b", "x", "a"]


def test_no_two_nodes_go_to_one_file_even_where_capitals_make_no_difference(space: Space) -> None:
    bring(space, {"bank/a.md": b"1"}, actor=PERSON)
    put(space, "A", "2")
    taken = take(space)
    assert taken["bank/a.md"] == b"1" and taken["bank/A-2.md"] == b"2"
    assert json.loads(taken["tree-index.json"])["nodes"]["A"]["file"] == "bank/A-2.md"


def test_taking_writes_nothing_unless_it_is_to_be_remembered(space: Space) -> None:
    put(space, "a")
    before = len(runs_of(space.db))
    assert take(space) == take(space) and len(runs_of(space.db)) == before
    assert last_handed_out(space) == {}
    taken = take(space, actor=PERSON)
    assert len(runs_of(space.db)) == before + 1
    assert last_handed_out(space) == {name: content_hash(data.decode()) for name, data in taken.items()}
    assert take(space, actor=PERSON) == taken and len(runs_of(space.db)) == before + 1


def test_what_changed_since_it_was_handed_out_is_not_remembered_as_such(space: Space) -> None:
    put(space, "a", "1\n")
    hashes = {name: content_hash(data.decode()) for name, data in take(space).items()}
    change(space, "a", text="2\n")
    handed_out(space, hashes, actor=PERSON)
    assert "bank/a.md" not in last_handed_out(space)


def test_that_it_was_handed_out_can_be_undone_and_changes_no_byte(space: Space) -> None:
    bring(space, BANK, actor=PERSON)
    change(space, "identity", text="other\n")
    taken = take(space, actor=PERSON)
    undo_run(space, runs_of(space.db)[0].id, actor=PERSON)
    assert take(space) == taken


PARTS = st.sampled_from(["a", "b", "가치", "c d", "E"])
PATHS = st.lists(PARTS, min_size=1, max_size=3).map("/".join)
NODES = st.fixed_dictionaries(
    {
        "title": st.text('ab 가"\\\n', max_size=5).map(lambda t: " ".join(t.split()) or "t"),
        "text": st.none() | st.text("x\r\n\t# \ufeff가", max_size=8),
        "keywords": st.lists(st.sampled_from(["k", "가치관", "two words", "Q"]), max_size=3, unique=True).map(tuple),
        "weight": st.sampled_from([0.0, 0.5, 1.0, 1.4, MOST_WEIGHT]),
        "position": st.integers(0, 3),
        "given": st.dictionaries(st.sampled_from(["summary", "x"]), st.integers() | st.text(max_size=3), max_size=2),
    }
)


@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tree=st.dictionaries(PATHS, NODES, max_size=6))
def test_any_tree_comes_out_of_another_space_as_it_went_in(tree: Mapping[str, dict[str, Any]]) -> None:
    with a_space(clock=HandClock()) as space:
        made = [
            new_node(path, now=space.clock(), **{**body, "given": {k: _small(v) for k, v in body["given"].items()}})
            for path, body in tree.items()
        ]
        write(space, new_run("grow", PERSON, now=space.clock()), created=made)
        taken = take(space)
        before = len(runs_of(space.db))
        assert bring(space, taken, actor=PERSON).run is None and len(runs_of(space.db)) == before
        with a_space_beside() as other:
            report = bring(other, taken, actor=PERSON)
            assert report.problems == ()
            assert take(other) == taken
            told = {node.path: node for node in nodes.every(other.db)}
            for path, body in tree.items():
                node = told[path]
                assert (node.title, node.keywords, node.weight) == (body["title"], body["keywords"], body["weight"])
                assert node.text == (body["text"] or "") and node.has_file is (body["text"] is not None)


def _small(value: Any) -> Any:
    return value % 2**60 if isinstance(value, int) else value


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["title", "keywords", "weight", "text", "grow", "to", "remove", "position"]),
        st.sampled_from(["identity", "identity/values", "new", "new/deep"]),
    ),
    max_size=4,
)


@settings(max_examples=examples(16), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(shape=st.sampled_from(sorted(SHAPES)), style=STYLES, edits=EDITS)
def test_any_edits_of_a_tree_of_any_shape_are_told_by_its_index(
    shape: str, style: dict[str, Any], edits: list[tuple[str, str]]
) -> None:
    with a_space(clock=HandClock()) as space:
        bring(space, with_index(SHAPES[shape], **style), actor=PERSON)
        for what, path in edits:
            _edit(space, what, path)
        held = {n.path: (n.text, n.title, n.keywords, n.weight, n.has_file) for n in nodes.every(space.db) if n.path}
        taken = take(space)
        assert bring(space, taken, actor=PERSON).run is None
        with a_space_beside() as other:
            bring(other, taken, actor=PERSON)
            found = {
                n.path: (n.text, n.title, n.keywords, n.weight, n.has_file) for n in nodes.every(other.db) if n.path
            }
            assert {path: found[path] for path in held} == held
            assert take(other) == taken


def _edit(space: Space, what: str, path: str) -> None:
    there = nodes.whatever_at(space.db, path)
    if what == "grow":
        if there is None:
            put(space, path)
    elif there is None or there.state is not State.HELD:
        return
    elif what == "remove":
        for node in nodes.every(space.db):
            if node.path == path or node.path.startswith(f"{path}/"):
                change(space, node.path, state=State.DELETED)
    elif what == "to":
        if nodes.whatever_at(space.db, "moved") is None and not any(
            node.path.startswith(f"{path}/") for node in nodes.every(space.db)
        ):
            change(space, path, to="moved")
    else:
        value = {"title": "Other", "keywords": ("one", "둘"), "weight": 1.7, "text": "Other.\n", "position": 5}[what]
        change(space, path, **{what: value})


def test_a_purged_node_is_in_no_index_any_more_neither_here_nor_outside(space: Space) -> None:
    document = {"nodes": {"a": {"title": "Zebracorn", "summary": "A zebracorn lives in the attic."}, "b": {"x": 1}}}
    bring(space, {"tree-index.json": json.dumps(document).encode(), "bank/a.md": b"A zebracorn.\n"}, actor=PERSON)
    changed = {"nodes": {**document["nodes"], "c": {}}}
    bring(space, {"tree-index.json": json.dumps(changed).encode(), "bank/a.md": b"A zebracorn.\n"}, actor=PERSON)
    node = nodes.at(space.db, "a")
    assert node is not None and "ebracorn" in dumped(space.db)
    assert review.purge(space, node.id, actor=PERSON).complete
    assert "ebracorn" not in dumped(space.db)
    assert json.loads(index_of(space))["nodes"]["b"]["x"] == 1  # fields that are not ours are with the node as well
