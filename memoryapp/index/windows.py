"""Who stands beside whom: for each held memory of a group its neighbours in reading order, and how long its window is.

The window and the whole group are fields of the keyword arm. Their words are not stored: a term's counts there are
sums of its counts in the memories, so only the neighbours must be known.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memoryapp.index.columns import Column

Ints = NDArray[np.int32]


def arrange(columns: dict[str, Column], slots: NDArray[np.intp], *, reach: int) -> tuple[list[Ints], Ints]:
    """Neighbours of `slots`, which are all held members of whole groups.

    Returns one array (len(slots),) for each offset −reach … −1, 1 … reach with the neighbour's slot or −1, and the
    terms in each window, (len(slots),). Order within a group: position, then when it was learned, then id.
    """
    group, length = columns["group"][slots], columns["length"][slots]
    order = np.lexsort((columns["order"][slots], columns["created"][slots], columns["position"][slots], group))
    placed, groups = slots[order].astype(np.int32), group[order]
    window = length[order].astype(np.int32)
    near = []
    for offset in [*range(-reach, 0), *range(1, reach + 1)]:
        beside = np.full(len(slots), -1, dtype=np.int32)
        here, there = _overlap(len(slots), offset)
        same = groups[here] == groups[there]
        beside[here] = np.where(same, placed[there], -1)
        window[here] += np.where(same, length[order][there], 0).astype(np.int32)
        back = np.empty_like(beside)
        back[order] = beside
        near.append(back)
    unsorted = np.empty_like(window)
    unsorted[order] = window
    return near, unsorted


def _overlap(n: int, offset: int) -> tuple[slice, slice]:
    """Where i and i + offset both exist."""
    step = min(abs(offset), n)
    return (slice(step, n), slice(0, n - step)) if offset < 0 else (slice(0, n - step), slice(step, n))


def window_counts(
    slots: Ints, counts: NDArray[np.float32], near: list[Ints], scratch: NDArray[np.float32]
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """A term's counts in the windows: (slots whose window holds it, counts there). `scratch`: zeros (n,), left so.

    A memory's count is added to each memory it is a neighbour of; that relation is symmetric.
    """
    scratch[slots] = counts
    reached = [slots]
    for beside in near:
        targets = beside[slots]
        inside = targets >= 0
        if inside.any():
            targets = targets[inside]
            scratch[targets] += counts[inside]  # no target twice: a memory has one neighbour at each offset
            reached.append(targets)
    # Walking all slots beats sorting what was reached unless little was.
    if sum(map(len, reached)) * 20 < len(scratch):
        touched = np.unique(np.concatenate(reached)).astype(np.intp)
    else:
        touched = np.flatnonzero(scratch)
    found = scratch[touched]
    scratch[touched] = 0
    return touched, found
