"""One change of a memory taken back field by field, where others have changed other fields of it since."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memoryapp.domain.change import Revision
from memoryapp.domain.memory import Memory
from memoryapp.store.revisions import memory_fields
from memoryapp.store.write import plain

# What goes on counting whatever was decided, and is no reason to refuse.
_COUNTED = frozenset({"reinforced_at", "sessions", "ended_at", "seen_at", "content_hash", "slots"})


def loosely(current: Memory, change: Revision) -> tuple[Memory, tuple[str, ...]]:
    """The memory without this change, and the names of its fields that somebody changed again since.

    A field that holds what the change gave it goes back; one that holds what was before needs nothing; the number of
    confirmations goes back by what the change added.
    """
    back: dict[str, Any] = {}
    moved = []
    for name, given in change.after.items():
        if name not in Memory.__dataclass_fields__:
            continue
        was, present = change.before.get(name), plain(getattr(current, name))
        if present == given:
            back[name] = was
        elif name == "reinforcements":
            back[name] = max(present - (given - was), 0)
        elif present != was and name not in _COUNTED:
            moved.append("words" if name == "text" else name.replace("_", " "))
    return replace(current, **memory_fields(back)), tuple(moved)
