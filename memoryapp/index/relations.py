"""Relations as parallel arrays, and as matrices of what joins which entities."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from memoryapp.domain.clock import utc_now

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]
Times = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Relations:
    """Parallel arrays over the relations that nobody refused, whose two ends are known and two.

    `subject`, `object`: codes that stand for the ends. `type`: position in `types`. `fact`: slot of the memory it was
    found in, −1 where that is not indexed or there is none; `has_fact`: whether it was found in one at all. `created`,
    `at`, `valid_to`: epoch seconds, NaN where there is none. `made_by`: position in MadeBy.
    """

    ids: list[str]
    subject: Ints
    object: Ints
    type: Ints
    types: list[str]
    fact: Ints
    has_fact: Mask
    confidence: Floats
    planned: Mask
    is_a: Mask
    created: Times
    at: Times
    valid_to: Times
    made_by: NDArray[np.int8]
    label: list[str]

    def __len__(self) -> int:
        return len(self.ids)

    def holding(self, held: Mask, *, now: datetime | None = None, as_of: datetime | None = None) -> Mask:
        """Which of them hold, (relations,): found in no memory or in one of `held`, bool (n,), and not over at `now`
        (this moment where it is not given). With `as_of`, the instant for which `held` was made: at that instant, and
        what was found in no memory only once it was known."""
        inside = self.fact >= 0
        holds = ~self.has_fact
        holds[inside] = held[self.fact[inside]]
        instant = (as_of or now or utc_now()).timestamp()
        holds &= ~(self.valid_to <= instant)  # a comparison with NaN is False: no end
        if as_of is not None:
            holds &= self.has_fact | (np.fmin(self.created, self.at) <= instant)
        return holds


class Joined:
    """What joins which entities, made of `relations`. The last answer is kept: most questions come with the same mask.

    States that differ only in the memories share it."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._last: tuple[bytes, csr_matrix] | None = None

    def both_ways(self, relations: Relations, which: Mask) -> csr_matrix:
        """Symmetric, (entities, entities): of several relations between the same two the surest."""
        asked = np.packbits(which).tobytes()
        last = self._last
        if last is None or last[0] != asked:
            one, other = relations.subject[which], relations.object[which]
            confidence = relations.confidence[which]
            ends = np.concatenate([one, other]), np.concatenate([other, one])
            last = self._last = asked, _surest(*ends, np.concatenate([confidence, confidence]), self._width)
        return last[1]

    def downwards(self, relations: Relations, which: Mask) -> csr_matrix:
        """[parent, child], (entities, entities), of those that are `is_a`."""
        which = which & relations.is_a
        return _surest(relations.object[which], relations.subject[which], relations.confidence[which], self._width)


def _surest(rows: Ints, columns: Ints, weights: Floats, width: int) -> csr_matrix:
    """A square matrix with the greatest weight of each place."""
    place = rows.astype(np.int64) * width + columns
    order = np.lexsort((-weights, place))
    place = place[order]
    first = np.ones(len(place), dtype=np.bool_)
    first[1:] = place[1:] != place[:-1]
    keep = order[first]
    starts = np.zeros(width + 1, dtype=np.int32)
    np.cumsum(np.bincount(rows[keep], minlength=width), out=starts[1:])
    return csr_matrix((weights[keep], columns[keep], starts), shape=(width, width))
