from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp.domain.entity import EntityState, Reference
from memoryapp.domain.errors import Clash, NotFound
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.remembering import NewMemory
from memoryapp.graph import decide_entity
from memoryapp.inference.embedding.hashing import HashingEncoder
from memoryapp.remember import remember
from memoryapp.review import (
    archive,
    confirm,
    delete,
    edit,
    hold,
    pin,
    purge,
    tag,
    undo_revision,
    undo_run,
)  # fmt: skip
from memoryapp.spaces import Space
from memoryapp.store import embeddings, entities, memories, revisions
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, PERSON, a_memory, runs_of, written
from tests.sampling import examples
from tests.store.test_write import an_entity

BOOKKEEPING = {"version": 0, "updated_at": NOON}


def bare(memory: Memory) -> Memory:
    """Without what every write moves on."""
    return replace(memory, **BOOKKEEPING)


def edges(space: Space) -> set[Reference]:
    return set(entities.scan_references(space.db))


ACTS: dict[str, Any] = {
    "edit": lambda space, keys: edit(space, keys[0], {"text": "Of [[SurrealDB]] now", "tags": ["x"]}, actor=PERSON),
    "archive": lambda space, keys: archive(space, keys, actor=PERSON),
    "delete": lambda space, keys: delete(space, keys, actor=PERSON),
    "hold": lambda space, keys: hold(space, keys, actor=PERSON),
    "pin": lambda space, keys: pin(space, keys, actor=PERSON),
    "confirm": lambda space, keys: confirm(space, keys, actor=PERSON),
    "tag": lambda space, keys: tag(space, keys, actor=PERSON, add=["new"], remove=["old"]),
}


@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(sorted(ACTS)), max_size=3), st.sampled_from(sorted(ACTS)))
def test_undoing_an_act_brings_back_what_was_before_it(space: Space, earlier: list[str], name: str) -> None:
    keys = [m.id for m in written(space.db, a_memory("Of [[Reeds]]", tags=("old",)), a_memory("Two"))]
    for act in earlier:
        ACTS[act](space, keys)
    before, before_edges = memories.get_many(space.db, keys), edges(space)
    run = ACTS[name](space, keys).run
    if bare(memories.get(space.db, keys[0])) == bare(before[keys[0]]):
        return  # it changed nothing: archiving what is archived
    undone = undo_run(space, run.id, actor=PERSON)
    after = memories.get_many(space.db, keys)
    assert {key: bare(memory) for key, memory in after.items()} == {key: bare(m) for key, m in before.items()}
    assert edges(space) == before_edges
    assert undone.left == ()
    assert undone.taken_back >= 1


def test_undoing_the_undo_does_it_again(space: Space) -> None:
    (memory,) = written(space.db, a_memory())
    run = edit(space, memory.id, {"text": "Edited"}, actor=PERSON).run
    undone = undo_run(space, run.id, actor=PERSON)
    assert memories.get(space.db, memory.id).text == memory.text
    undo_run(space, undone.run.id, actor=PERSON)
    assert memories.get(space.db, memory.id).text == "Edited"


def test_undo_brings_back_the_vector_of_the_words(space: Space) -> None:
    (memory,) = written(space.db, a_memory("Of herons"))
    run = edit(space, memory.id, {"text": "Quite other words"}, actor=PERSON).run
    undo_run(space, run.id, actor=PERSON)
    vector = embeddings.get_many(space.db, "hashing", [memory.id])[memory.id]
    assert float(vector @ HashingEncoder().encode_documents(["Of herons"])[0]) == pytest.approx(1, abs=1e-4)


def test_what_was_changed_since_is_left_and_named(space: Space) -> None:
    one, two = written(space.db, a_memory(), a_memory("Two"))
    run = archive(space, [one.id, two.id], actor=PERSON).run
    edit(space, two.id, {"title": "Since"}, actor=PERSON)
    undone = undo_run(space, run.id, actor=PERSON)
    assert undone.taken_back == 1
    assert [key for key, _ in undone.left] == [two.id]
    assert memories.get(space.db, one.id).state is State.HELD
    assert memories.get(space.db, two.id).state is State.ARCHIVED
    ended = revisions.get_run(space.db, undone.run.id)
    assert ended.detail == {"undoes": run.id, "taken_back": 1, "left": 1}
    assert ended.ended_at is not None


def test_a_run_is_undone_once(space: Space) -> None:
    (memory,) = written(space.db, a_memory())
    run = archive(space, [memory.id], actor=PERSON).run
    undo_run(space, run.id, actor=PERSON)
    before = len(runs_of(space.db))
    with pytest.raises(Clash, match="changed since"):
        undo_run(space, run.id, actor=PERSON)
    assert len(runs_of(space.db)) == before
    with pytest.raises(NotFound):
        undo_run(space, "⟨x⟩", actor=PERSON)


