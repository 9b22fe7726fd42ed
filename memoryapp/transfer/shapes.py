"""Which file of an export holds what, and how a row of the store is written there: plain fields with plain names, so
that another program can use a line as it stands. Nothing is lost: a line becomes the same row again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memoryapp.domain.conflict import Conflict
from memoryapp.domain.document import Document, Source
from memoryapp.domain.entity import Entity
from memoryapp.domain.fields import moment_fields
from memoryapp.domain.memory import Memory
from memoryapp.domain.trust import boost

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """`ends` of an edge: (name of the field, table it points to), from and to. `moments` are written as ISO 8601 in
    UTC, `packed` as base64; `names` tells a field's name in the file where it is not the store's; `first` lead."""

    table: str
    file: str
    what: str
    moments: tuple[str, ...] = ()
    ends: tuple[tuple[str, str], ...] = ()
    packed: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    first: tuple[str, ...] = ()


_MEMORIES = (("later", "memory"), ("earlier", "memory"))
_ENTITIES = (("subject", "entity"), ("object", "entity"))
_RELATION = ("at", "valid_to", "created_at")

# In the order of the store's tables: what is pointed to comes before what points to it.
SHAPES = (
    Shape("source", "sources.jsonl", "folders, files and uploads that notes were read from",
          moment_fields(Source), first=("id", "kind", "root", "name")),
    Shape("document", "documents.jsonl", "the files that were read, each with its whole text",
          moment_fields(Document), first=("id", "source", "path", "title")),
    Shape("session", "sessions.jsonl", "conversations, by the name that their agent gave them",
          ("started_at", "ended_at"), first=("id", "name", "agent", "started_at", "ended_at")),
    Shape("turn", "turns.jsonl", "what was said in them, word for word; `session` is a session's name",
          ("at",), first=("id", "session", "number", "at", "role", "speaker", "text")),
    Shape("reading", "readings.jsonl", "what was learned from each turn; `id` is the turn's",
          ("at",), first=("id", "session", "status")),
    Shape("entity", "entities.jsonl", "people, tools, places and other things that memories speak of",
          moment_fields(Entity), first=("id", "name", "type", "state", "aliases")),
    Shape("memory", "memories.jsonl", "the memories themselves",
          moment_fields(Memory),
          names={"origin": "source"},
          first=("id", "ref", "kind", "state", "title", "text", "tags", "category", "confidence", "trust",
                 "occurred_at", "created_at", "updated_at", "valid_from", "valid_to", "source", "speaker")),
    Shape("embedding", "embeddings.jsonl", "vectors of memories: base64 of 32-bit floats, little-endian, length 1",
          packed=("vector",), first=("memory", "model")),
    Shape("usage", "usage.jsonl", "how often a memory was recalled and found useful; `id` is the memory's",
          ("accessed_at",), first=("id",)),
    Shape("feedback", "feedback.jsonl", "what agents said of what they were given", ("at",), first=("id", "memory")),
    Shape("conflict", "conflicts.jsonl", "pairs of memories that cannot both hold, and how each was decided",
          moment_fields(Conflict), first=("id", "existing", "incoming", "status", "reason")),
    Shape("run", "runs.jsonl", "acts: who did something, when and why",
          ("started_at", "ended_at"), first=("id", "act", "actor_kind", "actor_name", "started_at")),
    Shape("revision", "revisions.jsonl", "every change of a memory, entity, relation or conflict, with its run",
          ("at",), first=("id", "record", "record_id", "version", "act", "at")),
    Shape("references", "mentions.jsonl", "which memory speaks of which entity, and in what role",
          ends=(("memory", "memory"), ("entity", "entity"))),
    Shape("relates", "relations.jsonl", "how entities stand to each other", _RELATION, _ENTITIES, first=("id", "type")),
    Shape("is_a", "hierarchy.jsonl", "what is a kind of what", _RELATION, _ENTITIES, first=("id", "type")),
    Shape("follows", "sequence.jsonl", "which memory comes after which", ends=_MEMORIES),
    Shape("derived_from", "derivations.jsonl", "what was made from what: digests, episodes, summaries",
          ends=(("derived", "memory"), ("original", "memory"))),
    Shape("supersedes", "replacements.jsonl", "which memory stands in place of which",
          ends=(("stands", "memory"), ("replaced", "memory"))),
    Shape("purged", "purged.jsonl", "what was erased for good: no words, only what keeps them from coming back",
          ("at",), first=("id",)),
    Shape("graph_due", "unread.jsonl", "memories that have not been read for relations yet", first=("id",)),
    Shape("alike", "look-alikes.jsonl", "entities that may be one, and what was decided of them", ("created_at",),
          first=("id", "one", "other", "status")),
    Shape("profile", "profiles.jsonl", "searches that were given a name", ("created_at", "updated_at"), first=("id",)),
    Shape("golden", "golden-queries.jsonl", "questions whose answers are known", ("created_at", "updated_at"),
          first=("id", "query", "relevant")),
    Shape("golden_run", "golden-runs.jsonl", "how searches did on them", ("at",), first=("id", "at", "plan")),
)  # fmt: skip
BY_FILE = {shape.file: shape for shape in SHAPES}
VECTORS = "embeddings.jsonl"
MEMORIES = "memories.jsonl"


def line_of(shape: Shape, row: Line) -> Line:
    """A row, as the store's backup writes it, as a line of its file."""
    found: Line = {"id": _unwrap(row["id"], "$record")[1]}
    for (name, _), side in zip(shape.ends, ("in", "out"), strict=False):
        found[name] = _unwrap(row[side], "$record")[1]
    for name, value in row.items():
        if name == "id" or (shape.ends and name in ("in", "out")):
            continue
        if name in shape.moments:
            value = _unwrap(value, "$at")
        elif name in shape.packed:
            value = _unwrap(value, "$bytes")
        found[shape.names.get(name, name)] = value
    if shape.table == "memory":
        found["trust"] = _trust(found)
    ordered = {name: found.pop(name) for name in shape.first if name in found}
    return ordered | {name: found[name] for name in sorted(found)}


def row_of(shape: Shape, line: Line) -> Line:
    """The row that a line was made from. Raises KeyError where what it cannot do without is missing."""
    values = dict(line)
    row: Line = {"id": {"$record": [shape.table, values.pop("id")]}}
    for (name, table), side in zip(shape.ends, ("in", "out"), strict=False):
        row[side] = {"$record": [table, values.pop(name)]}
    if shape.table == "memory":
        values.pop("trust", None)  # follows from what else the line says
    own = {name: stored for stored, name in shape.names.items()}
    for name, value in values.items():
        stored = own.get(name, name)
        if stored in shape.moments and isinstance(value, str):
            value = {"$at": value}
        elif stored in shape.packed and isinstance(value, str):
            value = {"$bytes": value}
        row[stored] = value
    return row


def _unwrap(value: Any, mark: str) -> Any:
    return value[mark] if isinstance(value, dict) and mark in value else value


def _trust(line: Line) -> Line:
    """What it was at its last confirmation; from then on it halves every so many days."""
    at = line.get("reinforced_at") or line.get("occurred_at") or line["created_at"]
    return {"when_confirmed": round(line["confidence"] * boost(line["reinforcements"]), 6), "confirmed_at": at}
