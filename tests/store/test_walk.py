"""Every row of a table, a page at a time, in order of id."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.store import memories, rows, walk
from memoryapp.store.database import Database, open_database
from tests.samples import a_memory, written


@pytest.fixture(scope="module")
def numbers() -> Iterable[Database]:
    """A table whose ids are lists, as those of edges and vectors are, beside one of plain ids."""
    database = open_database("mem://", "reeds")
    database.query("FOR $n IN 0..95 { CREATE type::record('pair', [<string> ($n % 7), <string> $n]) SET n = $n }")
    yield database
    database.close()


@given(page=st.integers(1, 100), keys=st.integers(1, 100))
@pytest.mark.long
def test_whatever_is_asked_at_once_a_walk_meets_every_row_once_and_in_order(
    numbers: Database, page: int, keys: int
) -> None:
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(walk, "_KEYS", keys)
        met = [row["n"] for row in walk.walk(numbers, "pair", page=page)]
    assert met == sorted(range(95), key=lambda n: (str(n % 7), str(n)))


def test_a_table_with_nothing_in_it_has_no_rows(db: Database) -> None:
    assert list(walk.walk(db, "memory")) == []


def test_rows_asked_for_by_their_ids_come_in_that_order_without_those_that_are_gone(db: Database) -> None:
    one, two, three = written(db, a_memory("One"), a_memory("Two"), a_memory("Three"))
    db.query("DELETE $key", key=rows.record("memory", two.id))
    keys = [rows.record("memory", memory.id) for memory in (three, two, one)]
    assert [row["text"] for row in walk.by_id(db, keys, page=2)] == ["Three", "One"]


def test_what_is_deleted_while_a_walk_goes_on_is_left_out_and_the_rest_is_met(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = sorted(memory.id for memory in written(db, *(a_memory(f"Memory {n}") for n in range(20))))
    monkeypatch.setattr(walk, "_KEYS", 6)
    going = walk.walk(db, "memory", page=2)
    met = [rows.key_of(next(going)["id"])]
    db.query("DELETE $keys", keys=[rows.record("memory", key) for key in made[3:9]])
    met += [rows.key_of(row["id"]) for row in going]
    assert met == made[:3] + made[9:]


def test_memories_are_scanned_in_order_of_their_ids_the_deleted_ones_too(db: Database) -> None:
    made = sorted(memory.id for memory in written(db, *(a_memory(f"Memory {n}") for n in range(95))))
    assert [memory.id for memory in memories.scan(db)] == made
