"""Retain: what is held goes into the tree as lines. What a line says already is merged into it; what contradicts one
waits as a conflict; anything else is a line more, where it fits best."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import BadInput, Clash, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.node import check_path
from memoryapp.spaces import Space
from memoryapp.store import memories
from memoryapp.store.write import new_run
from memoryapp.tree.again import repeated
from memoryapp.tree.settle import Kept, settle
from memoryapp.tree.work import Work
from memoryapp.tree.write import write

_TRIES = 5
# By space: two acts of this process that met at a node would each compare with what the other is about to change.
_one_by_one: defaultdict[str, Lock] = defaultdict(Lock)


@dataclass(frozen=True, slots=True)
class Retained:
    """`run` is None where nothing was written."""

    items: tuple[Kept, ...]
    run: Run | None = None


def retain(
    space: Space, items: Sequence[str], *, path: str | None = None, actor: Actor, dry_run: bool = False
) -> Retained:
    """Takes memories into the tree, into the node at `path` or each where it is routed, in one run; with `dry_run`
    nothing is written. A node that is not there yet is made. Doing it again changes nothing.

    Raises NotFound, BadInput (a path that cannot be one, a memory that is a node, or is not held) and TooLarge.
    """
    wanted = list(dict.fromkeys(items))
    if len(wanted) > LIMITS.batch_items:
        raise TooLarge(f"{len(wanted)} memories at once; the limit is {LIMITS.batch_items}.", field="/memories")
    into = None if path is None else check_path(path)

    def done() -> Retained:
        found = memories.get_many(space.db, wanted)
        chosen = [_checked(space, found.get(key), key) for key in wanted]
        return _retained(space, chosen, into, actor=actor, dry_run=dry_run)

    with _one_by_one[f"{space.db.url} {space.name}"]:
        for _ in range(_TRIES - 1):
            try:
                return repeated(done)
            except Clash:  # another process made the same node a moment ago: it is there now
                continue
        return repeated(done)


def rehearse(space: Space, said: Sequence[Memory], *, path: str | None = None, actor: Actor) -> Retained:
    """What retain would do with memories that are not written yet."""
    return _retained(space, said, None if path is None else check_path(path), actor=actor, dry_run=True)


def _checked(space: Space, memory: Memory | None, key: str) -> Memory:
    if memory is None:
        return memories.get(space.db, key)  # says why it is not there
    if memory.kind is Kind.NODE:
        raise BadInput(f"Memory {key} is a node of the tree itself.", field="/memories")
    if memory.state is not State.HELD:
        raise BadInput(
            f"Memory {key} is {memory.state.value}: only what is held goes into the tree.", field="/memories"
        )
    return memory


def _retained(space: Space, chosen: Sequence[Memory], into: str | None, *, actor: Actor, dry_run: bool) -> Retained:
    now = space.clock()
    work = Work(space, chosen, now=now)
    kept = tuple(settle(work, memory, into) for memory in chosen)
    created, updated = work.written()
    if dry_run:
        known = tuple(replace(one, conflict=None) if one.conflict in work.raised else one for one in kept)
        return Retained(known)
    if not created and not updated and not work.raised:
        return Retained(kept)
    # No words here: what is told of a run outlives a purge.
    nodes = sorted({one.path for one in kept if one.outcome in ("written", "merged")})
    run = new_run("retain", actor, now=now, detail={**Counter(one.outcome for one in kept), "nodes": nodes})
    raised = [replace(one, run=run.id, incoming_text=work.page_of(one)) for one in work.raised.values()]
    write(space, run, created=created, updated=updated, conflicts=raised)
    return Retained(kept, run)
