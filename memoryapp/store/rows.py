"""Between the domain's plain data and the rows of the tables."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import numpy as np
from surrealdb import Null, RecordID

from memoryapp.domain.change import Actor, ActorKind, Revision, Run
from memoryapp.domain.document import Document, Source, SourceKind
from memoryapp.domain.entity import Entity, EntityState, Reference, type_named
from memoryapp.domain.memory import Category, Kind, Memory, MemoryType, Mood, Origin, State, Usage

Row = dict[str, Any]


def record(table: str, key: Any) -> RecordID:
    """Any string can be asked for. Half a surrogate pair cannot be sent, and no record has one in its key."""
    if isinstance(key, str) and not key.isascii():
        key = key.encode("utf-8", "replace").decode("utf-8")
    return RecordID(table, key)


def short_id(key: str) -> str:
    """An id as an error message repeats it: whatever was sent, not all 10,000 characters of it."""
    return key if len(key) <= 40 else f"{key[:40]}…"


def key_of(value: Any) -> str:
    return str(value.id) if isinstance(value, RecordID) else str(value)


def moment(value: Any) -> datetime | None:
    """The SDK's own datetime subclass as a plain, UTC-aware one."""
    if value is None or (type(value) is datetime and value.tzinfo is UTC):
        return value
    at = datetime(
        value.year,
        value.month,
        value.day,
        value.hour,
        value.minute,
        value.second,
        value.microsecond,
        value.tzinfo or UTC,
    )
    return at if at.tzinfo is UTC else at.astimezone(UTC)


def _at(value: Any) -> datetime:
    found = moment(value)
    assert found is not None  # the schema has no such field without a value
    return found


_ORIGIN = tuple(f.name for f in fields(Origin))


def memory_row(memory: Memory) -> Row:
    return {
        "id": record("memory", memory.id),
        "kind": memory.kind.value,
        "text": memory.text,
        "title": memory.title,
        "breadcrumb": list(memory.breadcrumb),
        "state": memory.state.value,
        "ref": memory.ref,
        "speaker": memory.speaker,
        "category": memory.category.value if memory.category else None,
        "tags": list(memory.tags),
        "confidence": float(memory.confidence),
        "reinforcements": memory.reinforcements,
        "reinforced_at": memory.reinforced_at,
        "salience": float(memory.salience),
        "memory_type": memory.memory_type.value if memory.memory_type else None,
        "mood": memory.mood.value if memory.mood else None,
        "occurred_at": memory.occurred_at,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "expires_at": memory.expires_at,
        "review_at": memory.review_at,
        "daily": memory.daily,
        "pinned": memory.pinned,
        "group": memory.group,
        "position": memory.position,
        "origin": {name: getattr(memory.origin, name) for name in _ORIGIN},
        "source_text": memory.source_text,
        "content_hash": memory.content_hash,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "version": memory.version,
        "decision_point": memory.decision_point,
        "emotional_signal": memory.emotional_signal,
        "sessions": list(memory.sessions),
        "slots": list(memory.slots),
        "detail": memory.detail or None,
        "ended_at": memory.ended_at,
        "seen_at": memory.seen_at,
    }


def memory_from(row: Row) -> Memory:
    origin = row.get("origin") or {}
    get = row.get
    return Memory(
        id=key_of(row["id"]),
        kind=Kind(row["kind"]),
        text=row["text"],
        title=row["title"],
        breadcrumb=tuple(row["breadcrumb"]),
        state=State(row["state"]),
        ref=get("ref"),
        speaker=get("speaker"),
        category=Category(row["category"]) if get("category") else None,
        tags=tuple(row["tags"]),
        confidence=float(row["confidence"]),
        reinforcements=row["reinforcements"],
        reinforced_at=moment(get("reinforced_at")),
        salience=float(row["salience"]),
        memory_type=MemoryType(row["memory_type"]) if get("memory_type") else None,
        mood=Mood(row["mood"]) if get("mood") else None,
        occurred_at=moment(get("occurred_at")),
        valid_from=moment(get("valid_from")),
        valid_to=moment(get("valid_to")),
        expires_at=moment(get("expires_at")),
        review_at=moment(get("review_at")),
        daily=row["daily"],
        pinned=row["pinned"],
        group=get("group"),
        position=row["position"],
        origin=Origin(**{name: origin.get(name) for name in _ORIGIN}),
        source_text=get("source_text"),
        content_hash=row["content_hash"],
        created_at=_at(row["created_at"]),
        updated_at=_at(row["updated_at"]),
        version=row["version"],
        decision_point=bool(get("decision_point")),
        emotional_signal=bool(get("emotional_signal")),
        sessions=tuple(get("sessions") or ()),
        slots=tuple(get("slots") or ()),
        detail=dict(get("detail") or {}),
        ended_at=moment(get("ended_at")),
        seen_at=moment(get("seen_at")),
    )


def vector_bytes(vector: Any) -> bytes:
    """A float32 vector, little-endian. Raises ValueError for zero or non-finite ones, which no index can place."""
    array = np.ascontiguousarray(vector, dtype="<f4")
    if not np.isfinite(array).all() or not array.any():
        raise ValueError("A zero or non-finite vector cannot be stored.")
    return array.tobytes()


