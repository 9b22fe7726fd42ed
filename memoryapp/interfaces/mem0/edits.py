"""Memories changed and taken away for a mem0 client: the acts that a curator does on the pages, and as undoable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from memoryapp import review
from memoryapp.domain.change import Actor
from memoryapp.domain.errors import BadInput, Clash, NotFound
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Memory, State
from memoryapp.interfaces.mem0.filters import moment
from memoryapp.interfaces.mem0.metadata import end_of, label_of, valid_metadata, with_label
from memoryapp.review.edit import overlaid, written
from memoryapp.review.rewrite import Done, repeated, rewrite
from memoryapp.spaces import Space
from memoryapp.store import lineage, memories

CHANGEABLE = ("text", "metadata", "timestamp", "expiration_date")


def existing(space: Space, keys: Sequence[str]) -> list[Memory]:
    """The memories of these ids that are not deleted, each once. Raises NotFound that names the first one missing."""
    wanted = list(dict.fromkeys(keys))
    found = memories.get_many(space.db, wanted)
    for key in wanted:
        if key not in found or found[key].state is State.DELETED:
            raise NotFound(f"There is no memory {key[:40]!r} here. It may have been deleted.")
    return [found[key] for key in wanted]


def update(space: Space, changes: Mapping[str, Mapping[str, Any]], *, actor: Actor) -> list[Memory]:
    """Changes memories in one run: by id, some of CHANGEABLE. Raises NotFound, Clash (an immutable one), BadInput."""

    def updated() -> Done:
        pairs = [(memory, _changed(memory, changes[memory.id])) for memory in existing(space, list(changes))]
        return rewrite(space, pairs, act="edit", actor=actor)

    return list(repeated(updated, expected=None).memories)


def _changed(memory: Memory, said: Mapping[str, Any]) -> Memory:
    asked = {name: value for name, value in said.items() if name in CHANGEABLE}
    if not asked:
        raise BadInput(f"Nothing is to be changed: send {', '.join(CHANGEABLE[:-1])} or {CHANGEABLE[-1]}.")
    label = label_of(memory)
    if label.immutable:
        raise Clash(f"Memory {memory.id} was added as immutable. Delete it, or edit it on its page.")
    after = memory
    if asked.get("text") is not None:
        after = replace(after, text=written(asked["text"], memory))
    if asked.get("metadata") is not None:
        label = replace(label, metadata=valid_metadata(asked["metadata"]))
    if asked.get("timestamp") is not None:
        try:
            label = replace(label, at=moment(asked["timestamp"]).isoformat())
        except (TypeError, ValueError, OverflowError):
            raise BadInput("“timestamp” is in seconds since 1970, or ISO 8601.", field="/timestamp") from None
    if "expiration_date" in asked:
        day = asked["expiration_date"]
        after = replace(after, expires_at=None if day is None else end_of(str(day)))
    return overlaid(memory, with_label(after, label))


def delete(space: Space, keys: Sequence[str], *, actor: Actor, linked: bool = False) -> int:
    """Soft, where the space's `mem0_deletes` does not say purge: each can be restored on its page until it is purged.
    `linked`: those that they replaced go along. Returns how many went. Raises NotFound."""
    going = [memory.id for memory in existing(space, keys)]
    if linked:
        going += [key for key in _replaced_by(space, going) if key not in set(going)]
    if space.tuning.mem0_deletes == "purge":
        for key in going:
            with suppress(NotFound):  # gone along with one before it
                review.purge(space, key, actor=actor, reason="deleted by mem0's client")
        return len(going)
    for start in range(0, len(going), LIMITS.batch_items):
        review.delete(space, going[start : start + LIMITS.batch_items], actor=actor)
    return len(going)


def _replaced_by(space: Space, keys: Sequence[str]) -> list[str]:
    found: dict[str, None] = {}
    asked = list(keys)
    while asked:
        older = [one for key in asked for one in lineage.replaced_by(space.db, key)]
        asked = [one.id for one in older if one.id not in found and one.state is not State.DELETED]
        found |= dict.fromkeys(asked)
    return list(found)
