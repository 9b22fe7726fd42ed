"""A row of a table as plain JSON, and back: what JSON has no word for is an object of one marked key."""

from __future__ import annotations

import base64
from datetime import datetime
from typing import Any

from surrealdb import Null, RecordID

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
