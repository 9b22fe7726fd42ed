"""The format of a backup file: its head, its rows, and whether it is whole.

A row is plain JSON; what JSON has no word for is an object of one marked key.
"""

from __future__ import annotations

import base64
import gzip
import json
import zlib
from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from surrealdb import Null, RecordID

from memoryapp.domain.errors import BadInput
from memoryapp.store import rows

RELATIONS = frozenset({"references", "relates", "is_a", "follows", "derived_from", "supersedes"})


def whole_row(table: str, written: Any) -> rows.Row:
    """The row of a table as it was written. Raises ValueError for what no row of it can be: the store would take an id
    of another table, and put the row there."""
    row = decode(written)
    if not isinstance(row, dict):
        raise ValueError("it is not a row")
    if not _is_of(row.get("id"), table):
        raise ValueError(f"its id is not one of {table}")
    for end in ("in", "out") if table in RELATIONS else ():
        if not isinstance(row.get(end), RecordID):
            raise ValueError(f"“{end}” names no record")
    return row


def _is_of(value: Any, table: str) -> bool:
    return isinstance(value, RecordID) and value.table_name == table and isinstance(value.id, (str, list, int))


def encode(value: Any) -> Any:
    if value is Null:
        return {"$null": True}
    if isinstance(value, RecordID):
        return {"$record": [value.table_name, encode(value.id)]}
    if isinstance(value, datetime):
        at = rows.moment(value)
        return {"$at": at.isoformat() if at else None}
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode("ascii")}
    if isinstance(value, dict):
        encoded = {key: encode(inner) for key, inner in value.items()}
        # Somebody's own front matter may look like one of the marks above.
        return {"$dict": encoded} if len(value) == 1 and next(iter(value)).startswith("$") else encoded
    if isinstance(value, list):
        return [encode(inner) for inner in value]
    return value


def decode(value: Any) -> Any:
    if isinstance(value, list):
        return [decode(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        if "$record" in value:
            table, key = value["$record"]
            return RecordID(table, decode(key))
        if "$null" in value:
            return Null
        if "$at" in value:
            return datetime.fromisoformat(value["$at"])
        if "$bytes" in value:
            return base64.b64decode(value["$bytes"])
        if "$dict" in value:
            return {key: decode(inner) for key, inner in value["$dict"].items()}
    return {key: decode(inner) for key, inner in value.items()}


FORMAT = 1
UNREADABLE = (
    OSError, EOFError, StopIteration, ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error,
)  # fmt: skip
TELL_EVERY = 500  # rows
_LINE_BYTES = 64 * 1024**2  # a line is read whole, and a packed one of gigabytes may come in a small file


def head_of(origin: Path) -> dict[str, Any]:
    """What a backup says of itself: `space`, `made_at`, `migrations`. Raises BadInput for a file that is none."""
    try:
        head = json.loads(next(_lines(origin)))["palimpsest"]
        if not isinstance(head, dict):
            raise ValueError("its first line is not that of a backup")
        return head
    except UNREADABLE as error:
        raise BadInput(f"{origin.name} is not a readable backup: {error}") from error


def check(
    origin: Path, *, tables: Collection[str], schema: Collection[str], tell: Callable[[int], object]
) -> dict[str, int]:
    """Reads the file once from end to end and counts its rows, by table. `schema`: the migrations that are known here.
    `tell` is given how many rows are read, now and then; what it raises ends it. Raises BadInput where it is no whole
    backup, or a newer one."""
    n, table = 0, ""
    try:
        lines = _lines(origin)
        head = json.loads(next(lines)).get("palimpsest")
        if not head or head["format"] != FORMAT:
            raise BadInput(f"{origin.name} is not a backup that this version can read.")
        newer = set(head["migrations"]) - set(schema)
        if newer:
            raise BadInput(f"{origin.name} was made by a newer version ({', '.join(sorted(newer))}).")
        found: dict[str, int] = {}
        entry: dict[str, Any] = {}
        for n, line in enumerate(lines, 1):
            table = ""
            if n % TELL_EVERY == 0:
                tell(n)
            entry = json.loads(line)
            if "end" not in entry:
                table = entry["table"]
                # The name becomes part of a statement.
                if table not in tables:
                    raise BadInput(f"{origin.name} holds a line that is not of a backup: line {n + 1}.")
                whole_row(table, entry["row"])
                found[table] = found.get(table, 0) + 1
        if "end" not in entry:
            raise BadInput(f"{origin.name} is cut short: its last line is missing. Make the backup again.")
        told = {table: count for table, count in entry["end"].items() if count}
        if told != found:
            raise BadInput(f"{origin.name} says that it holds other rows than are in it. Make the backup again.")
        return found
    except UNREADABLE as error:
        raise BadInput(f"{origin.name} is not a readable backup: {line_told(n, table)}: {error}") from error


def entries_of(origin: Path) -> Iterator[tuple[str, Any, int]]:
    """(table, row as written, length of its line) of every row, after the head."""
    lines = _lines(origin)
    next(lines)
    for line in lines:
        entry = json.loads(line)
        if "table" in entry:
            yield entry["table"], entry["row"], len(line)


def line_told(n: int, table: str) -> str:
    """Where the nth entry stands: the head is line 1."""
    return f"line {n + 1:,}" + (f" ({table})" if table else "")


def _lines(origin: Path) -> Iterator[str]:
    """Raises ValueError for a line longer than any that a backup holds."""
    with gzip.open(origin, "rb") as file:
        while raw := file.readline(_LINE_BYTES + 1):
            if len(raw) > _LINE_BYTES:
                raise ValueError(f"a line is longer than {_LINE_BYTES >> 20} MiB")
            yield raw.decode("utf-8")
