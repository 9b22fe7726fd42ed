"""Brings a database to the newest schema: the numbered files of schema/, each once, recorded in the database."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import defaultdict
from pathlib import Path

from memoryapp.domain.errors import PalimpsestError, StoreError, StoreFull, StoreTimeout, StoreUnavailable
from memoryapp.program import FILES
from memoryapp.store import rows
from memoryapp.store.database import Database

_WAITS = (0.0, 0.1, 0.4, 1.0)  # seconds until somebody else's migration is looked for again
_turns: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)  # by space
FOLDER = FILES / "schema"

_LEDGER = """
DEFINE TABLE IF NOT EXISTS migration TYPE NORMAL SCHEMAFULL;
DEFINE FIELD IF NOT EXISTS digest ON migration TYPE string;
DEFINE FIELD IF NOT EXISTS at ON migration TYPE datetime;
DEFINE TABLE IF NOT EXISTS meta TYPE NORMAL SCHEMALESS;
INSERT IGNORE INTO meta { id: meta:database, uid: rand::ulid() };
SELECT record::id(id) AS name, digest FROM migration;
"""


def migrate(db: Database, *, folder: Path = FOLDER) -> list[str]:
    """Applies what is missing, in order, and returns the names applied.

    Each file runs in one transaction together with its entry in the ledger, so a kill in between leaves either both
    or neither. Raises StoreError when the database was written by a newer version, an applied file was
    edited, or a file cannot be applied (nothing of it is kept then). Threads of one process take turns.
    """
    with _turns[db.name]:
        return _migrate(db, folder)


def _migrate(db: Database, folder: Path) -> list[str]:
    applied = _applied_digests(db)
    files = sorted(folder.glob("[0-9][0-9][0-9][0-9]_*.surql"))
    unknown = set(applied) - {file.stem for file in files}
    if unknown:
        raise StoreError(
            f"Space “{db.name}” was written by a newer version (it knows {', '.join(sorted(unknown))}). "
            "Start that version, or restore a backup made with this one."
        )
    done = []
    for file in files:
        text = file.read_text(encoding="utf-8")
        digest = hashlib.sha256(text.encode()).hexdigest()
        if file.stem in applied:
            if applied[file.stem] != digest:
                raise StoreError(
                    f"schema/{file.name} is not what space “{db.name}” applied. Start the version that wrote the space,"
                    " or restore a backup of it."
                )
            continue
        try:
            _apply(db, file.stem, text, digest)
        except (StoreUnavailable, StoreTimeout, StoreFull):
            raise
        except PalimpsestError as error:
            if _applied_meanwhile(db, file.stem, digest):
                continue
            detail = f"schema/{file.name} cannot be applied to space “{db.name}”, nothing of it was kept: {error}"
            raise StoreError(detail) from error
        done.append(file.stem)
    return done


def _applied_digests(db: Database) -> dict[str, str]:
    """Digests of the files applied, by name."""
    return {row["name"]: row["digest"] for row in db.query(_LEDGER)[-1]}


def _applied_meanwhile(db: Database, name: str, digest: str) -> bool:
    """Whether another process applied it: of two that start together, the second finds the tables there already, or
    its own write refused while the first one's is on its way."""
    for wait in _WAITS:
        time.sleep(wait)
        found = db.query("SELECT VALUE digest FROM $key TIMEOUT 5s", key=rows.record("migration", name))[0]
        if digest in found:
            return True
    return False


def _apply(db: Database, name: str, text: str, digest: str) -> None:
    db.query(
        f"BEGIN;\n{text}\nCREATE type::record('migration', $name) SET digest = $digest, at = time::now();\nCOMMIT;",
        name=name,
        digest=digest,
    )


def uid(db: Database) -> str:
    """The database's own id: derived indexes on disk name it, so that they are never taken for another's."""
    return str(db.query("SELECT VALUE uid FROM ONLY meta:database TIMEOUT 5s")[0])


def digest_key(db: Database) -> str:
    """The key of digests of purged words. It goes along with a backup, so that what was purged stays known."""
    key, own = db.query("SELECT VALUE key FROM ONLY meta:digests TIMEOUT 5s; SELECT VALUE uid FROM ONLY meta:database")
    return str(key or own)


def keep_digest_key(db: Database, key: str) -> None:
    """Takes over the key of the space a backup was made of."""
    if key:
        db.query("UPSERT meta:digests SET key = $key RETURN NONE", key=key)
