"""A first guess at places: a tree from the start outwards, each branch in its own slice of the circle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix


def radial(joined: csr_matrix, root: int) -> NDArray[np.float64]:
    """Places (n, 2) of a connected graph's nodes, the root at 0, 0 and every step one unit further out."""
    from scipy.sparse.csgraph import breadth_first_order

    count = joined.shape[0]
    order, parents = breadth_first_order(joined, root, directed=False)
    leaves = np.zeros(count)
    for node in order[::-1]:
        leaves[node] = max(leaves[node], 1.0)
        if node != root:
            leaves[parents[node]] += leaves[node]
    begin = np.zeros(count)  # where a node's slice begins, in turns; `used`: how much of it its children have so far
    used, depth = np.zeros(count), np.zeros(count)
    share = leaves / max(leaves[root], 1.0)
    for node in order[1:]:
        parent = parents[node]
        begin[node] = begin[parent] + used[parent]
        used[parent] += share[node]
        depth[node] = depth[parent] + 1
    angle = 2 * np.pi * (begin + share / 2)
    return np.stack([depth * np.cos(angle), depth * np.sin(angle)], axis=1)
