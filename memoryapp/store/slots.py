"""Who fills a slot: what a new fact may contradict without being near it in meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoryapp.domain.memory import OWNED, PART, Kind
from memoryapp.store.database import Database

# As domain.memory.apart has it; "" for what belongs to nobody.
_OWNER = """(IF string::starts_with(origin.session ?? '', $owned) { string::split(origin.session, $part)[0] }
    ELSE { '' })"""


@dataclass(frozen=True, slots=True)
class Filling:
    """A held memory that states something: in which slots, and whose it is (domain.memory.apart)."""

    memory: str
    kind: Kind
    slots: tuple[str, ...]
    owner: str | None


def filling(db: Database, keys: Sequence[str], owners: Sequence[str | None], *, limit: int) -> tuple[Filling, ...]:
    """Held memories of these owners that state something in one of these slots (domain.statement.Slot.key), at most
    `limit` of them. Thousands may share a space, and each of them fill the same slot."""
    if not keys or not owners:
        return ()
    found = db.query(
        # By the slots: left to itself the planner goes over all that is held.
        f"""SELECT id, kind, slots, {_OWNER} AS owner FROM memory WITH INDEX memory_slots
        WHERE slots CONTAINSANY $keys AND state = 'held' AND {_OWNER} IN $owners LIMIT $limit TIMEOUT 10s""",
        keys=list(keys),
        owners=[owner or "" for owner in owners],
        owned=OWNED,
        part=PART,
        limit=limit,
    )[0]
    return tuple(Filling(one["id"].id, Kind(one["kind"]), tuple(one["slots"]), one["owner"] or None) for one in found)
