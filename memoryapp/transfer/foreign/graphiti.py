"""Zep's and Graphiti's graph, as their programs answer it in JSON: nodes become entities with what is told of them,
edges links and facts, episodes notes. Edges that no longer hold are left there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memoryapp.domain.memory import Kind
from memoryapp.transfer.entries import Brought, ImportedEntity, Item, Link, SkippedEntry
from memoryapp.transfer.foreign.files import ImportFiles
from memoryapp.transfer.foreign.records import (
    BrokenRecord,
    Tally,
    identifier,
    items,
    line,
    mapping,
    moment,
    parts_with,
    records,
    reference,
    tags,
    words,
)

FORM = "graphiti"
_LISTS = ("nodes", "edges", "episodes")
_EVERY_NODE = frozenset({"entity", "node"})  # labels that all of them carry


def is_one(value: Any) -> bool:
    """Whether this is a node, an edge or an episode, or lists of them."""
    one = mapping(value)
    held = [mapping(inner) for name in _LISTS for inner in items(one.get(name))]
    return any(_is_edge(each) or _is_node(each) or _is_episode(each) for each in (one, *held))


def _is_edge(one: dict[str, Any]) -> bool:
    return isinstance(one.get("fact"), str) and "source_node_uuid" in one and "target_node_uuid" in one


def _is_node(one: dict[str, Any]) -> bool:
    return "uuid" in one and isinstance(one.get("name"), str) and isinstance(one.get("labels"), list)


def _is_episode(one: dict[str, Any]) -> bool:
    return "uuid" in one and isinstance(one.get("content"), str) and ("source" in one or "source_description" in one)


def read(opened: ImportFiles) -> Iterator[Brought]:
    # Edges name their ends by id, and may stand before the nodes: the names are gathered first.
    names = {
        identifier(one.get("uuid")): line(one.get("name"), 200)
        for part in parts_with(opened, is_one)
        for record in records(part)
        if not isinstance(record, BrokenRecord)
        for _, one in _walk_records(record.value, record.where)
        if _is_node(one)
    }
    for part in parts_with(opened, is_one):
        tally = Tally()
        for record in records(part):
            if isinstance(record, BrokenRecord):
                yield SkippedEntry(record.where, record.why)
            else:
                for where, one in _walk_records(record.value, record.where):
                    yield from _record_entries(one, where, part.name, names, tally)
        yield from tally.skipped()


def _walk_records(value: Any, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    one = mapping(value)
    listed = [name for name in _LISTS if isinstance(one.get(name), list)]
    if not listed or "uuid" in one:
        yield where, one
        return
    for name in listed:
        for number, inner in enumerate(one[name], start=1):
            yield f"{where}, {name} {number}", mapping(inner)


def _record_entries(
    one: dict[str, Any], where: str, file: str, names: dict[str, str], tally: Tally
) -> Iterator[Brought]:
    key = identifier(one.get("uuid"))
    if _is_edge(one):
        if one.get("invalid_at") or one.get("expired_at"):
            tally.add(file, "A fact that no longer holds there.")
            return
        yield from _edge(one, key, where, names)
    elif _is_node(one):
        labels = [label for value in one["labels"] if (label := line(value, 40)).casefold() not in _EVERY_NODE]
        name, summary = line(one["name"], 200), words(one.get("summary"))
        if not name:
            yield SkippedEntry(where, "It is a node without a name.")
            return
        yield ImportedEntity(name, labels[0] if labels else "")
        if summary:
            yield Item(
                text=summary,
                ref=reference(FORM, "node", key),
                title=name,
                subject=name,
                occurred_at=moment(one.get("created_at")),
                source=where,
            )
    elif _is_episode(one) and words(one["content"]):
        yield Item(
            text=words(one["content"]),
            ref=reference(FORM, "episode", key),
            title=line(one.get("name")),
            tags=tags([one.get("source_description")]),
            occurred_at=moment(one.get("valid_at")) or moment(one.get("created_at")),
            source=where,
        )
    else:
        yield SkippedEntry(where, "It is neither a node, an edge nor an episode with words.")


def _edge(one: dict[str, Any], key: str, where: str, names: dict[str, str]) -> Iterator[Brought]:
    subject = names.get(identifier(one.get("source_node_uuid")), "")
    target = names.get(identifier(one.get("target_node_uuid")), "")
    if fact := words(one["fact"]):
        yield Item(
            text=fact,
            ref=reference(FORM, key),
            kind=Kind.FACT,
            subject=subject,
            occurred_at=moment(one.get("valid_at")) or moment(one.get("created_at")),
            source=where,
        )
    relation = line(one.get("name"), 80).lower()
    if subject and target and relation:
        yield Link(subject, relation, target, reference(FORM, "edge", key))
    elif not fact:
        yield SkippedEntry(where, "It is an edge that says nothing.")
