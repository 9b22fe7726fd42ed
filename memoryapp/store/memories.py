"""Memories: reading them, by id, by place, by slot, and as the hits of a search. They are written by `write.commit`
alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import OWNED, PART, Kind, Memory, State
from memoryapp.store import rows
from memoryapp.store.conflicts import WAITING_FOR, sides_of
from memoryapp.store.database import Database
from memoryapp.store.walk import walk


def find(db: Database, key: str) -> Memory | None:
    found = db.query("SELECT * FROM $key TIMEOUT 5s", key=rows.record("memory", key))[0]
    return rows.memory_from(found[0]) if found else None


def get(db: Database, key: str) -> Memory:
    """Raises NotFound, in words that tell a mistyped id from a purged one where that can be known."""
    memory = find(db, key)
    if memory is None:
        raise NotFound(f"There is no memory {rows.short_id(key)} in space “{db.name}”. It may have been purged.")
    return memory


def get_many(db: Database, keys: Sequence[str]) -> dict[str, Memory]:
    """Those of `keys` that exist, by id."""
    if not keys:
        return {}
    found = db.query("SELECT * FROM $keys TIMEOUT 10s", keys=[rows.record("memory", key) for key in keys])[0]
    return {memory.id: memory for memory in map(rows.memory_from, found)}


def openings(db: Database, keys: Sequence[str], *, chars: int) -> dict[str, str]:
    """How the texts of these memories begin, by id: lists of many show no more."""
    if not keys:
        return {}
    found = db.query(
        "SELECT VALUE [record::id(id), string::slice(text, 0, $chars)] FROM $keys TIMEOUT 10s",
        keys=[rows.record("memory", key) for key in keys],
        chars=chars,
    )[0]
    return dict(found)


def by_refs(db: Database, refs: Sequence[str]) -> dict[str, Memory]:
    """Memories by the caller's own ids."""
    if not refs:
        return {}
    found = db.query("SELECT * FROM memory WHERE ref IN $refs TIMEOUT 20s", refs=list(refs))[0]
    return {memory.ref: memory for memory in map(rows.memory_from, found) if memory.ref is not None}


def by_hashes(db: Database, hashes: Sequence[str]) -> dict[str, list[Memory]]:
    """Memories by content hash."""
    if not hashes:
        return {}
    found = db.query("SELECT * FROM memory WHERE content_hash IN $hashes TIMEOUT 20s", hashes=list(hashes))[0]
    by_hash: dict[str, list[Memory]] = {}
    for memory in map(rows.memory_from, found):
        by_hash.setdefault(memory.content_hash, []).append(memory)
    return by_hash


def of_document(db: Database, document: str) -> tuple[Memory, ...]:
    """Every memory cut from a document, whatever its state, in reading order."""
    found = db.query("SELECT * FROM memory WHERE origin.document = $document TIMEOUT 10s", document=document)[0]
    return tuple(sorted(map(rows.memory_from, found), key=lambda m: (m.position, m.id)))


def of_documents(db: Database, documents: Sequence[str]) -> dict[str, tuple[Memory, ...]]:
    """The same for several documents in one question."""
    if not documents:
        return {}
    found = db.query("SELECT * FROM memory WHERE origin.document IN $documents TIMEOUT 20s", documents=list(documents))[
        0
    ]
    grouped: dict[str, list[Memory]] = {}
    for memory in map(rows.memory_from, found):
        grouped.setdefault(memory.origin.document or "", []).append(memory)
    return {key: tuple(sorted(group, key=lambda m: (m.position, m.id))) for key, group in grouped.items()}


def of_group(db: Database, group: str, *, limit: int = 500) -> tuple[Memory, ...]:
    """A document's or session's memories in their order."""
    found = db.query("SELECT * FROM memory WHERE group = $group TIMEOUT 10s", group=group)[0]
    return tuple(sorted(map(rows.memory_from, found), key=lambda m: (m.position, m.created_at, m.id)))[:limit]


def scan(db: Database) -> Iterator[Memory]:
    """All memories, deleted ones too, in order of id."""
    return map(rows.memory_from, walk(db, "memory"))


