"""A node is taken out with all beneath it, and comes back."""

from __future__ import annotations

import pytest

from memoryapp.domain.errors import NotFound, Stale
from memoryapp.review import undo_run
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.tree import preview_remove, remove
from tests.samples import PERSON
from tests.tree.gardens import held, plant, said


def test_all_beneath_goes_along_and_an_undo_brings_it_back_as_it_was(space: Space) -> None:
    plant(space, "a", "a/b", "a/b/c", "ab", "b")
    before = said(space)
    assert [one.path for one in preview_remove(space, "a")] == ["a", "a/b", "a/b/c"]
    assert said(space) == before
    gone, run = remove(space, "a", actor=PERSON)
    assert len(gone) == 3 and set(held(space)) == {"ab", "b"}
    assert nodes.whatever_at(space.db, "a/b") is not None
    undo_run(space, run.id, actor=PERSON)
    assert said(space) == before


def test_what_is_not_there_or_was_changed_is_not_taken_out(space: Space) -> None:
    plant(space, "a")
    with pytest.raises(NotFound):
        remove(space, "b", actor=PERSON)
    with pytest.raises(Stale):
        remove(space, "a", version=7, actor=PERSON)
    assert set(held(space)) == {"a"}
