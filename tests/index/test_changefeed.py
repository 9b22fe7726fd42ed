"""Following the changefeed: what moves the content, who moved it, and what is read twice."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from memoryapp.index import changefeed
from memoryapp.index.local import LocalIndex
from memoryapp.store import changes, usage
from memoryapp.store.database import Database
from tests.index.world import MODEL, NOW, World, memory, named, world

CONFLICT = """
CREATE conflict:waits SET existing = $existing, incoming = NONE, detector = 'rules', reason = '',
    outcome = 'unsure', confidence = 0.5, status = 'waiting', created_at = time::now(), version = 1
"""


@pytest.fixture
def space() -> Iterator[World]:
    with world() as made:
        made.add(memory("melon", key=named("melon")), memory("plum", key=named("plum")))
        yield made


@pytest.fixture
def index(space: World) -> LocalIndex:
    made = LocalIndex(space.db, model=MODEL, database="test", folder=None, clock=lambda: NOW)
    made.refresh()
    settle(made)
    return made


def settle(index: LocalIndex) -> None:
    """Refreshed a moment later: what was written in the millisecond of a reading comes with the next one again."""
    time.sleep(0.005)
    index.refresh()


@pytest.fixture
def long_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that has been under way since before all others: what comes meanwhile is read again and again."""
    began = time.time_ns() // 1_000_000 - 1_000
    monkeypatch.setattr(Database, "oldest_write", lambda _: began)
    monkeypatch.setattr(Database, "still_at", lambda *_: False)


def test_every_write_moves_the_content_while_a_long_write_is_under_way(
    space: World, index: LocalIndex, long_write: None
) -> None:
    seen = []
    for text in ("pear", "fig", "date"):
        space.add(memory(text))
        index.refresh()
        seen.append(index.view().content)
    assert sorted(set(seen)) == seen
    index.refresh()
    assert index.view().content == seen[-1]


def test_what_comes_again_is_not_applied_again(
    space: World, index: LocalIndex, long_write: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    space.add(memory("pear"))
    index.refresh()
    index.refresh()  # the first was from before that write
    times: list[int] = []
    apply = changefeed.apply
    monkeypatch.setattr(changefeed, "apply", lambda *said, **more: times.append(1) or apply(*said, **more))
    view = index.view()
    for _ in range(3):
        index.refresh()
    assert times == [] and index.view() is view
    space.add(memory("fig"))
    index.refresh()
    assert times == [1] and index.keyword(["fig"], k1=0.9, b=0.6).own.max() > 0


def test_a_write_that_has_not_ended_has_no_search_read_the_feed(
    space: World, index: LocalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    times: list[int] = []
    since = changes.since
    monkeypatch.setattr(changes, "since", lambda *said, **more: times.append(1) or since(*said, **more))
    space.db._writes[0] = time.time_ns() // 1_000_000
    index.refresh()
    assert times == []
    space.add(memory("pear"))
    index.refresh()
    assert times == [1] and index.keyword(["pear"], k1=0.9, b=0.6).own.max() > 0


def test_it_is_told_who_was_written_since_a_state(space: World, index: LocalIndex) -> None:
    before = index.view().content
    space.change(named("melon"), text="a ripe melon")
    settle(index)
    between = index.view().content
    space.change(named("plum"), text="a ripe plum")
    index.refresh()
    assert index.written_since(before) == {named("melon"), named("plum")}
    assert index.written_since(between) == {named("plum")}
    assert index.written_since(index.view().content) == frozenset()


def test_a_counted_access_moves_the_version_alone(space: World, index: LocalIndex) -> None:
    before = index.view()
    usage.record_accesses(space.db, dict.fromkeys([named("melon")], 1), now=NOW)
    index.refresh()
    after = index.view()
    assert after.version > before.version and after.content == before.content
    assert index.written_since(before.content) == frozenset()


def test_who_was_written_is_not_told_after_a_conflict_or_of_a_state_before_the_first(
    space: World, index: LocalIndex
) -> None:
    before = index.view().content
    assert index.written_since(0) is None
    space.db.query(CONFLICT, existing=named("melon"))
    index.refresh()
    assert index.view().content > before
    assert index.written_since(before) is None
    assert index.written_since(index.view().content) == frozenset()


def test_of_many_states_and_of_many_memories_only_the_last_are_known(
    space: World, index: LocalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changefeed, "REMEMBERED", 3)
    states = [index.view().content]
    for n in range(4):
        space.add(memory(f"pear {n}", key=named(f"pear {n}")))
        settle(index)
        states.append(index.view().content)
    assert index.written_since(states[0]) is None
    assert index.written_since(states[3]) == {named("pear 3")}
    monkeypatch.setattr(changefeed, "MOST_NAMED", 1)
    space.add(memory("fig"), memory("date"))
    index.refresh()
    assert index.written_since(states[4]) is None


def test_accesses_have_the_index_saved_ten_times_less_often(
    space: World, index: LocalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights: list[float] = []
    took: Any = LocalIndex._took_in
    monkeypatch.setattr(
        LocalIndex, "_took_in", lambda self, weight, purged: weights.append(weight) or took(self, weight, purged=purged)
    )
    usage.record_accesses(space.db, dict.fromkeys([named("melon"), named("plum")], 1), now=NOW)
    settle(index)
    space.change(named("melon"), pinned=True)
    settle(index)
    assert weights == [pytest.approx(0.2), 1]
