"""The folder of a space's backups: each is whole or not there, the oldest go, and nobody else's file is touched."""

from __future__ import annotations

import gzip
import os
import stat
from collections import namedtuple
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memoryapp.domain.errors import Cancelled, NotFound, StoreError, StoreFull
from memoryapp.store import backup as backups
from memoryapp.store import backup_folder, memories
from memoryapp.store.backup import restore
from memoryapp.store.backup_folder import make, read_backup, read_backups, remove, thin
from memoryapp.store.database import Database, open_database
from memoryapp.store.migrate import migrate
from tests.migrated import MIGRATED
from tests.samples import a_memory, written

AT = datetime(2026, 11, 22, 4, tzinfo=UTC)


def several(db: Database, folder: Path, many: int) -> list[str]:
    """So many backups, a day apart, between which something is written; their names, the newest first."""
    names = []
    for n in range(many):
        written(db, a_memory(f"Memory {n}"))
        names.append(make(db, folder, now=AT + timedelta(days=n)).kept.name)
    return names[::-1]


def test_a_backup_is_made_whole_readable_by_its_owner_and_restored(db: Database, tmp_path: Path) -> None:
    written(db, a_memory("The heron"))
    made = make(db, tmp_path / "new", now=AT)
    assert made.kept.name == "reeds-20261122-040000.palimpsest.gz" and made.rows["memory"] == 1
    assert made.kept.size == made.kept.path.stat().st_size > 0
    assert stat.S_IMODE(made.kept.path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    assert os.listdir(tmp_path / "new") == [made.kept.name]
    other = open_database(MIGRATED, "other")
    migrate(other)
    restore(other, made.kept.path)
    assert [one.text for one in memories.scan(other)] == ["The heron"]
    other.close()


def test_only_the_last_ones_are_kept(db: Database, tmp_path: Path) -> None:
    names = several(db, tmp_path, 5)
    assert [one.name for one in read_backups(tmp_path, "reeds")] == names
    assert thin(tmp_path, "reeds", keep=2) == names[2:]
    assert [one.name for one in read_backups(tmp_path, "reeds")] == names[:2]
    assert thin(tmp_path, "reeds", keep=0) == names[1:2], "the last one is never removed"


def test_one_that_holds_the_same_takes_the_place_of_the_one_before(db: Database, tmp_path: Path) -> None:
    first, *_ = several(db, tmp_path, 1)
    again = make(db, tmp_path, now=AT + timedelta(days=1))
    assert again.instead == first
    assert [one.name for one in read_backups(tmp_path, "reeds")] == [again.kept.name]
    written(db, a_memory("The bittern"))
    assert make(db, tmp_path, now=AT + timedelta(days=2)).instead == ""
    assert len(read_backups(tmp_path, "reeds")) == 2


def test_two_within_one_second_do_not_write_over_each_other(db: Database, tmp_path: Path) -> None:
    several(db, tmp_path, 1)
    written(db, a_memory("The bittern"))
    assert make(db, tmp_path, now=AT).kept.name == "reeds-20261122-040001.palimpsest.gz"
    assert len(read_backups(tmp_path, "reeds")) == 2


def test_the_one_that_is_made_last_is_the_newest_whatever_the_clock_says(db: Database, tmp_path: Path) -> None:
    several(db, tmp_path, 2)
    written(db, a_memory("The bittern"))
    made = make(db, tmp_path, now=AT - timedelta(days=400))
    assert read_backups(tmp_path, "reeds")[0].name == made.kept.name
    assert made.kept.name not in thin(tmp_path, "reeds", keep=1)


def test_what_is_no_backup_of_this_space_is_neither_listed_nor_removed(db: Database, tmp_path: Path) -> None:
    (ours,) = several(db, tmp_path, 1)
    whole = (tmp_path / ours).read_bytes()
    head = gzip.decompress(whole)
    strangers = {
        "notes.txt": b"mine",
        "reeds-20261101-040000.palimpsest.gz": whole,  # the name says another time than the head
        "reeds-20261102-040000.palimpsest.gz": b"no backup",
        "other-20261122-040000.palimpsest.gz": gzip.compress(head.replace(b'"space": "reeds"', b'"space": "other"', 1)),
        "reeds-2-20261122-040000.palimpsest.gz": whole,
        "reeds-20261122-040000.palimpsest.gz.old": whole,
    }
    for name, content in strangers.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "reeds-20261103-040000.palimpsest.gz").symlink_to(tmp_path / ours)
    assert [one.name for one in read_backups(tmp_path, "reeds")] == [ours]
    written(db, a_memory("The bittern"))
    make(db, tmp_path, now=AT + timedelta(days=1))
    assert thin(tmp_path, "reeds", keep=1) == [ours]
    assert all((tmp_path / name).read_bytes() == content for name, content in strangers.items())
    for name in (*strangers, "../reeds-20261122-040000.palimpsest.gz", "reeds-20261103-040000.palimpsest.gz", ""):
        with pytest.raises(NotFound):
            read_backup(tmp_path, "reeds", name)


