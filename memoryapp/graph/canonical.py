"""Which entity stands for which: merging sets a field and moves no edge, so every step asks here who is meant."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from memoryapp.domain.entity import Entity
from memoryapp.store import entities
from memoryapp.store.database import Database

_guard = threading.Lock()
_locks: dict[tuple[str, str], threading.RLock] = {}


@contextmanager
def write_lock(db: Database) -> Iterator[None]:
    """While one change of what is merged, of the hierarchy or of a relation is checked and written, no other of this
    process is: two that each look harmless could close a circle together."""
    with _guard:
        lock = _locks.setdefault((db.url, db.name), threading.RLock())
    with lock:
        yield


def canonical(db: Database, key: str) -> Entity:
    """The entity that stands for this one: itself, or what it is merged into at last. Raises NotFound."""
    return roots(db, [entities.get(db, key)])[key]


def roots(db: Database, some: Iterable[Entity]) -> dict[str, Entity]:
    """By id of each, and of all between: what stands for it. Where what it was merged into is gone, it stands for
    itself; of a circle, which only two processes at once can make, the lowest id stands."""
    known = {entity.id: entity for entity in some}
    wanted = {one.merged_into for one in known.values() if one.merged_into} - known.keys()
    while wanted:
        found = entities.get_many(db, sorted(wanted))
        known.update(found)
        wanted = {one.merged_into for one in found.values() if one.merged_into} - known.keys()
    return {key: known[root] for key, root in canonical_ids(known).items()}


def canonical_ids(known: Mapping[str, Entity]) -> dict[str, str]:
    """Entity → the one of `known` that stands for it."""
    settled: dict[str, str] = {}
    for key in known:
        path = [key]
        while path[-1] not in settled:
            into = known[path[-1]].merged_into
            if into is None or into not in known:
                settled[path[-1]] = path[-1]
            elif into in path:
                circle = path[path.index(into) :]
                settled.update(dict.fromkeys(circle, min(circle)))
            else:
                path.append(into)
        root = settled[path[-1]]
        settled.update({one: settled.get(one, root) for one in path})
    return settled


def members(db: Database, root: Entity) -> tuple[Entity, ...]:
    """The entity and all that are merged into it, however many steps away, itself first."""
    found = {root.id: root}
    last: Sequence[str] = [root.id]
    while last:
        new = [one for one in entities.merged_into(db, last) if one.id not in found]
        found.update({one.id: one for one in new})
        last = [one.id for one in new]
    return tuple(found.values())


def groups_by_canonical(known: Mapping[str, Entity]) -> dict[str, tuple[Entity, ...]]:
    """By id of each that stands: itself first, then all that are merged into it."""
    grouped: dict[str, list[Entity]] = defaultdict(list)
    for key, root in canonical_ids(known).items():
        grouped[root].append(known[key])
    return {root: tuple(sorted(some, key=lambda one: (one.id != root, one.id))) for root, some in grouped.items()}
