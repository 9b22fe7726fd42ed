"""Many names in, the few pairs worth comparing out: names that share a key, so that the work grows with the names and
not with their square."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from memoryapp.graph.known_names import FULL_NAMES
from memoryapp.graph.likeness import consonants
from memoryapp.graph.spelling import Spelled, folded

_CROWD = 12  # names with one key: of more of them it says nothing about any two
_LONGEST = 40  # letters of a name in which a slip is looked for
_AT_ONCE = 512  # rows of a product of vectors
_NEAREST = 5  # names a vector is compared with further

Pair = tuple[int, int]


def worth_comparing(names: Sequence[Spelled]) -> set[Pair]:
    """Places (lower, higher) of names that one of the rules of `likeness` may hold of."""
    keys: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        for key in set(_keys(name)):
            keys[key].append(place)
    found: set[Pair] = set()
    for (kind, _), places in keys.items():
        # What is certainly one name is found however many spellings there are: each with the first is enough.
        if kind in ("sign", "loose"):
            found.update((places[0], other) for other in places[1:])
        elif len(places) <= _CROWD:
            found.update(combinations(places, 2))
    found.update(_short_forms(names))
    return found


def _keys(name: Spelled) -> Iterator[tuple[str, str]]:
    """Two names that share one of these may be one."""
    if name.sign:
        yield "sign", name.sign
    if name.loose:
        yield "loose", f"{name.loose} {' '.join(name.numbers)}"
    if name.words:
        yield "words", " ".join(sorted(name.words))
        yield "bare", " ".join(sorted(name.bare))
        yield "place", " ".join(name.words)
        for full in {name.words[0]} | FULL_NAMES.get(name.words[0], frozenset()):
            yield "first", " ".join((full, *name.words[1:]))
            if not name.single:
                yield "first alone", full
        if name.single:
            for full in FULL_NAMES.get(name.single, ()):
                yield "first alone", full
    if name.place:
        yield "place", name.place
    if len(name.loose) <= _LONGEST:
        slip = folded(name.loose)
        yield "slip", slip
        for at in range(len(slip)):
            yield "slip", slip[:at] + slip[at + 1 :]


def _short_forms(names: Sequence[Spelled]) -> Iterator[Pair]:
    """Single words with the names they are the initials, the beginning, a part or the consonants of."""
    singles: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        if name.single:
            singles[name.single].append(place)
    holding: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        for short in _may_be_short_for(name, singles):
            holding[short].append(place)
    for short, places in holding.items():
        if len(places) <= _CROWD:
            yield from (_ordered(one, other) for one in singles[short] for other in places if one != other)


def _may_be_short_for(name: Spelled, singles: dict[str, list[int]]) -> set[str]:
    """The words of `singles` that `name` may be the long form of."""
    if not name.single:
        asked = {name.initials, name.words[0], name.words[-1]} if name.words else set()
        return asked & singles.keys()
    word = name.single[:_LONGEST]
    asked = {word[:end] for end in range(3, len(word))} | {name.initials, consonants(word)}
    return (asked & singles.keys()) - {name.single}


def _ordered(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def near(vectors: NDArray[np.float32], *, least: float) -> Iterator[tuple[int, int, float]]:
    """Pairs of rows (lower, higher, cosine) of unit vectors (n, d) with a cosine of `least` or more: of each row its
    nearest few."""
    for start in range(0, len(vectors), _AT_ONCE):
        cosines = vectors[start : start + _AT_ONCE] @ vectors.T
        cosines[np.arange(len(cosines)), start + np.arange(len(cosines))] = -1.0
        for row in np.flatnonzero((cosines >= least).any(axis=1)):
            nearest = np.flatnonzero(cosines[row] >= least)
            nearest = nearest[np.argsort(-cosines[row, nearest], kind="stable")][:_NEAREST]
            one = start + int(row)
            yield from ((one, int(other), float(cosines[row, other])) for other in nearest if one < other)
