"""The tree beside a node: a twig for each node, with its size as a bar. As many as fit a page; what lies deeper comes
when its branch is opened.

The nodes a page of the tree shows: as they are, or those that were held at an instant, in the words of then.

Where a memory stands in the Context Tree, for its own page: the node, and the line that says it.

Which nodes a question reaches, told in words: which word of it found which keyword.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate
from typing import Any
from urllib.parse import quote

from django.urls import reverse
from django.utils.http import urlencode

from memoryapp import review, search
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.node import MOST_BYTES, ROOT, Node, line_key, parent_of
from memoryapp.domain.reach import Match, NodeReach, loaded_count, reach
from memoryapp.index import stem
from memoryapp.search.trees import trees
from memoryapp.spaces import Space
from memoryapp.store import memories, nodes
from memoryapp.store.nodes import Outline
from memoryapp.tree.placement import parents_of

MOST_HTML = 30_000  # bytes of twigs in a page; more would take it over 100 KB
MOST_SIBLINGS = 100  # of one branch at once
ALL_OPEN = 40  # a tree of so many nodes is shown with every branch open
_TWIG = 300  # bytes of one, but for its address and its words
_FEWEST = 12  # … however little room is left
_FULL = 1.2 * MOST_BYTES  # bytes at which the bar is full
_TITLE = 16  # characters of a title that still fits beside the name


@dataclass(frozen=True, slots=True)
class Twig:
    """A line of the tree. `missing`: no node stands here, only some beneath. `folds`: some do; `children` are those
    that are written out, None where they come on opening; `rest` the address of the siblings after this one."""

    path: str
    name: str
    title: str
    size: int
    width: str
    over: bool
    missing: bool
    folds: bool
    open: bool
    here: bool
    reached: bool
    children: tuple[Twig, ...] | None
    rest: str = ""
    more: int = 0

    @property
    def href(self) -> str:
        return node_address(self.path)


def node_address(path: str) -> str:
    """Of its page. The root's is the page of the whole tree."""
    return reverse("tree") + quote(path, safe="/")


class Drawing:
    """The twigs of one page, counted against what fits it."""

    def __init__(
        self, found: Iterable[Outline], *, here: str = ROOT, reached: Collection[str] = (), room: int = MOST_HTML
    ) -> None:
        self.nodes = {one.path: one for one in found if one.path != ROOT}
        self.under: dict[str, list[str]] = {}
        for path in _with_branches(self.nodes):
            self.under.setdefault(parent_of(path), []).append(path)
        for paths in self.under.values():
            paths.sort(key=self._order)
        self.here = here
        self.reached = frozenset(reached)
        self.way = {above for path in (here, *reached) for above in parents_of(path)}
        self.wanted = self.way | self.reached
        self.room = room

    def twigs(self, parent: str = ROOT, *, start: int = 0) -> tuple[Twig, ...]:
        """Those right under `parent`, from the one at `start`, with what is open beneath them."""
        every = self.under.get(parent, [])
        end = start + self._fitting(every[start : start + MOST_SIBLINGS])
        shown = every[start:end]
        if not start:  # the way to where one stands is there before the rest is asked for
            shown = [*shown, *(path for path in every[end:] if path == self.here or path in self.wanted)]
        self.room -= sum(map(_cost, shown))
        drawn = [self._twig(path) for path in shown]
        if drawn and end < len(every):
            drawn.append(_rest_twig(parent, end, len(every) - end))
        return tuple(drawn)

    def _fitting(self, paths: Sequence[str]) -> int:
        """How many of these there is room for."""
        upto = accumulate(map(_cost, paths))
        return max(min(_FEWEST, len(paths)), sum(1 for bytes_ in upto if bytes_ <= self.room))

    def _twig(self, path: str) -> Twig:
        node = self.nodes.get(path)
        name = path.rpartition("/")[2]
        folds = path in self.under
        opened = folds and (path in self.way or len(self.nodes) <= ALL_OPEN)
        fits = folds and (opened or self.room >= sum(map(_cost, self.under[path])))
        size = node.size if node else 0
        return Twig(
            path=path,
            name=name,
            title=beside_name(name, node.title if node else ""),
            size=size,
            width=f"{min(100.0, 100 * size / _FULL):.0f}",
            over=size > MOST_BYTES,
            missing=node is None,
            folds=folds,
            open=opened,
            here=path == self.here,
            reached=path in self.reached,
            children=self.twigs(path) if fits else None,
        )

    def _order(self, path: str) -> tuple[int, str]:
        node = self.nodes.get(path)
        return (node.position if node else 0, path)


def beside_name(name: str, title: str) -> str:
    """A short title that says something else than the last part of the path: 가치관 beside “values”, and of “values ·
    가치관” as well."""
    told = " ".join(title.split()).removeprefix(f"{name} · ")
    return told if len(told) <= _TITLE and _letters(told) != _letters(name) else ""


def siblings(found: Sequence[Outline], path: str) -> list[str]:
    """Paths of the nodes under the same parent, in their order, the node's own among them."""
    return Drawing(found).under.get(parent_of(path), [])


