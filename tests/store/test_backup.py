from __future__ import annotations

import gzip
import json
import stat
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memoryapp.domain.conflict import Conflict
from memoryapp.domain.document import Document, Source, SourceKind
from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference
from memoryapp.domain.errors import BadInput, Clash
from memoryapp.domain.identity import new_id
from memoryapp.store import documents, embeddings, entities, memories, purge, revisions, sessions, usage
from memoryapp.store.backup import TABLES, backup, inspect, restore
from memoryapp.store.database import Database, open_database
from memoryapp.store.embeddings import Embedding
from memoryapp.store.migrate import migrate
from memoryapp.store.write import Batch, commit, new_run
from tests.migrated import MIGRATED
from tests.samples import AGENT, NOON, a_memory, written
from tests.store.test_write import FULL

ENTITY = Entity("e" * 16, "갈대", "갈대", EntityType.CONCEPT, EntityState.KNOWN, NOON, aliases=("reeds",))


@pytest.fixture
def other() -> Iterator[Database]:
    database = open_database(MIGRATED, "other")
    migrate(database)
    yield database
    database.close()


def fill(db: Database) -> None:
    """Something in every table that this version writes, more than one page of memories, with none to three slots."""
    many = [a_memory(f"Memory {n}", slots=tuple(f"{n * 389 % 560} {at}" for at in range(n % 4))) for n in range(560)]
    full = a_memory("바람 \u2028 🙂\x00", **FULL)
    gone = a_memory("To be purged")
    written(db, *many[:300], full, gone, entities=[(None, ENTITY)], references_added=[Reference(full.id, ENTITY.id)])
    vectors = [Embedding(m.id, "m", np.random.default_rng(n).normal(size=8)) for n, m in enumerate(many[:50])]
    written(db, *many[300:], embeddings=vectors, follows=[(many[400].id, many[300].id)])
    commit(db, new_run("edit", AGENT, now=NOON, detail={"$at": "x"}),
           Batch(updated=[(full, replace(full, text="Edited", tags=()))],
                 conflicts=[Conflict(new_id(), full.id, "d", "r", NOON, incoming_text="w", decision={"$record": [1]})],
                 documents=[Document(new_id(), "s", "a.md", "A", "h", 1, 2, NOON, "x\ny", metadata={"$bytes": "x"})]),
           now=NOON)  # fmt: skip
    usage.record_feedback(db, used=[full.id], not_useful=[many[0].id], now=NOON)
    documents.put_source(db, Source(new_id(), SourceKind.FOLDER, "/notes", "notes", NOON, last_report={"files": 3}))
    sessions.open_session(db, sessions.Session("morning", NOON, "heron", {"a": {"b": [1]}}))
    purge.purge(db, gone, run=new_run("purge", AGENT, now=NOON))


def lines(file: Path) -> list[str]:
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        return opened.read().split("\n")[1:]  # the head says when


def test_backup_restore_backup_is_the_same_to_the_last_byte(db: Database, other: Database, tmp_path: Path) -> None:
    fill(db)
    counts = backup(db, tmp_path / "one.gz")
    assert counts["memory"] == 561 == len({m.id for m in memories.scan(db)})
    used = ("source", "document", "session", "entity", "memory", "embedding", "usage", "conflict", "run", "revision")
    assert all(counts[table] for table in (*used, "references", "follows", "purged"))
    assert inspect(other, tmp_path / "one.gz") == {table: count for table, count in counts.items() if count}
    assert restore(other, tmp_path / "one.gz") == {table: count for table, count in counts.items() if count}
    assert backup(other, tmp_path / "two.gz") == counts
    assert lines(tmp_path / "one.gz") == lines(tmp_path / "two.gz")


def test_a_restored_space_answers_as_the_first_one_did(db: Database, other: Database, tmp_path: Path) -> None:
    fill(db)
    backup(db, tmp_path / "one.gz")
    restore(other, tmp_path / "one.gz")
    for read in (memories.scan, entities.scan_references, usage.scan):
        assert tuple(read(db)) == tuple(read(other)) != ()
    assert revisions.page(db, limit=2_000) == revisions.page(other, limit=2_000)
    assert len(tuple(embeddings.scan(other, "m"))) == 50
    purged = db.query("SELECT VALUE record::id(id) FROM purged")[0]
    assert purge.purged_among(other, [(key, "") for key in purged]).ids == set(purged) != set()


