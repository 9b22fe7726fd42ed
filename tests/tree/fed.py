"""What the tests of feeding the tree say and look at."""

from __future__ import annotations

from typing import Any

from memoryapp.domain.conflict import Conflict
from memoryapp.domain.memory import Kind
from memoryapp.domain.node import new_node
from memoryapp.domain.remembering import NewMemory
from memoryapp.remember import remember
from memoryapp.spaces import Space
from memoryapp.store import conflicts, nodes
from memoryapp.store.write import new_run
from memoryapp.tree.write import write
from tests.samples import AGENT, PERSON


def say(space: Space, text: str, *, kind: Kind = Kind.NOTE, **more: Any) -> str:
    """The id of the memory that it became."""
    return remember(space, [NewMemory(text, kind=kind, **more)], actor=AGENT)[0].id


def put(space: Space, path: str, text: str | None, *keywords: str) -> str:
    """The id of the node."""
    now = space.clock()
    node = new_node(path, title=path.rpartition("/")[2], text=text, now=now, keywords=keywords)
    write(space, new_run("grow", PERSON, now=now), created=[node])
    return node.id


def page(space: Space, path: str) -> str:
    node = nodes.at(space.db, path)
    assert node is not None, path
    return node.text


def pages(space: Space) -> dict[str, tuple[str, Any]]:
    return {one.path: (one.text, one.memory.detail) for one in nodes.every(space.db)}


def raised(space: Space) -> tuple[Conflict, ...]:
    return conflicts.page(space.db)