def vector_from(data: bytes) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.frombuffer(data, dtype="<f4")


def usage_from(row: Row) -> Usage:
    return Usage(key_of(row["id"]), row["accesses"], moment(row.get("accessed_at")), row["used"], row["not_useful"])


def entity_row(entity: Entity) -> Row:
    return {
        "id": record("entity", entity.id),
        "name": entity.name,
        "normal": entity.normal,
        "type": str(entity.type),
        "state": entity.state.value,
        "aliases": list(entity.aliases),
        "sightings": entity.sightings,
        "merged_into": entity.merged_into,
        "created_at": entity.created_at,
        "version": entity.version,
    }


def entity_from(row: Row) -> Entity:
    return Entity(
        id=key_of(row["id"]),
        name=row["name"],
        normal=row["normal"],
        type=type_named(row["type"]),
        merged_into=row.get("merged_into"),
        state=EntityState(row["state"]),
        created_at=_at(row["created_at"]),
        aliases=tuple(row["aliases"]),
        sightings=row["sightings"],
        version=row["version"],
    )


def reference_row(reference: Reference) -> Row:
    """The edge's id is made of its two ends and its role: the same reference twice is one edge."""
    return {
        "id": record("references", [reference.memory, reference.entity, reference.role]),
        "in": record("memory", reference.memory),
        "out": record("entity", reference.entity),
        "role": reference.role,
        "weight": float(reference.weight),
    }


def reference_from(row: Row) -> Reference:
    return Reference(key_of(row["in"]), key_of(row["out"]), row["role"], float(row["weight"]))


def source_row(source: Source) -> Row:
    row = {f.name: getattr(source, f.name) for f in fields(Source)}
    return row | {"id": record("source", source.id), "kind": source.kind.value}


def source_from(row: Row) -> Source:
    return Source(
        id=key_of(row["id"]),
        kind=SourceKind(row["kind"]),
        root=row["root"],
        name=row["name"],
        created_at=_at(row["created_at"]),
        every_minutes=row["every_minutes"],
        on_session_start=row["on_session_start"],
        last_ingest_at=moment(row.get("last_ingest_at")),
        last_report=row.get("last_report"),
        files=row["files"],
    )


def document_row(document: Document) -> Row:
    row = {f.name: getattr(document, f.name) for f in fields(Document)}
    return row | {"id": record("document", document.id), "tags": list(document.tags)}


def document_from(row: Row) -> Document:
    """Works on a row without `text`, as the comparison of a re-ingest reads it."""
    return Document(
        id=key_of(row["id"]),
        source=row["source"],
        path=row["path"],
        title=row["title"],
        content_hash=row["content_hash"],
        size=row["size"],
        modified_ns=row["modified_ns"],
        ingested_at=_at(row["ingested_at"]),
        text=row.get("text", ""),
        tags=tuple(row.get("tags", ())),
        date=moment(row.get("date")),
        daily=row.get("daily", False),
        metadata=row.get("metadata", {}),
        present=row["present"],
        cutter=row.get("cutter") or 0,
    )


def run_row(run: Run) -> Row:
    return {
        "id": record("run", run.id),
        "act": run.act,
        "actor_kind": run.actor.kind.value,
        "actor_name": run.actor.name,
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "reason": run.reason,
        "detail": run.detail,
    }


def run_from(row: Row) -> Run:
    return Run(
        id=key_of(row["id"]),
        act=row["act"],
        actor=Actor(ActorKind(row["actor_kind"]), row["actor_name"]),
        started_at=_at(row["started_at"]),
        reason=row["reason"],
        detail=row.get("detail"),
        ended_at=moment(row.get("ended_at")),
    )


def _with_nulls(values: Row) -> Row:
    """A field that was None has to be told from one that did not change; the engine drops None from an object."""
    return {name: Null if value is None else value for name, value in values.items()}


def _without_nulls(values: Row) -> Row:
    return {name: None if value is Null else _plain_moment(value) for name, value in values.items()}


def _plain_moment(value: Any) -> Any:
    return moment(value) if isinstance(value, datetime) else value


def revision_row(revision: Revision) -> Row:
    return {
        "id": record("revision", revision.id),
        "record": revision.record,
        "record_id": revision.record_id,
        "version": revision.version,
        "act": revision.act,
        "before": _with_nulls(revision.before),
        "after": _with_nulls(revision.after),
        "actor_kind": revision.actor.kind.value,
        "actor_name": revision.actor.name,
        "at": revision.at,
        "run": revision.run,
        "reason": revision.reason,
    }


def revision_from(row: Row) -> Revision:
    return Revision(
        id=key_of(row["id"]),
        record=row["record"],
        record_id=row["record_id"],
        version=row["version"],
        act=row["act"],
        before=_without_nulls(row["before"]),
        after=_without_nulls(row["after"]),
        actor=Actor(ActorKind(row["actor_kind"]), row["actor_name"]),
        at=_at(row["at"]),
        run=row["run"],
        reason=row["reason"],
    )
