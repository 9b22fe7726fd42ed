"""History: a memory's layers, the newest first, each with what it said and who changed it why; and the words, title and
state of an earlier layer restored as a new one on top.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from memoryapp.domain.change import Actor, Revision
from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import Memory
from memoryapp.review.edit import EDITABLE, overlaid, require_version
from memoryapp.review.rewrite import ReviewResult, rewrite
from memoryapp.spaces import Space
from memoryapp.store import memories, revisions
from memoryapp.store.retry import retry_write
from memoryapp.store.revisions import memory_fields, stepped_back
from memoryapp.store.rows import short_id
from memoryapp.store.write import plain

# What a layer brings back. Counts (reinforcements) and identity stay: they tell what happened, not what it says.
_BROUGHT_BACK = EDITABLE | {"state"}


@dataclass(frozen=True, slots=True)
class Layer:
    """The memory as one revision left it. `was` is the text before it (for the word diff), None at creation."""

    revision: Revision
    text: str
    was: str | None
    state: str
    title: str

    @property
    def changed(self) -> tuple[str, ...]:
        """Names of the fields this revision changed."""
        return tuple(dict.fromkeys((*self.revision.before, *self.revision.after)))


def history(space: Space, key: str) -> tuple[Layer, ...]:
    """Every layer, newest first. A revision keeps only what it changed, so each state is found by walking back from
    the present one. Raises NotFound."""
    memory = memories.get(space.db, key)
    now = {name: plain(getattr(memory, name)) for name in Memory.__dataclass_fields__}
    layers = []
    for revision in reversed(revisions.of_record(space.db, key)):
        if revision.record != "memory":
            continue
        before = stepped_back(now, revision)
        created = revision.act == "create"
        layers.append(Layer(revision, now["text"], None if created else before["text"], now["state"], now["title"]))
        now = before
    return tuple(layers)


def restore_revision(
    space: Space, key: str, revision: str, *, actor: Actor, expected: int | None = None, reason: str = ""
) -> ReviewResult:
    """The memory as `revision` left it. Raises NotFound for a revision of another memory, Stale."""
    return retry_write(lambda: _restore_revision(space, key, revision, actor, expected, reason), version=expected)


def _restore_revision(
    space: Space, key: str, revision: str, actor: Actor, expected: int | None, reason: str
) -> ReviewResult:
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
    raise NotFound(f"Memory {key} has no revision {short_id(revision)}.")
