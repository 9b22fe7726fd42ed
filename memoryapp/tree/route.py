"""Routing: the node that an incoming memory belongs to. The one its tag means, else the one whose keywords it names,
else the one it is nearest to, else the inbox."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.errors import EncoderError
from memoryapp.domain.memory import Memory
from memoryapp.domain.node import EQUAL, INBOX, ROOT
from memoryapp.domain.reach import NodeReach, Signs, reach
from memoryapp.domain.routing import read_table, routing_tag, strip_marker
from memoryapp.index import View, stem
from memoryapp.spaces import Space, zones_in
from memoryapp.store import nodes
from memoryapp.store.nodes import Outline

# A page is longer than a statement, so that its cosine with one it belongs to is lower than that of two statements:
# nearest is a node from this share of the model's `near` on. With MiniLM that is .35: of 90 first paragraphs of notes
# on 43 topics, routed to pages made of other notes, 63 % are then routed, three in four of them rightly; without a
# floor it is 57 %.
NEAR_SHARE = 0.875
OTHERS = 3  # nodes named besides the one that is chosen
READY = 2.0  # seconds that routing waits for a model that is still loading
_ALIKE = 1e-6  # scores closer than this are a tie
_HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")

Vector = NDArray[np.float32]
By = Literal["tag", "keyword", "near", "inbox", "hand"]


@dataclass(frozen=True, slots=True)
class Route:
    """`score`: 1 for a tag, the keyword score, or the cosine. `by` hand: whoever takes it in named the node. `certain`:
    by a tag, or by a keyword that stands in the words as it is, with no other node as good. `others`: paths of those
    that came next."""

    path: str
    why: str
    score: float
    by: By
    certain: bool = False
    others: tuple[str, ...] = ()


def route(space: Space, texts: Sequence[str], *, tags: Sequence[Sequence[str]] = ()) -> list[Route]:
    """One route a text, in their order. `tags`: of each text; none where it is shorter. Changes nothing.

    Raises BadInput where the space's routing table cannot be read.
    """
    roads = Roads(space)
    labels = [*tags, *[()] * (len(texts) - len(tags))]
    return [roads.of(text, tags=said) for text, said in zip(texts, labels, strict=True)]


class Roads:
    """The tree as routing sees it, of one moment: nodes with a file, their keywords and their vectors."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.table: Mapping[str, str] = read_table(space.tuning.tree_routing)
        space.index.refresh()
        self.view: View = space.index.view()
        tree = _tree_of(space, self.view)
        self.outlines, self._signs, self._routes = tree.outlines, tree.signs, tree.routes

    def of(self, text: str, *, tags: Sequence[str] = (), vector: Vector | None = None) -> Route:
        """`vector`: of the text, where there is one; else it is made when it is needed."""
        tag = routing_tag(tags, text, self.table)
        if tag is not None:
            return Route(self.table[tag], f"routed by tag {tag}", 1.0, "tag", certain=True)
        words = strip_marker(text, self.table)
        reached = [one for one in reach(words, self._signs) if one.own and one.path != INBOX]
        if reached:
            return self._by_keyword(words, reached, vector)
        return self._nearest(words, vector)

    def of_memory(self, memory: Memory) -> Route:
        """The same of a memory that is held; looked up once while nothing is written."""
        ready = str(self.space.encoder.ready)
        key = (memory.id, str(memory.version), ready, self.space.encoder.name, repr(self.space.tuning))
        if key not in self._routes:
            self._routes[key] = self.of(memory.text, tags=memory.tags, vector=self.vector_of(memory.id))
        return self._routes[key]

    def _by_keyword(self, words: str, reached: list[NodeReach], vector: Vector | None) -> Route:
        tied = [one for one in reached if one.score > reached[0].score - _ALIKE]
        best = tied[0]
        if len(tied) > 1:
            near = self._cosines(words, vector)
            best = max(tied, key=lambda one: near.get(one.path, 0.0))
        match = max(best.matches, key=lambda one: one.grade)
        why = f"routed by keyword {match.keyword}"
        if match.grade < EQUAL:
            why += f", of which “{match.word}” speaks"
        others = tuple(one.path for one in reached if one is not best)[:OTHERS]
        return Route(best.path, why, best.score, "keyword", match.grade == EQUAL and len(tied) == 1, others)

    def _nearest(self, words: str, vector: Vector | None) -> Route:
        near = sorted(self._cosines(words, vector).items(), key=lambda one: (-one[1], one[0]))
        floor = NEAR_SHARE * zones_in(self.space).near
        others = tuple(path for path, _ in near[1 : 1 + OTHERS])
        if near and near[0][1] >= floor:
            return Route(near[0][0], f"near, {near[0][1]:.2f}", near[0][1], "near", others=others)
        return Route(
            INBOX, "no keyword of a node, and none is near", 0.0, "inbox", others=tuple(p for p, _ in near)[:1]
        )

    def _cosines(self, words: str, vector: Vector | None) -> dict[str, float]:
        """Cosine by path of the nodes that hold a page; {} where there is no vector to compare with."""
        paths, matrix = self._pages
        if not paths or not self.reads(words):
            return {}
        known = self._encoded(words) if vector is None else vector
        if known is None or known.shape[0] != matrix.shape[1]:
            return {}
        return dict(zip(paths, (matrix @ known).tolist(), strict=True))

    @cached_property
    def _pages(self) -> tuple[tuple[str, ...], NDArray[np.float32]]:
        roster = self.view.roster
        pages = [
            (one.path, slot)
            for one in self.outlines
            if one.has_file and one.path not in (ROOT, INBOX)
            if (slot := roster.slot(one.id)) is not None and roster.has[slot]
        ]
        slots = np.array([slot for _, slot in pages], dtype=np.intp)
        matrix = self.view.vectors_of(slots) if pages else np.empty((0, 0), dtype=np.float32)
        return tuple(path for path, _ in pages), matrix

    def vector_of(self, key: str) -> Vector | None:
        """The embedding that the index has of a memory."""
        slot = self.view.roster.slot(key)
        if slot is None or not self.view.roster.has[slot]:
            return None
        found: Vector = self.view.vectors_of(np.array([slot], dtype=np.intp))[0]
        return found

    def reads(self, words: str) -> bool:
        """A model of English says little of Korean words, and that wrongly."""
        slot = self.space.encoder
        if not _HANGUL.search(words):
            return True
        try:
            return "ko" in slot.get(READY).languages
        except EncoderError:
            return False

    def _encoded(self, words: str) -> Vector | None:
        try:
            return self.space.encoder.get(READY).encode_query(words)
        except EncoderError:
            return None


@dataclass(frozen=True, slots=True)
class _Tree:
    """`routes`: those found so far, by what was routed; the page of a node asks for the same ones again."""

    outlines: tuple[Outline, ...]
    signs: Signs
    routes: dict[tuple[str, ...], Route] = field(default_factory=dict)


# Per space: the tree at one state of the index. Reading some hundred nodes takes longer than routing by them.
_known: dict[str, tuple[tuple[int, int], _Tree]] = {}


def _tree_of(space: Space, view: View) -> _Tree:
    state = (space.index.serial, view.content)
    known = _known.get(space.name)
    if known is None or known[0] != state:
        found = nodes.outline(space.db)
        known = _known[space.name] = (state, _Tree(found, Signs(found, stem=stem)))
    return known[1]
