"""History: a memory's layers, the newest first, each with what it said and who changed it why."""

from __future__ import annotations

from dataclasses import dataclass

from memoryapp.domain.change import Revision
from memoryapp.domain.memory import Memory
from memoryapp.spaces import Space
from memoryapp.store import memories, revisions
from memoryapp.store.revisions import stepped_back
from memoryapp.store.write import plain


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
