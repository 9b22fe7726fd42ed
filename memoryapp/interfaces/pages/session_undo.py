"""What a profile or a golden query was before somebody's last acts on it, kept in their session until they undo."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from memoryapp.domain.errors import NotFound

_KEPT = "lab-before"
_MOST = 12  # acts; a session is one small row


def keep_before(session: MutableMapping[str, Any], place: str, before: dict[str, Any] | None, *, version: int) -> None:
    """`place` names the space, the kind and the id. `before`: None where there was nothing; `version`: what stands
    now, 0 for nothing, so that an undo notices what others changed since."""
    kept: dict[str, Any] = {key: value for key, value in session.get(_KEPT, {}).items() if key != place}
    kept[place] = [before, version]
    session[_KEPT] = dict(list(kept.items())[-_MOST:])


def take_before(session: MutableMapping[str, Any], place: str) -> tuple[dict[str, Any] | None, int]:
    """What to go back to, and the version that must still stand. Once: raises NotFound after that."""
    kept: dict[str, Any] = dict(session.get(_KEPT, {}))
    if place not in kept:
        raise NotFound("This was undone already, or too much was done since.")
    before, version = kept.pop(place)
    session[_KEPT] = kept
    return before, int(version)
