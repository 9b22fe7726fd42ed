from __future__ import annotations

from dataclasses import replace

import pytest

from memoryapp.domain.errors import LostRace
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import Line, Node, line_key, new_node, rewritten, with_description
from memoryapp.store import nodes
from memoryapp.store.database import Database
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON


def a_node(path: str, text: str | None = "One line.\n", **more: object) -> Memory:
    return new_node(path, title=path.rpartition("/")[2], text=text, now=NOON, **more)  # type: ignore[arg-type]


def write(db: Database, batch: Batch) -> None:
    commit(db, new_run("grow", AGENT, now=NOON), batch, now=NOON)


def test_a_node_comes_back_with_its_markdown_letter_by_letter(db: Database) -> None:
    text = "\ufeff# 가치관\r\n\r\n- honesty  \r\n\ttab\r\n\r\n"
    write(db, Batch(created=[a_node("identity/values", text, keywords=("가치관", "values"), weight=1.4)]))
    found = nodes.at(db, "identity/values")
    assert found is not None and nodes.is_at(db, "identity/values")
    assert (found.text, found.keywords, found.weight, found.parent) == (text, ("가치관", "values"), 1.4, "identity")
    assert found.size == len(text.encode())


def test_the_outline_counts_bytes_and_not_letters(db: Database) -> None:
    write(db, Batch(created=[a_node("b/c", "가나다\n"), a_node("b", None), a_node("a", "")]))
    told = [(one.path, one.size, one.has_file) for one in nodes.outline(db)]
    assert told == [("a", 0, True), ("b", 0, False), ("b/c", 10, True)]


def test_a_path_holds_one_node(db: Database) -> None:
    write(db, Batch(created=[a_node("a")]))
    with pytest.raises(LostRace):
        write(db, Batch(created=[a_node("a")]))


def test_a_deleted_node_keeps_its_path_and_is_not_in_the_tree(db: Database) -> None:
    node = a_node("a")
    write(db, Batch(created=[node]))
    write(db, Batch(updated=[(node, replace(node, state=State.DELETED))]))
    assert nodes.at(db, "a") is None and nodes.outline(db) == () and nodes.every(db) == ()
    assert not nodes.is_at(db, "a") and not nodes.is_at(db, "never")
    kept = nodes.whatever_at(db, "a")
    assert kept is not None and kept.id == node.id


def test_a_line_is_known_by_its_words_whatever_its_bullet(db: Database) -> None:
    assert line_key("-  Tea is  Green.") == line_key("* tea is green.") == line_key("1. Tea is green.")
    assert line_key("- Tea is green.") != line_key("- Tea is black.")


def test_what_stands_behind_a_line_is_found_by_the_memory(db: Database) -> None:
    node = with_description(a_node("a", "- Tea.\n"), lines=[Line(line_key("Tea."), "f1", 2, NOON, "keyword tea")])
    write(db, Batch(created=[node, a_node("b")]))
    assert [one.id for one in nodes.holding(db, "f1")] == [node.id] and nodes.holding(db, "f2") == ()
    assert Node(node).lines == (Line(line_key("- Tea."), "f1", 2, NOON, "keyword tea"),)
    assert nodes.outline(db)[0].lines == ("f1",)


def test_a_line_that_was_reworded_is_parted_from_its_memory(db: Database) -> None:
    node = with_description(a_node("a", "- Tea.\n"), lines=[Line(line_key("Tea."), "f1", 2, NOON)])
    assert Node(rewritten(node, "- Coffee.\n")).lines == ()
    assert Node(rewritten(node, "")).text == "" and Node(rewritten(node, None)).has_file is False