def in_state(
    db: Database, state: State, *, before: tuple[datetime, str] | None = None, limit: int = 50
) -> tuple[Memory, ...]:
    """Memories in one state, newest change first, below `before` = (updated_at, id) of the last one shown."""
    found = db.query(
        """SELECT * FROM memory WHERE state = $state
        AND ($at = NONE OR updated_at < $at OR (updated_at = $at AND record::id(id) < $key))
        ORDER BY updated_at DESC, id DESC LIMIT $limit TIMEOUT 10s""",
        state=state.value,
        at=before[0] if before else None,
        key=before[1] if before else "",
        limit=limit,
    )[0]
    return tuple(rows.memory_from(row) for row in found)


def of_session(db: Database, session: str, *, kind: Kind | None = None) -> tuple[Memory, ...]:
    """Memories first learned in a session, whatever their state, in order of their place in it."""
    narrow = " AND kind = $kind" if kind else ""
    found = db.query(
        f"SELECT * FROM memory WHERE origin.session = $named{narrow} TIMEOUT 10s",
        named=session,
        kind=kind.value if kind else None,
    )[0]
    return tuple(sorted(map(rows.memory_from, found), key=lambda m: (m.position, m.id)))


def of_turns(db: Database, turns: Sequence[str]) -> tuple[Memory, ...]:
    """Memories whose words came from these turns."""
    if not turns:
        return ()
    found = db.query("SELECT * FROM memory WHERE origin.turn IN $turns TIMEOUT 10s", turns=list(turns))[0]
    return tuple(map(rows.memory_from, found))


def decisions(db: Database) -> tuple[str, ...]:
    """Ids of the memories that tell of a decision, whatever their state."""
    found = db.query("SELECT VALUE record::id(id) FROM memory WHERE decision_point = true TIMEOUT 10s")[0]
    return tuple(found)


def sources_of(db: Database, key: str) -> tuple[Memory, ...]:
    """What a memory was derived from."""
    found = db.query("SELECT VALUE ->derived_from->memory.* FROM ONLY $key TIMEOUT 5s", key=rows.record("memory", key))
    return tuple(map(rows.memory_from, found[0] or ()))


def derived_from(db: Database, keys: Sequence[str]) -> tuple[Memory, ...]:
    """What was derived from any of these memories, directly."""
    if not keys:
        return ()
    found = db.query(
        "SELECT VALUE <-derived_from<-memory.* FROM $keys TIMEOUT 10s",
        keys=[rows.record("memory", key) for key in keys],
    )[0]
    made = {memory.id: memory for group in found for memory in map(rows.memory_from, group or ())}
    return tuple(made.values())


Sides = Mapping[str, tuple[str, ...]]  # ids of waiting conflicts by the memory that stands in them
# Waiting conflicts that are read all together: more would take longer than asking for each search's own.
MOST_WAITING = 100
_ROWS = "SELECT * FROM $keys TIMEOUT 10s"
_ROWS_AND_SIDES = f"{_ROWS};{WAITING_FOR}"
_WAITING = """
SELECT record::id(id) AS key, existing, incoming FROM conflict WHERE status = 'waiting' LIMIT $most TIMEOUT 5s
"""


def recall(db: Database, keys: Sequence[str], sides: Sides | None = None) -> tuple[dict[str, Memory], Sides]:
    """(those of `keys` that exist, by id; ids of the waiting conflicts of each of them, on either side). `sides`: of
    `every_side`, where they are known: then the memories alone are asked for."""
    if not keys:
        return {}, {}
    records = [rows.record("memory", key) for key in keys]
    if sides is not None:
        found, waiting = db.query(_ROWS, keys=records)[0], sides
    else:
        found, *both = db.query(_ROWS_AND_SIDES, keys=records, memories=list(keys))
        waiting = sides_of(both)
    return {memory.id: memory for memory in map(rows.memory_from, found)}, waiting


def every_side(db: Database) -> Sides | None:
    """All waiting conflicts by side; None where more than MOST_WAITING wait."""
    found = db.query(_WAITING, most=MOST_WAITING + 1)[0]
    return None if len(found) > MOST_WAITING else sides_of([found, [row for row in found if row.get("incoming")]])


# As domain.apart.apart has it; "" for what belongs to nobody.
_OWNER = """(IF string::starts_with(origin.session ?? '', $owned) { string::split(origin.session, $part)[0] }
    ELSE { '' })"""


@dataclass(frozen=True, slots=True)
class Filling:
    """A held memory that states something: in which slots, and whose it is (domain.apart)."""

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
