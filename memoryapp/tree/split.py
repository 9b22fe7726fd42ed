"""A node that has grown too large becomes a branch of smaller ones, by topic, with nothing lost.

    taken apart (cut) → cut where least is torn apart (cut, alike) → named (pieces) → written, with every link to it

The pieces are stretches of the text in its order, so that what stays with the node and the pieces behind it are, put
together, the text that was split: letter by letter, but for the addresses of relative links, which lead on to where
they led.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import Clash
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import (
    MOST_BYTES,
    ROOT,
    Line,
    Node,
    described,
    line_key,
    lines_of,
    new_node,
    ref_of,
    rewritten,
)
from memoryapp.spaces import Space
from memoryapp.store import memories, nodes
from memoryapp.store.nodes import Outline
from memoryapp.store.write import new_run
from memoryapp.tree.again import repeated
from memoryapp.tree.alike import alike
from memoryapp.tree.blocks import newline_of
from memoryapp.tree.check import node_at, require_version
from memoryapp.tree.cut import chosen, taken_apart
from memoryapp.tree.links import Places, led_anew, link_to, relinked
from memoryapp.tree.pieces import Piece, named, stretches
from memoryapp.tree.siblings import children_of, next_position
from memoryapp.tree.suggest import elsewhere
from memoryapp.tree.write import write


@dataclass(frozen=True, slots=True)
class Split:
    """What splitting a node makes. `head`: how its markdown opens, which stays with it; `text`: all that it says then,
    the links to the pieces included; `size`: bytes of its markdown now; `linked`: other nodes in which a link changes;
    `version`: of the node."""

    path: str
    title: str
    version: int
    size: int
    head: str
    text: str
    pieces: tuple[Piece, ...]
    linked: tuple[str, ...]


def overfull(space: Space) -> tuple[Outline, ...]:
    """Nodes larger than MOST_BYTES, the largest first."""
    found = [one for one in nodes.outline(space.db) if one.size > MOST_BYTES and one.path != ROOT]
    return tuple(sorted(found, key=lambda one: (-one.size, one.path)))


def preview_split(space: Space, path: str) -> Split:
    """Changes nothing. Raises BadInput, NotFound, and Clash where there is no place at which it could be cut."""
    return _planned(space, node_at(space, path))[0]


def split(space: Space, path: str, *, actor: Actor, version: int | None = None) -> tuple[tuple[Node, ...], Run]:
    """Makes of one node several beneath it, as `preview_split` tells, and returns these. The node keeps its title, how
    its markdown opens, and a list of links to them; what stands behind a line goes along with it. One run.

    `version`: the preview's. Raises what `preview_split` raises, and Stale.
    """

    def done() -> tuple[tuple[Node, ...], Run]:
        node = node_at(space, path)
        require_version(node, version)
        plan, linked = _planned(space, node)
        now = space.clock()
        detail = {"path": node.path, "into": [piece.path for piece in plan.pieces]}
        run = new_run("split", actor, now=now, detail=detail)
        created, revived = [], []
        kept = memories.by_refs(space.db, [ref_of(piece.path) for piece in plan.pieces])
        position = next_position(nodes.outline(space.db), node.path)
        for n, piece in enumerate(plan.pieces):
            made = new_node(piece.path, title=piece.title, text=piece.text, now=now, weight=node.weight)
            was = kept.get(made.ref or "")
            made = replace(made if was is None else _back(was, made), position=position + n)
            made = described(made, keywords=piece.keywords, weight=node.weight, lines=_lines_in(node, piece) or None)
            if was is None:
                created.append(made)
            else:
                revived.append((was, made))
        write(space, run, created=created, updated=[*revived, (node.memory, _opened(node, plan)), *linked])
        return tuple(node_at(space, piece.path) for piece in plan.pieces), run

    return repeated(done, version=version)


def _planned(space: Space, node: Node) -> tuple[Split, list[tuple[Memory, Memory]]]:
    """What would become of it, and (before, after) of the other nodes with links to its headings."""
    source = taken_apart(node.text)
    units = source.units
    if len(units) < 2:
        raise Clash(
            f"There is no place at which “{node.path}” could be cut: it has neither two sections nor two paragraphs.",
            field="/path",
        )
    sizes = [source.size(unit.first, unit.last) for unit in units]
    likeness = alike(space, [source.text(unit.first, unit.last) for unit in units])
    runs = chosen(sizes, [unit.border for unit in units], likeness)
    found = stretches(source, runs)
    every = [one for one in nodes.every(space.db) if one.path != ROOT]
    others = [one for one in every if one.id != node.id]
    names = named(
        found,
        source,
        path=node.path,
        title=node.title,
        taken=[child.name for child in children_of(others, node.path)],
        others=elsewhere(others),
    )
    headings = {old: (path, new) for one, (path, _, _) in zip(found, names, strict=True) for old, new in one.anchors}
    places = _places(node.path, headings)
    pieces = tuple(
        Piece(
            path=path,
            title=title,
            keywords=keywords,
            headings=one.headings,
            cut=one.text,
            text=relinked(one.text, was=node.path, now=path, places=places),
            anchors=one.anchors,
        )
        for one, (path, title, keywords) in zip(found, names, strict=True)
    )
    head = source.text(0, source.head)
    linked = led_anew(others, {}, places)
    plan = Split(
        path=node.path,
        title=node.title,
        version=node.memory.version,
        size=node.size,
        head=head,
        text=_opening(node, relinked(head, was=node.path, now=node.path, places=places), pieces),
        pieces=pieces,
        linked=tuple(Node(after).path for _, after in linked),
    )
    return plan, linked


def _places(path: str, headings: dict[str, tuple[str, str]]) -> Places:
    """Links to a heading of the node lead to the piece that has it."""
    return lambda to, anchor: headings.get(anchor.casefold(), (to, anchor)) if to == path and anchor else (to, anchor)


def _opening(node: Node, head: str, pieces: Sequence[Piece]) -> str:
    """What the node says from now on: how it opened, its title where it opened with nothing, links to the pieces."""
    newline = newline_of(node.text)
    opened = head if head.strip("\ufeff \t\r\n") else f"{head}# {node.title}{newline}{newline}"
    if not opened.endswith(("\n", "\r")):
        opened += newline
    if not opened.endswith(newline * 2):
        opened += newline
    links = [f"- [{_escaped(one.title)}]({link_to(one.path, at=node.path)}){newline}" for one in pieces]
    return opened + "".join(links)


def _escaped(title: str) -> str:
    return title.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _opened(node: Node, plan: Split) -> Memory:
    """The node with its new words. Lines that go with a piece are not behind one of its own any more."""
    after = rewritten(node.memory, plan.text)
    gone = {line_key(line) for piece in plan.pieces for line in piece.cut.splitlines()}
    gone -= {line_key(line) for line in plan.head.splitlines()}
    lines = lines_of(node.memory)
    return described(after, lines=[line for line in lines if line.key not in gone]) if lines else after


def _lines_in(node: Node, piece: Piece) -> list[Line]:
    """What stands behind the lines of a piece, each known by the words that the line has there."""
    keys = {
        line_key(was): line_key(now) for was, now in zip(piece.cut.splitlines(), piece.text.splitlines(), strict=True)
    }
    return [replace(line, key=keys[line.key]) for line in lines_of(node.memory) if line.key in keys]


def _back(was: Memory, made: Memory) -> Memory:
    """A deleted node at the path of a piece, with the words of the piece."""
    return rewritten(replace(was, state=State.HELD, title=made.title), made.text)
