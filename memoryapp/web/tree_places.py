"""Where a memory stands in the Context Tree, for its own page: the node, and the line that says it."""

from __future__ import annotations

from dataclasses import dataclass

from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.node import Node, line_key
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.web.tree_outline import node_address

_MOST = 12


@dataclass(frozen=True, slots=True)
class Place:
    """`number`: of the line, from 1; a node's own page has neither number nor line."""

    path: str
    number: int = 0
    line: str = ""

    @property
    def href(self) -> str:
        return node_address(self.path)


def places_of(space: Space, memory: Memory) -> list[Place]:
    """Nodes with a line that it stands behind, in order of their paths; of a node the node itself."""
    if memory.kind is Kind.NODE:
        return [Place(Node(memory).path)] if memory.state is State.HELD and Node(memory).path else []
    held = [Node(one) for one in nodes.holding(space.db, memory.id) if one.state is State.HELD]
    return [place for node in sorted(held, key=lambda one: one.path) for place in _lines(node, memory.id)][:_MOST]


def _lines(node: Node, memory: str) -> list[Place]:
    keys = {line.key for line in node.lines if line.memory == memory}
    rows = enumerate(node.text.splitlines(), start=1)
    return [Place(node.path, number, row) for number, row in rows if row.strip() and line_key(row) in keys]
