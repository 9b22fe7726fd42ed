"""Where a node stands: what is above it, beside it, beneath it; and what was deleted there and makes room."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol, TypeVar

from memoryapp.domain.errors import Clash
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import PATH_CHARS, ROOT, Node, new_node, parent_of, placed_at, ref_of, rewritten
from memoryapp.spaces import Space
from memoryapp.store import memories


class PlacedNode(Protocol):
    """A node, or its outline."""

    @property
    def path(self) -> str: ...
    @property
    def position(self) -> int: ...


_One = TypeVar("_One", bound=PlacedNode)


def children_of(some: Iterable[_One], parent: str) -> list[_One]:
    """The nodes directly under a path, in their order: by position, then by path."""
    found = [one for one in some if one.path != ROOT and parent_of(one.path) == parent]
    return sorted(found, key=lambda one: (one.position, one.path))


def beneath(some: Iterable[_One], path: str) -> list[_One]:
    """Every node under a path, however deep, in order of their paths; without the one at it."""
    return sorted((one for one in some if one.path.startswith(f"{path}/")), key=lambda one: one.path.split("/"))


def next_position(some: Iterable[PlacedNode], parent: str) -> int:
    """The place behind the last of a path's children."""
    return max((one.position for one in children_of(some, parent)), default=-1) + 1


def parents_of(path: str) -> list[str]:
    """The paths above it, the topmost first."""
    parts = path.split("/")
    return ["/".join(parts[:n]) for n in range(1, len(parts))]


def branches(
    space: Space, paths: Collection[str], some: Sequence[PlacedNode], now: datetime
) -> tuple[list[Memory], list[tuple[Memory, Memory]]]:
    """(created, (before, after)): a branch without a file for each of these paths where no node stands. One that was
    deleted there comes back as such."""
    standing = {one.path for one in some}
    missing = [path for path in sorted(paths, key=lambda one: one.split("/")) if path not in standing]
    kept = memories.by_refs(space.db, [ref_of(path) for path in missing])
    behind: dict[str, int] = {}
    created, revived = [], []
    for path in missing:
        parent = parent_of(path)
        position = behind.setdefault(parent, next_position(some, parent))
        behind[parent] += 1
        was = kept.get(ref_of(path))
        if was is None:
            created.append(new_node(path, title=path.rpartition("/")[2], text=None, now=now, position=position))
        else:
            revived.append((was, rewritten(replace(was, state=State.HELD, position=position), None)))
    return created, revived


def gave_way(space: Space, paths: Sequence[str], taken: Collection[str]) -> list[tuple[Memory, Memory]]:
    """A deleted node keeps its path, so where another is moved to it, that one gets a path beside it: (before, after)
    of those at `paths`. `taken`: paths that are not free either."""
    kept = memories.by_refs(space.db, [ref_of(path) for path in paths])
    used = {*paths, *taken}
    pairs = []
    for path in paths:
        was = kept.get(ref_of(path))
        if was is None or was.state is State.HELD:
            continue
        free = _free_path(space, path, used)
        used.add(free)
        pairs.append((was, placed_at(was, free)))
    return pairs


def _free_path(space: Space, path: str, used: Collection[str]) -> str:
    numbers = iter(range(2, 1_000))
    while some := [f"{path[: PATH_CHARS - 6]} ({n})" for _, n in zip(range(20), numbers, strict=False)]:
        there = memories.by_refs(space.db, [ref_of(one) for one in some])
        for one in some:
            if one not in used and ref_of(one) not in there:
                return one
    raise Clash(f"A thousand deleted nodes were at “{path}”. Purge some of them first.")


def changed_positions(order: Sequence[Node]) -> list[tuple[Node, int]]:
    """Those of siblings in their new order whose position is another now."""
    return [(node, n) for n, node in enumerate(order) if node.position != n]
