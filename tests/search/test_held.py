from __future__ import annotations

from typing import Any

import pytest

from memoryapp.domain.memory import State
from memoryapp.domain.results import Query
from memoryapp.search import forget, search
from memoryapp.search import rows as module
from memoryapp.search.rows import Rows
from memoryapp.spaces import Space
from memoryapp.store import memories as store
from tests.search.conftest import change, memory, write

CONFLICT = """
CREATE conflict:waits SET existing = $existing, incoming = $incoming, detector = 'rules', reason = '',
    outcome = 'unsure', confidence = 0.5, status = 'waiting', created_at = time::now(), version = 1
"""
NOTES = [memory(f"The queue of worker {n}.", id=f"{n:016x}") for n in range(6)]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The ids of each question to the store."""
    questions: list[list[str]] = []
    read = module.recall
    monkeypatch.setattr(module, "recall", lambda db, keys, sides: questions.append(list(keys)) or read(db, keys, sides))
    return questions


def test_a_row_is_read_once_until_it_is_written(space: Space, asked: list[list[str]]) -> None:
    write(space, *NOTES)
    search(space, Query("queue"))
    assert len(asked) == 1
    search(space, Query("worker"))
    assert len(asked) == 1
    edited = change(space, NOTES[2], text="The queue of nobody.")
    hits = search(space, Query("worker queue")).hits
    assert asked[1:] == [[edited.id]]
    assert {hit.memory.text for hit in hits if hit.memory.id == edited.id} == {"The queue of nobody."}


def test_only_what_is_missing_is_read(space: Space, asked: list[list[str]]) -> None:
    write(space, *NOTES)
    rows = Rows()
    space.index.refresh()
    content = space.index.view().content
    rows.read(space, [NOTES[0].id], content=content)
    found = rows.read(space, [NOTES[0].id, NOTES[1].id, "f" * 16], content=content)
    assert asked == [[NOTES[0].id], [NOTES[1].id, "f" * 16]]
    assert set(found) == {NOTES[0].id, NOTES[1].id}


def test_forgetting_empties_the_shelf_and_what_is_put_aside_leaves_it(space: Space, asked: list[list[str]]) -> None:
    write(space, *NOTES)
    search(space, Query("queue"))
    forget(space.name)
    search(space, Query("queue"))
    assert len(asked) == 2
    change(space, NOTES[0], state=State.ARCHIVED)
    assert NOTES[0].id not in {hit.memory.id for hit in search(space, Query("queue")).hits}
    assert len(asked) == 2
    kept = module.held.read(space, [NOTES[0].id, NOTES[1].id], content=space.index.view().content)
    assert asked[2:] == [[NOTES[0].id]] and kept[NOTES[0].id][0].state == State.ARCHIVED


def test_conflicts_that_are_written_empty_the_shelf(space: Space, asked: list[list[str]]) -> None:
    write(space, *NOTES)
    search(space, Query("queue"))
    space.db.query(CONFLICT, existing=NOTES[0].id, incoming=NOTES[1].id)
    told = {hit.memory.id: hit.conflicts for hit in search(space, Query("queue")).hits}
    assert [told[note.id] for note in NOTES[:3]] == [("waits",), ("waits",), ()]
    assert len(asked) == 2


def test_a_row_that_was_read_before_a_write_is_not_kept_behind_it(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(space, *NOTES)
    space.index.refresh()
    read, rows = module.recall, Rows()

    def overtaken(*said: Any) -> Any:
        """Somebody writes while the answer is on its way, and another search has seen it before it arrives."""
        found = read(*said)
        monkeypatch.setattr(module, "recall", read)
        change(space, NOTES[0], text="The queue of nobody.")
        space.index.refresh()
        rows.read(space, [NOTES[1].id], content=space.index.view().content)
        return found

    monkeypatch.setattr(module, "recall", overtaken)
    rows.read(space, [NOTES[0].id], content=space.index.view().content)
    now = rows.read(space, [NOTES[0].id], content=space.index.view().content)
    assert now[NOTES[0].id][0].text == "The queue of nobody."


def test_the_shelf_holds_no_more_than_it_may(space: Space, asked: list[list[str]]) -> None:
    write(space, *NOTES)
    rows = Rows(per_space=2)
    for _ in range(2):
        rows.read(space, [note.id for note in NOTES], content=1)
    assert [len(keys) for keys in asked] == [6, 4]


def test_conflicts_that_wait_are_asked_for_once_until_something_is_written(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    times: list[int] = []
    read = module.every_side
    monkeypatch.setattr(module, "every_side", lambda db: times.append(1) or read(db))
    write(space, *NOTES)
    rows = Rows()
    for note in NOTES[:3]:
        assert rows.read(space, [note.id], content=1)[note.id][1] == ()
    assert len(times) == 1
    space.db.query(CONFLICT, existing=NOTES[0].id, incoming=NOTES[1].id)
    found = rows.read(space, [NOTES[0].id, NOTES[1].id, NOTES[2].id], content=2)
    assert [found[note.id][1] for note in NOTES[:3]] == [("waits",), ("waits",), ()]
    assert len(times) == 2


def test_more_conflicts_than_are_kept_are_told_all_the_same(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    write(space, *NOTES)
    space.db.query(CONFLICT, existing=NOTES[0].id, incoming=None)
    monkeypatch.setattr(store, "MOST_WAITING", 0)
    assert store.every_side(space.db) is None
    found = Rows().read(space, [NOTES[0].id, NOTES[1].id], content=1)
    assert [found[note.id][1] for note in NOTES[:2]] == [("waits",), ()]