def test_a_backup_can_be_read_by_its_owner_alone(db: Database, tmp_path: Path) -> None:
    backup(db, tmp_path / "one.gz")
    assert stat.S_IMODE((tmp_path / "one.gz").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["one.gz"]


def test_a_space_that_holds_anything_is_not_restored_into(db: Database, other: Database, tmp_path: Path) -> None:
    backup(db, tmp_path / "one.gz")
    sessions.open_session(other, sessions.Session("here first", NOON))
    with pytest.raises(Clash, match="not empty"):
        restore(other, tmp_path / "one.gz")


def rewritten(file: Path, change: Any) -> Path:
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        text = change(opened.read())
    target = file.with_name("changed.gz")
    with gzip.open(target, "wt", encoding="utf-8") as opened:
        opened.write(text)
    return target


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.rsplit("\n", 2)[0], "cut short"),
        (lambda text: text.replace('"format": 1', '"format": 99'), "not a backup that this version"),
        (lambda text: text.replace('"migrations": [', '"migrations": ["9999_later", '), "newer version"),
        (
            lambda text: text.replace('"table": "memory"', '"table": "memory RETURN 1; DELETE memory; --"'),
            "not of a backup",
        ),
        (lambda text: text.replace('{"table"', "{table"), "not a readable backup"),
        (lambda text: "", "not a readable backup"),
        (lambda text: "[1]\n", "not a readable backup"),
    ],
)
def test_what_is_no_whole_backup_is_refused_before_anything_is_written(
    db: Database, other: Database, tmp_path: Path, change: Any, reason: str
) -> None:
    written(db, a_memory(), a_memory("Two"))
    backup(db, tmp_path / "one.gz")
    with pytest.raises(BadInput, match=reason):
        restore(other, rewritten(tmp_path / "one.gz", change))
    assert tuple(memories.scan(other)) == ()


def test_a_file_cut_in_the_middle_is_refused(db: Database, other: Database, tmp_path: Path) -> None:
    fill(db)
    backup(db, tmp_path / "one.gz")
    whole = (tmp_path / "one.gz").read_bytes()
    (tmp_path / "one.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadInput, match="not a readable backup"):
        restore(other, tmp_path / "one.gz")
    (tmp_path / "one.gz").write_bytes(b"no gzip at all")
    with pytest.raises(BadInput):
        inspect(other, tmp_path / "one.gz")


def test_a_restore_that_fails_halfway_leaves_the_space_empty(db: Database, other: Database, tmp_path: Path) -> None:
    written(db, *(a_memory(f"Memory {n}") for n in range(700)))
    backup(db, tmp_path / "one.gz")

    def spoil_one(text: str) -> str:
        parts = text.split('"confidence": 0.9')
        return '"confidence": 0.9'.join(parts[:-1]) + '"confidence": 99' + parts[-1]

    with pytest.raises(BadInput, match="confidence"):
        restore(other, rewritten(tmp_path / "one.gz", spoil_one))
    assert not any(other.query("; ".join(f"SELECT VALUE id FROM {table}" for table in TABLES)))


@pytest.mark.long
def test_a_backup_made_while_others_write_is_whole_in_itself(kept: Database, other: Database, tmp_path: Path) -> None:
    held = list(written(kept, *(a_memory(f"Memory {n}") for n in range(600)), entities=[(None, ENTITY)]))
    stop = threading.Event()

    def keep_writing() -> None:
        n = 0
        while not stop.is_set():
            new, old = a_memory(f"New {n}"), held[n % len(held)]
            after = replace(old, text=f"{old.text}.", version=old.version + 1, updated_at=NOON)
            commit(kept, new_run("edit", AGENT, now=NOON),
                   Batch(created=[new], updated=[(old, after)], references_added=[Reference(new.id, ENTITY.id)],
                         embeddings=[Embedding(new.id, "m", np.ones(4, np.float32))]), now=NOON)  # fmt: skip
            held[n % len(held)] = after
            n += 1

    writer = threading.Thread(target=keep_writing)
    writer.start()
    try:
        for _ in range(3):
            backup(kept, tmp_path / "one.gz")
    finally:
        stop.set()
        writer.join()
    restore(other, tmp_path / "one.gz")
    for memory in memories.scan(other):
        assert max(revision.version for revision in revisions.of_record(other, memory.id)) == memory.version
    assert {edge.memory for edge in entities.scan_references(other)} <= {m.id for m in memories.scan(other)}


def test_times_and_marks_survive_the_round_trip_of_a_line(db: Database, other: Database, tmp_path: Path) -> None:
    detail = {"$dict": {"$at": 1}, "at": datetime(1, 1, 1, tzinfo=UTC), "n": [1.5, -(2**63), True, None]}
    commit(db, new_run("edit", AGENT, now=NOON, detail=detail), Batch(created=[a_memory()]), now=NOON)
    backup(db, tmp_path / "one.gz")
    restore(other, tmp_path / "one.gz")
    (run,), (again,) = db.query("SELECT * FROM run")[0], other.query("SELECT * FROM run")[0]
    assert run == again
    assert json.loads(lines(tmp_path / "one.gz")[-2])["end"]["memory"] == 1
