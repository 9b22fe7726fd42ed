"""Sessions: when an agent came, and when it left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from memoryapp.domain.errors import NotFound
from memoryapp.domain.identity import derived_id
from memoryapp.store import rows
from memoryapp.store.database import Database


@dataclass(frozen=True, slots=True)
class Session:
    """`name` is the caller's own and unique in a space; the id follows from it. `private`: so is all that is said in it
    from now on."""

    name: str
    started_at: datetime
    agent: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    ended_at: datetime | None = None
    private: bool = False

    @property
    def id(self) -> str:
        return derived_id("session", self.name)


def _row(session: Session) -> rows.Row:
    return {
        "id": rows.record("session", session.id),
        "name": session.name,
        "agent": session.agent,
        "metadata": session.metadata,
        "started_at": session.started_at,
        "ended_at": session.ended_at,
        "private": session.private or None,
    }


def _session_from(row: rows.Row) -> Session:
    started = rows.moment(row["started_at"])
    assert started is not None
    return Session(
        row["name"],
        started,
        row.get("agent"),
        row["metadata"],
        rows.moment(row.get("ended_at")),
        bool(row.get("private")),
    )


def open_session(db: Database, session: Session) -> Session:
    """Opens it, or gives back the one of this name that is there: opening twice is once."""
    db.query("INSERT IGNORE INTO session $row RETURN NONE", row=_row(session))
    return get(db, session.name)


def get(db: Database, name: str) -> Session:
    """Raises NotFound."""
    found = db.query("SELECT * FROM $key TIMEOUT 5s", key=rows.record("session", derived_id("session", name)))[0]
    return _only_one(db, name, found)


def get_with_last_number(db: Database, name: str) -> tuple[Session, int]:
    """The session, and the number of its last turn, 0 where it has none. Raises NotFound."""
    found, last = db.query(
        """SELECT * FROM $key TIMEOUT 5s;
        SELECT VALUE number FROM turn WHERE session = $named ORDER BY number DESC LIMIT 1 TIMEOUT 5s""",
        key=rows.record("session", derived_id("session", name)),
        named=name,
    )
    return _only_one(db, name, found), int(last[0]) if last else 0


def _only_one(db: Database, name: str, found: Sequence[rows.Row]) -> Session:
    if not found:
        raise NotFound(f"There is no session “{rows.short_id(name)}” in space “{db.name}”.")
    return _session_from(found[0])


def end(db: Database, name: str, *, at: datetime) -> Session:
    """Raises NotFound. A session that had ended keeps its first end."""
    get(db, name)
    db.query(
        "UPDATE $key SET untold = untold OR ended_at = NONE, ended_at = ended_at ?? $at RETURN NONE",
        key=rows.record("session", derived_id("session", name)),
        at=at,
    )
    return get(db, name)


def set_private(db: Database, name: str, *, to: bool) -> Session:
    """Raises NotFound. What was said before stays as it is."""
    get(db, name)
    db.query(
        "UPDATE $key SET private = $to RETURN NONE", key=rows.record("session", derived_id("session", name)), to=to
    )
    return get(db, name)


def private_among(db: Database, names: Sequence[str]) -> set[str]:
    """Those of `names` that are sessions in which all is private."""
    keys = [rows.record("session", derived_id("session", name)) for name in names]
    return (
        set(db.query("SELECT VALUE name FROM $keys WHERE private = true TIMEOUT 5s", keys=keys)[0]) if keys else set()
    )


def untold(db: Database, *, limit: int = 200) -> tuple[Session, ...]:
    """Sessions that have ended and whose episode is still to be written."""
    found = db.query("SELECT * FROM session WHERE untold = true LIMIT $limit TIMEOUT 5s", limit=limit)[0]
    return tuple(map(_session_from, found))


def mark_told(db: Database, name: str, *, told: bool = True) -> None:
    """Whether it waits for its episode no longer; `told=False` after the episode was purged, so that it is written
    anew. A session that nobody opened by name is no row and needs no mark; one that goes on waits for its end."""
    db.query(
        "UPDATE $key SET untold = !$told AND ended_at != NONE RETURN NONE",
        key=rows.record("session", derived_id("session", name)),
        told=told,
    )


def by_id(db: Database, key: str) -> Session:
    """Raises NotFound."""
    found = db.query("SELECT * FROM $key TIMEOUT 5s", key=rows.record("session", key))[0]
    if not found:
        raise NotFound(f"There is no session {rows.short_id(key)} in space “{db.name}”.")
    return _session_from(found[0])


def page(
    db: Database,
    *,
    before: tuple[datetime, str] | None = None,
    limit: int = 50,
    under_way: bool | None = None,
) -> tuple[Session, ...]:
    """Sessions, the last opened first, below `before` = (started_at, name) of the last one shown. `under_way`: only
    those that have not ended, or only those that have."""
    narrow = " AND (started_at < $at OR name < $name)" if before else ""
    if under_way is not None:
        narrow += f" AND ended_at {'=' if under_way else '!='} NONE"
    found = db.query(
        f"SELECT * FROM session WHERE started_at <= $at{narrow} ORDER BY started_at DESC, name DESC "
        "LIMIT $limit TIMEOUT 10s",
        at=before[0] if before else datetime(9000, 1, 1, tzinfo=UTC),
        name=before[1] if before else "",
        limit=limit,
    )[0]
    return tuple(map(_session_from, found))


def count(db: Database) -> tuple[int, int]:
    """(sessions in all, those that have not ended)."""
    every, going_on = db.query(
        """SELECT count() AS n FROM session GROUP ALL TIMEOUT 5s;
        SELECT count() AS n FROM session WHERE ended_at = NONE GROUP ALL TIMEOUT 5s"""
    )
    return int(every[0]["n"]) if every else 0, int(going_on[0]["n"]) if going_on else 0


def agents(db: Database, names: Sequence[str]) -> dict[str, str]:
    """Return the agent of each of these sessions, by the session's name; those of nobody are absent."""
    if not names:
        return {}
    keys = [rows.record("session", derived_id("session", name)) for name in names]
    found = db.query("SELECT name, agent FROM $keys WHERE agent != NONE TIMEOUT 10s", keys=keys)[0]
    return {row["name"]: row["agent"] for row in found}


def existing_sessions(db: Database, names: Sequence[str]) -> set[str]:
    """Those of `names` that were opened as sessions; of the others only notes may be there."""
    if not names:
        return set()
    keys = [rows.record("session", derived_id("session", name)) for name in names]
    return set(db.query("SELECT VALUE name FROM $keys TIMEOUT 5s", keys=keys)[0])
