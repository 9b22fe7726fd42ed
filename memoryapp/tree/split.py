"""Splitting: a node that has grown too large becomes a branch of smaller ones, by topic, with nothing lost.

    parsed into units, cut where least is torn apart (segmentation) → named → written, with every link to it (links)

The pieces are stretches of the text in its order, so that what stays with the node and the pieces behind it are, put
together, the text that was split: letter by letter, but for the addresses of relative links, which lead on to where
they led.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import Clash
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.node import (
    MOST_BYTES,
    PATH_CHARS,
    ROOT,
    Line,
    Node,
    check_path,
    line_key,
    lines_of,
    new_node,
    ref_of,
    rewritten,
    with_description,
)
from memoryapp.spaces import Space
from memoryapp.store import memories, nodes
from memoryapp.store.nodes import Outline
from memoryapp.store.retry import retry_write
from memoryapp.store.write import new_run
from memoryapp.tree.keywords import Elsewhere, best_keywords, elsewhere
from memoryapp.tree.links import Places, led_anew, link_to, relink_markdown
from memoryapp.tree.markdown import anchors_of, blocks_of, bytes_of, lines_of_text, newline_of
from memoryapp.tree.placement import children_of, next_position
from memoryapp.tree.segmentation import Source, alike, choose_segments, taken_apart
from memoryapp.tree.write import node_at, require_version, write

_NAME_CHARS = 48
_TITLE_CHARS = 80
_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A node to be. `headings`: the titles in it, in order; `cut`: its words as they stand in the node that is split;
    `text`: the same with its links led from its own place; `anchors`: of the headings, by their anchor before."""

    path: str
    title: str
    keywords: tuple[str, ...]
    headings: tuple[str, ...]
    cut: str
    text: str
    anchors: tuple[tuple[str, str], ...]

    @property
    def size(self) -> int:
        """Bytes of the markdown."""
        return bytes_of(self.text)


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
    return _plan_split(space, node_at(space, path))[0]


def split(space: Space, path: str, *, actor: Actor, version: int | None = None) -> tuple[tuple[Node, ...], Run]:
    """Makes of one node several beneath it, as `preview_split` tells, and returns these. The node keeps its title, how
    its markdown opens, and a list of links to them; what stands behind a line goes along with it. One run.

    `version`: the preview's. Raises what `preview_split` raises, and Stale.
    """

    def done() -> tuple[tuple[Node, ...], Run]:
        node = node_at(space, path)
        require_version(node, version)
        plan, linked = _plan_split(space, node)
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
            made = with_description(
                made, keywords=piece.keywords, weight=node.weight, lines=_lines_in(node, piece) or None
            )
            if was is None:
                created.append(made)
            else:
                revived.append((was, made))
        write(space, run, created=created, updated=[*revived, (node.memory, _node_after_split(node, plan)), *linked])
        return tuple(node_at(space, piece.path) for piece in plan.pieces), run

    return retry_write(done, version=version)


