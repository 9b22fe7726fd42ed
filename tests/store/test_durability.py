"""A process is killed while it writes, again and again: what it was told is kept is there, and nothing is there by
halves."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from memoryapp.store import embeddings, memories
from memoryapp.store.database import open_database
from memoryapp.store.migrate import migrate

WRITER = """
import sys
import numpy as np
from memoryapp.store.database import open_database
from memoryapp.store.embeddings import Embedding
from memoryapp.store.migrate import migrate
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, a_memory

database = open_database(sys.argv[1], "reeds")
migrate(database)
n = int(sys.argv[2])
while True:
    made = [a_memory(f"batch {n} " + "reeds " * 200) for _ in range(20)]
    vectors = [Embedding(memory.id, "m", np.ones(64, np.float32)) for memory in made]
    commit(database, new_run("remember", AGENT, now=NOON), Batch(created=made, embeddings=vectors), now=NOON)
    print(n, flush=True)  # acknowledged
    n += 1
"""


@pytest.mark.slow
def test_a_kill_loses_nothing_that_was_acknowledged_and_leaves_no_half_batch(folder_url: str) -> None:
    acknowledged: list[int] = []
    for round_ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, folder_url, str(round_ * 10_000)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(5)]
        time.sleep(0.15 + 0.1 * round_)
        process.send_signal(signal.SIGKILL)
        told += [int(line) for line in process.stdout.read().splitlines() if line]
        process.wait(10)
        acknowledged += told
    database = open_database(folder_url, "reeds")
    try:
        migrate(database)
        found = tuple(memories.scan(database))
        batches = Counter(int(memory.text.split()[1]) for memory in found)
        assert set(acknowledged) <= set(batches)
        assert set(batches.values()) == {20}, "half a batch"
        assert len(batches) <= len(acknowledged) + 3, "more than the one under way was kept"
        vectors = {embedding.memory for embedding in embeddings.scan(database, "m")}
        assert vectors == {memory.id for memory in found}
        runs = database.query("SELECT count() AS n FROM run GROUP ALL; SELECT count() AS n FROM revision GROUP ALL")
        assert [rows[0]["n"] for rows in runs] == [len(batches), len(found)]
    finally:
        database.close()


@pytest.mark.long
def test_a_kill_in_the_middle_of_a_migration_leaves_all_of_it_or_nothing(folder_url: str) -> None:
    program = """
import sys
from memoryapp.store.database import open_database
from memoryapp.store.migrate import migrate
database = open_database(sys.argv[1], "reeds")
print("open", flush=True)
migrate(database)
print("done", flush=True)
"""
    for n in range(4):
        process = subprocess.Popen([sys.executable, "-c", program, folder_url], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.002 * n)
        process.kill()
        process.wait(10)
        database = open_database(folder_url, "reeds")
        try:
            tables = set(database.query("INFO FOR DB")[0]["tables"])
            assert ("memory" in tables) == ("purged" in tables), "half a schema"
        finally:
            database.close()
    database = open_database(folder_url, "reeds")
    migrate(database)
    database.close()
