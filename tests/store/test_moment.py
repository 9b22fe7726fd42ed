"""A backup of a space that is being written to holds it as it was at one moment."""

from __future__ import annotations

import gzip
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memoryapp.domain.errors import StoreError
from memoryapp.domain.memory import Memory
from memoryapp.store import memories, rows, walk
from memoryapp.store import snapshot as moments
from memoryapp.store.backup import TABLES, backup, restore
from memoryapp.store.database import Database, open_database
from memoryapp.store.folder import snapshot_of
from memoryapp.store.migrate import FOLDER, migrate
from memoryapp.store.write import Batch, commit, new_run
from tests.migrated import MIGRATED
from tests.samples import AGENT, NOON, a_memory, written


def entries(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        return [json.loads(line) for line in opened]


def memories_in(file: Path) -> list[dict[str, Any]]:
    return [one["row"] for one in entries(file) if one.get("table") == "memory"]


@contextmanager
def writing(db: Database, writers: int) -> Iterator[None]:
    """Each writer makes pairs, and changes both of its first one, always in one act. Both must say the same."""
    over = threading.Event()
    failed: list[BaseException] = []

    def write(writer: int) -> None:
        try:
            # Far apart in the order of ids: page by page, one would be read long before the other.
            pair = (a_memory(f"{writer} first"), a_memory(f"{writer} first"))
            pair = (replace(pair[0], id=f"{writer}" * 16), replace(pair[1], id=f"f{writer}" * 8))
            written(db, *pair)
            turn = 0
            while not over.is_set():
                turn += 1
                said = f"{writer} turn {turn}"
                after: tuple[Memory, Memory] = tuple(replace(one, text=said) for one in pair)  # type: ignore[assignment]
                both = [a_memory(f"{said} pair"), a_memory(f"{said} pair")]
                commit(
                    db,
                    new_run("edit", AGENT, now=NOON),
                    Batch(created=both, updated=list(zip(pair, after, strict=True))),
                    now=NOON,
                )
                pair = tuple(replace(one, version=one.version + 1, updated_at=NOON) for one in after)  # type: ignore[assignment]
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(1, writers + 1)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()
        assert not failed, failed


@pytest.mark.long
def test_a_pair_that_is_written_together_is_in_a_backup_together_or_not_at_all(kept: Database, tmp_path: Path) -> None:
    written(kept, *[a_memory(f"Memory {n}") for n in range(700)])
    seen = set()
    with writing(kept, 2):
        for n in range(3):
            backup(kept, tmp_path / f"{n}.gz")
            told = Counter(row["text"] for row in memories_in(tmp_path / f"{n}.gz"))
            halves = [text for text, count in told.items() if not text.startswith("Memory") and count != 2]
            assert halves == []
            seen.add(len(told))
    assert len(seen) > 1  # they wrote meanwhile


def test_what_was_read_of_a_moment_is_restored_line_for_line(kept: Database, tmp_path: Path) -> None:
    with writing(kept, 2):
        backup(kept, tmp_path / "one.gz")
    other = open_database(MIGRATED, "pond")
    migrate(other)
    restore(other, tmp_path / "one.gz")
    backup(other, tmp_path / "two.gz")
    other.close()
    assert entries(tmp_path / "one.gz")[1:] == entries(tmp_path / "two.gz")[1:]


def test_a_small_space_in_memory_is_read_by_one_question(db: Database, tmp_path: Path) -> None:
    written(db, *[a_memory(f"Memory {n}") for n in range(30)])
    with writing(db, 1):
        for n in range(3):
            backup(db, tmp_path / f"{n}.gz")
            told = Counter(row["text"] for row in memories_in(tmp_path / f"{n}.gz"))
            assert [text for text, count in told.items() if not text.startswith("Memory") and count != 2] == []


def test_a_large_space_that_cannot_be_copied_is_read_page_by_page_and_fits_together(
    db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moments, "SMALL", 10)
    monkeypatch.setattr(moments, "_PAGE", 1)
    monkeypatch.setattr(walk, "_KEYS", 7)
    written(db, *[a_memory(f"Memory {n}") for n in range(30)])
    assert backup(db, tmp_path / "one.gz")["memory"] == 30
    assert len({row["id"]["$record"][1] for row in memories_in(tmp_path / "one.gz")}) == 30


def test_no_copy_is_left_and_one_of_a_killed_process_goes_at_the_next_opening(
    kept: Database, folder_url: str, tmp_path: Path
) -> None:
    written(kept, a_memory("The heron"))
    backup(kept, tmp_path / "one.gz")
    assert kept.folder is not None
    left = snapshot_of(kept.folder)
    assert not left.exists()
    kept.close()
    (left / "wal").mkdir(parents=True)
    open_database(folder_url, "reeds").close()
    assert not left.exists()


def test_writers_go_on_after_a_copy_that_failed(
    kept: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fails(*_: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr(moments, "_copy", fails)
    with pytest.raises(OSError, match="no room"):
        backup(kept, tmp_path / "one.gz")
    written(kept, a_memory("The heron"))


def test_a_copy_that_lacks_the_last_write_is_refused(
    kept: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real: Callable[..., None] = moments._copy

    def forgets(folder: Path, target: Path) -> None:
        real(folder, target)
        for log in (target / "wal").iterdir():
            log.unlink()

    monkeypatch.setattr(moments, "_copy", forgets)
    with pytest.raises(StoreError):
        backup(kept, tmp_path / "one.gz")
    assert list(tmp_path.glob("*.gz*")) == []


@pytest.mark.parametrize("steps", [2, 3, 4, 5])
def test_a_backup_of_an_earlier_version_is_restored_into_this_one(steps: int, tmp_path: Path) -> None:
    """Made as that version did: by its schema, with the tables that it had."""
    earlier = tmp_path / "schema"
    earlier.mkdir()
    files = sorted(FOLDER.glob("*.surql"))[:steps]
    assert len(files) < len(list(FOLDER.glob("*.surql")))
    for file in files:
        (earlier / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    old = open_database("mem://", "old")
    migrate(old, folder=earlier)
    tables = tuple(name for name in TABLES if name in old.query("INFO FOR DB")[0]["tables"])
    known = old.query("INFO FOR TABLE memory")[0]["fields"]
    row = {
        name: value
        for name, value in rows.memory_row(a_memory("갈대밭의 왜가리")).items()
        if name in known or name == "id"
    }
    old.query("INSERT INTO memory $row RETURN NONE", row=row)
    assert set(tables) <= set(TABLES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("memoryapp.store.backup.TABLES", tables)
        patch.setattr("memoryapp.store.backup.every_row.__defaults__", (tables,))
        backup(old, tmp_path / "old.gz")
    old.close()
    now = open_database(MIGRATED, "now")
    migrate(now)
    assert restore(now, tmp_path / "old.gz") == {"memory": 1}
    backup(now, tmp_path / "now.gz")
    (before,), (after,) = memories_in(tmp_path / "old.gz"), memories_in(tmp_path / "now.gz")
    assert before.items() <= after.items()
    assert memories.get(now, before["id"]["$record"][1]).text == "갈대밭의 왜가리"
    now.close()
