"""A space in memory, a folder of notes, and an ingest that a test can call, watch and stop."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.document import FileReport, IngestPhase, IngestReport, Source, SourceKind
from memoryapp.domain.entity import Entity
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Memory, State
from memoryapp.ingest import ingest
from memoryapp.spaces import Setup, Space, close_all, configure, open_space
from memoryapp.store import documents, entities, memories
from memoryapp.store import entities as entity_store
from memoryapp.store.write import new_run
from tests.migrated import MIGRATED

ACTOR = Actor(ActorKind.PERSON, "mina")


class Clock:
    """Far enough ahead that no file counts as just written, and later at every look."""

    def __init__(self) -> None:
        self.at = datetime.now(UTC) + timedelta(hours=1)

    def __call__(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at


@dataclass
class Watched:
    """A progress that remembers what it was told, and asks to stop after so many looks."""

    stop_after: int = 1_000_000
    files: list[FileReport] = field(default_factory=list)
    steps: list[tuple[int, int]] = field(default_factory=list)
    phases: list[IngestPhase] = field(default_factory=list)
    looks: int = 0

    def advance(self, done: int, total: int, counts: IngestReport | None, file: FileReport | None) -> None:
        self.steps.append((done, total))
        if file is not None:
            self.files.append(file)

    def at(self, phase: IngestPhase) -> None:
        self.phases.append(phase)

    def cancelled(self) -> bool:
        self.looks += 1
        return self.looks > self.stop_after


class Notes:
    """A folder, and the space it is ingested into."""

    def __init__(self, root: Path, space: Space) -> None:
        self.root = root
        self.space = space
        self.source = Source(
            derived_id("source", "folder", str(root)), SourceKind.FOLDER, str(root), root.name, space.clock()
        )
        self.progress = Watched()

    def write(self, **files: str) -> None:
        """Files by path, "__" for a slash; ".md" is put behind."""
        for name, text in files.items():
            self.put(name.replace("__", "/") + ".md", text)

    def put(self, path: str, text: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def ingest(self, *, dry_run: bool = False, stop_after: int = 1_000_000) -> IngestReport:
        self.progress = Watched(stop_after)
        run = new_run("ingest", ACTOR, now=self.space.clock())
        return ingest(self.space, self.source, run=run, progress=self.progress, dry_run=dry_run)

    def told(self, path: str) -> FileReport:
        return next(file for file in self.progress.files if file.path == path)

    def all(self) -> list[Memory]:
        return sorted(memories.scan(self.space.db), key=lambda m: (m.origin.path or "", m.position))

    def held(self) -> dict[str, Memory]:
        """By title; titles are unique in these tests unless they say otherwise."""
        return {memory.title: memory for memory in self.all() if memory.state is State.HELD}

    def one(self, title: str) -> Memory:
        return next(memory for memory in self.all() if memory.title == title)

    def entities(self) -> dict[str, Entity]:
        return {entity.normal: entity for entity in entity_store.scan(self.space.db)}

    def named(self, title: str) -> set[str]:
        """Normal forms of the entities that a memory refers to."""
        memory = self.one(title)
        edges = entities.references_of(self.space.db, [memory.id]).get(memory.id, ())
        found = entity_store.get_many(self.space.db, [edge.entity for edge in edges])
        return {entity.normal for entity in found.values()}

    def state(self) -> dict[str, object]:
        """Everything that an ingest may write, without times and ids made by chance."""
        db = self.space.db
        tables = ("memory", "entity", "references", "follows", "embedding", "document", "conflict")
        found: dict[str, object] = {}
        for table in tables:
            rows = db.query(f"SELECT * FROM {table}")[0]
            kept = [
                {
                    k: str(v)
                    for k, v in row.items()
                    if k not in ("created_at", "updated_at", "ingested_at", "modified_ns")
                }
                for row in rows
            ]
            found[table] = sorted(kept, key=lambda row: row["id"])
        found["heads"] = {path: d.content_hash for path, d in documents.heads(db, self.source.id).items()}
        return found


@pytest.fixture
def open_memory() -> Iterator[Callable[[str], Space]]:
    configure(Setup(store_url=MIGRATED, index_dir=None, encoder="hashing", clock=Clock()))
    yield open_space
    close_all()


@pytest.fixture
def notes(tmp_path: Path, open_memory: Callable[[str], Space]) -> Notes:
    root = tmp_path / "notes"
    root.mkdir()
    return Notes(Path(os.path.realpath(root)), open_memory("test"))
