"""Pairs of entities that may be one: found by a job, decided by a person."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from memoryapp.domain.entity import Alike, AlikeStatus
from memoryapp.store import rows
from memoryapp.store.database import Database

_ALIKE = rows.Table("alike", Alike)
alike_row, alike_from = _ALIKE.row, _ALIKE.read


def find(db: Database, key: str) -> Alike | None:
    found = db.query("SELECT * FROM $key TIMEOUT 5s", key=rows.record("alike", key))[0]
    return alike_from(found[0]) if found else None


def waiting(db: Database, *, limit: int = 200) -> tuple[Alike, ...]:
    """Best first. A pair of which one side is refused, merged or gone is left out."""
    kept: list[Alike] = []
    start = 0
    while len(kept) < limit:
        found = db.query(
            """SELECT * FROM alike WHERE status = 'waiting' ORDER BY score DESC, id LIMIT $limit START $start
            TIMEOUT 20s""",
            limit=limit,
            start=start,
        )[0]
        kept += _standing(db, map(alike_from, found))
        start += limit
        if len(found) < limit:
            break
    return tuple(kept[:limit])


def waiting_of(db: Database, entity: str) -> tuple[Alike, ...]:
    """Those of them that an entity is a side of."""
    found = db.query("SELECT * FROM alike WHERE one = $entity OR other = $entity TIMEOUT 5s", entity=entity)[0]
    return _standing(db, (pair for pair in map(alike_from, found) if pair.status is AlikeStatus.WAITING))


def _standing(db: Database, found: Iterable[Alike]) -> tuple[Alike, ...]:
    """Those of which both sides stand, best first."""
    pairs = sorted(found, key=lambda pair: (-pair.score, pair.id))
    sides = {side for pair in pairs for side in (pair.one, pair.other)}
    told = db.query(
        "SELECT VALUE record::id(id) FROM $keys WHERE state != 'refused' AND merged_into = NONE TIMEOUT 20s",
        keys=[rows.record("entity", side) for side in sides],
    )[0]
    stands = set(told)
    return tuple(pair for pair in pairs if pair.one in stands and pair.other in stands)


def existing_pairs(db: Database, keys: Collection[str]) -> frozenset[str]:
    """Which of these pairs (alike_id) were proposed before, however that ended."""
    if not keys:
        return frozenset()
    found = db.query("SELECT VALUE record::id(id) FROM $keys TIMEOUT 20s", keys=[rows.record("alike", k) for k in keys])
    return frozenset(found[0])


def propose(db: Database, found: Sequence[Alike]) -> None:
    """Writes those that are new; a pair that was decided keeps its decision."""
    if found:
        db.query("INSERT IGNORE INTO alike $rows RETURN NONE", rows=[alike_row(one) for one in found])


def decide(db: Database, alike: Alike) -> None:
    """Puts a pair into the status it has here, whether it was proposed before or not."""
    row = alike_row(alike)
    db.query("UPSERT $id CONTENT $row RETURN NONE", id=row["id"], row=row)
