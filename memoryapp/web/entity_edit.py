"""The edit of an entity: what its form holds, what is read from it, and what is said when it cannot be so."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from memoryapp.domain.entity import Entity, normal_form
from memoryapp.domain.errors import Clash, PalimpsestError, Stale
from memoryapp.extract.lexicon import lexicon_of
from memoryapp.spaces import Space
from memoryapp.store import entities
from memoryapp.web.entity_names import types_of
from memoryapp.web.whole import whole_number


def edit_of(space: Space, key: str) -> dict[str, Any]:
    """Raises NotFound."""
    one = entities.get(space.db, key)
    return {"entity": one, "aliases": "\n".join(one.aliases), "every_type": types_of(space)}


def read_edit(sent: QueryDict) -> dict[str, Any]:
    """What is sent of it: keyword arguments of graph.edit_entity. An alias stands on a line of its own."""
    told: dict[str, Any] = {name: sent[name] for name in ("name", "type") if name in sent}
    if "aliases" in sent:
        told["aliases"] = [line.strip() for line in sent.get("aliases", "").splitlines() if line.strip()]
    if (version := whole_number(sent.get("version", ""))) is not None:
        told["version"] = version
    return told


def trouble_of(space: Space, one: Entity | None, sent: QueryDict, error: PalimpsestError) -> dict[str, Any]:
    """Why it was not saved, in words; `other`: the entity that has the name already, so that the two can be merged.
    `one` is None while there is only a form."""
    if isinstance(error, Stale) and one is not None:
        return {
            "problem": f"{one.name} was changed while you were editing. Reload the page to see the current version."
        }
    other = _bearer(space, one, sent) if isinstance(error, Clash) else None
    if other is not None:
        problem = f"{other.name} is already a name of another entity." if one else f"{other.name} already exists."
        return {"problem": problem, "entity": one, "other": other}
    return {"problem": error.detail}


def _bearer(space: Space, one: Entity | None, sent: QueryDict) -> Entity | None:
    """Who has one of the names that were sent."""
    names = [sent.get("name", ""), *sent.get("aliases", "").splitlines()]
    wanted = [normal for name in names if (normal := normal_form(name))]
    known = entities.by_normals(space.db, wanted)
    spelled = lexicon_of(space.db).spelled
    found = (known[normal].id if normal in known else spelled.get(normal) for normal in wanted)
    key = next((key for key in found if key and (one is None or key != one.id)), None)
    return entities.get(space.db, key) if key else None
