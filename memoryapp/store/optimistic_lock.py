"""Records with a version, written whole: a write or a deletion holds only over what its caller has read."""

from __future__ import annotations

from collections.abc import Sequence

from surrealdb import RecordID

from memoryapp.store import rows
from memoryapp.store.database import Database

_SAVE = """{
    FOR $row IN $rows {
        LET $was = (SELECT VALUE version FROM ONLY $row.id);
        IF ($was ?? 0) != $row.version - 1 {
            THROW 'stale:' + <string>($was ?? 0) + ':' + <string>record::id($row.id)
        };
        UPSERT $row.id CONTENT $row RETURN NONE;
    };
}"""
_DELETE = """{
    LET $was = (SELECT VALUE version FROM ONLY $key);
    IF $was != NONE AND $read != NONE AND $was != $read {
        THROW 'stale:' + <string>$was + ':' + <string>record::id($key)
    };
    RETURN (DELETE $key RETURN BEFORE);
}"""


def save(db: Database, some: Sequence[rows.Row]) -> None:
    """All or none of them, each over the version before its own. Raises Stale where somebody else changed one."""
    db.query(_SAVE, rows=list(some))


def delete(db: Database, key: RecordID, *, version: int | None = None) -> rows.Row | None:
    """What was deleted, None where nothing was there. Raises Stale where `version` is given and not the present one."""
    found = db.query(_DELETE, key=key, read=version)[0]
    return found[0] if found else None
