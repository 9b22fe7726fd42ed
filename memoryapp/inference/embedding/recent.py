"""Cache of the vectors of recent queries.

A person who pages, sorts or compares strategies sends one query many times; a model takes milliseconds for each.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

import numpy as np

from memoryapp.domain.errors import EncodingFailed
from memoryapp.inference.embedding.encoder import Vectors
from memoryapp.observability.counts import looked_up


class RecentQueries:
    """The last `size` queries and their vectors, for several threads."""

    def __init__(self, size: int = 1024) -> None:
        self._size = size
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = Lock()

    def vector(self, text: str, encode: Callable[[str], Vectors]) -> Vectors:
        """Return the remembered vector of `text`, or `encode(text)`, which is then remembered.

        The array is shared by all who ask, hence read-only. `encode` runs outside the lock: two threads may
        compute one new query twice, but none waits for another's model. What raises is not remembered.
        Raises EncodingFailed for a vector of zeros or NaN, which would rank all memories alike.
        """
        with self._lock:
            known = self._vectors.get(text)
            looked_up("query_vectors", hit=known is not None)
            if known is not None:
                self._vectors.move_to_end(text)
                return known
        vector = encode(text)
        if not (np.isfinite(vector).all() and vector.any()):
            raise EncodingFailed("The model gave no usable vector for this query. Put it in other words.")
        vector.setflags(write=False)
        with self._lock:
            self._vectors[text] = vector
            while len(self._vectors) > self._size:
                self._vectors.popitem(last=False)
        return vector
