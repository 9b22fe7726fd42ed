"""Every place in the API where something can be put, taken from its document: of bodies, of queries, of addresses."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memoryapp.interfaces.api.assembly import document

Path = tuple[str | int, ...]
# These run on, or end what the others need.
LAST = ("purge_memory", "restore_backup", "import_space", "unmerge_entity", "merge_entities", "delete", "forget_source")
_DEEPEST = 4


@dataclass(frozen=True)
class Asked:
    """An operation as its document tells of it. `example`: a body that it takes, or None."""

    name: str
    method: str
    address: str
    example: Any
    places: tuple[Path, ...]  # in the body; the empty one is all of it
    query: tuple[str, ...]
    path: tuple[str, ...]
    spelled: dict[str, Any]  # parameters of the address as in their examples


def operations() -> list[Asked]:
    """All but streams, what ends others' subjects last."""
    found = []
    for address, methods in document()["paths"].items():
        for method, told in methods.items():
            if told["operationId"] == "follow_job":
                continue
            content = told.get("requestBody", {}).get("content", {}).get("application/json", {})
            named = {where: [p for p in told["parameters"] if p["in"] == where] for where in ("query", "path")}
            at = tuple(dict.fromkeys(places(content["schema"]))) if content else ()
            found.append(
                Asked(
                    told["operationId"], method.upper(), address, content.get("example"), at,
                    tuple(p["name"] for p in named["query"]), tuple(p["name"] for p in named["path"]),
                    {p["name"]: p["example"] for p in named["path"]},
                )
            )  # fmt: skip
    return sorted(found, key=lambda one: (one.method == "DELETE", one.name.startswith(LAST)))


def places(schema: dict[str, Any], at: Path = (), seen: frozenset[str] = frozenset()) -> Iterator[Path]:
    """Where in a body of this shape something may stand, the whole first."""
    if ref := schema.get("$ref"):
        if ref in seen:
            return
        name = ref.rpartition("/")[2]
        yield from places(document()["components"]["schemas"][name], at, seen | {ref})
        return
    yield at
    if len(at) > _DEEPEST:
        return
    for part in ("anyOf", "allOf", "oneOf"):
        for branch in schema.get(part, []):
            yield from places(branch, at, seen)
    for name, inner in schema.get("properties", {}).items():
        yield from places(inner, (*at, name), seen)
    if isinstance(schema.get("items"), dict):
        yield from places(schema["items"], (*at, 0), seen)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from places(schema["additionalProperties"], (*at, "name"), seen)


def put(body: Any, at: Path, value: Any) -> Any:
    """A copy of the body with the value there; what is missing on the way is made."""
    if not at:
        return value
    step, *rest = at
    if isinstance(step, int):
        found: Any = copy.deepcopy(body) if isinstance(body, list) and body else [None]
        found[step] = put(found[step], tuple(rest), value)
        return found
    found = copy.deepcopy(body) if isinstance(body, dict) else {}
    found[step] = put(found.get(step), tuple(rest), value)
    return found
