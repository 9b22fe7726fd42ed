"""The words that stand for an entity in a line: how the best trusted memory that names it speaks of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.entity import Entity
from memoryapp.domain.memory import Memory
from memoryapp.graph.snapshot import Snapshot
from memoryapp.store import memories
from memoryapp.web import wording

_CHARS = 140


@dataclass(frozen=True, slots=True)
class Words:
    memory: str
    text: str
    lang: str


def words_for(ground: Snapshot, some: Iterable[Entity]) -> dict[str, Words]:
    """By entity id; none for what no held memory names."""
    wanted = {one.id: one for one in some}
    best = {key: ground.view.roster.ids[slot] for key in wanted if (slot := _best(ground, key)) is not None}
    found = memories.get_many(ground.space.db, sorted(set(best.values())))
    made = {}
    for key, memory in best.items():
        if memory in found:
            names = (wanted[key].name, *wanted[key].aliases)
            text = wording.excerpt(_untitled(found[memory]), limit=_CHARS, around=names)
            made[key] = Words(memory, text, wording.language(text))
    return made


def _untitled(memory: Memory) -> str:
    """A section begins with its heading, which is not what it says."""
    text = wording.plain(memory.text)
    rest = text.removeprefix(memory.title.strip()).lstrip(" :–-")
    return rest or text


def slots_of(ground: Snapshot, key: str) -> NDArray[np.int32]:
    """Memories that count and refer to an entity, given by id; none for one that is no part of the graph."""
    code = ground.graph.code_of.get(key, -1)
    return ground.slots_of(code) if code >= 0 else np.zeros(0, dtype=np.int32)


def _best(ground: Snapshot, key: str) -> int | None:
    slots = slots_of(ground, key)
    return int(slots[np.argmax(ground.trust[slots])]) if len(slots) else None
