"""A node gets another path, with all beneath it; or another place among its siblings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import BadInput, Clash
from memoryapp.domain.memory import Memory
from memoryapp.domain.node import ROOT, Node, check_path, parent_of, placed_at
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.write import new_run
from memoryapp.tree.again import repeated
from memoryapp.tree.check import node_at, require_version
from memoryapp.tree.links import led_anew, moved_places
from memoryapp.tree.siblings import beneath, branches, children_of, gave_way, next_position, parents_of, renumbered
from memoryapp.tree.write import write


def move(
    space: Space, path: str, to: str, *, position: int | None = None, actor: Actor, version: int | None = None
) -> tuple[Node, Run]:
    """Moves a node and all beneath it to the path `to`, which is its whole new path; what is missing above that becomes
    a branch. `position`: its place among its siblings there, from 0; without one it goes behind the last, or stays
    where it is among the siblings it has. The same path with a position only puts it elsewhere in the order.

    Links to what moved, and those in it, lead where they led before. One run. Raises BadInput, also for a path beneath
    itself; NotFound; Clash where a node is at the new path; Stale where `version` is not the node's.
    """
    target = check_path(to, field="/to")
    if position is not None and position < 0:
        raise BadInput("A position counts from 0.", field="/position")

    def moved() -> tuple[Node, Run]:
        node = node_at(space, path)
        require_version(node, version)
        every = [one for one in nodes.every(space.db) if one.path != ROOT]
        _check(node, target, every)
        # Topmost first: one that takes the path of another in the same move finds it free.
        places = {one.path: target + one.path[len(node.path) :] for one in (node, *beneath(every, node.path))}
        now = space.clock()
        run = new_run("move", actor, now=now, detail={"path": node.path, "to": target})
        standing = [one for one in every if one.path not in places]
        created, revived = branches(space, parents_of(target), standing, now)
        after = changed_by_move(space, every, places)
        if parent_of(target) != parent_of(node.path) and position is None:
            after[node.id] = replace(after[node.id], position=next_position(standing, parent_of(target)))
        if position is not None:
            _put_at(after, node, children_of(standing, parent_of(target)), position)
        aside = gave_way(space, [new for old, new in places.items() if new != old], set(places))
        before = {one.id: one.memory for one in every}
        write(
            space, run, created=created, updated=[*aside, *revived, *((before[key], one) for key, one in after.items())]
        )
        return node_at(space, target), run

    return repeated(moved, version=version)


def changed_by_move(space: Space, every: Sequence[Node], places: dict[str, str]) -> dict[str, Memory]:
    """By id, the nodes as they are once these paths are others, with their links and those to them. `places`: new path
    by old."""
    after = {old.id: new for old, new in led_anew(every, places, moved_places(places))}
    for one in every:
        if one.path in places and places[one.path] != one.path:
            # Its content hash stays: the file that was last read or handed out is known by the path it had then.
            after[one.id] = placed_at(after.get(one.id, one.memory), places[one.path])
    order = {one.id: n for n, one in enumerate(every)}
    after.update({one.id: one.memory for one in every if one.path in places and one.id not in after})
    return dict(sorted(after.items(), key=lambda item: order[item[0]]))


def _check(node: Node, target: str, every: Sequence[Node]) -> None:
    if target.startswith(f"{node.path}/"):
        raise BadInput(f"“{node.path}” cannot be moved beneath itself.", field="/to")
    if target != node.path and any(one.path == target for one in every):
        raise Clash(f"There is a node at “{target}” already. Merge the two, or choose another path.", field="/to")
    for one in beneath(every, node.path):
        check_path(target + one.path[len(node.path) :], field="/to")


def _put_at(after: dict[str, Memory], node: Node, siblings: Sequence[Node], position: int) -> None:
    others = [one for one in siblings if one.id != node.id]
    order = [*others[:position], node, *others[position:]]
    for one, place in renumbered(order):
        after[one.id] = replace(after.get(one.id, one.memory), position=place)
