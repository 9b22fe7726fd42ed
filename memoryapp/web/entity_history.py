"""What became of an entity: each change of it, and of what was merged into it, in plain words, the last first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memoryapp.domain.change import Revision
from memoryapp.domain.entity import Entity
from memoryapp.spaces import Space
from memoryapp.store import entities, revisions
from memoryapp.store.write import plain
from memoryapp.web.revisions import ACTS, told, who

_SHOWN = 30
_SILENT = {"normal", "sightings"}
_FIELDS = {"aliases": "also called", "merged_into": "merged into"}
_STATES = {"proposed": "seen once"}
_ACTS = {**ACTS, "create": "first seen", "propose": "proposed again"}


@dataclass(frozen=True, slots=True)
class Change:
    """`of`: the name of another that this happened to, "" for the entity itself; `fields`: (name, before, after)."""

    id: str
    of: str
    who: str
    told: str
    reason: str
    at: datetime
    fields: list[tuple[str, str, str]]
    undoable: bool


def history_of(space: Space, one: Entity, merged: Sequence[Entity], *, you: str, may: bool) -> list[Change]:
    found = [
        (entity, revision)
        for entity in (one, *merged)
        for revision in revisions.of_record(space.db, entity.id)
        if revision.record == "entity" and (entity is one or "merged_into" in {**revision.before, **revision.after})
    ]
    found.sort(key=lambda pair: (pair[1].at, pair[1].version), reverse=True)
    names = _names(space, [revision for _, revision in found])
    return [
        Change(
            id=revision.id,
            of="" if entity is one else entity.name,
            who=who(revision.actor, you=you),
            told=_ACTS.get(revision.act, revision.act),
            reason=revision.reason,
            at=revision.at,
            fields=_fields(revision, names),
            undoable=may and revision.act != "create" and _still(entity, revision),
        )
        for entity, revision in found[:_SHOWN]
    ]


def _still(entity: Entity, revision: Revision) -> bool:
    """Whether all that it changed is as it left it."""
    return all(plain(getattr(entity, name)) == value for name, value in revision.after.items())


def _names(space: Space, found: Sequence[Revision]) -> dict[str, str]:
    ids = {str(key) for one in found for values in (one.before, one.after) if (key := values.get("merged_into"))}
    return {key: one.name for key, one in entities.get_many(space.db, sorted(ids)).items()}


def _fields(revision: Revision, names: dict[str, str]) -> list[tuple[str, str, str]]:
    changed = dict.fromkeys((*revision.before, *revision.after))
    return [
        (_FIELDS.get(name, name), _value(revision.before.get(name), names), _value(revision.after.get(name), names))
        for name in changed
        if name not in _SILENT
    ]


def _value(value: Any, names: dict[str, str]) -> str:
    shown = told(value)
    return names.get(shown) or _STATES.get(shown) or shown
