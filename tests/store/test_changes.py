from __future__ import annotations

import threading
import time
from dataclasses import replace

import numpy as np

from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference
from memoryapp.domain.memory import Usage
from memoryapp.store import changes, purge, usage
from memoryapp.store.database import Database
from memoryapp.store.embeddings import Embedding
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, a_memory, written

ENTITY = Entity("e" * 16, "Reeds", "reeds", EntityType.CONCEPT, EntityState.KNOWN, NOON)


def test_the_feed_gives_every_table_an_index_needs_as_domain_objects(db: Database) -> None:
    memory = a_memory()
    edge = Reference(memory.id, ENTITY.id)
    vector = np.ones(4, np.float32)
    written(
        db, memory, embeddings=[Embedding(memory.id, "m", vector)], entities=[(None, ENTITY)], references_added=[edge]
    )
    usage.record_accesses(db, dict.fromkeys([memory.id], 1), now=NOON)
    feed = changes.since(db, 0)
    rows = {change.table: change.row for change in feed.changes}
    assert rows["memory"] == memory
    assert rows["references"] == edge
    assert rows["entity"] == ENTITY
    assert rows["usage"] == Usage(memory.id, 1, NOON, 0, 0)
    assert (rows["embedding"].vector == vector).all()
    assert {change.table: change.key for change in feed.changes}["embedding"] == ["m", memory.id]


def test_the_feed_goes_on_from_where_it_was_left(db: Database) -> None:
    written(db, a_memory())
    time.sleep(0.005)  # a set of this very millisecond would come again
    first = changes.since(db, 0)
    assert changes.since(db, first.version).changes == ()
    (later,) = written(db, a_memory("Later"))
    second = changes.since(db, first.version)
    assert [change.key for change in second.changes] == [later.id]
    assert second.version > first.version


def test_the_feed_comes_in_pages_and_none_is_missed(db: Database) -> None:
    wanted = {written(db, a_memory(f"Memory {n}"))[0].id for n in range(25)}
    version, found, pages = 0, [], 0
    while True:
        feed = changes.since(db, version, limit=7)
        found += [change.key for change in feed.changes if change.table == "memory"]
        version, pages = feed.version, pages + 1
        if not feed.more:
            break
    assert (set(found), len(found)) == (wanted, 25)
    assert pages >= 3


def test_a_purge_comes_through_the_feed_as_a_row_that_is_gone(db: Database) -> None:
    (memory,) = written(db, a_memory(), embeddings=[])
    before = changes.since(db, 0).version
    purge.purge(db, memory, run=new_run("purge", AGENT, now=NOON))
    gone = changes.since(db, before).changes
    assert ("memory", memory.id, None) in [(change.table, change.key, change.row) for change in gone]


def test_a_position_taken_before_a_full_read_misses_nothing(db: Database) -> None:
    at = changes.position(db)
    (memory,) = written(db, a_memory())
    assert memory.id in [change.key for change in changes.since(db, at).changes]
    assert changes.reaches(db, at)
    assert not changes.reaches(db, 0)
    assert not changes.reaches(db, at - (40 * 86_400_000 << 16))


def test_a_follower_beside_eight_writers_sees_every_last_state(kept: Database) -> None:
    """A change set must never become visible behind one that was already read."""
    mine = [written(kept, a_memory(f"Writer {n}"))[0] for n in range(8)]
    start = changes.since(kept, 0).version
    stop = threading.Event()

    def write(memory: int) -> None:
        now = mine[memory]
        for n in range(60):
            after = replace(now, text=f"{memory}.{n}", version=now.version + 1, updated_at=NOON)
            commit(kept, new_run("edit", AGENT, now=NOON), Batch(updated=[(now, after)]), now=NOON)
            now = after
        mine[memory] = now

    seen: dict[str, str] = {}
    steps: set[tuple[str, int]] = set()

    def follow() -> None:
        version = start
        while True:
            last = stop.is_set()
            feed = changes.since(kept, version)
            version = feed.version
            steps.update((c.key, c.row.version) for c in feed.changes if c.table == "memory" and c.row.version > 1)
            seen.update({change.key: change.row.text for change in feed.changes if change.table == "memory"})
            if last and not feed.changes:
                return

    follower = threading.Thread(target=follow)
    writers = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    for thread in (follower, *writers):
        thread.start()
    for writer in writers:
        writer.join()
    stop.set()
    follower.join(30)
    assert seen == {memory.id: memory.text for memory in mine}
    assert len(steps) == 8 * 60, "a change set was lost"


def test_a_page_never_ends_in_the_middle_of_a_transaction(db: Database) -> None:
    start = changes.since(db, 0).version
    for n in range(6):
        memory = a_memory(f"Memory {n}")
        written(db, memory, embeddings=[Embedding(memory.id, "m", np.ones(4, np.float32))],
                entities=[(None, replace(ENTITY, id=f"{n:016x}", normal=str(n)))])  # fmt: skip
    for limit in range(1, 20):
        version, found = start, []
        for _ in range(40):
            feed = changes.since(db, version, limit=limit)
            found += [change.table for change in feed.changes]
            version = feed.version
            if not feed.more:
                break
        assert sorted(found) == ["embedding"] * 6 + ["entity"] * 6 + ["memory"] * 6, limit
