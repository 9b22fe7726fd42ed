"""Ten birds, each in a memory of its own, and golden queries for them."""

from __future__ import annotations

from memoryapp.domain.memory import Memory
from memoryapp.lab import add_golden
from memoryapp.spaces import Space
from tests.samples import PERSON, a_memory, written

NAMES = ("heron", "bittern", "egret", "stork", "crane", "ibis", "grebe", "coot", "teal", "wigeon")


def birds(space: Space, *, golden: int = 0) -> list[Memory]:
    """`golden`: for so many of them “where is the heron” is a golden query."""
    made = [a_memory(f"The {name} stands in the reeds at dawn.", ref=f"bird-{name}") for name in NAMES]
    written(space.db, *made)
    for name, memory in list(zip(NAMES, made, strict=True))[:golden]:
        add_golden(space, f"where is the {name}", [memory.id], actor=PERSON)
    return made
