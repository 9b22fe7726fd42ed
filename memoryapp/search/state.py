"""What passes between the steps of a search: the question as it was understood, what the arms found, how it was joined.

Every array is by slot of one view of the index, (n,), and 0 where a memory was not returned.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.limits import Tuning
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import Arm, Strategy
from memoryapp.index.engine import View
from memoryapp.index.keyword import KeywordScores
from memoryapp.inference.reranking.reranker import Reranker

if TYPE_CHECKING:
    from memoryapp.search.trees import Tree

Scores = NDArray[np.floating[Any]]
Mask = NDArray[np.bool_]
Texts = Callable[[NDArray[np.intp]], list[str]]


@dataclass(frozen=True, slots=True)
class Seed:
    """An entity at which a walk may begin. `code`: of the one that stands for it; `weight`: 1 where the query names it,
    the part of its name that a word of the query is, else the cosine; `by`: "name", "part", "word" or "query"."""

    code: int
    weight: float
    by: str


@dataclass(frozen=True, slots=True)
class QuotationScores:
    """What the query puts in quotation marks: `scores`, the share of it that each memory holds, less the less of the
    query it is, 0–1, (n,); `held`: the quotations themselves, by slot."""

    scores: Scores
    held: dict[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Reread:
    """The first `top` results are read again by a model; what it says counts `weight`."""

    model: Reranker
    weight: float
    top: int


@dataclass(frozen=True, slots=True)
class Question:
    """`vector` is None where the encoder is not ready or does not know the query's script; `notes` say so.
    `spoken`: 1 for memories by the one speaker the query names; `dated`: how close each stands to a date in it;
    `quoted`: who holds its exact words, None where it quotes nothing.
    `mask`: what may be returned; `standing`: what a walk may pass, whatever other filters there are besides state and
    instant. `seeds`: only where an arm walks over entities; `tree`: where the space has nodes;
    `reread`: where the plan has the best read again, and there is a model. `texts`: the words of some slots, "" of one
    that was purged since."""

    query: Query
    strategy: Strategy
    tuning: Tuning
    view: View
    now: datetime
    mask: Mask
    terms: tuple[str, ...]
    hangul: bool
    vector: NDArray[np.float32] | None
    speaker: str | None
    spoken: Scores | None
    dated: Scores | None
    notes: tuple[str, ...]
    standing: Mask
    texts: Texts
    seeds: tuple[Seed, ...] = ()
    tree: Tree | None = None
    quoted: QuotationScores | None = None
    reread: Reread | None = None
    encode_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class ArmResult:
    """One arm's result: `scores` raw; `base` what the fusion of scores weighs; `detail` what the evidence needs;
    `note`: why it found nothing, a sentence."""

    scores: Scores
    base: Scores
    ms: float
    detail: Any = None
    note: str = ""

    @property
    def count(self) -> int:
        return int(np.count_nonzero(self.scores > 0))


@dataclass(frozen=True, slots=True)
class Arms:
    """The arms that ran, by name; the keyword arm's account of which term stands where; the cosines, 0 without."""

    found: dict[Arm, ArmResult]
    words: KeywordScores
    cosines: Scores

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(found.note for found in self.found.values() if found.note))


@dataclass(frozen=True, slots=True)
class FusionResult:
    """`shares` by name in the order in which they are summed: the arms, then speaker, date, exact words and syllables
    where the query has them, then what diversity takes. `raw`: what each share was made from. `factors` multiply the
    sum; `total` is the product."""

    shares: dict[str, Scores]
    raw: dict[str, Scores]
    factors: dict[str, Scores]
    total: Scores
    trace: dict[str, Any] = field(default_factory=dict)
