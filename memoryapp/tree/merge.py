"""Two nodes become one: what the one says is put into the other, and what it says too is not said twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import MOST_KEYWORDS, ROOT, Line, Node, described, line_key, lines_of, parent_of, rewritten
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.store.write import new_run
from memoryapp.tree.again import repeated
from memoryapp.tree.blocks import bytes_of
from memoryapp.tree.check import check_markdown, node_at, require_version
from memoryapp.tree.join import joined
from memoryapp.tree.links import moved_places, relinked, reworded
from memoryapp.tree.move import changed_by_move
from memoryapp.tree.siblings import beneath, children_of, gave_way, next_position
from memoryapp.tree.write import write


@dataclass(frozen=True, slots=True)
class Merge:
    """What merging `path` into `into` makes. `text`: what `into` says then; `added`, `doubled`: lines of the other that
    are put in, and that were there; `moved`: the new paths of the nodes beneath it, by their old ones; `linked`: other
    nodes in which a link changes."""

    path: str
    into: str
    title: str
    text: str
    keywords: tuple[str, ...]
    added: int
    doubled: int
    moved: tuple[tuple[str, str], ...]
    linked: tuple[str, ...]
    version: int

    @property
    def size(self) -> int:
        """Bytes of the markdown."""
        return bytes_of(self.text)


def preview_merge(space: Space, path: str, into: str) -> Merge:
    """Changes nothing. Raises what `merge` raises."""
    return _merged(space, path, into)[0]


def merge(space: Space, path: str, into: str, *, actor: Actor, version: int | None = None) -> tuple[Node, Run]:
    """Puts what the node at `path` says into the one at `into`, and takes the first out of the tree. Sections of one
    heading come together; blocks whose lines stand there already are left out. Keywords and the memories behind lines
    are united; nodes beneath the first come beneath the other, under another name where theirs is taken there. Links
    to them lead where they are now. One run.

    `version`: of the node at `into`. Raises BadInput, also for a node with itself or with one beneath it; NotFound;
    TooLarge; Stale.
    """

    def done() -> tuple[Node, Run]:
        preview, pairs = _merged(space, path, into)
        require_version(node_at(space, preview.into), version)
        detail = {"path": preview.path, "into": preview.into}
        run = new_run("merge", actor, now=space.clock(), detail=detail)
        write(space, run, updated=pairs)
        return node_at(space, preview.into), run

    return repeated(done, version=version)


def _merged(space: Space, path: str, into: str) -> tuple[Merge, list[tuple[Memory, Memory]]]:
    gone, stands = node_at(space, path), node_at(space, into, field="/into")
    if gone.id == stands.id:
        raise BadInput(f"“{gone.path}” cannot be merged into itself.", field="/into")
    if stands.path.startswith(f"{gone.path}/"):
        raise BadInput(f"“{stands.path}” lies beneath “{gone.path}”: move it out of there first.", field="/into")
    every = [one for one in nodes.every(space.db) if one.path != ROOT]
    moved = _places(gone, stands, every)
    places = {gone.path: stands.path, **moved}
    added = relinked(gone.text, was=gone.path, now=stands.path, places=moved_places(places))
    own = relinked(stands.text, was=stands.path, now=stands.path, places=moved_places(places))
    join = joined(own, added)
    keywords = tuple(dict.fromkeys((*stands.keywords, *_new_words(gone, stands))))[:MOST_KEYWORDS]
    others = [one for one in every if one.id not in (gone.id, stands.id)]
    after = changed_by_move(space, others, places)
    linked = tuple(one.path for one in others if one.path not in moved and one.id in after)
    merged = rewritten(stands.memory, check_markdown(join.text) if stands.has_file or gone.has_file else None)
    lines = _lines(reworded(stands.memory, stands.text, own), reworded(gone.memory, gone.text, added))
    merged = described(merged, keywords=keywords, lines=lines or None)
    order = _behind(stands, every, moved, after)
    before = {one.id: one.memory for one in every}
    pairs = [
        *gave_way(space, list(moved.values()), set(moved)),
        (gone.memory, replace(gone.memory, state=State.DELETED)),
        (stands.memory, merged),
        *((before[key], order.get(key, one)) for key, one in after.items()),
    ]
    preview = Merge(
        path=gone.path,
        into=stands.path,
        title=stands.title,
        text=join.text,
        keywords=keywords,
        added=join.added,
        doubled=join.doubled,
        moved=tuple(moved.items()),
        linked=linked,
        version=stands.memory.version,
    )
    return preview, pairs


def _places(gone: Node, stands: Node, every: Sequence[Node]) -> dict[str, str]:
    """New paths of the nodes beneath the one that goes, by their old ones."""
    taken = {one.path.casefold() for one in every if not one.path.startswith(f"{gone.path}/")}
    places: dict[str, str] = {}
    for child in children_of(every, gone.path):
        wanted = path = f"{stands.path}/{child.name}"
        number = 2
        while path.casefold() in taken:
            path, number = f"{wanted}-{number}", number + 1
        taken.add(path.casefold())
        places |= {one.path: path + one.path[len(child.path) :] for one in (child, *beneath(every, child.path))}
    return {old: new for old, new in sorted(places.items()) if old != new}


def _behind(stands: Node, every: Sequence[Node], moved: dict[str, str], after: dict[str, Memory]) -> dict[str, Memory]:
    """By id, the nodes that come directly beneath the one that stands: behind those it has, in their order."""
    coming = [one for one in every if parent_of(moved.get(one.path, "")) == stands.path and one.path in moved]
    begin = next_position([one for one in every if one.path not in moved], stands.path)
    ordered = sorted(coming, key=lambda one: (one.position, one.path))
    return {one.id: replace(after[one.id], position=begin + n) for n, one in enumerate(ordered)}


def _new_words(gone: Node, stands: Node) -> list[str]:
    known = {word.casefold() for word in stands.keywords}
    return [word for word in gone.keywords if word.casefold() not in known]


def _lines(stands: Memory, gone: Memory) -> list[Line]:
    """What stands behind the lines of both, each memory once a line; of the one that goes only what its text has."""
    standing = {line_key(line) for line in gone.text.splitlines()}
    brought = [line for line in lines_of(gone) if line.key in standing]
    found = {(line.key, line.memory): line for line in reversed([*lines_of(stands), *brought])}
    return list(reversed(found.values()))
