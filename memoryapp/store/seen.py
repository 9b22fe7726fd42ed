"""Up to when all that was learned is marked as seen: kept in the runs that marked it, so that the audit tells who."""

from __future__ import annotations

from datetime import datetime

from memoryapp.domain.change import Run
from memoryapp.domain.clock import read_instant
from memoryapp.store import rows
from memoryapp.store.database import Database

SEE = "see"  # the act of such a run; its detail says up to when (`until`), and what held before (`before`)


def last(db: Database) -> Run | None:
    """Return the run that marked last, None where nothing was ever marked."""
    found = db.query("SELECT * FROM run WHERE act = $act ORDER BY started_at DESC, id DESC LIMIT 1 TIMEOUT 5s", act=SEE)
    return rows.run_from(found[0][0]) if found[0] else None


def until(db: Database) -> datetime | None:
    """Return the instant up to which all counts as seen, None where nothing was marked or the mark was taken back."""
    run = last(db)
    marked = (run.detail or {}).get("until") if run else None
    return read_instant(marked) if marked else None


def mark(db: Database, run: Run) -> None:
    """Write a run of the act SEE: it changes no record, so no batch carries it."""
    db.query("INSERT IGNORE INTO run $run RETURN NONE", run=rows.run_row(run))