def test_what_a_killed_process_left_half_written_is_swept_away(db: Database, tmp_path: Path) -> None:
    half = tmp_path / "reeds-20261121-040000.palimpsest.gz.partial"
    theirs = tmp_path / "other-20261121-040000.palimpsest.gz.partial"
    half.write_bytes(b"half")
    theirs.write_bytes(b"half")
    make(db, tmp_path, now=AT)
    assert not half.exists() and theirs.exists()


def test_one_that_is_stopped_leaves_nothing_and_the_others_as_they_were(db: Database, tmp_path: Path) -> None:
    before = several(db, tmp_path, 1)

    def stop(rows: int) -> None:
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        make(db, tmp_path, now=AT + timedelta(days=1), tell=stop)
    assert os.listdir(tmp_path) == before


def test_what_cannot_be_read_again_is_not_kept(db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = several(db, tmp_path, 1)
    monkeypatch.setattr(backups.os, "fsync", lambda handle: os.ftruncate(handle, os.fstat(handle).st_size // 2))
    with pytest.raises(StoreError, match="cannot be read again; it was not kept"):
        make(db, tmp_path, now=AT + timedelta(days=1))
    assert os.listdir(tmp_path) == before


def test_a_backup_that_lost_rows_on_its_way_is_not_kept(
    db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(db, a_memory("The heron"))
    monkeypatch.setattr(backups, "inspect", lambda *_, **__: {"memory": 0})
    with pytest.raises(StoreError, match="does not hold what was written"):
        make(db, tmp_path, now=AT)
    assert os.listdir(tmp_path) == []


def test_a_disk_without_room_is_told_before_and_while_it_is_written(
    db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = several(db, tmp_path, 1)
    usage = namedtuple("usage", "total used free")
    with monkeypatch.context() as patch:
        patch.setattr(backup_folder.shutil, "disk_usage", lambda folder: usage(10, 10, 1 << 20))
        with pytest.raises(StoreFull, match=r"too little room in .*: 1 MiB are free"):
            make(db, tmp_path, now=AT + timedelta(days=1))

    def full(handle: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups.os, "fsync", full)
    with pytest.raises(StoreFull, match="no room left on the disk for a backup"):
        make(db, tmp_path, now=AT + timedelta(days=1))
    assert os.listdir(tmp_path) == before


def test_a_folder_that_is_none_or_refuses_is_told_in_words(db: Database, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreError, match=r"No backup can be kept in .*file"):
        make(db, tmp_path / "file", now=AT)
    with pytest.raises(StoreError, match=r"No backup can be kept in .*below"):
        make(db, tmp_path / "file" / "below", now=AT)
    assert read_backups(tmp_path / "nowhere", "reeds") == ()


def test_one_that_is_removed_is_gone(db: Database, tmp_path: Path) -> None:
    newest, oldest = several(db, tmp_path, 2)
    remove(read_backup(tmp_path, "reeds", oldest))
    assert [one.name for one in read_backups(tmp_path, "reeds")] == [newest]
