"""What a merge would make, before it is made: the names, what is counted for them, and what stands in the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import QueryDict

from memoryapp import graph
from memoryapp.domain.errors import BadInput
from memoryapp.graph.snapshot import snapshot_of
from memoryapp.spaces import Space
from memoryapp.web.entity_names import entity_of


def asked_of(space: Space, asked: QueryDict) -> tuple[str, list[str]]:
    """(id of what stays, ids of what goes into it): `keep`, `gone`, or all of them as `ids`; `name` is one more, as a
    person typed it. Without `keep` the first stays. Raises BadInput where these are not two, NotFound."""
    name = asked.get("name", "").strip()
    named = [entity_of(space, name, field="name").id] if name else []
    given = [key for field in ("gone", "ids") for key in asked.getlist(field) if key.strip()]
    every = list(dict.fromkeys([*filter(None, [asked.get("keep", "").strip()]), *given, *named]))
    if "name" in asked and not named:
        raise BadInput("Choose the entity to merge with.", field="name")
    if len(every) < 2:
        told = "That is already the same entity." if every and named else "Select at least two entities to merge."
        raise BadInput(told, field="name" if named else "ids")
    return every[0], every[1:]


def preview_of(space: Space, asked: QueryDict) -> dict[str, Any]:
    """Without `keep` the one stays that most memories name. Raises as `asked_of`, and what the merge itself would."""
    keep, gone = asked_of(space, asked)
    if not asked.get("keep"):
        keep, *gone = sorted((keep, *gone), key=_named(space), reverse=True)
    made = graph.preview_merge(space, keep, gone)
    own = made.parts[0].entity.id
    return {"made": made, "keep": own}


def _named(space: Space) -> Callable[[str], int]:
    """How many memories name an entity, given by id."""
    ground = snapshot_of(space)

    def named(key: str) -> int:
        code = ground.graph.code_of.get(key, -1)
        return int(ground.memories[code]) if code >= 0 else 0

    return named
