"""One state of the index as a reader sees it: consistent in itself, never changed, safe from any thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.index import vectors
from memoryapp.index.graph import Graph
from memoryapp.index.incidence import Incidence
from memoryapp.index.keyword import Fields, KeywordScores, fields_from, score, unique_terms
from memoryapp.index.phrases import Phrases
from memoryapp.index.postings import Segment, look_up
from memoryapp.index.roster import Roster
from memoryapp.index.vectors import VectorScores
from memoryapp.index.windows import Ints

REACH = 2  # neighbours on each side that are kept ready; another reach is computed when it is asked for
OFFSETS = tuple(offset for offset in range(-REACH, REACH + 1) if offset)


@dataclass(slots=True)
class Resting:
    """What came for a memory that is not indexed: it was deleted, and may return, or has yet to arrive."""

    vector: NDArray[np.float32] | None = None
    usage: dict[str, Any] | None = None  # roster.usage_cells


@dataclass(slots=True)
class LocalView:
    """`version`: the versionstamp it stands at. `content`: the one at which something other than usage last changed,
    so that answers kept for it outlive the counting of accesses. `find`: a term's number, None where it is unknown."""

    version: int
    content: int
    roster: Roster
    segments: tuple[Segment, ...]
    blocks: tuple[NDArray[np.float32], ...]
    find: Callable[[str], int | None]
    dead: int  # slots that nothing lives in any more
    phrases: Phrases
    graph: Graph
    _fields: dict[int, Fields] = field(default_factory=dict)

    @property
    def n(self) -> int:
        return self.roster.n

    @property
    def incidence(self) -> Incidence:
        return self.roster.incidence

    def keyword(self, terms: Sequence[str], *, k1: float, b: float, neighbours: int = REACH) -> KeywordScores:
        """BM25 of `tokens.tokens(query)` in the three fields; each term counts once. See keyword.score."""
        asked = unique_terms(terms)
        numbers = [-1 if (number := self.find(term)) is None else number for term in asked]
        found = look_up(self.segments, numbers, self.roster.alive if self.dead else None)
        return score(self._fields_within(neighbours), dict(zip(asked, found, strict=True)), k1=k1, b=b)

    def vector(
        self, query: NDArray[np.float32], *, mask: NDArray[np.bool_] | None = None, limit: int | None = None
    ) -> VectorScores:
        """Cosine with every memory that has a vector and passes the mask. Exact, so `limit` changes nothing here."""
        return vectors.cosines(self.blocks, self.roster.has & self.roster.alive, query, mask)

    def vectors_of(self, slots: NDArray[np.intp]) -> NDArray[np.float32]:
        """The unit vectors of slots that have one, (len(slots), dimension)."""
        return vectors.rows(self.blocks, slots)

    def _fields_within(self, reach: int) -> Fields:
        known = self._fields.get(reach)
        if known is None:
            columns, held = self.roster.columns, self.roster.held
            if reach == REACH:
                near: list[Ints] = [columns[near_column(offset)] for offset in OFFSETS]
                known = Fields(columns, held, near, columns["window"])
            else:
                known = fields_from(columns, held, reach=reach)
            self._fields[reach] = known
        return known


def near_column(offset: int) -> str:
    """The column of the neighbour `offset` places on: "near-1", "near+2"."""
    return f"near{offset:+d}"


def nbytes(view: LocalView) -> int:
    """Bytes of the arrays of a state."""
    arrays = [*view.roster.columns.values(), *view.blocks]
    words = sum(segment.nbytes for segment in view.segments) + view.phrases.nbytes
    return sum(array.nbytes for array in arrays) + words + view.graph.nbytes
