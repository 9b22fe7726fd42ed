"""A space as it stands at one moment, read at leisure while others go on writing.

The engine keeps a transaction no longer than one question, so a large space cannot be read page by page inside one. A
folder is copied instead: writers wait until that is done – what never changes again is linked, so it takes as long as
the log is – and the copy is read. A small space, and one at a server, is read by a single question.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from memoryapp.domain.errors import StoreError
from memoryapp.domain.identity import new_id
from memoryapp.store import rows
from memoryapp.store.database import Database, open_database
from memoryapp.store.folder import snapshot_of
from memoryapp.store.walk import walk

RowsOf = Callable[[str], Iterator[rows.Row]]

SMALL = 20_000  # rows that one answer may hold
_LONG_ROWS = {"document": 40}  # so many times as long as others
_PAGE = 50  # long rows of one question; of others ten times as many
_TRIES = 5  # of a copy, where the engine put its files in order meanwhile
_turns: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)


@contextmanager
def snapshot(db: Database, tables: Sequence[str]) -> Iterator[RowsOf]:
    """Gives every row of a table in order of id, all tables as they were at one moment.

    A space of more than SMALL rows at a server, in memory, or on a disk without room for a copy is read page by page:
    what is written meanwhile may then be there by half, and whoever asks must leave out what does not fit together.
    """
    if db.folder is not None and _room_for_copy(db.folder):
        with _turns[db.folder], _open_copy(db, db.folder) as copy:
            yield lambda table: pages(copy, table)
    elif _size(db, tables) <= SMALL:
        found = db.query("{ RETURN [" + ", ".join(f"(SELECT * FROM {table})" for table in tables) + "]; }")[0]
        known = dict(zip(tables, found, strict=True))
        yield lambda table: _in_order(known.pop(table))
    else:
        yield lambda table: pages(db, table)


def pages(db: Database, table: str) -> Iterator[rows.Row]:
    """Every row in order of id; long ones a few at a time."""
    return walk(db, table, page=_PAGE if table in _LONG_ROWS else _PAGE * 10)


def _in_order(found: list[rows.Row]) -> Iterator[rows.Row]:
    """One by one, each let go once it was given."""
    found.reverse()
    while found:
        yield found.pop()


def _size(db: Database, tables: Sequence[str]) -> int:
    counted = db.query("; ".join(f"SELECT count() FROM {table} GROUP ALL" for table in tables))
    return sum(
        (found[0]["count"] if found else 0) * _LONG_ROWS.get(table, 1)
        for table, found in zip(tables, counted, strict=True)
    )


@contextmanager
def _open_copy(db: Database, folder: Path) -> Iterator[Database]:
    target = snapshot_of(folder)
    mark = new_id()
    try:
        with db.at_rest("UPSERT meta:moment SET mark = $mark RETURN NONE", mark=mark):
            _copy(folder, target)
        copy = open_database(f"surrealkv://{folder.parent}", db.name, folder=target.name)
        try:
            # The last write before the copy: where it is there, everything before it is.
            if copy.query("SELECT VALUE mark FROM ONLY meta:moment")[0] != mark:
                raise StoreError(f"The folder of space “{db.name}” could not be copied whole. Try it again.")
            yield copy
        finally:
            copy.close()
    finally:
        shutil.rmtree(target, ignore_errors=True)


def _copy(folder: Path, target: Path) -> None:
    """While nobody writes the engine may still put its files in order; then it is copied once more. Raises StoreError
    where it never comes to rest."""
    for _ in range(_TRIES):
        shutil.rmtree(target, ignore_errors=True)
        before = _files(folder)
        try:
            for file in before:
                new = target / file.relative_to(folder)
                new.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                if file.suffix == ".sst":  # written once, and only ever deleted
                    os.link(file, new)
                else:
                    shutil.copyfile(file, new)
        except FileNotFoundError:
            continue
        if _files(folder) == before:
            return
    raise StoreError(f"The store at {folder} is being put in order. Try it again in a minute.")


def _files(folder: Path) -> dict[Path, tuple[int, int]]:
    """Size and time of each, but for the lock, which is the process's own."""
    found = {}
    for file in sorted(folder.rglob("*")):
        if file.name != "LOCK" and file.is_file():
            told = file.stat()
            found[file] = (told.st_size, told.st_mtime_ns)
    return found


def _room_for_copy(folder: Path) -> bool:
    """The copy is the log and what is no table; opening it writes as much again."""
    copied = sum(size for file, (size, _) in _find_files(folder).items() if file.suffix != ".sst")
    return shutil.disk_usage(folder).free > 3 * copied + (16 << 20)


def _find_files(folder: Path) -> dict[Path, tuple[int, int]]:
    try:
        return _files(folder)
    except FileNotFoundError:  # the engine is at it; it does not grow by that
        return {}
