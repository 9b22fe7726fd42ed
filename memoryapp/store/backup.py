"""A logical backup of one space: every row of every table as JSON lines, readable without the engine, restorable into
an empty space of this or a later version, embedded or server."""

from __future__ import annotations

import errno
import gzip
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memoryapp.domain.errors import (
    BadInput,
    Clash,
    PalimpsestError,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreTimeout,
    StoreUnavailable,
    WriteConflict,
)
from memoryapp.store import rows
from memoryapp.store.backup_file import (
    FORMAT,
    RELATIONS,
    TELL_EVERY,
    UNREADABLE,
    check,
    encode,
    entries_of,
    head_of,
    line_told,
    whole_row,
)
from memoryapp.store.database import Database
from memoryapp.store.migrate import digest_key, keep_digest_key
from memoryapp.store.snapshot import snapshot

# Parents before the edges that need both their ends.
TABLES = (
    "source", "document", "session", "turn", "reading", "entity", "memory", "embedding", "usage", "feedback",
    "conflict", "run", "revision",
    "references", "relates", "is_a", "follows", "derived_from", "supersedes", "purged",
    "graph_due", "alike",
    "profile", "golden", "golden_run",
)  # fmt: skip
PRIVATE = ("private_words", "trace")  # never leave the data folder: in no backup and no export
_PASSING = (StoreFull, StoreLocked, StoreTimeout, StoreUnavailable, WriteConflict)  # no fault of a row
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_PAGE = 500  # rows of one statement
_BATCH_CHARS = 8_000_000  # and at most about so much of them: documents are long


Tell = Callable[[int], object]  # is given a number of rows


def quietly(rows: int) -> None:
    """Tells nobody."""


@dataclass(frozen=True, slots=True)
class LastBackup:
    """The last backup of a space: when, how many bytes, and where it was put; “” where it was sent to somebody."""

    at: datetime
    size: int
    place: str


