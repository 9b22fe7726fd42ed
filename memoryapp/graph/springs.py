"""Force-directed places by igraph, for what is too large to weigh every pair of nodes.

igraph draws its random numbers from one source for the whole process: whoever uses it takes the lock and sets the seed,
so that the same graph gives the same drawing.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

SEED = 7
_GRID = 400  # nodes from which on forces between far ones are left out
_AT_ONCE = 4_000_000  # node visits of one call: igraph lets no other thread run meanwhile
_lock = threading.Lock()


@contextmanager
def seeded() -> Iterator[None]:
    """igraph begins at the seed and belongs to this thread."""
    import igraph

    with _lock:
        igraph.set_random_number_generator(random.Random(SEED))
        try:
            yield
        finally:
            igraph.set_random_number_generator(random)


def springs(
    pairs: Sequence[tuple[int, int]] | NDArray[np.int64],
    begun: NDArray[np.float64],
    *,
    weights: Sequence[float] | None = None,
    rounds: int = 200,
) -> NDArray[np.float64]:
    """Places (n, 2) after so many rounds of Fruchterman and Reingold from the places given."""
    import igraph

    count = len(begun)
    graph = igraph.Graph(n=count, edges=pairs)
    points, done = begun, 0
    grid = count > _GRID
    cost = count if grid else count * count // 8
    step = max(min(rounds, _AT_ONCE // max(cost, 1)), 5)
    while done < rounds:
        now = min(step, rounds - done)
        heat = np.sqrt(count) / 10 * (1 - done / rounds)
        with seeded():
            laid = graph.layout_fruchterman_reingold(
                weights=weights, niter=now, seed=points.tolist(), start_temp=heat, grid=grid
            )
        points, done = np.array(laid.coords, dtype=np.float64), done + now
    return points
