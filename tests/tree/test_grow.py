"""A node is put into the tree, with what is missing above it."""

from __future__ import annotations

import pytest

from memoryapp.domain.errors import BadInput, Clash, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.review import undo_run
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.tree import grow, remove
from tests.samples import PERSON
from tests.tree.gardens import held


def test_what_is_missing_above_becomes_a_branch_in_the_same_run(space: Space) -> None:
    node, run = grow(space, " /identity/values/core/ ", text="# 가치관\r\n\r\n- honesty  \r\n", actor=PERSON)
    tree = nodes.every(space.db)
    assert [(one.path, one.has_file, one.title) for one in tree] == [
        ("identity", False, "identity"),
        ("identity/values", False, "values"),
        ("identity/values/core", True, "가치관"),
    ]
    assert node.text == "# 가치관\r\n\r\n- honesty  \r\n" and run.act == "grow"
    assert undo_run(space, run.id, actor=PERSON).taken_back == 3
    assert nodes.every(space.db) == ()


@pytest.mark.parametrize(
    ("text", "title"), [("", "values"), ("No heading.\n", "values"), ("```\n# code\n```\n## `Real` one\n", "Real one")]
)
def test_a_title_is_the_first_heading_else_the_last_part_of_the_path(space: Space, text: str, title: str) -> None:
    assert grow(space, "identity/values", text=text, actor=PERSON)[0].title == title
    assert grow(space, "b", text=text, title=" Said  so ", actor=PERSON)[0].title == "Said so"


def test_the_text_is_kept_byte_for_byte_but_for_control_characters(space: Space) -> None:
    text = "\ufeff\n\n  # A\r\n\tb \u2028 \u200d\r\r\n"
    node, _ = grow(space, "a", text=text + "\x00\x1b\ud800\n", actor=PERSON)
    assert node.text == text + "\n"


def test_a_branch_has_no_file_and_an_empty_node_has_an_empty_one(space: Space) -> None:
    assert grow(space, "a", text=None, actor=PERSON)[0].has_file is False
    empty, _ = grow(space, "b", actor=PERSON)
    assert (empty.has_file, empty.text, empty.keywords, empty.size) == (True, "", (), 0)


def test_keywords_are_suggested_where_none_are_named_and_the_run_tells_them(space: Space) -> None:
    node, run = grow(space, "a", text="# RocksDB\n\nRocksDB compaction, RocksDB snapshots.\n", actor=PERSON)
    assert "RocksDB" in node.keywords and run.detail == {"path": "a", "suggested": list(node.keywords)}
    named, run = grow(space, "b", text="# RocksDB\n", keywords=[" own ", "Own"], actor=PERSON)
    assert named.keywords == ("own",) and run.detail == {"path": "b"}


def test_a_path_that_is_taken_says_so(space: Space) -> None:
    grow(space, "a/b", actor=PERSON)
    with pytest.raises(Clash, match="already"):
        grow(space, "a", actor=PERSON)


def test_what_was_deleted_there_comes_back_as_the_same_memory(space: Space) -> None:
    first, _ = grow(space, "a/b", text="Old.\n", keywords=["k"], weight=1.5, actor=PERSON)
    remove(space, "a", actor=PERSON)
    again, run = grow(space, "a/b", text="New.\n", keywords=["l"], actor=PERSON)
    assert (again.id, again.text, again.keywords, again.weight) == (first.id, "New.\n", ("l",), 1.0)
    assert set(held(space)) == {"a", "a/b"}
    undo_run(space, run.id, actor=PERSON)
    assert held(space) == {}
    kept = nodes.whatever_at(space.db, "a/b")
    assert kept is not None and kept.text == "Old.\n"


def test_siblings_stand_in_the_order_in_which_they_came(space: Space) -> None:
    for path in ("z", "m/x", "a", "m/b"):
        grow(space, path, actor=PERSON)
    assert {one.path: one.position for one in nodes.outline(space.db)} == {"z": 0, "m": 1, "m/x": 0, "a": 2, "m/b": 1}


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"path": "../etc"}, "/path"),
        ({"path": " / "}, "/path"),
        ({"weight": 2.5}, "/weight"),
        ({"keywords": ["k" * 61]}, "/keywords"),
        ({"title": "t" * 301}, "/title"),
        ({"text": "x" * (LIMITS.text_chars + 1)}, "/text"),
    ],
    ids=["climbs", "empty", "heavy", "long word", "long title", "long text"],
)
def test_what_cannot_be_is_refused_at_its_field(space: Space, wrong: dict[str, object], field: str) -> None:
    with pytest.raises(BadInput) as refused:
        grow(space, **({"path": "a", "actor": PERSON} | wrong))  # type: ignore[arg-type]
    assert refused.value.field == field and (field != "/text" or isinstance(refused.value, TooLarge))
    assert nodes.every(space.db) == ()
