"""Term → (slot, count) lists of the memories' own words, in immutable sorted segments.

A write adds a small segment; neighbours in size are merged, so there are few of them and each posting is moved a
logarithmic number of times. Dead slots stay until a merge passes by and are masked out when read.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_FANOUT = 4  # a segment is merged into the one before it unless that is this many times larger
Posting = tuple[NDArray[np.int32], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Segment:
    """`terms` ascending (t,); the postings of terms[i] are slots/counts[starts[i]:starts[i + 1]], slots ascending."""

    terms: NDArray[np.int32]
    starts: NDArray[np.int64]
    slots: NDArray[np.int32]
    counts: NDArray[np.uint16]

    @property
    def size(self) -> int:
        return len(self.slots)

    @property
    def nbytes(self) -> int:
        return self.terms.nbytes + self.starts.nbytes + self.slots.nbytes + self.counts.nbytes

    def keys(self) -> NDArray[np.int32]:
        """The term of each posting."""
        return np.repeat(self.terms, np.diff(self.starts))


class Vocabulary:
    """Terms by number. Terms are only ever added; a reader of an earlier state finds no postings for the newer ones."""

    def __init__(self, terms: list[str] | None = None) -> None:
        self.numbers = {term: number for number, term in enumerate(terms or ())}

    def count(self, terms: list[str]) -> dict[int, int]:
        """Occurrences by term number; unknown terms are added."""
        numbers = self.numbers
        return {numbers.setdefault(term, len(numbers)): count for term, count in Counter(terms).items()}

    def __len__(self) -> int:
        return len(self.numbers)


def segment_of(documents: list[tuple[int, dict[int, int]]]) -> Segment:
    """A segment of (slot, counts by term number), slots ascending."""
    sizes = [len(counts) for _, counts in documents]
    total = sum(sizes)
    slots = np.repeat(np.array([slot for slot, _ in documents], dtype=np.int32), sizes)
    keys = np.fromiter((key for _, counts in documents for key in counts), dtype=np.int32, count=total)
    values = (min(value, 65_535) for _, counts in documents for value in counts.values())
    return sorted_segment(keys, slots, np.fromiter(values, dtype=np.uint16, count=total))


def sorted_segment(keys: NDArray[np.int32], slots: NDArray[np.int32], counts: NDArray[np.uint16]) -> Segment:
    """A segment of loose postings. The sort is stable: slots that came in ascending stay so within a term."""
    order = np.argsort(keys, kind="stable")
    ascending = keys[order]
    starts = np.flatnonzero(np.diff(ascending, prepend=-1))  # numbers of terms are 0 and more
    return Segment(ascending[starts], np.append(starts, len(keys)).astype(np.int64), slots[order], counts[order])


def add_segment(segments: tuple[Segment, ...], new: Segment, alive: NDArray[np.bool_]) -> tuple[Segment, ...]:
    """The segments with one more, merged where that keeps them few."""
    kept = [*segments, new]
    while len(kept) > 1 and kept[-2].size < _FANOUT * kept[-1].size:
        last, before = kept.pop(), kept.pop()
        kept.append(merge_segments(before, last, alive))
    return tuple(kept)


def merge_segments(before: Segment, after: Segment, alive: NDArray[np.bool_]) -> Segment:
    """One segment of two, dead slots left out. Every slot of `after` is above every slot of `before`."""
    keys = np.concatenate([before.keys(), after.keys()])
    slots = np.concatenate([before.slots, after.slots])
    counts = np.concatenate([before.counts, after.counts])
    keep = alive[slots]
    return sorted_segment(keys[keep], slots[keep], counts[keep])


def look_up(segments: tuple[Segment, ...], numbers: list[int], alive: NDArray[np.bool_] | None) -> list[Posting]:
    """The living postings of each term number: (slots ascending, counts as float32). `alive` None: all live."""
    wanted = np.array(numbers, dtype=np.int32)
    parts: list[list[tuple[NDArray[np.int32], NDArray[np.uint16]]]] = [[] for _ in numbers]
    for segment in segments:
        at = np.searchsorted(segment.terms, wanted)
        for i, place in enumerate(at.tolist()):
            if place < len(segment.terms) and segment.terms[place] == wanted[i]:
                start, end = segment.starts[place], segment.starts[place + 1]
                parts[i].append((segment.slots[start:end], segment.counts[start:end]))
    return [_living_posting(part, alive) for part in parts]


def _living_posting(
    parts: list[tuple[NDArray[np.int32], NDArray[np.uint16]]], alive: NDArray[np.bool_] | None
) -> Posting:
    if not parts:
        return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32)
    slots = parts[0][0] if len(parts) == 1 else np.concatenate([slots for slots, _ in parts])
    counts = parts[0][1] if len(parts) == 1 else np.concatenate([counts for _, counts in parts])
    if alive is not None:
        keep = alive[slots]
        slots, counts = slots[keep], counts[keep]
    return slots, counts.astype(np.float32)
