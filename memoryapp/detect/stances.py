"""A statement in, on which side of which facet it stands out: “quit smoking” is the other side of smoking.
Next: `signs`.

The phrases are those of `facets`, the longest first; a facet of which both sides are told says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memoryapp.detect.amounts import written
from memoryapp.detect.facets import OF_SOMEBODY, OF_SOMETHING, OF_WRITING
from memoryapp.detect.wordlist import wordset
from memoryapp.detect.words import stem, words

_GAP = "…"
_WIDEST = 4  # words a gap may hold
_DENYING = wordset("not never no without nobody none nor neither hardly rarely cannot nothing avoids stopped quit")
_ENDING = wordset("stop quit give leave")
OF_A_PART = frozenset({"like", "fear", "skill"})  # what is not so of a part may be so of the whole
_REACH = 4  # words before a phrase in which a denial is of it


@dataclass(frozen=True, slots=True)
class Facet:
    """`of_somebody`: it says itself what it is of; `of_writing`: so it does where somebody asks for it; the others are
    of what the rest of a statement speaks of."""

    name: str
    of_somebody: bool
    of_writing: bool
    sides: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """`parts`: the stems that may stand in each place, empty for a gap. `turns`: a denial before it turns it."""

    facet: int
    side: int
    parts: tuple[frozenset[str], ...]
    turns: bool

    @property
    def size(self) -> int:
        return sum(bool(part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Stance:
    side: int
    said: str  # the words that tell it


@lru_cache(maxsize=8_192)
def stances(line: str) -> dict[int, Stance]:
    """By facet, of a `written` line."""
    said = words(line)
    stems = [stem(word.removesuffix("'s")) for word in said]
    found: dict[int, dict[int, tuple[int, str]]] = {}  # facet → side → (size, words)
    taken: dict[int, set[int]] = {}
    matches = [match for start in range(len(stems)) for match in _at(stems, start)]
    for phrase, places in sorted(matches, key=lambda match: (-match[0].size, match[1])):
        used = taken.setdefault(phrase.facet, set())
        if used.intersection(places):
            continue
        used.update(places)
        begin = places[0]
        before = range(max(0, begin - _REACH), begin)
        denied = next((n for n in reversed(before) if said[n] in _DENYING and n not in used), None)
        if begin and said[begin - 1] in ("to", "wants", "should") and said[begin] in _ENDING:
            continue  # “wants him to stop smoking”
        side = phrase.side
        if denied is not None and said[begin] not in _DENYING:
            if not phrase.turns or FACETS[phrase.facet].sides != 2:
                continue
            side, begin = 1 - side, denied
        sides = found.setdefault(phrase.facet, {})
        if sides.get(side, (0, ""))[0] < phrase.size:
            sides[side] = phrase.size, " ".join(said[begin : places[-1] + 1])
    return {facet: Stance(*_only(sides)) for facet, sides in found.items() if len(sides) == 1}


def opposed(ones: dict[int, Stance], others: dict[int, Stance]) -> list[int]:
    """The facets on which they stand on different sides, those of somebody first."""
    both = [facet for facet in ones.keys() & others.keys() if ones[facet].side != others[facet].side]
    return sorted(both, key=lambda facet: (not FACETS[facet].of_somebody, facet))


def _only(sides: dict[int, tuple[int, str]]) -> tuple[int, str]:
    ((side, (_, said)),) = sides.items()
    return side, said


def _at(stems: list[str], start: int) -> Iterator[tuple[Phrase, tuple[int, ...]]]:
    for phrase in _BY_FIRST.get(stems[start], ()):
        places, at, slack = [start], start + 1, 0
        for part in phrase.parts[1:]:
            if not part:
                slack = _WIDEST
                continue
            here = next((n for n in range(at, min(at + slack + 1, len(stems))) if stems[n] in part), None)
            if here is None:
                break
            places.append(here)
            at, slack = here + 1, 0
        else:
            yield phrase, tuple(places)


def _phrase(told: str, facet: int, side: int) -> Phrase:
    bare = told.strip()
    parts = tuple(
        frozenset() if part == _GAP else frozenset(stem(word) for word in part.split("/"))
        for part in written(bare.removeprefix("~")).casefold().split()
    )
    return Phrase(facet, side, parts, bare.startswith("~"))


def _listed() -> tuple[tuple[Facet, ...], tuple[Phrase, ...]]:
    facets: list[Facet] = []
    phrases: list[Phrase] = []
    for text, of_somebody in ((OF_SOMEBODY, True), (OF_SOMETHING, False), (OF_WRITING, False)):
        for line in text.strip().splitlines():
            name, _, rest = line.partition(": ")
            sides = rest.split("|")
            told = [(one, side) for side, listed in enumerate(sides) for one in listed.split(",") if one.strip()]
            phrases.extend(_phrase(one, len(facets), side) for one, side in told)
            facets.append(Facet(name, of_somebody, text is OF_WRITING, len(sides)))
    return tuple(facets), tuple(phrases)


FACETS, _PHRASES = _listed()
_BY_FIRST: dict[str, list[Phrase]] = {}
for _one in _PHRASES:
    for _stem in _one.parts[0]:
        _BY_FIRST.setdefault(_stem, []).append(_one)
