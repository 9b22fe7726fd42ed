"""Between the domain's plain data and the rows of the tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from surrealdb import Null, RecordID

from memoryapp.domain.change import Actor, ActorKind, Revision, Run
from memoryapp.domain.document import Document, Source
from memoryapp.domain.entity import Entity, Reference, type_named
from memoryapp.domain.memory import Memory, Usage

Row = dict[str, Any]
Codec = Callable[[Any], Any]
T = TypeVar("T")


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


def instant(value: Any) -> datetime:
    """The moment of a column that always has one."""
    found = moment(value)
    assert found is not None  # the schema has no such field without a value
    return found


class Table(Generic[T]):
    """The rows of the table `name`, one a `made`, whose field `key` is the record's key. Enums, moments, tuples and
    dataclasses within it follow from the types of its fields; a column that a row lacks has the field's default.

    `codecs`: how a field is written and read whose type does not say it. `sparse`: fields that are left out of a row
    where they are empty.
    """

    def __init__(
        self,
        name: str,
        made: type[T],
        *,
        key: str = "id",
        codecs: Mapping[str, tuple[Codec, Codec]] | None = None,
        sparse: tuple[str, ...] = (),
    ) -> None:
        self._table, self._made, self._key = name, made, key
        by_type = _codecs(made, codecs or {})
        self._names = tuple(f.name for f in fields(made) if f.name != key)  # type: ignore[arg-type]
        self._values = attrgetter(*self._names)
        self._writers = tuple((field, write) for field, (write, _) in by_type.items() if write is not _same)
        self._readers = tuple((field, read) for field, (_, read) in by_type.items())
        self._sparse = sparse

    def row(self, one: T) -> Row:
        row = dict(zip(self._names, self._values(one), strict=True))
        for name, write in self._writers:
            if (value := row[name]) is not None:
                row[name] = write(value)
        for name in self._sparse:
            row[name] = row[name] or None
        row["id"] = record(self._table, getattr(one, self._key))
        return row

    def read(self, row: Row) -> T:
        get = row.get
        values = {name: value for name in self._names if (value := get(name)) is not None}
        values[self._key] = key_of(row["id"])
        for name, read in self._readers:
            if name in values:
                values[name] = read(values[name])
        return self._made(**values)


def _codecs(made: Any, own: Mapping[str, tuple[Codec, Codec]]) -> dict[str, tuple[Codec, Codec]]:
    """By name of a field, how it is written and read: its own way, or its type's. Those that stay as they are are
    absent."""
    hints = get_type_hints(made)
    ways = {f.name: own.get(f.name) or _codec(hints[f.name]) for f in fields(made)}
    return {name: way for name, way in ways.items() if way is not None}


def _codec(hint: Any) -> tuple[Codec, Codec] | None:
    if get_origin(hint) in (Union, UnionType):
        (hint,) = (one for one in get_args(hint) if one is not NoneType)
    origin = get_origin(hint) or hint
    if origin is tuple:
        each = _codec(get_args(hint)[0])
        if each is None:
            return list, tuple
        write, read = each
        return lambda some: [write(one) for one in some], lambda some: tuple(map(read, some))
    if origin is float:
        return float, float
    if origin is dict:
        return _same, dict
    if origin is datetime:
        return _same, moment
    if isinstance(origin, type) and issubclass(origin, Enum):
        return attrgetter("value"), origin
    return _nested(origin) if is_dataclass(origin) else None


def _nested(made: Any) -> tuple[Codec, Codec]:
    names = tuple(f.name for f in fields(made))
    values = attrgetter(*names)
    assert not _codecs(made, {}), f"{made.__name__} is kept within a row: its fields are plain"

    def write(one: Any) -> Row:
        return dict(zip(names, values(one), strict=True))

    def read(row: Row) -> Any:
        return made(**{name: row[name] for name in names if name in row})

    return write, read


def _same(value: Any) -> Any:
    return value


_MEMORY = Table("memory", Memory, sparse=("detail",))
_ENTITY = Table("entity", Entity, codecs={"type": (str, type_named)})
_SOURCE = Table("source", Source)
_DOCUMENT = Table("document", Document)

memory_row, memory_from = _MEMORY.row, _MEMORY.read
entity_row, entity_from = _ENTITY.row, _ENTITY.read
source_row, source_from = _SOURCE.row, _SOURCE.read
document_row, document_from = _DOCUMENT.row, _DOCUMENT.read  # also of a row without `text`, as a re-ingest compares it


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
        started_at=instant(row["started_at"]),
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
        at=instant(row["at"]),
        run=row["run"],
        reason=row["reason"],
    )
