"""Open questions of a space: the last MOST that agents asked and found nothing clear for. Counted, not believed: they
have no revisions."""

from __future__ import annotations

from datetime import datetime

from memoryapp.domain.errors import NotFound
from memoryapp.domain.question import OpenQuestion, question_id
from memoryapp.store import rows
from memoryapp.store.database import Database

MOST = 200
_KEEP = """{
    LET $was = (SELECT * FROM ONLY $key);
    UPSERT $key SET text = $text, times = ($was.times ?? 0) + 1, by = $by, first_at = $was.first_at ?? $now,
        last_at = $now, dismissed = $was.dismissed ?? false RETURN NONE;
    IF $was = NONE {
        DELETE (SELECT id, last_at FROM question ORDER BY last_at DESC START $most).id RETURN NONE;
    };
}"""


def keep(db: Database, text: str, *, by: str, now: datetime) -> None:
    """One more time that it was asked; the oldest beyond MOST go."""
    db.query(_KEEP, key=rows.record("question", question_id(text)), text=text, by=by, now=now, most=MOST)


def answered(db: Database, text: str) -> None:
    """Forgets it, if it was open."""
    key = rows.record("question", question_id(text))
    if db.query("SELECT VALUE id FROM $key TIMEOUT 5s", key=key)[0]:
        db.query("DELETE $key RETURN NONE", key=key)


def every(db: Database, *, dismissed: bool = False) -> tuple[OpenQuestion, ...]:
    """Those that are open, or those that were dismissed; the one asked last first."""
    found = db.query(
        "SELECT * FROM question WHERE dismissed = $dismissed ORDER BY last_at DESC LIMIT $most TIMEOUT 5s",
        dismissed=dismissed,
        most=MOST,
    )[0]
    return tuple(map(_question, found))


def dismiss(db: Database, key: str, *, dismissed: bool) -> OpenQuestion:
    """Raises NotFound."""
    found = db.query(
        "UPDATE $key SET dismissed = $dismissed RETURN AFTER", key=rows.record("question", key), dismissed=dismissed
    )[0]
    if not found:
        raise _missing(key)
    return _question(found[0])


def delete(db: Database, key: str) -> None:
    """For good. Raises NotFound."""
    if not db.query("DELETE $key RETURN BEFORE", key=rows.record("question", key))[0]:
        raise _missing(key)


def clear(db: Database) -> int:
    """Deletes all of them, for good; how many there were."""
    return len(db.query("DELETE question RETURN BEFORE")[0])


def _missing(key: str) -> NotFound:
    return NotFound(f"There is no open question “{rows.shown(key)}” in this space. It may have been answered since.")


def _question(row: rows.Row) -> OpenQuestion:
    first, last = rows.moment(row["first_at"]), rows.moment(row["last_at"])
    assert first is not None and last is not None  # the schema asks for both
    return OpenQuestion(
        rows.key_of(row["id"]), row["text"], int(row["times"]), row["by"], first, last, bool(row["dismissed"])
    )