def test_a_run_that_wrote_a_memory_many_times_is_undone_whole(space: Space) -> None:
    """More changes than one write of the undo takes, several of one memory, as a long run leaves them."""
    some = list(written(space.db, *(a_memory(f"Memory {n}") for n in range(90))))
    entity = an_entity()
    written(space.db, entities=[(None, entity)])
    run = new_run("tidy", AGENT, now=NOON)
    current = some
    for step in range(3):
        after = [replace(m, text=f"{m.text}, {step}", version=m.version + 1, updated_at=NOON) for m in current]
        edge = [Reference(m.id, entity.id) for m in current]
        commit(space.db, run, Batch(updated=list(zip(current, after, strict=True)),
                                    references_added=edge if step != 1 else [],
                                    references_removed=edge if step == 1 else []), now=NOON)  # fmt: skip
        current = after
    assert len(revisions.of_run(space.db, run.id)) == 270
    undone = undo_run(space, run.id, actor=PERSON)
    assert (undone.taken_back, undone.left) == (270, ())
    assert {m.id: m.text for m in memories.scan(space.db)} == {m.id: m.text for m in some}
    assert edges(space) == set()


def test_undoing_what_was_remembered_puts_it_among_the_deleted_and_a_second_undo_brings_it_back(space: Space) -> None:
    (one,) = remember(space, [NewMemory("Of [[Reeds]] and [[Reeds]]")], actor=AGENT)
    (run,) = runs_of(space.db)
    linked = edges(space)
    undone = undo_run(space, run.id, actor=PERSON)
    assert memories.get(space.db, one.id).state is State.DELETED
    undo_run(space, undone.run.id, actor=PERSON)
    assert memories.get(space.db, one.id).state is State.HELD
    assert edges(space) == linked


def test_a_purged_memory_is_left_out_of_an_undo(space: Space) -> None:
    one, two = written(space.db, a_memory("One [[A b]]"), a_memory("Two"))
    run = new_run("link", AGENT, now=NOON)
    entity = an_entity("Kept")
    edge = [Reference(m.id, entity.id) for m in (one, two)]
    commit(space.db, run, Batch(entities=[(None, entity)], references_added=edge), now=NOON)
    purge(space, one.id, actor=PERSON)
    undo_run(space, run.id, actor=PERSON)
    assert edges(space) == set()


def test_one_change_is_undone_or_refused(space: Space) -> None:
    (memory,) = written(space.db, a_memory())
    edit(space, memory.id, {"title": "One"}, actor=PERSON)
    edit(space, memory.id, {"text": "Two"}, actor=PERSON)
    _, first, second = revisions.of_record(space.db, memory.id)
    with pytest.raises(Clash, match="undo that first"):
        undo_revision(space, first.id, actor=PERSON)
    undo_revision(space, second.id, actor=PERSON)
    assert memories.get(space.db, memory.id).text == memory.text
    with pytest.raises(NotFound):
        undo_revision(space, "0" * 16, actor=PERSON)


def test_a_decision_on_a_name_is_undone_unless_another_came_after(space: Space) -> None:
    entity = an_entity()
    written(space.db, entities=[(None, entity)])
    known, run = decide_entity(space, entity.id, EntityState.KNOWN, actor=PERSON)
    assert known.state is EntityState.KNOWN
    undo_run(space, run.id, actor=PERSON)
    assert entities.get(space.db, entity.id).state is EntityState.PROPOSED
    _, taken = decide_entity(space, entity.id, EntityState.KNOWN, actor=PERSON)
    decide_entity(space, entity.id, EntityState.REFUSED, actor=PERSON)
    with pytest.raises(Clash):
        undo_run(space, taken.id, actor=PERSON)
    assert entities.get(space.db, entity.id).state is EntityState.REFUSED


def test_undoing_a_run_does_not_take_a_name_from_the_person_who_took_it_in(space: Space) -> None:
    remember(space, [NewMemory("Of [[Reeds]]")], actor=AGENT)
    (run,) = runs_of(space.db)
    (name,) = entities.by_normals(space.db, ["reeds"]).values()
    decide_entity(space, name.id, EntityState.KNOWN, actor=PERSON)
    undo_run(space, run.id, actor=PERSON)
    assert entities.get(space.db, name.id).state is EntityState.KNOWN


def test_a_run_that_gave_names_is_undone_once(space: Space) -> None:
    remember(space, [NewMemory("Of [[Reeds]]")], actor=AGENT)
    (run,) = runs_of(space.db)
    undo_run(space, run.id, actor=PERSON)
    with pytest.raises(Clash):
        undo_run(space, run.id, actor=PERSON)
