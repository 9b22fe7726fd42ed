"""Words that were deleted are for curators: whoever may restore or erase them. To others they are gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoryapp.domain.change import Revision
from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import Memory, State
from memoryapp.store import memories
from memoryapp.store.database import Database

_TOLD = frozenset({"state", "pinned"})  # of a change of what is deleted: that it happened, and none of its words


def readable(memory: Memory, *, may_decide: bool) -> Memory:
    """The memory. Raises NotFound where it is deleted and the reader may not decide about it."""
    if memory.state is State.DELETED and not may_decide:
        raise NotFound(f"Memory {memory.id} was deleted. A curator can read it, restore it or erase it for good.")
    return memory


def without_deleted_words(db: Database, changes: Sequence[Revision], *, may_decide: bool) -> list[Revision]:
    """The changes, of which those of deleted memories keep no words, unless the reader may decide about them."""
    if may_decide:
        return list(changes)
    keys = {one.record_id for one in changes if one.record == "memory"}
    gone = {key for key, memory in memories.get_many(db, sorted(keys)).items() if memory.state is State.DELETED}
    return [_redact_revision(one) if one.record == "memory" and one.record_id in gone else one for one in changes]


def _redact_revision(change: Revision) -> Revision:
    def kept(fields: dict[str, object]) -> dict[str, object]:
        return {name: value for name, value in fields.items() if name in _TOLD}

    return replace(change, before=kept(change.before), after=kept(change.after))
