"""A node is put into the tree: at a path that is free, with what is above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import Clash
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import (
    ROOT,
    Node,
    check_keywords,
    check_path,
    check_weight,
    described,
    new_node,
    parent_of,
    rewritten,
)
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.write import new_run
from memoryapp.tree.again import repeated
from memoryapp.tree.blocks import title_of
from memoryapp.tree.check import check_markdown, check_title, node_at
from memoryapp.tree.siblings import branches, next_position, parents_of
from memoryapp.tree.suggest import elsewhere, suggested, taken_beside
from memoryapp.tree.write import write


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
        offered = wanted or _suggested(space, at, called, words)
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
            updated.append((there, _revived(there, called, words, offered, heavy, position)))
        write(space, run, created=created, updated=updated)
        return node_at(space, at), run

    return repeated(grown)


def _suggested(space: Space, path: str, title: str, text: str | None) -> tuple[str, ...]:
    if not text or not text.strip():
        return ()
    others = [one for one in nodes.every(space.db) if one.path not in (ROOT, path)]
    return suggested(text, title=title, elsewhere=elsewhere(others), taken=taken_beside(others, path))


def _revived(
    there: Memory, title: str, text: str | None, keywords: Sequence[str], weight: float, position: int
) -> Memory:
    held = replace(there, state=State.HELD, title=title, position=position)
    return described(rewritten(held, text), keywords=keywords, weight=weight)
