"""An entity as it is typed on a command line, its name, an alias or its id, and the one that is meant."""

from __future__ import annotations

import re
from typing import Any

from memoryapp.domain.entity import normal_form
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.management.door import Door, segment
from memoryapp.program import program_name

_ID = re.compile(r"[0-9a-f]{16}")
_OFFERED = 5


def entity_named(door: Door, typed: str, *, inherited_from: str = "") -> dict[str, Any]:
    """The entity of this name; of one that is merged into another, the other. `inherited_from`: the parent space that
    is looked through instead. Raises NotFound for none, and BadInput for several, naming them."""
    if not typed.strip():
        raise BadInput("The name of an entity is empty.")
    if _ID.fullmatch(typed):
        return dict(door.request("GET", f"/entities/{segment(typed)}"))
    asked = {"text": typed[:300], "limit": 50, "inherited_from": inherited_from}
    found: list[dict[str, Any]] = door.request("GET", "/entities", params=asked)["items"]
    exact = [one for one in found if normal_form(typed) in _names(one)]
    if len(exact) == 1 or (not exact and len(found) == 1):
        return (exact or found)[0]
    if not found:
        raise NotFound(f"No entity is called “{typed}”. `{program_name()} entities` lists them.")
    offered = ", ".join(f"{one['name']} [{one['id']}]" for one in (exact or found)[:_OFFERED])
    raise BadInput(f"“{typed}” may be several entities: {offered}. Name one by its id.")


def merged_named(door: Door, typed: str) -> str:
    """The id of the merged entity of this name. Raises NotFound, and BadInput where it is merged into nothing."""
    if _ID.fullmatch(typed):
        return typed
    stands = door.request("GET", f"/entities/{segment(entity_named(door, typed)['id'])}")
    for one in stands["merged"]:
        if normal_form(typed) in _names(one):
            return str(one["id"])
    within = ", ".join(f"{one['name']} [{one['id']}]" for one in stands["merged"])
    told = f"What is merged into it: {within}." if within else "Nothing is merged into it either."
    raise BadInput(f"“{stands['name']}” is not merged into anything. {told}")


def _names(one: dict[str, Any]) -> set[str]:
    return {normal_form(name) for name in (one["name"], *one["aliases"])}
