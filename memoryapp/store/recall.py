"""What a search reads of its hits: the memories, and the conflicts that wait about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memoryapp.domain.memory import Memory
from memoryapp.store import rows
from memoryapp.store.conflicts import WAITING_FOR, sides_of
from memoryapp.store.database import Database

Sides = Mapping[str, tuple[str, ...]]  # ids of waiting conflicts by the memory that stands in them
MOST = 100  # waiting conflicts that are read all together: more would take longer than asking for each search's own
_ROWS = "SELECT * FROM $keys TIMEOUT 10s"
_ROWS_AND_SIDES = f"{_ROWS};{WAITING_FOR}"
_WAITING = """
SELECT record::id(id) AS key, existing, incoming FROM conflict WHERE status = 'waiting' LIMIT $most TIMEOUT 5s
"""


def recall(db: Database, keys: Sequence[str], sides: Sides | None = None) -> tuple[dict[str, Memory], Sides]:
    """(those of `keys` that exist, by id; ids of the waiting conflicts of each of them, on either side). `sides`: of
    `every_side`, where they are known: then the memories alone are asked for."""
    if not keys:
        return {}, {}
    records = [rows.record("memory", key) for key in keys]
    if sides is not None:
        found, waiting = db.query(_ROWS, keys=records)[0], sides
    else:
        found, *both = db.query(_ROWS_AND_SIDES, keys=records, memories=list(keys))
        waiting = sides_of(both)
    return {memory.id: memory for memory in map(rows.memory_from, found)}, waiting


def every_side(db: Database) -> Sides | None:
    """All waiting conflicts by side; None where more than MOST wait."""
    found = db.query(_WAITING, most=MOST + 1)[0]
    return None if len(found) > MOST else sides_of([found, [row for row in found if row.get("incoming")]])