def _plan_split(space: Space, node: Node) -> tuple[Split, list[tuple[Memory, Memory]]]:
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
    runs = choose_segments(sizes, [unit.border for unit in units], likeness)
    found = stretches(source, runs)
    every = [one for one in nodes.every(space.db) if one.path != ROOT]
    others = [one for one in every if one.id != node.id]
    names = name_stretches(
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
            text=relink_markdown(one.text, was=node.path, now=path, places=places),
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
        text=_opening(node, relink_markdown(head, was=node.path, now=node.path, places=places), pieces),
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
    links = [f"- [{_escape_title(one.title)}]({link_to(one.path, at=node.path)}){newline}" for one in pieces]
    return opened + "".join(links)


def _escape_title(title: str) -> str:
    return title.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _node_after_split(node: Node, plan: Split) -> Memory:
    """The node with its new words. Lines that go with a piece are not behind one of its own any more."""
    after = rewritten(node.memory, plan.text)
    gone = {line_key(line) for piece in plan.pieces for line in piece.cut.splitlines()}
    gone -= {line_key(line) for line in plan.head.splitlines()}
    lines = lines_of(node.memory)
    return with_description(after, lines=[line for line in lines if line.key not in gone]) if lines else after


def _lines_in(node: Node, piece: Piece) -> list[Line]:
    """What stands behind the lines of a piece, each known by the words that the line has there."""
    keys = {
        line_key(was): line_key(now) for was, now in zip(piece.cut.splitlines(), piece.text.splitlines(), strict=True)
    }
    return [replace(line, key=keys[line.key]) for line in lines_of(node.memory) if line.key in keys]


def _back(was: Memory, made: Memory) -> Memory:
    """A deleted node at the path of a piece, with the words of the piece."""
    return rewritten(replace(was, state=State.HELD, title=made.title), made.text)


# ── pieces and their names


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines [first, last) that become a node, before it has a name. `continued`: it begins inside a section."""

    first: int
    last: int
    text: str
    headings: tuple[str, ...]
    anchors: tuple[tuple[str, str], ...]
    under: str
    continued: bool


def stretches(source: Source, runs: Sequence[tuple[int, int]]) -> list[Stretch]:
    """The parts that a node is cut into, with the anchors that lead into each. `runs`: first and last unit + 1."""
    before = dict(zip((block.first for block in source.blocks), anchors_of(source.blocks), strict=True))
    found = []
    for begin, end in runs:
        first, last = source.units[begin].first, source.units[end - 1].last
        text = source.text(first, last)
        inside = source.headings(first, last)
        own = [anchor for anchor in anchors_of(blocks_of(lines_of_text(text))) if anchor]
        found.append(
            Stretch(
                first=first,
                last=last,
                text=text,
                headings=_nonempty_titles([block.title for block in inside]),
                anchors=tuple(zip((before[block.first] for block in inside), own, strict=False)),
                under=source.units[begin].under,
                continued=not any(block.first == first and block.level for block in inside),
            )
        )
    return found


def name_stretches(
    found: Sequence[Stretch], source: Source, *, path: str, title: str, taken: Collection[str], others: Elsewhere
) -> list[tuple[str, str, tuple[str, ...]]]:
    """(path, title, keywords) of each stretch. `taken`: names that nodes beneath `path` have; `others`: the rest of the
    tree."""
    used = {name.casefold() for name in taken}
    chosen = []
    for n, one in enumerate(found):
        beside = Elsewhere.of(other.text for at, other in enumerate(found) if at != n).and_of(others)
        heads = _heads(source, one)
        words = best_keywords(one.text, title=" ".join(heads) or title, elsewhere=beside)
        called = _title(one, heads, words, title)
        name = _free_name(_name(one, heads, words), path, used)
        used.add(name.casefold())
        chosen.append((check_path(f"{path}/{name}"), called, words))
    return chosen


def slug(words: str) -> str:
    """Words as the part of a path: small letters and figures of any script, hyphens between; empty where there are
    none."""
    plain = unicodedata.normalize("NFC", words).casefold()
    parts = [re.sub(r"['’.]", "", part) for part in _WORD.findall(plain)]
    name = ""
    for part in parts:
        longer = f"{name}-{part}" if name else part[:_NAME_CHARS]
        if len(longer) > _NAME_CHARS:
            break
        name = longer
    return unicodedata.normalize("NFC", name)


def _heads(source: Source, one: Stretch) -> list[str]:
    """The titles of the highest level in it."""
    inside = [block for block in source.headings(one.first, one.last) if block.title]
    highest = min((block.level for block in inside), default=0)
    return list(dict.fromkeys(block.title for block in inside if block.level == highest))


def _title(one: Stretch, heads: Sequence[str], words: Sequence[str], whole: str) -> str:
    if one.continued and (one.under or not heads):
        # It goes on with a section that began in the piece before: told apart by what is new in it.
        telling = next((word for word in (*heads, *words) if word.casefold() != one.under.casefold()), "")
        return " · ".join(filter(None, (one.under or whole, telling)))
    called = ""
    for head in heads:
        longer = f"{called} · {head}" if called else head
        if called and len(longer) > _TITLE_CHARS:
            break
        called = longer
    return called or whole


def _name(one: Stretch, heads: Sequence[str], words: Sequence[str]) -> str:
    """Of its first heading; where it goes on with another section, of that and what is new in it; else of its most
    telling words."""
    telling = [slug(word) for word in (*heads, *words)]
    if one.continued and one.under:
        begin = slug(one.under)
        return "-".join(dict.fromkeys(filter(None, (begin, next((w for w in telling if w and w != begin), "")))))
    first = next((slug(head) for head in heads if slug(head)), "")
    return first or "-".join(dict.fromkeys(filter(None, telling[:2]))) or slug(one.text[:400])[:_NAME_CHARS]


def _free_name(name: str, path: str, used: Collection[str]) -> str:
    room = PATH_CHARS - len(path) - 1
    if room < 8:
        raise Clash(f"The path “{path[:40]}…” is so long that nothing fits beneath it. Move the node up first.")
    base = (name or "part")[: room - 5].rstrip("-")
    free, number = base, 2
    while free.casefold() in used:
        free, number = f"{base}-{number}", number + 1
    return free


def _nonempty_titles(titles: Sequence[str]) -> tuple[str, ...]:
    return tuple(title for title in titles if title)
