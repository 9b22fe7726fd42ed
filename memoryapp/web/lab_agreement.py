"""How far the columns agree, in words and numbers, and where each result stood in the column beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoryapp.lab import Agreement, Overlap, agreement
from memoryapp.web import human

_ALIKE = ((0.9, "nearly the same order"), (0.7, "much the same order"), (0.4, "partly the same order"))


@dataclass(frozen=True, slots=True)
class Pair:
    a: str
    b: str
    overlap: Overlap
    alike: str

    @property
    def width(self) -> str:
        return f"{100 * self.overlap.jaccard:.1f}"


@dataclass(frozen=True, slots=True)
class Moved:
    """`before`: where the result stood in the neighbouring column, in words; `step`: "↑2", "↓1" or "". `place`: "only
    here" (and not below what the others show), "in all three" or ""."""

    before: str
    step: str
    place: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Of all columns: `shown` and `all` hold the ids by column, of what is shown and of all that was asked for."""

    names: tuple[str, ...]
    shown: tuple[tuple[str, ...], ...]
    all: tuple[tuple[str, ...], ...]
    agreed: Agreement

    def pairs(self) -> list[Pair]:
        """None where nothing was found: two empty columns agree about nothing."""
        if not self.agreed.ranks:
            return []
        return [Pair(self.names[one.a], self.names[one.b], one, _alike(one)) for one in self.agreed.overlap]

    def told(self) -> str:
        """In how many of the results all columns agree."""
        if not self.agreed.ranks:
            return "No column found anything."
        if len(self.names) < 2:
            return "Only one column has results, so there is nothing to compare."
        count, everything = len(self.agreed.in_all), human.counted(len(self.agreed.ranks), "result")
        all_of = "both" if len(self.names) == 2 else f"all {_many(self.names)}"
        return f"{human.in_words(count).capitalize() if count else 'None'} of {everything} in {all_of}"

    def moved(self, column: int, key: str) -> Moved:
        """Against the column to the left; in the first, against the one to its right."""
        if len(self.names) < 2:
            return Moved("", "", "")
        beside = column - 1 if column else 1
        place = self._place(key)
        if key not in self.all[beside]:
            return Moved(f"not in {self.names[beside]}", "", place)
        there, here = self.all[beside].index(key) + 1, self.all[column].index(key) + 1
        if not column:
            return Moved(f"{ordinal(there)} in {self.names[beside]}", "", place)
        if there == here:
            return Moved(f"{ordinal(there)} in {self.names[beside]} too", "", place)
        return Moved(
            f"was {ordinal(there)} in {self.names[beside]}", f"{'↑' if here < there else '↓'}{abs(here - there)}", place
        )

    def _place(self, key: str) -> str:
        ranks = self.agreed.ranks.get(key, ())
        if ranks and None not in ranks:
            return "in both" if len(ranks) == 2 else f"in all {_many(ranks)}"
        return "only here" if sum(key in column for column in self.all) == 1 else ""


def standing(names: Sequence[str], found: Sequence[Sequence[str]], *, top: int) -> Standing:
    """`found`: ids by column, best first; the first `top` of each are shown, and agree or do not."""
    shown = tuple(tuple(ids[:top]) for ids in found)
    return Standing(tuple(names), shown, tuple(map(tuple, found)), agreement(shown))


def ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _many(some: Sequence[object]) -> str:
    return human.in_words(len(some))


def _alike(overlap: Overlap) -> str:
    if not overlap.common:
        return "nothing in common"
    return next((words for least, words in _ALIKE if overlap.rbo >= least), "a different order")
