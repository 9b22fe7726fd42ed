"""The tree beside a node: a twig for each node, with its size as a bar. As many as fit a page; what lies deeper comes
when its branch is opened."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from urllib.parse import quote

from django.urls import reverse
from django.utils.http import urlencode

from memoryapp.domain.node import MOST_BYTES, ROOT, parent_of
from memoryapp.store.nodes import Outline

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
        self.way = {above for path in (here, *reached) for above in _ways(path)}
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
            drawn.append(_rest(parent, end, len(every) - end))
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
    return list(dict.fromkeys(above for path in paths for above in (*_ways(path), path)))


def _ways(path: str) -> list[str]:
    """The paths above it, the root left out: a/b/c → a, a/b."""
    parts = path.split("/")
    return ["/".join(parts[:n]) for n in range(1, len(parts))]


def _rest(parent: str, start: int, left: int) -> Twig:
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
