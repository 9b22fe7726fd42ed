"""What is held and not in the tree yet, each with the node it would go to; and what somebody left out of it.

Who was left out is kept on the root, so that it is undone, exported and purged like all else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import Clash
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.node import ROOT, check_path, new_node
from memoryapp.index.roster import KINDS
from memoryapp.spaces import Space
from memoryapp.store import memories, nodes
from memoryapp.store.retry import retry_write
from memoryapp.store.write import new_run
from memoryapp.tree.route import By, Roads
from memoryapp.tree.write import write

WAITS = (Kind.FACT, Kind.NOTE, Kind.DIGEST)
LOOKED_AT = 300  # of those that wait, the newest
_AT_ONCE = 60
_LEFT_OUT = "left_out"
_KINDS = [KINDS.index(kind) for kind in WAITS]


@dataclass(frozen=True, slots=True)
class Waiting:
    """`path`: the node it would go to, by what `why` says; `certain`: by a tag, or a keyword it names."""

    memory: Memory
    path: str
    why: str
    score: float
    by: By
    certain: bool


def waiting(
    space: Space, path: str | None = None, *, limit: int = 20, certain: bool = False, look_at: int = LOOKED_AT
) -> list[Waiting]:
    """Facts, notes and digests that are held, stand behind no line and were not left out, the newest first; with `path`
    those that would go to that node, with `certain` those whose route is. Only the newest `look_at` are looked at.

    Raises BadInput for what cannot be a path.
    """
    wanted = None if path is None else check_path(path)
    roads = Roads(space)
    keys = _not_in_the_tree(space, roads)[:look_at]
    found: list[Waiting] = []
    at_once = limit if wanted is None and not certain else _AT_ONCE  # every one of them is shown, or few
    for start in range(0, len(keys), at_once):
        some = keys[start : start + at_once]
        read = memories.get_many(space.db, some)
        routed = (_route_memory(roads, read[key]) for key in some if key in read)
        found += [one for one in routed if wanted in (None, one.path) and (one.certain or not certain)]
        if len(found) >= limit:
            break
    return found[:limit]


def count_waiting(space: Space) -> int:
    """How many wait, in all."""
    return len(_not_in_the_tree(space, Roads(space)))


def leave_out(space: Space, keys: Sequence[str], *, actor: Actor) -> Run:
    """These memories are not asked for any more. Raises NotFound, and Clash where none of them was still asked for."""
    found = memories.get_many(space.db, keys)
    for key in keys:
        if key not in found:
            memories.get(space.db, key)  # says why it is not there
    return _change_left_out(space, keys, out=True, actor=actor)


def let_in(space: Space, keys: Sequence[str], *, actor: Actor) -> Run:
    """The other way about. Raises Clash where none of them was left out."""
    return _change_left_out(space, keys, out=False, actor=actor)


def left_out(space: Space) -> tuple[str, ...]:
    """Ids of the memories that were left out, in the order in which they were."""
    root = nodes.at(space.db, ROOT)
    return _left_out_keys(root.memory.detail) if root else ()


def _left_out_keys(detail: dict[str, Any]) -> tuple[str, ...]:
    return tuple(detail.get(_LEFT_OUT, ()))


def _not_in_the_tree(space: Space, roads: Roads) -> list[str]:
    roster = roads.view.roster
    mask = roster.held & np.isin(roster.kind, _KINDS)
    away = {key for one in roads.outlines for key in one.lines} | set(left_out(space))
    mask[roster.slots(sorted(away))] = False
    slots = np.flatnonzero(mask)
    newest = slots[np.lexsort((roster.order[slots], -roster.created[slots]))]
    return [roster.ids[slot] for slot in newest.tolist()]


def _route_memory(roads: Roads, memory: Memory) -> Waiting:
    road = roads.of_memory(memory)
    return Waiting(memory, road.path, road.why, road.score, road.by, road.certain)


def _change_left_out(space: Space, keys: Iterable[str], *, out: bool, actor: Actor) -> Run:
    def changed() -> Run:
        now = space.clock()
        was = nodes.whatever_at(space.db, ROOT)
        known = _left_out_keys(was.detail) if was and was.state is State.HELD else ()
        after = _add_left_out(space, known, keys) if out else tuple(one for one in known if one not in set(keys))
        if after == known:
            raise Clash("They are left out already." if out else "None of them was left out.")
        act = "leave out" if out else "let in"
        run = new_run(act, actor, now=now, detail={"memories": list(keys)[:100]})
        if was is None:
            root = new_node(ROOT, title="Context Tree", text=None, now=now)
            write(space, run, created=[replace(root, detail={**root.detail, _LEFT_OUT: list(after)})])
        else:
            held = replace(was, state=State.HELD, detail={**was.detail, _LEFT_OUT: list(after)})
            write(space, run, updated=[(was, held)])
        return run

    return retry_write(changed)


def _add_left_out(space: Space, known: Sequence[str], keys: Iterable[str]) -> tuple[str, ...]:
    """What is held no longer need not be left out: it would make the list longer for ever."""
    roster = space.index.view().roster
    held = roster.held
    standing = [key for key in known if (slot := roster.slot(key)) is not None and held[slot]]
    added = [key for key in dict.fromkeys(keys) if key not in known]
    return (*(standing if added else known), *added)
