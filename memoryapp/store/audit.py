"""The audit: runs, the last begun first, each with the first of the changes it made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from weakref import WeakKeyDictionary

from memoryapp.domain.change import Revision, Run
from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.revisions import BY_KEY, SAID

COUNTED = 1_000  # changes of one run are counted up to here
_EVER = datetime(1970, 1, 1, tzinfo=UTC)
_LATE = timedelta(hours=3)  # a run is written some time after it began
# By database: when the last run began that was gone through, and who acted until then.
_acted: WeakKeyDictionary[Database, tuple[datetime, frozenset[str]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Act:
    """A run with some of its revisions; `changes` counts them all, up to COUNTED."""

    run: Run
    revisions: tuple[Revision, ...]
    changes: int


def acts(
    db: Database,
    *,
    before: tuple[datetime, str] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    act: str | None = None,
    actor: str | None = None,
    by_key: str | None = None,
    said: str | None = None,
    only: Sequence[str] | None = None,
    limit: int = 30,
    shown: int = 3,
) -> tuple[Act, ...]:
    """Runs below `before` = (started_at, id) of the last one shown, begun from `since` to before `until`. `only`: the
    runs to choose among. `by_key`, `said`: of agents alone, see BY_KEY and SAID. Up to `shown` revisions come with
    each."""
    narrow = "".join(
        clause
        for clause, wanted in (
            (" AND started_at >= $start", since),
            (" AND started_at < $stop", until),
            (" AND act = $act", act),
            (" AND actor_name = $actor", actor),
            (BY_KEY, by_key),
            (SAID, said),
            (" AND id IN $only", only),
            (" AND (started_at < $at OR record::id(id) < $key)", before),
        )
        if wanted is not None
    )
    found = db.query(
        f"SELECT * FROM run WHERE started_at <= $at{narrow} ORDER BY started_at DESC, id DESC LIMIT $limit TIMEOUT 10s",
        at=before[0] if before else datetime(9000, 1, 1, tzinfo=UTC),
        key=before[1] if before else "",
        start=since,
        stop=until,
        act=act,
        actor=actor,
        by_key=by_key,
        said=said,
        only=[rows.record("run", key) for key in only or ()],
        limit=limit,
    )[0]
    runs = [rows.run_from(row) for row in found]
    changed = changes_of(db, [run.id for run in runs], limit=shown)
    return tuple(Act(run, *changed[run.id]) for run in runs)


def changes_of(db: Database, runs: Sequence[str], *, limit: int) -> dict[str, tuple[tuple[Revision, ...], int]]:
    """The first revisions of each of these runs, and how many there are."""
    if not runs:
        return {}
    bound: dict[str, Any] = {f"run{n}": run for n, run in enumerate(runs)}
    # A statement a run: a subquery over `$parent.run` reads the whole table where this reads the index.
    found = db.query(
        ";".join(
            f"SELECT * FROM revision WHERE run = $run{n} LIMIT $limit TIMEOUT 10s;"
            f"RETURN count((SELECT VALUE id FROM revision WHERE run = $run{n} LIMIT $most))"
            for n in range(len(runs))
        ),
        limit=limit,
        most=COUNTED,
        **bound,
    )
    some, counts = found[::2], found[1::2]
    return {
        run: (tuple(map(rows.revision_from, some[n] if limit else ())), int(counts[n])) for n, run in enumerate(runs)
    }


def runs_of_record(db: Database, key: str) -> tuple[str, ...]:
    """Ids of the runs that changed a record."""
    found = db.query("SELECT VALUE run FROM revision WHERE record_id = $key TIMEOUT 10s", key=key)[0]
    return tuple(dict.fromkeys(found))


def changes(db: Database, run: str, *, after: str = "", limit: int = 50) -> tuple[Revision, ...]:
    """All that one run changed, in order of the revisions' ids, behind `after`."""
    found = db.query(
        "SELECT * FROM revision WHERE run = $run AND record::id(id) > $after ORDER BY id LIMIT $limit TIMEOUT 20s",
        run=run,
        after=after,
        limit=limit,
    )[0]
    return tuple(map(rows.revision_from, found))


def undone(db: Database, *, since: datetime) -> dict[str, str]:
    """Runs that an undo begun since then took back, each with the undo's own run."""
    found = db.query(
        """SELECT record::id(id) AS key, detail.undoes AS undoes FROM run
        WHERE act = 'undo' AND started_at >= $start AND detail.undoes != NONE TIMEOUT 5s""",
        start=since,
    )[0]
    return {str(row["undoes"]): str(row["key"]) for row in found}


def actors(db: Database) -> tuple[str, ...]:
    """Everybody who did something, in order of their names. All runs are gone through once in a process, later only
    those that were begun since; of somebody whose every run is gone by then the name stays."""
    since, known = _acted.get(db, (_EVER, frozenset[str]()))
    found = db.query(
        """SELECT actor_name, time::max(started_at) AS last FROM run WHERE started_at >= $since
        GROUP BY actor_name TIMEOUT 30s""",
        since=since - _LATE if known else _EVER,
    )[0]
    known |= {row["actor_name"] for row in found}
    last = max((at for row in found if (at := rows.moment(row["last"])) is not None), default=since)
    _acted[db] = (last, known)
    return tuple(sorted(known))
