"""An export into an empty space is the same space: the same records, the same answers, the same export again."""

from __future__ import annotations

import base64
import json
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from memoryapp import search, tree
from memoryapp.domain.memory import State
from memoryapp.domain.results import Query
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories, nodes, purge, revisions
from memoryapp.store.backup import TABLES
from memoryapp.transfer.archive import open_export
from memoryapp.transfer.export import export
from memoryapp.transfer.manifest import NAME
from memoryapp.transfer.restore import fill
from memoryapp.transfer.shapes import SHAPES
from tests.transfer.conftest import SETTINGS
from tests.transfer.worlds import BANK, Watched, beside, files_of, questions

# Nothing of these kinds was done in the space of the tests; all others must hold something there.
EMPTY = {"derivations.jsonl", "look-alikes.jsonl", "golden-runs.jsonl", "hierarchy.jsonl", "sequence.jsonl"}


def answers(space: Space, question: str, strategy: str) -> list[tuple[str, float]]:
    found = search.search(space, Query(question, strategy=strategy, top_k=10))
    told = [(hit.memory.id, round(hit.score, 5)) for hit in found.hits]
    return sorted(told, key=lambda one: (-one[1], one[0]))  # strength fades between two questions: dust parts equals


def test_an_export_that_is_brought_back_gives_the_same_answers_to_fifty_questions(space: Space, archive: Path) -> None:
    other = beside()
    fill(other, open_export(archive), progress=Watched())
    found = 0
    for question in questions():
        for strategy in ("hybrid", "dual-arm", "recall") if question.startswith("W") else ("hybrid", "dual-arm"):
            expected = answers(space, question, strategy)
            assert answers(other, question, strategy) == expected, question
            found += bool(expected)
    assert found >= 50  # an equal nothing says nothing


def test_an_export_of_what_was_brought_back_is_equal_to_the_last_byte(
    space: Space, archive: Path, tmp_path: Path
) -> None:
    other = beside()
    fill(other, open_export(archive), progress=Watched())
    export(other, tmp_path / "again.zip", settings=SETTINGS)
    first, second = files_of(archive), files_of(tmp_path / "again.zip")
    assert list(first) == list(second)
    assert {name for name in first if first[name] != second[name]} == {NAME}
    told, told_again = json.loads(first[NAME]), json.loads(second[NAME])
    assert {name for name in told if told[name] != told_again[name]} == {"made_at", "space"}


def test_every_table_has_its_file_and_every_file_something_to_lose(sample: Path) -> None:
    assert tuple(shape.table for shape in SHAPES) == TABLES
    files = files_of(sample)
    assert {shape.file for shape in SHAPES} <= files.keys()
    assert {shape.file for shape in SHAPES if not files[shape.file]} <= EMPTY


def test_every_instant_and_every_vector_of_the_store_is_written_in_plain(other: Space) -> None:
    for shape in SHAPES:
        fields = other.db.query(f"INFO FOR TABLE {shape.table}")[0]["fields"]
        told = {name: text.split(" ASSERT ")[0] for name, text in fields.items() if "." not in name}
        assert {name for name, text in told.items() if "datetime" in text} == set(shape.moments), shape.table
        assert {name for name, text in told.items() if "TYPE bytes" in text} == set(shape.packed), shape.table
        assert bool({"in", "out"} & told.keys()) == bool(shape.ends)


def test_history_conflicts_trust_and_states_come_along(space: Space, archive: Path) -> None:
    other = beside()
    fill(other, open_export(archive), progress=Watched())
    for memory in memories.scan(space.db):
        assert memories.get(other.db, memory.id) == memory
        assert revisions.of_record(other.db, memory.id) == revisions.of_record(space.db, memory.id)
    assert conflicts.page(other.db) == conflicts.page(space.db) != ()
    states = {memory.state for memory in memories.scan(other.db)}
    assert {State.HELD, State.SUPERSEDED, State.ARCHIVED} <= states
    purged = space.db.query("SELECT VALUE record::id(id) FROM purged")[0]
    assert purge.purged_among(other.db, [(key, "") for key in purged]).ids == set(purged) != set()


def test_the_context_tree_stands_in_the_archive_as_it_is_taken_out(space: Space, archive: Path) -> None:
    files = files_of(archive)
    for name, text in BANK.items():
        assert files[f"tree/{name}"] == text.encode("utf-8")
    other = beside()
    fill(other, open_export(archive), progress=Watched())
    assert tree.take(other) == tree.take(space)
    assert [node.path for node in nodes.every(other.db)] == [node.path for node in nodes.every(space.db)]


def test_without_vectors_the_memories_are_embedded_anew_and_answer_alike(space: Space, tmp_path: Path) -> None:
    export(space, tmp_path / "light.zip", settings={}, vectors=False)
    assert "embeddings.jsonl" not in files_of(tmp_path / "light.zip")
    other = beside()
    report = fill(other, open_export(tmp_path / "light.zip"), progress=Watched())
    assert report.embedded >= 40 and "embedded anew" in report.notes[0]
    for question in questions()[:10]:
        assert answers(other, question, "hybrid") == answers(space, question, "hybrid")


def test_vectors_of_another_model_are_not_mistaken_for_those_of_the_space(sample: Path, other: Space) -> None:
    held = open_export(sample)
    held = replace(held, manifest=replace(held.manifest, model="another-model"))
    report = fill(other, held, progress=Watched(), dry_run=True)
    assert "another-model" in report.notes[0] and "hashing" in report.notes[0]


def test_a_line_of_memories_can_be_used_without_this_program(sample: Path) -> None:
    lines = [json.loads(line) for line in files_of(sample)["memories.jsonl"].splitlines()]
    fact: dict[str, Any] = next(line for line in lines if line.get("ref") == "fact-2")
    assert fact["text"] == "Ines uses SurrealDB at work in Kyoto." and fact["kind"] == "fact"
    assert fact["tags"] == ["surrealdb"] and fact["state"] == "held" and fact["category"] == "work"
    assert fact["occurred_at"] == "2026-02-15T12:00:00+00:00"
    assert fact["trust"] == {"when_confirmed": 0.7, "confirmed_at": fact["occurred_at"]}
    section = next(line for line in lines if line["title"] == "Backup")
    assert section["source"]["path"] == "infra.md" and section["source"]["first_line"] == 3
    assert not any("$" in name for line in lines for name in line)


def test_vectors_are_written_as_the_read_me_says(sample: Path) -> None:
    line = json.loads(files_of(sample)["embeddings.jsonl"].splitlines()[0])
    vector = np.frombuffer(base64.b64decode(line["vector"]), dtype="<f4")
    assert line["model"] == "hashing" and abs(float(np.linalg.norm(vector)) - 1) < 1e-4
    assert "base64 of 32-bit floats" in files_of(sample)["README.md"].decode()


def test_nobody_but_its_owner_can_read_an_export_and_no_half_of_one_is_left(archive: Path) -> None:
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    assert not list(archive.parent.glob("*.partial"))


def test_an_empty_space_goes_out_and_in(other: Space, tmp_path: Path) -> None:
    manifest = export(other, tmp_path / "nothing.zip", settings={})
    assert manifest.counts == {}
    assert fill(beside(), open_export(tmp_path / "nothing.zip"), progress=Watched()).records == {}
