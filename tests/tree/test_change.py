"""What a node says and weighs is changed by whoever read it last."""

from __future__ import annotations

import pytest

from memoryapp.domain.errors import BadInput, NotFound, Stale
from memoryapp.review import undo_run
from memoryapp.spaces import Space
from memoryapp.tree import change, grow
from tests.samples import PERSON, runs_of
from tests.tree.gardens import plant, said


def test_each_part_is_changed_and_the_rest_stays(space: Space) -> None:
    grow(space, "a", title="A", text="One.\r\n", keywords=["one"], weight=1.2, actor=PERSON)
    node, run = change(space, "a", text="\n Two. \r\n\n", actor=PERSON)
    assert (node.text, node.title, node.keywords, node.weight) == ("\n Two. \r\n\n", "A", ("one",), 1.2)
    assert run.act == "edit"
    before = said(space)
    node, run = change(space, "a", keywords=["two", "둘"], weight=0, title="B", actor=PERSON)
    assert (node.text, node.title, node.keywords, node.weight) == ("\n Two. \r\n\n", "B", ("two", "둘"), 0.0)
    undo_run(space, run.id, actor=PERSON)
    assert said(space) == before


def test_a_branch_that_is_given_words_has_a_file(space: Space) -> None:
    grow(space, "a", text=None, actor=PERSON)
    named, _ = change(space, "a", title="Named", actor=PERSON)
    assert (named.title, named.memory.text, named.has_file) == ("Named", "Named", False)
    emptied, _ = change(space, "a", text="", actor=PERSON)
    assert (emptied.has_file, emptied.text) == (True, "")


def test_an_old_version_is_refused_with_the_present_one(space: Space) -> None:
    node = plant(space, "a")["a"]
    change(space, "a", text="Two.\n", version=node.memory.version, actor=PERSON)
    with pytest.raises(Stale) as stale:
        change(space, "a", text="Three.\n", version=node.memory.version, actor=PERSON)
    assert stale.value.current == node.memory.version + 1


def test_where_nothing_differs_nothing_is_written(space: Space) -> None:
    node = plant(space, "a")["a"]
    runs = len(runs_of(space.db))
    same, _ = change(space, "a", text=node.text, title=node.title, weight=1.0, actor=PERSON)
    assert same == node and len(runs_of(space.db)) == runs


def test_what_is_not_there_and_what_cannot_be_is_told(space: Space) -> None:
    plant(space, "a")
    with pytest.raises(NotFound):
        change(space, "b", text="x", actor=PERSON)
    with pytest.raises(BadInput, match="title"):
        change(space, "a", title=" \n", actor=PERSON)
