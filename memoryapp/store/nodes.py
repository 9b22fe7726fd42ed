"""Nodes of the Context Tree: reading them. They are memories, and written as such."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import Node, ref_of
from memoryapp.store import rows
from memoryapp.store.cache import cached
from memoryapp.store.database import Database


@dataclass(frozen=True, slots=True)
class Outline:
    """A node without its markdown: enough to draw the tree, to route and to reach. `size`: bytes of the markdown."""

    id: str
    path: str
    title: str
    keywords: tuple[str, ...]
    weight: float
    size: int
    position: int
    version: int
    has_file: bool
    lines: tuple[str, ...]  # ids of the memories behind its lines


_EVERY = "SELECT * FROM memory WITH INDEX memory_kind WHERE kind = 'node' AND state = 'held' TIMEOUT 60s"


def outline(db: Database, *, states: Sequence[State] = (State.HELD,)) -> tuple[Outline, ...]:
    """All held nodes, or those in these states, in order of their paths."""
    wanted = [state.value for state in states]
    return cached(db, f"outline, {' '.join(wanted)}", lambda: _outlines(db, wanted))


def _outlines(db: Database, states: list[str]) -> tuple[Outline, ...]:
    found = db.query(
        # Left to itself the planner goes over all that is held, of which nodes are a hundredth. Of the detail only what
        # an outline has: what is told of each line makes up most of a node.
        """SELECT VALUE [record::id(id), title, position, version, bytes::len(<bytes> text), detail.path,
        detail.keywords, detail.weight, detail.file, detail.empty, detail.lines.*.memory]
        FROM memory WITH INDEX memory_kind WHERE kind = 'node' AND state IN $states TIMEOUT 20s""",
        states=states,
    )[0]
    return tuple(sorted((_outline(*row) for row in found), key=lambda one: one.path.split("/")))


def every(db: Database) -> tuple[Node, ...]:
    """All held nodes with their markdown, in order of their paths."""
    found = db.query(_EVERY)[0]
    return tuple(sorted((Node(rows.memory_from(row)) for row in found), key=lambda one: one.path.split("/")))


def at(db: Database, path: str) -> Node | None:
    """The held node at a path."""
    memory = whatever_at(db, path)
    return Node(memory) if memory and memory.state is State.HELD else None


def is_at(db: Database, path: str) -> bool:
    """Whether a node is held at a path; nothing of it is read."""
    found = db.query("SELECT VALUE state FROM memory WHERE ref = $ref TIMEOUT 10s", ref=ref_of(path))[0]
    return bool(found) and found[0] == State.HELD.value


def whatever_at(db: Database, path: str) -> Memory | None:
    """The node at a path, whatever its state: one that was deleted still has the path, and comes back when something
    is put there again."""
    found = db.query("SELECT * FROM memory WHERE ref = $ref TIMEOUT 10s", ref=ref_of(path))[0]
    return rows.memory_from(found[0]) if found else None


def holding(db: Database, memory: str) -> tuple[Memory, ...]:
    """Nodes, whatever their state, with a line that this memory stands behind."""
    found = db.query(
        "SELECT * FROM memory WHERE kind = 'node' AND detail.lines.*.memory CONTAINS $key TIMEOUT 20s", key=memory
    )[0]
    return tuple(map(rows.memory_from, found))


def _outline(
    key: str,
    title: str,
    position: int,
    version: int,
    size: int,
    path: str | None,
    keywords: list[str] | None,
    weight: float | None,
    file: bool | None,
    empty: bool | None,
    lines: list[str] | None,
) -> Outline:
    has_file = file is None or bool(file)
    return Outline(
        id=key,
        path=path or "",
        title=title,
        keywords=tuple(keywords or ()),
        weight=1.0 if weight is None else float(weight),
        size=int(size) if has_file and not empty else 0,
        position=int(position),
        version=int(version),
        has_file=has_file,
        lines=tuple(lines or ()),
    )
