"""A process that is killed in the middle of an ingest, again and again, and the one that finishes it."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.memory import Memory
from memoryapp.ingest import ingest
from memoryapp.spaces import Setup, Space, close_all, configure, open_space
from memoryapp.store import documents, entities, lineage, memories
from memoryapp.store.write import new_run
from tests.ingest.conftest import ACTOR

FILES = 60
CHILD = """
import sys
from tests.ingest.test_killed import opened, run_once
print("ready", flush=True)
run_once(opened(sys.argv[1]), sys.argv[2])
"""


def opened(store: str) -> Space:
    configure(Setup(store_url=f"surrealkv://{store}", index_dir=None, encoder="hashing"))
    return open_space("killed")


def run_once(space: Space, root: str) -> int:
    source = Source("killed", SourceKind.FOLDER, root, "notes", space.clock())
    return ingest(space, source, run=new_run("ingest", ACTOR, now=space.clock())).sections


@pytest.fixture
def closing() -> Iterator[None]:
    yield
    close_all()


@pytest.mark.slow
def test_killed_at_random_moments_an_ingest_ends_as_if_it_never_was(tmp_path: Path, closing: None) -> None:
    root = tmp_path / "notes"
    root.mkdir()
    for n in range(FILES):
        body = "\n\n".join(f"## Part {n}-{k}\n\nAbout [[tantivy]] and number {n}.{k} of [[Mina]]." for k in range(8))
        (root / f"2026-{1 + n // 28:02}-{1 + n % 28:02}.md").write_text(body)
    draw = random.Random(7)
    for _ in range(3):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(tmp_path / "store"), str(root)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(draw.uniform(0.2, 1.5))
        child.kill()
        child.wait()
        child.stdout.close()
    space = opened(str(tmp_path / "store"))
    assert run_once(space, str(root)) == FILES * 8
    held: list[Memory] = list(memories.scan(space.db))
    assert len(held) == len({memory.text for memory in held}) == FILES * 8
    assert all(memory.version == 1 for memory in held)
    assert len(documents.heads(space.db, "killed")) == FILES
    assert len(lineage.follows_among(space.db, [memory.id for memory in held])) == FILES * 8 - 1
    known = entities.by_normals(space.db, ["tantivy", "mina"])
    assert {entity.state.value for entity in known.values()} == {"known"}
