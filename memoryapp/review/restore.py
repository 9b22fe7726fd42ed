"""Restore: a memory's words, title and state as an earlier layer had them, as a new layer on top."""

from __future__ import annotations

from dataclasses import replace

from memoryapp.domain.change import Actor
from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import Memory
from memoryapp.review.edit import overlaid, require_version
from memoryapp.review.rewrite import Done, repeated, rewrite
from memoryapp.spaces import Space
from memoryapp.store import memories, revisions
from memoryapp.store.revisions import memory_fields, stepped_back
from memoryapp.store.rows import shown
from memoryapp.store.write import plain

# What a layer brings back. Counts (reinforcements) and identity stay: they tell what happened, not what it says.
_BROUGHT_BACK = (
    "text", "title", "state", "category", "tags", "confidence", "memory_type", "mood", "occurred_at", "valid_from",
    "valid_to", "expires_at", "review_at", "speaker", "pinned", "salience",
)  # fmt: skip


def restore_revision(
    space: Space, key: str, revision: str, *, actor: Actor, expected: int | None = None, reason: str = ""
) -> Done:
    """The memory as `revision` left it. Raises NotFound for a revision of another memory, Stale."""
    return repeated(lambda: _restored(space, key, revision, actor, expected, reason), expected=expected)


def _restored(space: Space, key: str, revision: str, actor: Actor, expected: int | None, reason: str) -> Done:
    memory = memories.get(space.db, key)
    require_version(memory, expected)
    values = {name: plain(getattr(memory, name)) for name in Memory.__dataclass_fields__}
    for layer in reversed(revisions.of_record(space.db, key)):
        if layer.id == revision:
            back = memory_fields({name: values[name] for name in _BROUGHT_BACK})
            after = overlaid(memory, replace(memory, **back))
            why = reason or f"as it was at version {layer.version}"
            return rewrite(space, [(memory, after)], act="restore", actor=actor, reason=why)
        if layer.record == "memory":
            values = stepped_back(values, layer)
    raise NotFound(f"Memory {key} has no revision {shown(revision)}.")
