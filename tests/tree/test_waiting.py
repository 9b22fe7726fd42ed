from __future__ import annotations

from dataclasses import replace

import pytest

from memoryapp.domain.errors import BadInput, Clash, NotFound
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind
from memoryapp.review import archive, undo_run
from memoryapp.spaces import Space
from memoryapp.tree import count_waiting, leave_out, left_out, let_in, retain, waiting
from tests.samples import PERSON, a_memory, written
from tests.tree.fed import put, say


def waits(space: Space, path: str | None = None, **more: int) -> list[str]:
    return [one.memory.text for one in waiting(space, path, **more)]


@pytest.fixture
def tree(space: Space) -> Space:
    put(space, "infra/gpu", "# GPU\n\n- Embedding runs go to the rented H100.\n", "gpu")
    say(space, "The gpu is loud.")
    say(space, "Herons stand in reeds.")
    say(space, "Minsu lives in Seoul.", kind=Kind.FACT)
    return space


def test_what_is_held_and_in_no_node_waits_the_newest_first_with_its_route(tree: Space) -> None:
    found = waiting(tree)
    assert [one.memory.text for one in found] == ["Minsu lives in Seoul.", "Herons stand in reeds.", "The gpu is loud."]
    assert [(one.path, one.by, one.certain) for one in found] == [
        ("inbox", "inbox", False),
        ("inbox", "inbox", False),
        ("infra/gpu", "keyword", True),
    ]
    assert waits(tree, limit=1) == ["Minsu lives in Seoul."]
    assert count_waiting(tree) == 3


def test_sections_episodes_and_nodes_do_not_wait(tree: Space) -> None:
    written(tree.db, a_memory("The gpu is on.", kind=Kind.SECTION), a_memory("We spoke.", kind=Kind.EPISODE))
    assert count_waiting(tree) == 3


def test_of_one_node_only_those_wait_that_would_go_there(tree: Space) -> None:
    assert waits(tree, "infra/gpu") == ["The gpu is loud."]
    assert waits(tree, "identity") == []
    assert [one.memory.text for one in waiting(tree, certain=True)] == ["The gpu is loud."]
    with pytest.raises(BadInput):
        waiting(tree, "../up")


def test_what_was_taken_in_or_put_aside_waits_no_longer(tree: Space) -> None:
    minsu, herons, gpu = (one.memory.id for one in waiting(tree))
    run = retain(tree, [gpu], actor=PERSON).run
    archive(tree, [herons], actor=PERSON)
    assert [one.memory.id for one in waiting(tree)] == [minsu]
    assert run
    undo_run(tree, run.id, actor=PERSON)
    assert [one.memory.id for one in waiting(tree)] == [minsu, gpu]


def test_what_waits_for_a_decision_about_a_line_is_not_asked_for_again(tree: Space) -> None:
    put(tree, "queue", "# queue\n\n- The queue is stored in Postgres.\n", "queue")
    key = say(tree, "The queue is stored in MySQL.")
    assert waiting(tree)[0].memory.id == key
    assert retain(tree, [key], actor=PERSON).items[0].outcome == "conflict"
    assert key not in [one.memory.id for one in waiting(tree)]


def test_what_is_left_out_is_not_asked_for_until_it_is_let_in_again(tree: Space) -> None:
    minsu, herons, gpu = (one.memory.id for one in waiting(tree))
    run = leave_out(tree, [minsu, gpu], actor=PERSON)
    assert [one.memory.id for one in waiting(tree)] == [herons]
    assert left_out(tree) == (minsu, gpu)
    with pytest.raises(Clash, match="already"):
        leave_out(tree, [gpu], actor=PERSON)
    let_in(tree, [gpu], actor=PERSON)
    assert left_out(tree) == (minsu,)
    with pytest.raises(Clash, match="None of them"):
        let_in(tree, [gpu], actor=PERSON)
    with pytest.raises(NotFound):
        leave_out(tree, ["0" * 16], actor=PERSON)
    assert run.act == "leave out"


def test_leaving_out_is_undone_and_can_be_done_again(tree: Space) -> None:
    (key,) = (one.memory.id for one in waiting(tree, limit=1))
    run = leave_out(tree, [key], actor=PERSON)
    undo_run(tree, run.id, actor=PERSON)
    assert left_out(tree) == () and count_waiting(tree) == 3
    leave_out(tree, [key], actor=PERSON)
    assert left_out(tree) == (key,) and count_waiting(tree) == 2
    again = leave_out(tree, [waiting(tree)[0].memory.id], actor=PERSON)
    undo_run(tree, again.id, actor=PERSON)
    assert left_out(tree) == (key,)


def test_what_is_held_no_longer_drops_out_of_the_list_of_what_was_left_out(tree: Space) -> None:
    minsu, herons, _ = (one.memory.id for one in waiting(tree))
    leave_out(tree, [minsu], actor=PERSON)
    archive(tree, [minsu], actor=PERSON)
    tree.index.refresh()
    leave_out(tree, [herons], actor=PERSON)
    assert left_out(tree) == (herons,)


def test_a_tag_of_the_routing_table_is_looked_at_first(tree: Space) -> None:
    say(tree, "[W] The gpu matters less than people.", tags=())
    tagged = replace(tree, tuning=Tuning(tree_routing="W=values"))
    (found,) = waiting(tagged, limit=1)
    assert (found.path, found.by, found.certain) == ("values", "tag", True)


def test_only_the_newest_are_looked_at(tree: Space) -> None:
    assert [one.memory.text for one in waiting(tree, "infra/gpu", look_at=2)] == []
