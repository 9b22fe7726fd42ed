"""What one act of retaining works on: nodes as they are to stand, what is known of the memories behind their lines, and
the conflicts it raises. Nothing is written before all of it is settled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from memoryapp.domain.conflict import Conflict, ConflictStatus
from memoryapp.domain.errors import TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import (
    INBOX,
    Line,
    Node,
    line_conflict,
    line_key,
    lines_of,
    new_node,
    parent_of,
    rewritten,
    with_description,
    with_row,
)
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories, nodes
from memoryapp.tree.compare import LineNeighbour, Vectors
from memoryapp.tree.lines import read
from memoryapp.tree.placement import PlacedNode, branches, next_position, parents_of
from memoryapp.tree.provenance import by_key, last_of
from memoryapp.tree.route import Roads, Route

BY_HAND = "put there by hand"
INBOX_TITLE = "Inbox"


class Work:
    """`chosen`: the memories that are to go in, each looked up once."""

    def __init__(self, space: Space, chosen: Sequence[Memory], *, now: datetime) -> None:
        self.space = space
        self.now = now
        self.roads = Roads(space)
        self.vectors = Vectors(space)
        self.raised: dict[str, Conflict] = {}
        self._before: dict[str, Memory | None] = {}
        self._after: dict[str, Memory] = {}
        self._filled: dict[str, None] = {}  # paths that something was put into: what is only opened is not made
        self._known: dict[str, Memory] = {memory.id: memory for memory in chosen}
        self._pairs = _pairs_of(space, list(self._known))

    def road(self, memory: Memory, into: str | None) -> Route:
        """Where a memory goes: into the node that was named, else where it is routed."""
        if into is not None:
            return Route(into, BY_HAND, 1.0, "hand", certain=True)
        return self.roads.of(memory.text, tags=memory.tags, vector=self.roads.vector_of(memory.id))

    def standing(self, memory: Memory, into: str | None) -> str | None:
        """The path of the node, this one or any, in which the memory stands behind a line."""
        paths = [one.path for one in self.roads.outlines if memory.id in one.lines]
        for path in dict.fromkeys([*paths, *self._after]):
            if into in (None, path) and any(line.memory == memory.id for line in Node(self.node(path)).lines):
                return path
        return None

    def node(self, path: str) -> Memory:
        """The node as it stands so far; where there is none, as it would be made."""
        if path not in self._after:
            was = nodes.whatever_at(self.space.db, path)
            self._before[path] = was
            self._after[path] = self._opened(path, was)
        return self._after[path]

    def put(self, path: str, text: str, lines: Iterable[Line]) -> None:
        """The node says this from now on. Raises TooLarge."""
        if len(text) > LIMITS.text_chars:
            raise TooLarge(
                f"“{path}” would have {len(text):,} characters; one node may have {LIMITS.text_chars:,}. Split it "
                "first.",
                field="/path",
            )
        node = self.node(path)
        after = node if text == Node(node).text else rewritten(node, text)
        once = {(line.key, line.memory): line for line in lines}
        self._filled[path] = None
        self._after[path] = with_description(after, lines=once.values())

    def beside(self, path: str) -> list[LineNeighbour]:
        """The node's lines, each with the held memory behind it."""
        node = self.node(path)
        self._know([line.memory for line in lines_of(node)])
        taken = by_key(lines_of(node))
        found = []
        for standing in read(Node(node).text).lines:
            behind = taken.get(standing.key, [])
            memory = last_of(behind, self._known)
            at = max((line.at for line in behind), default=None)
            found.append(LineNeighbour(standing, memory, at))
            if memory is not None and not memory.title and line_key(memory.text) == standing.key:
                vector = self.roads.vector_of(memory.id)
                if vector is not None:
                    self.vectors.know(standing.said, vector)
        return found

    def between(self, one: str, other: str) -> Conflict | None:
        """The conflict between two memories, waiting or decided, where there is one."""
        return self._pairs.get(frozenset((one, other)))

    def known_conflict(self, key: str) -> Conflict | None:
        """The conflict of this id, as raised by this act or before it, unless it was withdrawn."""
        found = self.raised.get(key) or conflicts.get(self.space.db, key)
        return None if found is None or found.status is ConflictStatus.WITHDRAWN else found

    def page_of(self, conflict: Conflict) -> str:
        """What the node would say with the line that came in, along with all else that this act put into it."""
        incoming = conflict.incoming_text or ""
        node = next(node for node in self._after.values() if node.id == conflict.existing)
        line = next(
            one for one in lines_of(node) if one.instead and line_conflict(node.id, one.instead, one.key) == conflict.id
        )
        row = next(row for row in incoming.splitlines() if line_key(row) == line.key)
        return with_row(Node(node).text, line.instead, row)

    def written(self) -> tuple[list[Memory], list[tuple[Memory, Memory]]]:
        """(created, (before, after)) of the nodes that changed, with the branches that new ones need above them."""
        changed = {path: self._after[path] for path in self._filled if self._after[path] != self._before[path]}
        fresh = {path for path in changed if (was := self._before[path]) is None or was.state is not State.HELD}
        above = {one for path in fresh for one in parents_of(path)} - fresh
        some: list[PlacedNode] = [*self.roads.outlines, *(Node(changed[path]) for path in fresh)]
        created, updated = branches(self.space, above, some, self.now)
        for path, after in changed.items():
            was = self._before[path]
            if was is None:
                created.append(after)
            else:
                updated.append((was, after))
        return created, updated

    def _opened(self, path: str, was: Memory | None) -> Memory:
        title = INBOX_TITLE if path == INBOX else path.rpartition("/")[2]
        opening = f"# {title}\n"
        if was is None:
            siblings: list[PlacedNode] = [*self.roads.outlines, *map(Node, self._after.values())]
            position = next_position(siblings, parent_of(path))
            keywords = () if path == INBOX else (title,)
            return new_node(path, title=title, text=opening, now=self.now, keywords=keywords, position=position)
        if was.state is not State.HELD:
            return with_description(rewritten(replace(was, state=State.HELD), opening), lines=())
        return was if Node(was).has_file else rewritten(was, f"# {was.title}\n")

    def _know(self, keys: Iterable[str]) -> None:
        missing = sorted(set(keys) - self._known.keys())
        self._known |= memories.get_many(self.space.db, missing) if missing else {}


def _pairs_of(space: Space, keys: Sequence[str]) -> dict[frozenset[str], Conflict]:
    """Conflicts between two memories of which one is among these; a waiting one before others."""
    found = [one for one in conflicts.with_any(space.db, keys) if one.incoming]
    ranked = sorted(found, key=lambda one: (one.status is ConflictStatus.WAITING, one.created_at))
    standing = [one for one in ranked if one.status is not ConflictStatus.WITHDRAWN]
    return {frozenset((one.existing, one.incoming or "")): one for one in standing}
