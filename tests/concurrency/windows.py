"""When each version of a memory can have been the present one.

A request happens at one instant between its beginning and its end, nobody knows when. So a version can be the present
one from the beginning of the request that made it to the end of the one that made the next: whatever a reader saw must
lie within that. Versions that no known request made (a machine's) can have come at any time."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from tests.concurrency.history import End, Layer, Op

_EVER = (float("-inf"), float("inf"))


def all_windows(ops: Iterable[Op], end: End) -> dict[str, dict[int, tuple[float, float]]]:
    """By memory and version, when the request that made it began and ended."""
    made = {(op.memory, op.run): (op.began, op.end) for op in ops if op.memory and op.run}
    return {
        key: {layer.version: made.get((key, layer.run), _EVER) for layer in layers}
        for key, layers in end.layers.items()
    }


def possible(layers: Sequence[Layer], windows: dict[int, tuple[float, float]], op: Op) -> list[Layer]:
    """The versions that can have been the present one at some instant of the request."""
    return [
        layer
        for layer in layers
        if windows[layer.version][0] < op.end
        and (layer.version + 1 not in windows or windows[layer.version + 1][1] > op.began)
    ]


def running_highest(told: Sequence[tuple[float, int]]) -> tuple[list[float], list[int]]:
    """Of (when, version) in order of time: the times, and the highest version that was told by each."""
    times, highest, most = [], [], 0
    for at, version in told:
        most = max(most, version)
        times.append(at)
        highest.append(most)
    return times, highest


def floor(told: tuple[list[float], list[int]], before: float) -> int:
    """The highest version that was told before an instant; 0 where none was."""
    times, highest = told
    at = bisect_left(times, before)
    return highest[at - 1] if at else 0
