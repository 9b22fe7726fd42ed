"""A node and all beneath it are taken out of the tree. Softly: an undo puts them back as they were."""

from __future__ import annotations

from dataclasses import replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.memory import State
from memoryapp.domain.node import Node
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.write import new_run
from memoryapp.tree.again import repeated
from memoryapp.tree.check import node_at, require_version
from memoryapp.tree.siblings import beneath
from memoryapp.tree.write import write


def preview_remove(space: Space, path: str) -> tuple[Node, ...]:
    """The node and all beneath it, itself first: what `remove` would take out. Raises BadInput, NotFound."""
    node = node_at(space, path)
    return (node, *beneath(nodes.every(space.db), node.path))


def remove(space: Space, path: str, *, actor: Actor, version: int | None = None) -> tuple[tuple[Node, ...], Run]:
    """Deletes a node with all beneath it, in one run. Each keeps its path, and comes back when something is put there
    again. Raises BadInput, NotFound, and Stale where `version` is not the node's."""

    def removed() -> tuple[tuple[Node, ...], Run]:
        gone = preview_remove(space, path)
        require_version(gone[0], version)
        run = new_run("delete", actor, now=space.clock(), detail={"path": gone[0].path, "nodes": len(gone)})
        write(space, run, updated=[(one.memory, replace(one.memory, state=State.DELETED)) for one in gone])
        return gone, run

    return repeated(removed, version=version)
