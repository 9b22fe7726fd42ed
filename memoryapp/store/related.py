"""What a commit does to the graph: relations that are new, changed or gone, and words to be read for more of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from enum import Enum
from typing import Any

from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.relation import Relation
from memoryapp.store import rows
from memoryapp.store.relations import relation_row, table_of

# A section is read for names alone: of relations in running text half are wrong.
READ = frozenset({Kind.FACT, Kind.NOTE, Kind.ATOM})
_CHANGES = ("type", "label", "confidence", "made_by", "at", "valid_to", "planned", "state", "version")


def written(
    relations: Sequence[tuple[Relation | None, Relation]],
    unrelated: Sequence[Relation],
    graphed: Sequence[tuple[str, int]],
) -> dict[str, Any]:
    """The parameters of the block that writes them."""
    new = [after for before, after in relations if before is None]
    return {
        "relates": [relation_row(one) for one in new if table_of(one) == "relates"],
        "is_a": [relation_row(one) for one in new if table_of(one) == "is_a"],
        "changed": [_changed(before, after) for before, after in relations if before is not None],
        "unrelated": [{"id": rows.record(table_of(one), one.id), "expected": one.version} for one in unrelated],
        "graphed": [
            {"id": rows.record("graph_due", key), "memory": rows.record("memory", key), "version": version}
            for key, version in graphed
        ],
    }


def due(memories: Sequence[Memory]) -> list[rows.Row]:
    return [
        {"id": rows.record("graph_due", memory.id), "version": memory.version}
        for memory in memories
        if memory.kind in READ
    ]


def tells(before: Memory, after: Memory) -> bool:
    """Whether a change gives words to be read: others than before, or such as were put aside and are held again."""
    return before.text != after.text or (after.state is State.HELD and before.state is not State.HELD)


def told(relation: Relation) -> dict[str, Any]:
    """A relation as the revision of its removal keeps it, so that it can be put back."""
    values = {f.name: getattr(relation, f.name) for f in fields(Relation)}
    return {name: value.value if isinstance(value, Enum) else value for name, value in values.items()}


def _changed(before: Relation, after: Relation) -> rows.Row:
    row = relation_row(after)
    return {"id": row["id"], "expected": before.version, "row": {name: row[name] for name in _CHANGES}}
