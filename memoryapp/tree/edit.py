"""Editing single nodes: put into the tree, changed, moved, taken out of it.

Each act is one run, and is done again where somebody else wrote one of its nodes a moment before (`write`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import BadInput, Clash
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import (
    ROOT,
    Node,
    check_keywords,
    check_path,
    check_weight,
    new_node,
    parent_of,
    placed_at,
    rewritten,
    with_description,
)
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.retry import retry_write
from memoryapp.store.write import new_run
from memoryapp.tree.keywords import best_keywords, elsewhere, taken_beside
from memoryapp.tree.links import led_anew, moved_places
from memoryapp.tree.markdown import title_of
from memoryapp.tree.placement import (
    beneath,
    branches,
    changed_positions,
    children_of,
    gave_way,
    next_position,
    parents_of,
)
from memoryapp.tree.write import check_markdown, check_title, node_at, require_version, write

# ── putting a node into the tree


def grow(
    space: Space,
    path: str,
    *,
    title: str = "",
    text: str | None = "",
    keywords: Sequence[str] = (),
    weight: float = 1.0,
    actor: Actor,
) -> tuple[Node, Run]:
    """Puts a node at a path where there is none; what is missing above it becomes a branch, in the same run.

    `text` None: a branch, without a file of its own. Without a title it is called as its first heading says, else as
    the last part of its path; without keywords it gets suggested ones, which the run tells (`suggested`). A node that
    was deleted at this path comes back, with these words. Raises BadInput that points at the field, TooLarge, and
    Clash where a node is there.
    """
    at = check_path(path)
    words = check_markdown(text) if text is not None else None
    called = check_title(title or title_of(words or "") or at.rpartition("/")[2])
    wanted = check_keywords(keywords)
    heavy = check_weight(weight)

    def grown() -> tuple[Node, Run]:
        there = nodes.whatever_at(space.db, at)
        if there is not None and there.state is State.HELD:
            raise Clash(f"There is a node at “{at}” already. Change that one, or choose another path.", field="/path")
        offered = wanted or _suggest_keywords(space, at, called, words)
        now = space.clock()
        standing = [one for one in nodes.outline(space.db) if one.path != ROOT]
        detail = {"path": at} | ({"suggested": list(offered)} if offered and not wanted else {})
        run = new_run("grow", actor, now=now, detail=detail)
        created, updated = branches(space, parents_of(at), standing, now)
        position = next_position(standing, parent_of(at))
        if there is None:
            created.append(
                new_node(at, title=called, text=words, now=now, keywords=offered, weight=heavy, position=position)
            )
        else:
            updated.append((there, _revive_node(there, called, words, offered, heavy, position)))
        write(space, run, created=created, updated=updated)
        return node_at(space, at), run

    return retry_write(grown)


def _suggest_keywords(space: Space, path: str, title: str, text: str | None) -> tuple[str, ...]:
    if not text or not text.strip():
        return ()
    others = [one for one in nodes.every(space.db) if one.path not in (ROOT, path)]
    return best_keywords(text, title=title, elsewhere=elsewhere(others), taken=taken_beside(others, path))


def _revive_node(
    there: Memory, title: str, text: str | None, keywords: Sequence[str], weight: float, position: int
) -> Memory:
    held = replace(there, state=State.HELD, title=title, position=position)
    return with_description(rewritten(held, text), keywords=keywords, weight=weight)


# ── changing it


def change(
    space: Space,
    path: str,
    *,
    title: str | None = None,
    text: str | None = None,
    keywords: Sequence[str] | None = None,
    weight: float | None = None,
    version: int | None = None,
    actor: Actor,
) -> tuple[Node, Run]:
    """Changes what is not None. The markdown is kept byte for byte, but for control characters and private words; a
    branch that is given one has a file from then on. Where nothing differs, nothing is written.

    `version`: the one the caller read. Raises BadInput that points at the field, TooLarge, NotFound, and Stale with the
    present version.
    """
    called = check_title(title) if title is not None else None
    words = check_markdown(text) if text is not None else None
    wanted = check_keywords(keywords) if keywords is not None else None
    heavy = check_weight(weight) if weight is not None else None

    def changed() -> tuple[Node, Run]:
        node = node_at(space, path)
        require_version(node, version)
        after = node.memory
        if called is not None:
            # Without a file, and with an empty one, the title is all it says: rewritten() puts the new one there.
            after = rewritten(replace(after, title=called), node.text if node.has_file else None)
        if words is not None:
            after = rewritten(after, words)
        after = with_description(after, keywords=wanted, weight=heavy)
        run = new_run("edit", actor, now=space.clock())
        write(space, run, updated=[(node.memory, after)])
        return node_at(space, node.path), run

    return retry_write(changed, version=version)


# ── moving it


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

    return retry_write(moved, version=version)


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
    for one, place in changed_positions(order):
        after[one.id] = replace(after.get(one.id, one.memory), position=place)


def preview_remove(space: Space, path: str) -> tuple[Node, ...]:
    """The node and all beneath it, itself first: what `remove` would take out. Raises BadInput, NotFound."""
    node = node_at(space, path)
    return (node, *beneath(nodes.every(space.db), node.path))


# ── taking it out


def remove(space: Space, path: str, *, actor: Actor, version: int | None = None) -> tuple[tuple[Node, ...], Run]:
    """Deletes a node with all beneath it, in one run. Each keeps its path, and comes back when something is put there
    again. Raises BadInput, NotFound, and Stale where `version` is not the node's."""

    def removed() -> tuple[tuple[Node, ...], Run]:
        gone = preview_remove(space, path)
        require_version(gone[0], version)
        run = new_run("delete", actor, now=space.clock(), detail={"path": gone[0].path, "nodes": len(gone)})
        write(space, run, updated=[(one.memory, replace(one.memory, state=State.DELETED)) for one in gone])
        return gone, run

    return retry_write(removed, version=version)
