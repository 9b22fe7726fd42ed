"""Counts, for the pages' rail, Home and /stats."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from weakref import WeakKeyDictionary

from memoryapp.store import rows
from memoryapp.store.cache import cached
from memoryapp.store.database import Database


@dataclass(frozen=True, slots=True)
class DayGrowth:
    day: datetime
    created: int
    changed: int


_TABLES = ("memory", "turn", "entity", "references", "document", "source", "session", "conflict", "revision", "run")


def counts(db: Database) -> dict[str, int]:
    """Rows by table; a turn counts as a turn alone, though it is a memory besides."""
    return dict(cached(db, "rows by table", lambda: _counts(db)))


def _counts(db: Database) -> dict[str, int]:
    asked = "; ".join(f"SELECT count() AS n FROM {table} GROUP ALL TIMEOUT 10s" for table in _TABLES)
    *found, of_turns = db.query(
        f"{asked}; SELECT count() AS n FROM memory WITH INDEX memory_kind WHERE kind = 'turn' GROUP ALL TIMEOUT 10s"
    )
    told = {table: int(rows_[0]["n"]) if rows_ else 0 for table, rows_ in zip(_TABLES, found, strict=True)}
    told["memory"] -= int(of_turns[0]["n"]) if of_turns else 0
    return told


@dataclass(frozen=True, slots=True)
class _PastDays:
    """Days that are over, from `since` to before `until`. `revisions`: how many there were from before `until`, of any
    record; while they are as many, what is told of those days holds."""

    since: datetime
    until: datetime
    days: dict[datetime, DayGrowth]
    revisions: int


_past: WeakKeyDictionary[Database, _PastDays] = WeakKeyDictionary()


def growth(db: Database, *, now: datetime, days: int = 30) -> tuple[DayGrowth, ...]:
    """Memories created and changed by day, the oldest day first, days without any included. Days that are over are
    gone through once in a process, and again where a purge took some of what they tell of."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    since = today - timedelta(days=days - 1)
    past = _past.get(db)
    if past is not None and not (past.since <= since and past.until <= today):
        past = None
    found, many, total = _by_day(db, past.until if past else since)
    if past is not None and total - sum(many.values()) != past.revisions:
        past = None
        found, many, total = _by_day(db, since)
    told = found if past is None else past.days | found
    over = {day: one for day, one in told.items() if day < today}
    recent = sum(count for day, count in many.items() if day >= today)
    _past[db] = _PastDays(past.since if past else since, today, over, total - recent)
    return tuple(told.get(day, DayGrowth(day, 0, 0)) for day in (since + timedelta(days=n) for n in range(days)))


def _by_day(db: Database, since: datetime) -> tuple[dict[datetime, DayGrowth], dict[datetime, int], int]:
    """From a day on: what became of memories by day, how many revisions of anything by day, and how many there are in
    all, before it too."""
    found, every = db.query(
        """SELECT day, count(of_memory AND act = 'create') AS created, count(of_memory AND act != 'create') AS changed,
            count() AS revisions FROM (
            SELECT time::floor(at, 1d) AS day, act, record = 'memory' AS of_memory FROM revision WHERE at >= $since
        ) GROUP BY day TIMEOUT 20s;
        SELECT count() AS n FROM revision GROUP ALL TIMEOUT 10s""",
        since=since,
    )
    by_day, many = {}, {}
    for row in found:
        day = rows.moment(row["day"])
        assert day is not None
        by_day[day] = DayGrowth(day, int(row["created"]), int(row["changed"]))
        many[day] = int(row["revisions"])
    return by_day, many, int(every[0]["n"]) if every else 0
