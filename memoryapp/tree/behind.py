"""Which memory stands behind which line, and what stands now in the place of one that is held no longer."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import Line, Node
from memoryapp.spaces import Space
from memoryapp.store import lineage, memories

_STEPS = 20  # replacements one after the other that are followed


def behind(space: Space, node: Node) -> dict[str, Memory]:
    """By the key of each line of the node the memory that stands behind it: of several the one that was taken in last,
    held ones first. Lines of purged memories are absent."""
    found = memories.get_many(space.db, list({line.memory for line in node.lines}))
    return {
        key: one
        for key, lines in by_key(node.lines).items()
        if (one := last_of(lines, found, held_only=False)) is not None
    }


def by_key(lines: Iterable[Line]) -> dict[str, list[Line]]:
    """Lines by their keys: of what was merged, several memories stand behind one."""
    grouped: dict[str, list[Line]] = {}
    for line in lines:
        grouped.setdefault(line.key, []).append(line)
    return grouped


def last_of(lines: Iterable[Line], found: dict[str, Memory], *, held_only: bool = True) -> Memory | None:
    """The memory behind a line that was taken in last; with `held_only` none that is not held."""
    there = [(line, found[line.memory]) for line in lines if line.memory in found]
    ranked = sorted(there, key=lambda pair: (pair[1].state is State.HELD, pair[0].at))
    if not ranked or (held_only and ranked[-1][1].state is not State.HELD):
        return None
    return ranked[-1][1]


def in_place_of(space: Space, keys: Collection[str]) -> dict[str, Memory]:
    """By each of these memories that is held no longer: the held one that stands in its place, over however many
    replacements."""
    after: dict[str, set[str]] = {}
    found: dict[str, Memory] = {}
    edge = set(keys)
    for _ in range(_STEPS):
        pairs = lineage.superseding(space.db, sorted(edge))
        for stands, replaced in pairs:
            after.setdefault(replaced, set()).add(stands)
        edge = {stands for stands, _ in pairs} - after.keys() - found.keys()
        found |= memories.get_many(space.db, sorted(edge))
        edge = {key for key in edge if key in found and found[key].state is not State.HELD}
        if not edge:
            break
    standing = {key: memory for key, memory in found.items() if memory.state is State.HELD}
    return {key: one for key in keys if (one := _reached(key, after, standing)) is not None}


def _reached(key: str, after: dict[str, set[str]], standing: dict[str, Memory]) -> Memory | None:
    seen, edge = {key}, sorted(after.get(key, ()))
    while edge:
        held = [standing[one] for one in edge if one in standing]
        if held:
            return max(held, key=lambda one: (one.last_confirmed, one.id))
        seen |= set(edge)
        edge = sorted({one for each in edge for one in after.get(each, ())} - seen)
    return None
