"""Every row of a table, page by page, so that a large table never stands in memory.

The ids first, many at a time, then the rows by their ids. The engine finds `id > $last` by going over all that lies
before, and a range that is cut by LIMIT by reading all that lies behind: pages of rows asked for in either way take six
times as long at one end of 270,000 rows as at the other, and the whole walk grows with the square of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from surrealdb import RecordID

from memoryapp.store import rows
from memoryapp.store.database import Database

_PAGE = 2_000  # rows of one question
_KEYS = 20_000  # ids of one question


def walk(db: Database, table: str, *, page: int = _PAGE) -> Iterator[rows.Row]:
    """Every row of a table in order of id. Of what is written meanwhile some is there and some is not."""
    return by_id(db, _ids(db, table), page=page)


def by_id(db: Database, keys: Iterable[RecordID], *, page: int = _PAGE) -> Iterator[rows.Row]:
    """The rows of these ids in their order; those that are gone are left out."""
    waiting = iter(keys)
    while some := list(islice(waiting, page)):
        yield from db.query("SELECT * FROM $keys TIMEOUT 60s", keys=some)[0]


def _ids(db: Database, table: str) -> Iterator[RecordID]:
    """No ORDER BY: rows lie in order of id, and asked for that order the engine walks the first index it finds, which
    for one over a list (memory_slots) gives a row once for each of its entries and in another order."""
    found = db.query(f"SELECT VALUE id FROM {table} LIMIT {_KEYS} TIMEOUT 60s")[0]
    while found:
        yield from found
        if len(found) < _KEYS:
            return
        found = db.query(f"SELECT VALUE id FROM {table} WHERE id > $last LIMIT {_KEYS} TIMEOUT 60s", last=found[-1])[0]
