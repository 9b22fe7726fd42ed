"""Which texts travel through a model together, by their token counts."""

from __future__ import annotations

from collections.abc import Sequence


def group_by_budget(lengths: Sequence[int], *, budget: int) -> list[list[int]]:
    """Return the row numbers in groups of like length, each at most `budget` tokens once padded.

    Longest first, so that too little memory shows in the first group and not in the last. A fixed number of
    texts per group would swing from caches unused (short texts) to caches overrun (long ones). A text longer
    than `budget` travels alone.
    """
    order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    groups: list[list[int]] = []
    start = 0
    while start < len(order):
        longest = max(1, lengths[order[start]])
        many = max(1, budget // longest)
        groups.append(order[start : start + many])
        start += many
    return groups