def backup(
    db: Database,
    target: Path,
    *,
    at: datetime | None = None,
    checked: bool = False,
    private: bool = False,
    tell: Tell = quietly,
) -> dict[str, int]:
    """Writes `target` (gzip, readable by its owner alone) and returns rows by table. The file appears under its name
    only when it is whole and on disk. It holds the space as it was at one moment (store/snapshot.py); writers go on
    meanwhile.

    `private`: with the private words that sessions keep. `at`: when it says that it was made. `checked`: it gets its
    name only after it was read again, from end to end. `tell` is given how many rows are written, or read again, now
    and then; what it raises ends it. Raises StoreFull where the disk has no room, StoreError where the file cannot be
    written or, read again, is not what was written.
    """
    partial = target.with_name(target.name + ".partial")
    try:
        with open(partial, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as packed:
            with gzip.open(packed, "wt", encoding="utf-8", compresslevel=4) as file:
                written = _write(db, file, TABLES + PRIVATE if private else TABLES, at or datetime.now(UTC), tell)
            packed.flush()
            os.fsync(packed.fileno())
        if checked:
            _check_again(db, partial, written, tell)
        partial.replace(target)
        _settle(target.parent)
    except OSError as error:
        if error.errno is None:
            raise
        raise in_words(error, Path(error.filename or target).parent) from error
    finally:
        partial.unlink(missing_ok=True)
    return written


def note_backup(db: Database, *, size: int = 0, place: str = "") -> None:
    """Remembers that a backup of so many bytes was taken just now, for whoever asks whether that was long ago."""
    db.query(
        "UPSERT meta:backup SET at = time::now(), size = $size, place = $place RETURN NONE", size=size, place=place
    )


def last_backup(db: Database) -> LastBackup | None:
    """The backup that was taken last; None where never."""
    (found,) = db.query("SELECT * FROM ONLY meta:backup TIMEOUT 5s")
    at = rows.moment(found["at"]) if found else None
    return LastBackup(at, int(found.get("size") or 0), str(found.get("place") or "")) if at else None


def _write(db: Database, file: Any, tables: Sequence[str], at: datetime, tell: Tell) -> dict[str, int]:
    written = dict.fromkeys(tables, 0)
    head = {"format": FORMAT, "space": db.name, "made_at": at.isoformat(), "digest_key": digest_key(db)}
    file.write(json.dumps({"palimpsest": head | {"migrations": migrations(db)}}) + "\n")
    for n, (table, row) in enumerate(every_row(db, tables)):
        if n % TELL_EVERY == 0:
            tell(n)
        file.write(json.dumps({"table": table, "row": row}, ensure_ascii=False) + "\n")
        written[table] += 1
    file.write(json.dumps({"end": written}) + "\n")
    return written


def _check_again(db: Database, partial: Path, written: dict[str, int], tell: Tell) -> None:
    try:
        found = inspect(db, partial, tell=tell)
    except BadInput as error:
        raise StoreError(f"The backup was written and cannot be read again; it was not kept. {error.detail}") from error
    if found != {table: count for table, count in written.items() if count}:
        raise StoreError("The backup does not hold what was written into it; it was not kept. Look at the disk.")


def _settle(folder: Path) -> None:
    """The name, too, is on disk before anybody is told of it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def in_words(error: OSError, folder: Path, *, what: str = "a backup") -> StoreError:
    """What it is that a file of everything could not be written."""
    if error.errno in _NO_ROOM:
        return StoreFull(f"There is no room left on the disk for {what} in {folder}. Make room, and take it again.")
    return StoreError(f"{what.capitalize()} cannot be written to {folder}: {error.strerror or error}.")


def every_row(db: Database, tables: Sequence[str] = TABLES) -> Iterator[tuple[str, Any]]:
    """(table, row as plain JSON) of each row of these tables, which come in the order of TABLES. Together they are
    consistent, and `fill` takes them."""
    whole = _ConsistencyFilter()
    with snapshot(db, tables) as rows_of:
        for table in tables:
            for row in rows_of(table):
                if whole.takes(table, row):
                    yield table, encode(row)


class _ConsistencyFilter:
    """Keeps a backup consistent with itself where it could not be read at one moment: then the tables are read one
    after the other, and a later one may speak of a memory that was not there yet, or of a version of it that is newer
    than the one written down."""

    def __init__(self) -> None:
        self._versions: dict[str, dict[str, int]] = {"memory": {}, "entity": {}}

    def takes(self, table: str, row: rows.Row) -> bool:
        if table in self._versions:
            self._versions[table][rows.key_of(row["id"])] = row["version"]
            return True
        if table in RELATIONS:
            return all(rows.key_of(end) in self._versions[end.table_name] for end in (row["in"], row["out"]))
        if table == "embedding":
            return row["memory"] in self._versions["memory"]
        if table == "revision" and row["record"] in self._versions:
            return int(row["version"]) <= self._versions[row["record"]].get(row["record_id"], 0)
        return True


def restore(db: Database, origin: Path, *, tell: Tell = quietly) -> dict[str, int]:
    """Fills an empty space from a backup and returns rows by table. `tell` as of `backup`.

    Raises BadInput for a file that is no backup, is cut short, holds a row that does not fit, or was made by a newer
    version; Clash when the space is not empty. It is empty then, as it was.
    """
    take_back_half(db)
    if not is_empty(db):
        raise Clash(f"Space “{db.name}” is not empty. Restore into a new space, then switch to it.")
    inspect(db, origin, tell=tell)
    key = str(head_of(origin).get("digest_key") or "")
    return fill(
        db,
        entries_of(origin),
        digest_key=key,
        tell=tell,
        place=lambda n, table, _: f"{origin.name}, {line_told(n, table)}",
    )


def is_empty(db: Database) -> bool:
    return not any(db.query("; ".join(f"SELECT VALUE id FROM {table} LIMIT 1" for table in TABLES)))


def fill(
    db: Database,
    entries: Iterable[tuple[str, Any, int]],
    *,
    digest_key: str,
    again: bool = False,
    tell: Tell = quietly,
    place: Callable[[int, str, int], str] = lambda n, table, of_table: f"record {of_table:,} of {table}",
) -> dict[str, int]:
    """Writes (table, row as plain JSON, its length) into a space that is empty, and returns rows by table. Where it
    fails, whatever by, the space is empty again; where the process is killed, once `take_back_half` was called.
    `again`: goes on with what a process that ended left half done.

    Raises BadInput for a row that does not fit, with its `place`, told by its number among all and in its table.
    """
    read: dict[str, int] = {}
    current, size = "", 0
    batch: list[tuple[str, Any]] = []  # each with its place
    try:
        db.query("UPSERT meta:filling SET at = time::now() RETURN NONE")
        keep_digest_key(db, digest_key)
        for n, (table, row, length) in enumerate(entries, 1):
            if table != current or len(batch) >= _PAGE or size > _BATCH_CHARS:
                _insert(db, current, batch, again=again)
                tell(n - 1)
                current, batch, size = table, [], 0
            read[table] = read.get(table, 0) + 1
            at = place(n, table, read[table])
            try:
                batch.append((at, whole_row(table, row)))
            except UNREADABLE as error:
                raise BadInput(f"{at} cannot be used: {error}.") from error
            size += length
        _insert(db, current, batch, again=again)
        # A backup from before turns were memories brings none of theirs: the job that reads turns makes them.
        db.query(
            "{ DELETE meta:filling RETURN NONE; UPSERT meta:turns SET remembered = $done RETURN NONE; }",
            done="turn" not in read,
        )
        return read
    except BaseException:
        _empty_store(db)
        raise


def take_back_half(db: Database) -> None:
    """Empties a space whose filling was cut short by the end of its process. Not while another process may be at it."""
    if db.query("SELECT VALUE id FROM meta:filling TIMEOUT 5s")[0]:
        _empty_store(db)


def _empty_store(db: Database) -> None:
    """It was empty before; half of a backup is no space to work in."""
    gone = " ".join(f"DELETE {table} RETURN NONE;" for table in reversed(TABLES + PRIVATE))
    db.query("{" + gone + " DELETE meta:filling RETURN NONE; }")


def inspect(db: Database, origin: Path, *, tell: Tell = quietly) -> dict[str, int]:
    """What a restore would write: rows by table. `tell` as of `backup`. Raises BadInput as `restore` does."""
    return check(origin, tables=TABLES + PRIVATE, schema=migrations(db), tell=tell)


def migrations(db: Database) -> list[str]:
    """Names of the migrations that made this space's schema."""
    return sorted(str(name) for name in db.query("SELECT VALUE record::id(id) FROM migration")[0])


def _insert(db: Database, table: str, batch: list[tuple[str, Any]], *, again: bool) -> None:
    """Raises BadInput with the place of a row that the store does not take."""
    if not batch:
        return
    how = ("RELATION " if table in RELATIONS else "") + ("IGNORE " if again else "")
    statement = f"INSERT {how}INTO {table} $rows RETURN NONE"
    try:
        db.query(statement, rows=[row for _, row in batch])
    except _PASSING:
        raise
    except PalimpsestError as error:
        raise BadInput(_at_fault(db, statement, batch) or f"From {batch[0][0]} on: {error.detail}") from error


def _at_fault(db: Database, statement: str, batch: list[tuple[str, Any]]) -> str:
    """Which row it is, and why, found by writing one by one: it is all taken back afterwards. “” where each alone is
    taken."""
    for at, row in batch:
        try:
            db.query(statement, rows=[row])
        except _PASSING:
            raise
        except PalimpsestError as error:
            return f"{at} cannot be used: {error.detail}"
    return ""
