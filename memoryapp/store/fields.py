"""Plain values of a revision back into the fields of a memory, an entity, a relation or a conflict."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from memoryapp.domain.change import Revision
from memoryapp.domain.conflict import ConflictStatus, Outcome
from memoryapp.domain.entity import EntityState, type_named
from memoryapp.domain.memory import Category, Kind, MemoryType, Mood, Origin, State
from memoryapp.domain.relation import Held, MadeBy, Relation
from memoryapp.store.judged import JUDGED

_KINDS: dict[str, Any] = {
    "kind": Kind,
    "state": State,
    "category": Category,
    "memory_type": MemoryType,
    "mood": Mood,
}
_TUPLES = {"tags", "breadcrumb", "sessions", "slots"}
_NOT_FIELDS = {"references", "superseded_by", "id", "version", "updated_at", "created_at"}


def memory_fields(values: dict[str, Any]) -> dict[str, Any]:
    """Keyword arguments for `replace(memory, …)`; what is no field of a memory is left out."""
    return {name: _typed(name, value) for name, value in values.items() if name not in _NOT_FIELDS}


def _as_it_is(value: Any) -> Any:
    return value


_ENTITY: dict[str, Any] = {
    "state": EntityState,
    "type": type_named,
    "aliases": tuple,
    "name": str,
    "normal": str,
    "merged_into": _as_it_is,
}


def entity_fields(values: dict[str, Any]) -> dict[str, Any]:
    """The same for an entity: what a person may change of it."""
    return {name: _ENTITY[name](value) for name, value in values.items() if name in _ENTITY}


_RELATION: dict[str, Any] = {"made_by": MadeBy, "state": Held}
_RELATION_FIELDS = {f.name for f in fields(Relation)} - {"version"}


def relation_fields(values: dict[str, Any]) -> dict[str, Any]:
    """The same for a relation; all of its fields but its version, where it is told whole."""
    return {name: _RELATION.get(name, _moment)(value) for name, value in values.items() if name in _RELATION_FIELDS}


_CONFLICT: dict[str, Any] = {"status": ConflictStatus, "outcome": Outcome, "proposals": tuple}


def conflict_fields(values: dict[str, Any]) -> dict[str, Any]:
    """The same for a conflict: what an act on it may change."""
    return {name: _CONFLICT.get(name, _as_it_is)(value) for name, value in values.items() if name in JUDGED}


def _typed(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in _KINDS:
        return _KINDS[name](value)
    if name in _TUPLES:
        return tuple(value)
    if name == "origin":
        return Origin(**value)
    if name == "detail":
        return dict(value)
    return _moment(value)


def _moment(value: Any) -> Any:
    """Every value but a moment as it is."""
    if isinstance(value, datetime):
        at = datetime(value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond)
        return at.replace(tzinfo=value.tzinfo).astimezone(UTC)
    return value


def stepped_back(now: dict[str, Any], revision: Revision) -> dict[str, Any]:
    """The fields as they were before this revision."""
    return {**now, **{name: value for name, value in revision.before.items() if name in now}}
