"""Relations and is_a: edges between entities, what a commit does to them, and memories still to be read for more.

They are written by `write.commit`, which also puts down with new words that they are to be read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import fields
from datetime import datetime
from enum import Enum
from typing import Any

from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.relation import MadeBy, Relation, RelationState, RelationType
from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.walk import walk

TABLES = ("relates", "is_a")


def table_of(relation: Relation) -> str:
    return "is_a" if relation.type == RelationType.IS_A else "relates"


def relation_row(relation: Relation) -> rows.Row:
    return {
        "id": rows.record(table_of(relation), relation.id),
        "in": rows.record("entity", relation.subject),
        "out": rows.record("entity", relation.object),
        "type": str(relation.type),
        "label": relation.label,
        "confidence": float(relation.confidence),
        "made_by": relation.made_by.value,
        "fact": relation.fact,
        "session": relation.session,
        "at": relation.at,
        "valid_to": relation.valid_to,
        "planned": relation.planned,
        "state": relation.state.value,
        "created_at": relation.created_at,
        "version": relation.version,
    }


def relation_from(row: rows.Row) -> Relation:
    created = rows.moment(row["created_at"])
    assert created is not None  # the schema has no relation without its day
    return Relation(
        id=rows.key_of(row["id"]),
        subject=rows.key_of(row["in"]),
        type=row["type"],
        object=rows.key_of(row["out"]),
        confidence=float(row["confidence"]),
        made_by=MadeBy(row["made_by"]),
        created_at=created,
        label=row.get("label") or "",
        fact=row.get("fact"),
        session=row.get("session"),
        at=rows.moment(row.get("at")),
        valid_to=rows.moment(row.get("valid_to")),
        planned=bool(row.get("planned")),
        state=RelationState(row["state"]),
        version=row["version"],
    )


def find(db: Database, key: str) -> Relation | None:
    return next(iter(get_many(db, [key]).values()), None)


def get(db: Database, key: str) -> Relation:
    """Raises NotFound."""
    found = find(db, key)
    if found is None:
        raise NotFound(f"There is no relation {rows.short_id(key)} in space “{db.name}”.")
    return found


def get_many(db: Database, keys: Sequence[str]) -> dict[str, Relation]:
    """Those of `keys` that exist, by id."""
    if not keys:
        return {}
    wanted = [rows.record(table, key) for table in TABLES for key in keys]
    return {one.id: one for one in map(relation_from, db.query("SELECT * FROM $keys TIMEOUT 10s", keys=wanted)[0])}


def of_entities(db: Database, entities: Collection[str]) -> tuple[Relation, ...]:
    """Every relation that one of these entities takes part in, at either end, refused ones too, oldest first."""
    if not entities:
        return ()
    keys = [rows.record("entity", key) for key in entities]
    found = db.query(
        """SELECT VALUE array::concat(->relates.*, <-relates.*, ->is_a.*, <-is_a.*) FROM $keys TIMEOUT 20s""",
        keys=keys,
    )[0]
    return _relations_by_age(row for some in found for row in some)


def refused_of(db: Database, entities: Collection[str]) -> tuple[Relation, ...]:
    """Of these the ones that a person refused, oldest first: the others, of which there may be thousands, are not
    handed over."""
    if not entities:
        return ()
    found = db.query(
        # By the state: few are refused, while a name may have thousands.
        """SELECT * FROM relates WITH INDEX relates_state
            WHERE state = 'refused' AND (in IN $keys OR out IN $keys) TIMEOUT 20s;
        SELECT * FROM is_a WITH INDEX is_a_state
            WHERE state = 'refused' AND (in IN $keys OR out IN $keys) TIMEOUT 20s""",
        keys=[rows.record("entity", key) for key in entities],
    )
    return _relations_by_age(row for some in found for row in some)


def of_facts(db: Database, facts: Collection[str]) -> tuple[Relation, ...]:
    """Every relation that was found in one of these memories."""
    if not facts:
        return ()
    found = db.query(
        """SELECT * FROM relates WHERE fact IN $facts TIMEOUT 20s;
        SELECT * FROM is_a WHERE fact IN $facts TIMEOUT 20s""",
        facts=list(facts),
    )
    return _relations_by_age(row for some in found for row in some)


def page(
    db: Database, *, limit: int, state: str = "", type: str = "", after: tuple[datetime, str] | None = None
) -> tuple[Relation, ...]:
    """At most `limit` relations, oldest first, from the one behind `after` (its time and id) on."""
    chosen = ["state = $state"] * bool(state) + ["type = $type"] * bool(type)
    if after:
        chosen += ["(created_at > $at OR (created_at = $at AND record::id(id) > $key))"]
    where = f"WHERE {' AND '.join(chosen)}" if chosen else ""
    at, key = after or (None, "")
    asked = "; ".join(
        f"SELECT *, record::id(id) AS key FROM {table} {where} ORDER BY created_at, key LIMIT {limit} TIMEOUT 20s"
        for table in TABLES
    )
    found = db.query(asked, state=state, type=type, at=at, key=key)
    return _relations_by_age(row for some in found for row in some)[:limit]


def scan(db: Database, table: str) -> Iterator[Relation]:
    """All relations of one of TABLES in order of id."""
    assert table in TABLES
    return map(relation_from, walk(db, table))


def _relations_by_age(found: Iterable[Any]) -> tuple[Relation, ...]:
    known = {one.id: one for one in map(relation_from, found)}
    return tuple(sorted(known.values(), key=_age))


def _age(relation: Relation) -> tuple[datetime, str]:
    return relation.created_at, relation.id


def due_memories(db: Database, *, limit: int = 200) -> dict[str, int]:
    """Memory → the version that is to be read, at most `limit` of them."""
    found = db.query("SELECT id, version FROM graph_due LIMIT $limit TIMEOUT 10s", limit=limit)[0]
    return {rows.key_of(row["id"]): int(row["version"]) for row in found}


def count_due(db: Database) -> int:
    found = db.query("SELECT count() AS n FROM graph_due GROUP ALL TIMEOUT 10s")[0]
    return int(found[0]["n"]) if found else 0


def forget_due(db: Database, keys: Sequence[str]) -> None:
    """Takes memories off that are there no longer."""
    if keys:
        db.query("DELETE $keys RETURN NONE", keys=[rows.record("graph_due", key) for key in keys])


# A section is read for names alone: of relations in running text half are wrong.
READ_FOR_RELATIONS = frozenset({Kind.FACT, Kind.NOTE, Kind.ATOM})
_CHANGES = ("type", "label", "confidence", "made_by", "at", "valid_to", "planned", "state", "version")


def written_relations(
    relations: Sequence[tuple[Relation | None, Relation]],
    unrelated: Sequence[Relation],
    graphed: Sequence[tuple[str, int]],
) -> dict[str, Any]:
    """The parameters of the block that writes them."""
    new = [after for before, after in relations if before is None]
    return {
        "relates": [relation_row(one) for one in new if table_of(one) == "relates"],
        "is_a": [relation_row(one) for one in new if table_of(one) == "is_a"],
        "changed": [_change_row(before, after) for before, after in relations if before is not None],
        "unrelated": [{"id": rows.record(table_of(one), one.id), "expected": one.version} for one in unrelated],
        "graphed": [
            {"id": rows.record("graph_due", key), "memory": rows.record("memory", key), "version": version}
            for key, version in graphed
        ],
    }


def due_rows(memories: Sequence[Memory]) -> list[rows.Row]:
    return [
        {"id": rows.record("graph_due", memory.id), "version": memory.version}
        for memory in memories
        if memory.kind in READ_FOR_RELATIONS
    ]


def has_new_words(before: Memory, after: Memory) -> bool:
    """Whether a change gives words to be read: others than before, or such as were put aside and are held again."""
    return before.text != after.text or (after.state is State.HELD and before.state is not State.HELD)


def relation_values(relation: Relation) -> dict[str, Any]:
    """A relation as the revision of its removal keeps it, so that it can be put back."""
    values = {f.name: getattr(relation, f.name) for f in fields(Relation)}
    return {name: value.value if isinstance(value, Enum) else value for name, value in values.items()}


def _change_row(before: Relation, after: Relation) -> rows.Row:
    row = relation_row(after)
    return {"id": row["id"], "expected": before.version, "row": {name: row[name] for name in _CHANGES}}
