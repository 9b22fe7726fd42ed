"""The knowledge graph of the protocol's own “memory” server: `memory.json` or `memory.jsonl`, a line for each entity
and relation, or what its tool `read_graph` answers. Each entity becomes one of ours, each observation a fact about it,
each relation a link."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Kind
from memoryapp.transfer.entries import Brought, ImportedEntity, Item, Link, SkippedEntry
from memoryapp.transfer.foreign.files import ImportFiles
from memoryapp.transfer.foreign.records import (
    BrokenRecord,
    items,
    line,
    mapping,
    parts_with,
    records,
    reference,
    said_of,
    words,
)

FORM = "mcp-memory"


def is_one(value: Any) -> bool:
    """Whether this is an entity or a relation of it, or a whole graph."""
    one = mapping(value)
    whole = isinstance(one.get("entities"), list) and isinstance(one.get("relations"), list)
    return whole or _is_entity(one) or _is_relation(one)


def _is_entity(one: dict[str, Any]) -> bool:
    return isinstance(one.get("name"), str) and isinstance(one.get("observations"), list)


def _is_relation(one: dict[str, Any]) -> bool:
    return all(isinstance(one.get(key), str) for key in ("from", "to", "relationType"))


def read(opened: ImportFiles) -> Iterator[Brought]:
    for part in parts_with(opened, is_one):
        for record in records(part):
            if isinstance(record, BrokenRecord):
                yield SkippedEntry(record.where, record.why)
            else:
                yield from _record(record.value, record.where)


def _record(value: Any, where: str) -> Iterator[Brought]:
    one = mapping(value)
    if _is_entity(one):
        yield from _entity(one, where)
    elif _is_relation(one):
        yield from _relation(one, where)
    elif "entities" in one or "relations" in one:
        for key in ("entities", "relations"):
            for number, inner in enumerate(items(one.get(key)), start=1):
                yield from _record(inner if _is_leaf(inner) else None, f"{where}, {key} {number}")
    else:
        yield SkippedEntry(where, "It is neither an entity with observations nor a relation.")


def _is_leaf(value: Any) -> bool:
    return _is_entity(mapping(value)) or _is_relation(mapping(value))


def _entity(one: dict[str, Any], where: str) -> Iterator[Brought]:
    name, kind = spaced_name(one["name"]), line(one.get("entityType"), 40)
    if not name:
        yield SkippedEntry(where, "It is an entity without a name.")
        return
    yield ImportedEntity(name, kind)
    seen: Counter[str] = Counter()
    for number, value in enumerate(one["observations"], start=1):
        text = words(value)
        if not text:
            yield SkippedEntry(f"{where}, observation {number}", "It is no sentence.")
            continue
        seen[text] += 1
        if seen[text] == 1:  # the server refuses the same words twice; a file that was edited by hand may have them
            yield Item(
                text=said_of(name, text),
                ref=reference(FORM, derived_id(line(one["name"]), text)),
                kind=Kind.FACT,
                subject=name,
                source=f"{where}, observation {number}",
            )


def _relation(one: dict[str, Any], where: str) -> Iterator[Brought]:
    subject, relation, target = spaced_name(one["from"]), line(one["relationType"]), spaced_name(one["to"])
    if subject and relation and target:
        yield Link(subject, relation, target, reference(FORM, "relation", derived_id(subject, relation, target)))
    else:
        yield SkippedEntry(where, "It is no relation between two names.")


def spaced_name(name: Any) -> str:
    """“John_Smith”, as the server's own prompt has models write names, is John Smith; `user_service` is left."""
    text = line(name)
    steps = text.split("_")
    return " ".join(steps) if len(steps) > 1 and all(step[:1].isupper() for step in steps) else text
