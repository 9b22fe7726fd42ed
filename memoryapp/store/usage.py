"""Usage and feedback: how often a memory was used by agents, and what they said of it, word by word and in sums.

Apart from the memory, so that a recall never touches the words, and without revisions: it is counted, not believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from memoryapp.domain.feedback import FeedbackEntry
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Usage
from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.walk import walk

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


def feedback_row(said: FeedbackEntry) -> rows.Row:
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


def feedback_of(db: Database, memories: Sequence[str], *, limit: int = 5_000) -> dict[str, tuple[FeedbackEntry, ...]]:
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
    said: dict[str, list[FeedbackEntry]] = {}
    for row in found:
        one = _feedback_entry(row)
        said.setdefault(one.memory, []).append(one)
    return {key: tuple(some) for key, some in said.items()}


def reset_feedback(db: Database, memories: Sequence[str], *, by: str, now: datetime) -> str:
    """Sets the sums of these memories to nothing, and keeps what they were under the id that is returned."""
    key = new_id()
    db.query(_RESET, keys=[rows.record("usage", one) for one in memories], by=by, now=now, reset=key)
    return key


def undo_reset_feedback(db: Database, key: str) -> int:
    """Adds what the reset took; of how many memories."""
    return int(db.query(_UNDO, reset=key)[0])


def _feedback_entry(row: rows.Row) -> FeedbackEntry:
    at = rows.moment(row["at"])
    assert at is not None
    return FeedbackEntry(
        row["memory"], int(row["used"]), int(row["not_useful"]), row["query"], row["by"], at, row.get("reset")
    )


# Accesses are counted a moment after a memory was given, and feedback comes whenever it likes: what was purged by then
# must not leave a trace by that.
_COUNT = """{
    FOR $c IN $counts {
        LET $key = $c.key;
        LET $was = (SELECT * FROM ONLY $key);
        IF record::exists($c.memory) {
            UPSERT $key SET accesses = ($was.accesses ?? 0) + $c.accesses, used = ($was.used ?? 0) + $used,
                not_useful = ($was.not_useful ?? 0) + $not_useful,
                accessed_at = IF $c.accesses > 0 { $now } ELSE { $was.accessed_at } RETURN NONE;
        };
    };
    FOR $one IN $said {
        IF record::exists(type::record('memory', $one.memory)) { INSERT INTO feedback $one RETURN NONE };
    };
}"""


def record_accesses(db: Database, counted: Mapping[str, int], *, now: datetime) -> None:
    """So many more accesses of each of these memories."""
    _count(db, counted, now=now)


def record_feedback(
    db: Database, *, used: Sequence[str], not_useful: Sequence[str], now: datetime, query: str = "", by: str = ""
) -> None:
    """What an agent said of memories it was given, `query` being what it had asked. One that was used was accessed."""
    for keys, up, down in ((used, 1, 0), (not_useful, 0, 1)):
        said = [feedback_row(FeedbackEntry(key, up, down, query, by, now)) for key in keys]
        _count(db, dict.fromkeys(keys, up), now=now, used=up, not_useful=down, said=said)


def _count(
    db: Database,
    accesses: Mapping[str, int],
    *,
    now: datetime,
    used: int = 0,
    not_useful: int = 0,
    said: Sequence[rows.Row] = (),
) -> None:
    if accesses:
        db.query(
            _COUNT,
            counts=[
                {"key": rows.record("usage", key), "memory": rows.record("memory", key), "accesses": n}
                for key, n in accesses.items()
            ],
            used=used,
            not_useful=not_useful,
            now=now,
            said=list(said),
        )


def get_many(db: Database, memories: Sequence[str]) -> dict[str, Usage]:
    """Usage by memory id; a memory that nobody was given yet is absent."""
    if not memories:
        return {}
    found = db.query("SELECT * FROM $keys TIMEOUT 10s", keys=[rows.record("usage", key) for key in memories])[0]
    return {usage.memory: usage for usage in map(rows.usage_from, found)}


def scan(db: Database) -> Iterator[Usage]:
    """All there are, in order of memory."""
    return map(rows.usage_from, walk(db, "usage"))
