from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from memoryapp.domain.conflict import Conflict
from memoryapp.domain.document import Document
from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference
from memoryapp.domain.errors import Clash
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Memory, Origin
from memoryapp.store import documents, entities, memories, purge, revisions, usage
from memoryapp.store.backup import TABLES
from memoryapp.store.database import Database
from memoryapp.store.embeddings import Embedding
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, PERSON, a_memory, written

SECRET = "quetzal"


def an_entity(name: str, state: EntityState) -> Entity:
    return Entity(f"{hash(name) & (2**64 - 1):016x}", name, name.lower(), EntityType.CONCEPT, state, NOON, sightings=1)


def everywhere(db: Database) -> Memory:
    """A memory whose secret word stands in every table."""
    text = f"one\n{SECRET} line\x0c still that line\nthree\n"
    document = Document(new_id(), "s", "a.md", "A", "h", 9, 0, NOON, text)
    origin = Origin(document=document.id, path="a.md", first_line=2, last_line=2)
    memory = a_memory(f"Of the {SECRET}", origin=origin, title=SECRET, tags=(SECRET,))
    neighbour = a_memory("A neighbour")
    proposed, sighted = an_entity(f"{SECRET} one", EntityState.PROPOSED), an_entity(f"{SECRET} two", EntityState.KNOWN)
    taken_in, shared = an_entity("Birds", EntityState.PROPOSED), an_entity("Shared", EntityState.PROPOSED)
    written(
        db,
        memory,
        neighbour,
        documents=[document],
        embeddings=[Embedding(memory.id, model, np.ones(4, np.float32)) for model in ("m", "other")],
        entities=[(None, proposed), (None, sighted), (None, taken_in), (None, shared)],
        references_added=[Reference(memory.id, e.id) for e in (proposed, sighted, taken_in, shared)]
        + [Reference(neighbour.id, shared.id)],
        follows=[(neighbour.id, memory.id)],
        conflicts=[Conflict(new_id(), memory.id, "d", "r", NOON, incoming_text=SECRET)],
    )
    edited = Batch(updated=[(memory, replace(memory, text=f"More of the {SECRET}"))])
    commit(db, new_run("edit", PERSON, now=NOON, reason=f"It is {SECRET}."), edited, now=NOON)
    decided = Batch(entities=[(taken_in, replace(taken_in, state=EntityState.KNOWN, version=2))])
    commit(db, new_run("take in", PERSON, now=NOON), decided, now=NOON)
    usage.record_accesses(db, dict.fromkeys([memory.id], 1), now=NOON)
    return memories.get(db, memory.id)


def dumped(db: Database) -> str:
    found = db.query("; ".join(f"SELECT * FROM {table}" for table in TABLES))
    return json.dumps(found, default=str, ensure_ascii=False)


def test_a_purge_leaves_the_words_in_no_table(db: Database) -> None:
    memory = everywhere(db)
    assert SECRET in dumped(db)
    removed = purge.purge(db, memory, run=new_run("purge", PERSON, now=NOON))
    assert SECRET not in dumped(db)
    assert removed == purge.RemovedCounts(memory.id, embeddings=2, references=4, follows=1, derived=0, usage=1,
    traces=0,
                                    conflicts=1, revisions=2, document_lines=1)  # fmt: skip
    assert not any(purge.leftovers(db, memory).values())


def test_a_purge_takes_nothing_else_along(db: Database) -> None:
    memory = everywhere(db)
    purge.purge(db, memory, run=new_run("purge", PERSON, now=NOON))
    assert [m.text for m in memories.scan(db)] == ["A neighbour"]
    assert {e.name for e in entities.scan(db)} == {"Birds", "Shared"}
    assert documents.get(db, memory.origin.document or "").text == "one\n\nthree\n"
    assert len(revisions.page(db)) == 4  # the neighbour, and the two names that stay, one of them taken in


def test_what_is_left_over_is_counted_and_not_assumed(db: Database) -> None:
    memory = everywhere(db)
    left = purge.leftovers(db, memory)
    assert left == {"memory": 1, "embedding": 2, "references": 4, "revision": 2, "conflict": 1, "usage": 1, "traces": 0,
                    "relations": 0, "document lines": 1}  # fmt: skip


def test_a_purged_id_is_remembered_without_its_words(db: Database) -> None:
    memory = everywhere(db)
    purge.purge(db, memory, run=new_run("purge", PERSON, now=NOON))
    assert purge.purged_among(db, [(memory.id, "other"), ("0" * 16, "words")]).ids == {memory.id}
    assert purge.purged_among(db, []) == purge.PurgedContent()


def test_a_document_read_again_meanwhile_stops_the_purge(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = everywhere(db)
    found = purge._document_of(db, memory)
    assert found is not None
    monkeypatch.setattr(purge, "_document_of", lambda db, memory: found | {"content_hash": "older"})
    with pytest.raises(Clash, match="read again"):
        purge.purge(db, memory, run=new_run("purge", AGENT, now=NOON))
    assert memories.find(db, memory.id) is not None


@pytest.mark.parametrize(
    ("first", "last", "text", "said"),
    [(1, 1, "\nb\nc", 1), (2, 9, "a\n\n", 2), (3, 2, "a\nb\nc", 0), (0, 0, "a\nb\nc", 0), (4, 9, "a\nb\nc", 0)],
)
def test_lines_are_blanked_by_number_within_the_text(first: int, last: int, text: str, said: int) -> None:
    assert purge.blank_out_lines("a\nb\nc", first, last) == (text, said)
