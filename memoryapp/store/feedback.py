"""What agents said of memories they were given, word by word; the sums are in `usage`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memoryapp.domain.feedback import Said
from memoryapp.domain.identity import new_id
from memoryapp.store import rows
from memoryapp.store.database import Database

_RESET = """{
    FOR $key IN $keys {
        LET $was = (SELECT * FROM ONLY $key);
        IF $was != NONE AND $was.used + $was.not_useful > 0 {
            CREATE feedback SET memory = record::id($key), used = -$was.used, not_useful = -$was.not_useful,
                query = '', by = $by, at = $now, reset = $reset RETURN NONE;
            UPDATE $key SET used = 0, not_useful = 0 RETURN NONE;
        };
    };
}"""
_UNDO = """{
    LET $taken = (SELECT * FROM feedback WHERE reset = $reset);
    FOR $one IN $taken {
        UPDATE type::record('usage', $one.memory) SET used -= $one.used, not_useful -= $one.not_useful RETURN NONE;
    };
    DELETE feedback WHERE reset = $reset RETURN NONE;
    RETURN count($taken);
}"""


def feedback_row(said: Said) -> rows.Row:
    return {
        "id": rows.record("feedback", new_id()),
        "memory": said.memory,
        "used": said.used,
        "not_useful": said.not_useful,
        "query": said.query,
        "by": said.by,
        "at": said.at,
        "reset": said.reset,
    }


def of_memories(db: Database, memories: Sequence[str], *, limit: int = 5_000) -> dict[str, tuple[Said, ...]]:
    """What was said of each, the last first; at most so many words of them all. A memory of which nothing is known
    word by word is absent."""
    if not memories:
        return {}
    found = db.query(
        # By the memories: for the order's sake the planner would go through every word there is.
        """SELECT * FROM feedback WITH INDEX feedback_memory WHERE memory IN $keys ORDER BY at DESC
        LIMIT $limit TIMEOUT 10s""",
        keys=list(memories),
        limit=limit,
    )[0]
    said: dict[str, list[Said]] = {}
    for row in found:
        one = _said(row)
        said.setdefault(one.memory, []).append(one)
    return {key: tuple(some) for key, some in said.items()}


def reset(db: Database, memories: Sequence[str], *, by: str, now: datetime) -> str:
    """Sets the sums of these memories to nothing, and keeps what they were under the id that is returned."""
    key = new_id()
    db.query(_RESET, keys=[rows.record("usage", one) for one in memories], by=by, now=now, reset=key)
    return key


def undo_reset(db: Database, key: str) -> int:
    """Adds what the reset took; of how many memories."""
    return int(db.query(_UNDO, reset=key)[0])


def _said(row: rows.Row) -> Said:
    at = rows.moment(row["at"])
    assert at is not None
    return Said(row["memory"], int(row["used"]), int(row["not_useful"]), row["query"], row["by"], at, row.get("reset"))
