"""A node moves with all beneath it, and among its siblings."""

from __future__ import annotations

import pytest

from memoryapp.domain.errors import BadInput, Clash, NotFound
from memoryapp.domain.node import Line, line_key, with_description
from memoryapp.review import delete, undo_run
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.write import new_run
from memoryapp.tree import grow, move, remove
from memoryapp.tree.placement import children_of
from memoryapp.tree.write import write
from tests.samples import NOON, PERSON, runs_of
from tests.tree.gardens import held, plant, said


def order(space: Space, parent: str = "") -> list[str]:
    return [one.path for one in children_of(nodes.outline(space.db), parent)]


def test_all_beneath_goes_along_as_the_same_memories(space: Space) -> None:
    before = plant(space, "a", "a/b", "a/b/c", "ab", "d")
    node, run = move(space, "a", "d/x/a", actor=PERSON)
    after = held(space)
    assert set(after) == {"ab", "d", "d/x", "d/x/a", "d/x/a/b", "d/x/a/b/c"}
    assert node.id == before["a"].id and after["d/x/a/b/c"].id == before["a/b/c"].id
    assert after["d/x/a/b"].breadcrumb == ("d", "x", "a") and after["d/x"].detail["file"] is False
    kept = said(space)
    undo_run(space, run.id, actor=PERSON)
    assert {path: one.memory.text for path, one in before.items()} == {p: m.text for p, m in held(space).items()}
    move(space, "a", "d/x/a", actor=PERSON)
    assert said(space) == kept


def test_a_node_is_not_moved_beneath_itself_nor_onto_another(space: Space) -> None:
    plant(space, "a", "a/b", "c")
    with pytest.raises(BadInput) as refused:
        move(space, "a", "a/b/a", actor=PERSON)
    assert refused.value.field == "/to"
    with pytest.raises(Clash):
        move(space, "a", "c", actor=PERSON)
    with pytest.raises(NotFound):
        move(space, "x", "y", actor=PERSON)
    with pytest.raises(BadInput):
        move(space, "a/b", "/".join(["long" * 12] * 5), actor=PERSON)


def test_a_position_orders_siblings_without_gaps_and_writes_only_those_that_move(space: Space) -> None:
    plant(space, "a", "b", "c", "d")
    move(space, "d", "d", position=1, actor=PERSON)
    assert order(space) == ["a", "d", "b", "c"]
    assert [one.position for one in sorted(nodes.every(space.db), key=lambda one: one.position)] == [0, 1, 2, 3]
    versions = {path: memory.version for path, memory in held(space).items()}
    assert versions == {"a": 1, "b": 2, "c": 2, "d": 2}
    undo_run(space, runs_of(space.db)[0].id, actor=PERSON)
    assert order(space) == ["a", "b", "c", "d"]


def test_a_position_at_the_end_and_one_under_another_parent(space: Space) -> None:
    plant(space, "a", "b", "p/x", "p/y")
    move(space, "a", "p/a", position=1, actor=PERSON)
    assert order(space, "p") == ["p/x", "p/a", "p/y"]
    move(space, "b", "p/b", actor=PERSON)
    assert order(space, "p")[-1] == "p/b"
    move(space, "p/x", "p/x", position=99, actor=PERSON)
    assert order(space, "p")[-1] == "p/x"


def test_a_rename_keeps_the_place_and_to_where_it_is_writes_nothing(space: Space) -> None:
    plant(space, "a", "b", "c")
    move(space, "a", "z", actor=PERSON)
    assert order(space) == ["z", "b", "c"]
    runs = len(runs_of(space.db))
    move(space, "b", "b", actor=PERSON)
    assert len(runs_of(space.db)) == runs


def test_a_node_takes_the_path_of_a_deleted_one_which_makes_room_until_it_is_undone(space: Space) -> None:
    gone = plant(space, "a", "b")["b"]
    remove(space, "b", actor=PERSON)
    node, run = move(space, "a", "b", actor=PERSON)
    aside = nodes.whatever_at(space.db, "b (2)")
    assert node.text == "# a\n\nOn a.\n" and aside is not None and aside.id == gone.id
    undo_run(space, run.id, actor=PERSON)
    back = nodes.whatever_at(space.db, "b")
    assert set(held(space)) == {"a"} and back is not None and back.id == gone.id


def test_a_node_may_take_the_place_of_the_branch_it_lay_under(space: Space) -> None:
    inner = plant(space, "a/a", "a/a/a")
    branch = nodes.at(space.db, "a")
    assert branch is not None
    delete(space, [branch.id], actor=PERSON)
    _, run = move(space, "a/a", "a", actor=PERSON)
    assert {path: one.id for path, one in held(space).items()} == {"a": inner["a/a"].id, "a/a": inner["a/a/a"].id}
    undo_run(space, run.id, actor=PERSON)
    assert {path: one.id for path, one in held(space).items()} == {one.path: one.id for one in inner.values()}


def test_links_lead_where_they_led_in_the_same_run(space: Space) -> None:
    grow(space, "infra/gpu", text="See [x](../x.md), [deep](gpu/deep.md).\n", keywords=["g"], actor=PERSON)
    grow(space, "infra/gpu/deep", text="[up](../gpu.md#top)\n", keywords=["d"], actor=PERSON)
    grow(space, "x", text="- [gpu](infra/gpu.md)\n", keywords=["x"], actor=PERSON)
    before = said(space)
    _, run = move(space, "infra/gpu", "hardware/parts/gpu", actor=PERSON)
    texts = {path: memory.text for path, memory in held(space).items()}
    assert texts["hardware/parts/gpu"] == "See [x](../../x.md), [deep](gpu/deep.md).\n"
    assert texts["hardware/parts/gpu/deep"] == "[up](../gpu.md#top)\n"
    assert texts["x"] == "- [gpu](hardware/parts/gpu.md)\n"
    undo_run(space, run.id, actor=PERSON)
    assert said(space) == before


def test_the_memory_behind_a_line_whose_link_changed_stays_behind_it(space: Space) -> None:
    plant(space, "a")
    node, _ = grow(space, "x", text="- See [a](a.md).\n", keywords=["x"], actor=PERSON)
    lined = with_description(node.memory, lines=[Line(line_key("- See [a](a.md)."), "m1", 1, NOON)])
    write(space, new_run("retain", PERSON, now=NOON), updated=[(node.memory, lined)])
    move(space, "a", "b", actor=PERSON)
    after = nodes.at(space.db, "x")
    assert after is not None and after.text == "- See [a](b.md).\n"
    assert [one.memory for one in after.lines] == ["m1"]