def _with_branches(paths: Iterable[str]) -> list[str]:
    """The paths and every path above them, each once."""
    return list(dict.fromkeys(above for path in paths for above in (*parents_of(path), path)))


def _rest_twig(parent: str, start: int, left: int) -> Twig:
    """The line that brings the siblings after those that are written out."""
    address = reverse("tree-branch") + "?" + urlencode([("of", parent), ("from", str(start))])
    return Twig(
        path="", name="", title="", size=0, width="0", over=False, missing=False, folds=False, open=False, here=False,
        reached=False, children=None, rest=address, more=left,
    )  # fmt: skip


def _cost(path: str) -> int:
    """Bytes of a twig in the page, about."""
    return _TWIG + len(quote(path)) + len(path.rpartition("/")[2].encode())


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def outline_of(space: Space, as_of: datetime | None = None) -> tuple[Outline, ...]:
    """Every node but the root, in order of their paths. Search keeps the same outlines, so that those of a large tree
    are read from the store once."""
    space.index.refresh()
    view = space.index.view()
    standing = view.roster.mask(Filters(kinds=(Kind.NODE,), as_of=as_of), now=space.clock())
    tree = trees.of(space, view, standing)
    return tuple(one for one in tree.outlines if one.path != ROOT) if tree else ()


def node_of(space: Space, path: str, as_of: datetime | None = None) -> Node | None:
    """None where no node stood there."""
    if as_of is None:
        return nodes.at(space.db, path)
    found = next((one for one in outline_of(space, as_of) if one.path == path), None)
    return Node(_memory_as_of(space, memories.get(space.db, found.id), as_of)) if found else None


def path_in(address: str) -> str:
    """A path as an address has it: composed, without slashes at its ends."""
    return unicodedata.normalize("NFC", address).strip("/")


def _memory_as_of(space: Space, memory: Memory, as_of: datetime) -> Memory:
    """The node in the words it had then."""
    layers = review.history(space, memory.id)
    layer = next((one for one in layers if one.revision.at <= as_of), layers[-1] if layers else None)
    return replace(memory, text=layer.text, title=layer.title) if layer else memory


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


MOST = 12  # nodes that are told of
LONGEST = 500  # characters of a question


@dataclass(frozen=True, slots=True)
class Line:
    """`via`: the node above whose keywords these are, "" where they are its own; `given`: an agent is given it."""

    path: str
    score: float
    why: str
    via: str
    given: bool


@dataclass(frozen=True, slots=True)
class MatchView:
    """How a word of the question found a keyword: the keyword, what joins the two, the word where it is another."""

    keyword: str
    how: str
    word: str = ""


def reach_of(space: Space, question: str, found: Sequence[Outline], *, as_of: datetime | None = None) -> dict[str, Any]:
    """`reached` the best first, `reached_more` those that are not told of, `reached_told` the match worth a sentence.
    `found`: the nodes of the page, asked themselves where it shows another day."""
    asked = " ".join(question.split())[:LONGEST]
    arrived = _reached_nodes(space, asked, found, as_of) if asked else []
    lines = [_line(one, given) for one, _, given in arrived]
    return {
        "asked": asked,
        "reached": lines[:MOST],
        "reached_paths": [line.path for line in lines if line.given],
        "reached_given": sum(line.given for line in lines),
        "reached_size": sum(size for _, size, given in arrived if given),
        "reached_more": sum(not line.given for line in lines),
        "reached_told": _notable_match([one for one, _, _ in arrived]),
    }


def _reached_nodes(
    space: Space, asked: str, found: Sequence[Outline], as_of: datetime | None
) -> list[tuple[NodeReach, int, bool]]:
    """(what is reached, its bytes, whether an agent is given it)."""
    if as_of is None:
        return [(one.reached, one.node.size, one.loaded) for one in search.reaching(space, asked).nodes]
    sizes = {one.path: one.size for one in found}
    reached = reach(asked, found, stem=stem)
    first = loaded_count([sizes[one.path] for one in reached])
    return [(one, sizes[one.path], n < first) for n, one in enumerate(reached)]


def _line(one: NodeReach, given: bool) -> Line:
    told = [match_view(match) for match in one.matches[:3]]
    why = ", ".join(f"{said.keyword} {said.how} {said.word}".strip() for said in told)
    return Line(one.path, one.score, why, "" if one.own else one.via, given)


def match_view(match: Match) -> MatchView:
    """임베딩 was found inside 임베딩은; or the other way round; or by another form of the word; or it stands there."""
    keyword, word = match.keyword.casefold(), match.word.casefold()
    if keyword == word:
        return MatchView(match.keyword, "stands in the question")
    if keyword in word:
        return MatchView(match.keyword, "was found inside", match.word)
    return MatchView(match.keyword, "contains" if word in keyword else "was found by", match.word)


def _notable_match(reached: Sequence[NodeReach]) -> MatchView | None:
    """The first match that is not plain to see, else the first."""
    told = [match_view(match) for one in reached[:MOST] if one.own for match in one.matches]
    return next((one for one in told if one.word), told[0] if told else None)
