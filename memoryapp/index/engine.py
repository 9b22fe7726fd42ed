"""What every search engine can do, and what its readers get.

A search takes one view and asks it everything, so that all its arrays are of one length and one moment:

    space.index.refresh()
    view = space.index.view()
    mask = view.roster.mask(filters, now=now)
    scores = view.keyword(tokens(text), k1=.9, b=.6)

The index has the same members itself; they ask the view of the moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from memoryapp.index.graph import Graph
from memoryapp.index.incidence import Incidence
from memoryapp.index.keyword import KeywordScores
from memoryapp.index.phrases import Phrases
from memoryapp.index.roster import Roster
from memoryapp.index.vectors import VectorScores

if TYPE_CHECKING:
    from memoryapp.index.draft import Draft


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """`behind`: changes that were written and are not in it yet, 1,000 change sets at most being looked
    at. `reason`: why it was last rebuilt, "" if it was read from disk. `bytes`: of the arrays in memory."""

    engine: str
    version: int
    behind: int
    rows: int
    vectors: int
    terms: int
    bytes: int
    rebuilt_at: datetime | None
    reason: str
    saved_version: int | None


class View(Protocol):
    """A consistent state. It never changes, and needs no lock."""

    @property
    def version(self) -> int: ...
    @property
    def content(self) -> int:
        """The version at which something other than usage last changed: what a cached answer depends on."""
        ...

    @property
    def n(self) -> int: ...
    @property
    def roster(self) -> Roster: ...
    @property
    def incidence(self) -> Incidence: ...
    @property
    def phrases(self) -> Phrases: ...
    @property
    def graph(self) -> Graph: ...

    def keyword(self, terms: Sequence[str], *, k1: float, b: float, neighbours: int = 2) -> KeywordScores:
        """BM25 in three fields, each float32 (n,). `terms`: of index.tokens; each counts once."""
        ...

    def vector(
        self, query: NDArray[np.float32], *, mask: NDArray[np.bool_] | None = None, limit: int | None = None
    ) -> VectorScores:
        """Cosines, float32 (n,). `limit`: at least the best so many are there; the others may be 0."""
        ...

    def vectors_of(self, slots: NDArray[np.intp]) -> NDArray[np.float32]:
        """Unit vectors of slots that have one (`roster.has`), (len(slots), dimension)."""
        ...


class SearchIndex(Protocol):
    engine: str  # "local" or "surreal"
    serial: int  # of this handle, never used again in this process: what `id` is not, once a space was closed

    @property
    def version(self) -> int: ...
    @property
    def roster(self) -> Roster: ...
    @property
    def incidence(self) -> Incidence: ...
    @property
    def graph(self) -> Graph: ...

    def refresh(self) -> int:
        """Applies what was written since; returns the versionstamp it then stands at. Everything that was written
        before the call is found after it. Safe from any thread; readers of a view go on undisturbed."""
        ...

    def view(self) -> View: ...

    def copy(self) -> Draft:
        """Everything it holds in a draft of one's own, which may be changed."""
        ...

    @staticmethod
    def next_serial() -> int:
        """A number for something that stands beside the indexes, in whatever is kept by their serial."""
        ...

    def written_since(self, content: int) -> frozenset[str] | None:
        """Ids of the memories that were written after the state with this `content`, up to the present one. None where
        that is not known, and where conflicts were written too."""
        ...

    def keyword(self, terms: Sequence[str], *, k1: float, b: float, neighbours: int = 2) -> KeywordScores: ...

    def vector(
        self, query: NDArray[np.float32], *, mask: NDArray[np.bool_] | None = None, limit: int | None = None
    ) -> VectorScores: ...

    def save(self) -> None: ...

    def close(self) -> None: ...

    def status(self) -> IndexStatus: ...
