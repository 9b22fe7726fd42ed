"""A logical backup of one space: every row of every table as JSON lines, readable without the engine, restorable into
an empty space of this or a later version, embedded or server."""

from __future__ import annotations

import base64
import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from surrealdb import Null, RecordID

from memoryapp.domain.errors import BadInput, Clash
from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.migrate import digest_key, keep_digest_key
from memoryapp.store.moment import moment

FORMAT = 1
# Parents before the edges that need both their ends.
TABLES = (
    "source", "document", "session", "turn", "reading", "entity", "memory", "embedding", "usage", "feedback",
    "conflict", "run", "revision",
    "references", "relates", "is_a", "follows", "derived_from", "supersedes", "purged",
    "graph_due", "alike",
    "profile", "golden", "golden_run",
)  # fmt: skip
_UNREADABLE = (
    OSError, EOFError, StopIteration, ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error,
)  # fmt: skip
RELATIONS = frozenset({"references", "relates", "is_a", "follows", "derived_from", "supersedes"})
_PAGE = 500  # rows of one statement
_BATCH_CHARS = 8_000_000  # and at most about so much of them: documents are long
_LINE_BYTES = 64 * 1024**2  # a line is read whole, and a packed one of gigabytes may come in a small file


def backup(db: Database, target: Path) -> dict[str, int]:
    """Writes `target` (gzip, readable by its owner alone) and returns rows by table. The file appears under its name
    only when it is whole. It holds the space as it was at one moment (store/moment.py); writers go on meanwhile."""
    partial = target.with_name(target.name + ".partial")
    written = dict.fromkeys(TABLES, 0)
    try:
        with (
            open(partial, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as packed,
            gzip.open(packed, "wt", encoding="utf-8", compresslevel=4) as file,
        ):
            head = {"format": FORMAT, "space": db.name, "made_at": datetime.now(UTC).isoformat()}
            head["digest_key"] = digest_key(db)
            file.write(json.dumps({"palimpsest": head | {"migrations": migrations(db)}}) + "\n")
            for table, row in every_row(db):
                file.write(json.dumps({"table": table, "row": row}, ensure_ascii=False) + "\n")
                written[table] += 1
            file.write(json.dumps({"end": written}) + "\n")
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return written


def note_backup(db: Database) -> None:
    """Remembers that a backup was taken just now, for whoever asks whether that was long ago."""
    db.query("UPSERT meta:backup SET at = time::now() RETURN NONE")


def last_backup(db: Database) -> datetime | None:
    """When a backup was last taken; None where never."""
    (at,) = db.query("SELECT VALUE at FROM ONLY meta:backup TIMEOUT 5s")
    return rows.moment(at)


def every_row(db: Database, tables: Sequence[str] = TABLES) -> Iterator[tuple[str, Any]]:
    """(table, row as plain JSON) of each row of these tables, which come in the order of TABLES. Together they are
    consistent, and `fill` takes them."""
    whole = _Whole()
    with moment(db, tables) as rows_of:
        for table in tables:
            for row in rows_of(table):
                if whole.takes(table, row):
                    yield table, _encode(row)


class _Whole:
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


def restore(db: Database, origin: Path) -> dict[str, int]:
    """Fills an empty space from a backup and returns rows by table.

    Raises BadInput for a file that is no backup, is cut short, or was made by a newer version; Clash when the space
    is not empty.
    """
    take_back_half(db)
    if not is_empty(db):
        raise Clash(f"Space “{db.name}” is not empty. Restore into a new space, then switch to it.")
    _check(db, origin)
    return fill(db, _entries(origin), digest_key=str(_head(origin).get("digest_key") or ""))


def is_empty(db: Database) -> bool:
    return not any(db.query("; ".join(f"SELECT VALUE id FROM {table} LIMIT 1" for table in TABLES)))


def fill(
    db: Database, entries: Iterable[tuple[str, Any, int]], *, digest_key: str, again: bool = False
) -> dict[str, int]:
    """Writes (table, row as plain JSON, its length) into a space that is empty, and returns rows by table. Where it
    fails, whatever by, the space is empty again; where the process is killed, once `take_back_half` was called.
    `again`: goes on with what a process that ended left half done."""
    read: dict[str, int] = {}
    current, size = "", 0
    batch: list[Any] = []
    try:
        db.query("UPSERT meta:filling SET at = time::now() RETURN NONE")
        keep_digest_key(db, digest_key)
        for table, row, length in entries:
            if table != current or len(batch) >= _PAGE or size > _BATCH_CHARS:
                _insert(db, current, batch, again=again)
                current, batch, size = table, [], 0
            batch.append(_decode(row))
            size += length
            read[table] = read.get(table, 0) + 1
        _insert(db, current, batch, again=again)
        db.query("DELETE meta:filling RETURN NONE")
        return read
    except BaseException:
        _empty(db)
        raise


def take_back_half(db: Database) -> None:
    """Empties a space whose filling was cut short by the end of its process. Not while another process may be at it."""
    if db.query("SELECT VALUE id FROM meta:filling TIMEOUT 5s")[0]:
        _empty(db)


def _empty(db: Database) -> None:
    """It was empty before; half of a backup is no space to work in."""
    gone = " ".join(f"DELETE {table} RETURN NONE;" for table in reversed(TABLES))
    db.query("{" + gone + " DELETE meta:filling RETURN NONE; }")


def _head(origin: Path) -> dict[str, Any]:
    head: dict[str, Any] = json.loads(next(_lines(origin)))["palimpsest"]
    return head


def _entries(origin: Path) -> Iterator[tuple[str, Any, int]]:
    """(table, row as written, length of its line) of every row, after the head."""
    lines = _lines(origin)
    next(lines)
    for line in lines:
        entry = json.loads(line)
        if "table" in entry:
            yield entry["table"], entry["row"], len(line)


def _lines(origin: Path) -> Iterator[str]:
    """Raises ValueError for a line longer than any that a backup holds."""
    with gzip.open(origin, "rb") as file:
        while raw := file.readline(_LINE_BYTES + 1):
            if len(raw) > _LINE_BYTES:
                raise ValueError(f"a line is longer than {_LINE_BYTES >> 20} MiB")
            yield raw.decode("utf-8")


def inspect(db: Database, origin: Path) -> dict[str, int]:
    """What a restore would write: rows by table. Raises BadInput as `restore` does."""
    return _check(db, origin)


def _check(db: Database, origin: Path) -> dict[str, int]:
    """Reads the file once from end to end before anything is written, and counts its rows."""
    try:
        lines = _lines(origin)
        head = json.loads(next(lines)).get("palimpsest")
        if not head or head["format"] != FORMAT:
            raise BadInput(f"{origin.name} is not a backup that this version can read.")
        newer = set(head["migrations"]) - set(migrations(db))
        if newer:
            raise BadInput(f"{origin.name} was made by a newer version ({', '.join(sorted(newer))}).")
        found: dict[str, int] = {}
        entry: dict[str, Any] = {}
        for line in lines:
            entry = json.loads(line)
            if "end" not in entry:
                found[entry["table"]] = found.get(entry["table"], 0) + 1
                # The name becomes part of a statement.
                if entry["table"] not in TABLES or not isinstance(entry["row"], dict):
                    raise BadInput(f"{origin.name} holds a line that is not of a backup.")
                _decode(entry["row"])
        if "end" not in entry:
            raise BadInput(f"{origin.name} is cut short: its last line is missing. Make the backup again.")
        told = {table: count for table, count in entry["end"].items() if count}
        if told != found:
            raise BadInput(f"{origin.name} says that it holds other rows than are in it. Make the backup again.")
        return found
    except _UNREADABLE as error:
        raise BadInput(f"{origin.name} is not a readable backup: {error}") from error


def migrations(db: Database) -> list[str]:
    """Names of the migrations that made this space's schema."""
    return sorted(str(name) for name in db.query("SELECT VALUE record::id(id) FROM migration")[0])


def _insert(db: Database, table: str, batch: list[Any], *, again: bool) -> None:
    if batch:
        how = ("RELATION " if table in RELATIONS else "") + ("IGNORE " if again else "")
        db.query(f"INSERT {how}INTO {table} $rows RETURN NONE", rows=batch)


def _encode(value: Any) -> Any:
    if value is Null:
        return {"$null": True}
    if isinstance(value, RecordID):
        return {"$record": [value.table_name, _encode(value.id)]}
    if isinstance(value, datetime):
        at = rows.moment(value)
        return {"$at": at.isoformat() if at else None}
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode("ascii")}
    if isinstance(value, dict):
        encoded = {key: _encode(inner) for key, inner in value.items()}
        # Somebody's own front matter may look like one of the marks above.
        return {"$dict": encoded} if len(value) == 1 and next(iter(value)).startswith("$") else encoded
    if isinstance(value, list):
        return [_encode(inner) for inner in value]
    return value


def _decode(value: Any) -> Any:
    if isinstance(value, list):
        return [_decode(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        if "$record" in value:
            table, key = value["$record"]
            return RecordID(table, _decode(key))
        if "$null" in value:
            return Null
        if "$at" in value:
            return datetime.fromisoformat(value["$at"])
        if "$bytes" in value:
            return base64.b64decode(value["$bytes"])
        if "$dict" in value:
            return {key: _decode(inner) for key, inner in value["$dict"].items()}
    return {key: _decode(inner) for key, inner in value.items()}
