"""One node is merged into another."""

from __future__ import annotations

import pytest

from memoryapp.domain.errors import BadInput, NotFound, Stale
from memoryapp.domain.node import Line, line_key, with_description
from memoryapp.review import undo_run
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.write import new_run
from memoryapp.tree import grow, merge, preview_merge
from memoryapp.tree.write import write
from tests.samples import NOON, PERSON
from tests.tree.gardens import held, plant, said


def lined(space: Space, path: str, *lines: tuple[str, str]) -> None:
    node = nodes.at(space.db, path)
    assert node is not None
    after = with_description(node.memory, lines=[Line(line_key(text), memory, 1, NOON) for text, memory in lines])
    write(space, new_run("retain", PERSON, now=NOON), updated=[(node.memory, after)])


@pytest.fixture
def garden(space: Space) -> Space:
    grow(
        space,
        "old/gpu",
        text="# GPU\n\n- Batch 128. [x](../x.md)\n- Nine GB.\n",
        keywords=["H100", "gpu"],
        actor=PERSON,
    )
    grow(space, "infra/gpu", text="# GPU\n\n- Nine GB.\n", keywords=["GPU", "4090"], weight=1.5, actor=PERSON)
    plant(space, "old/gpu/b", "old/gpu/a", "old/gpu/a/deep", "infra/gpu/a")
    grow(space, "x", text="[old](old/gpu.md) [deep](old/gpu/a/deep.md)\n", keywords=["x"], actor=PERSON)
    lined(space, "old/gpu", ("- Batch 128. [x](../x.md)", "m1"), ("Nine GB.", "m2"))
    lined(space, "infra/gpu", ("Nine GB.", "m2"), ("Nine GB.", "m3"))
    return space


def test_text_keywords_lines_and_children_come_together(garden: Space) -> None:
    gone = nodes.at(garden.db, "old/gpu")
    node, run = merge(garden, "old/gpu", "infra/gpu", actor=PERSON)
    assert node.text == "# GPU\n\n- Nine GB.\n- Batch 128. [x](../x.md)\n"
    assert (node.keywords, node.weight, node.title) == (("GPU", "4090", "H100"), 1.5, "GPU")
    assert {(one.memory, one.key) for one in node.lines} == {
        ("m1", line_key("Batch 128. [x](../x.md)")), ("m2", line_key("Nine GB.")), ("m3", line_key("Nine GB."))
    }  # fmt: skip
    tree = held(garden)
    assert set(tree) == {"infra", "infra/gpu", "infra/gpu/a", "infra/gpu/a-2", "infra/gpu/a-2/deep", "infra/gpu/b",
                         "old", "x"}  # fmt: skip
    order = sorted((one.position, path) for path, one in tree.items() if path.count("/") == 2)
    assert order == [(0, "infra/gpu/a"), (1, "infra/gpu/b"), (2, "infra/gpu/a-2")]
    assert tree["x"].text == "[old](infra/gpu.md) [deep](infra/gpu/a-2/deep.md)\n"
    assert gone is not None and run.detail == {"path": "old/gpu", "into": "infra/gpu"}
    kept = nodes.whatever_at(garden.db, "old/gpu")
    assert kept is not None and kept.id == gone.id


def test_an_undo_brings_both_back_as_they_were(garden: Space) -> None:
    before = said(garden)
    _, run = merge(garden, "old/gpu", "infra/gpu", actor=PERSON)
    undo_run(garden, run.id, actor=PERSON)
    assert said(garden) == before


def test_a_preview_tells_what_becomes_of_it_and_changes_nothing(garden: Space) -> None:
    before = said(garden)
    preview = preview_merge(garden, "old/gpu", "infra/gpu")
    assert said(garden) == before
    assert (preview.added, preview.doubled, preview.linked) == (1, 1, ("x",))
    assert dict(preview.moved) == {
        "old/gpu/a": "infra/gpu/a-2", "old/gpu/a/deep": "infra/gpu/a-2/deep", "old/gpu/b": "infra/gpu/b"
    }  # fmt: skip
    node, _ = merge(garden, "old/gpu", "infra/gpu", version=preview.version, actor=PERSON)
    assert (node.text, node.size) == (preview.text, preview.size)


def test_a_node_is_merged_into_the_one_above_it_and_not_into_one_beneath(space: Space) -> None:
    plant(space, "a", "a/b", "a/b/c")
    for into in ("a/b/c", "a/b"):
        with pytest.raises(BadInput) as refused:
            merge(space, "a/b", into, actor=PERSON)
        assert refused.value.field == "/into"
    merge(space, "a/b", "a", actor=PERSON)
    assert set(held(space)) == {"a", "a/c"}


def test_two_branches_make_a_branch_and_what_is_not_there_is_told(space: Space) -> None:
    grow(space, "a", text=None, actor=PERSON)
    grow(space, "b", text=None, actor=PERSON)
    assert merge(space, "a", "b", actor=PERSON)[0].has_file is False
    with pytest.raises(NotFound):
        preview_merge(space, "a", "b")
    plant(space, "c")
    with pytest.raises(Stale):
        merge(space, "c", "b", version=99, actor=PERSON)
