"""A result in a column of the lab: its words, its share of the sum, what it is made of, and where else it stands.

How far the columns agree, in words and numbers, and where each result stood in the column beside.

All results of a column as bare numbers, from which static/js/lab-rank.js ranks anew while a dial moves.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.urls import reverse
from django.utils.html import json_script
from django.utils.safestring import SafeString

from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind
from memoryapp.domain.node import Node
from memoryapp.domain.results import Hit
from memoryapp.domain.strategies import Factor, Fusion, Strategy
from memoryapp.domain.strength import strength_factor
from memoryapp.interfaces.memories.rows import Tag, row_of
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.templatetags.parts import ARM_HUES
from memoryapp.interfaces.search.presenter import Segment, bars, evidence, formula
from memoryapp.lab import Agreement, Overlap, agreement
from memoryapp.spaces import Space
from memoryapp.text.wording import ordinal

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
class RankChange:
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
        return [Pair(self.names[one.a], self.names[one.b], one, _overlap_text(one)) for one in self.agreed.overlap]

    def told(self) -> str:
        """In how many of the results all columns agree."""
        if not self.agreed.ranks:
            return "No column found anything."
        if len(self.names) < 2:
            return "Only one column has results, so there is nothing to compare."
        count, everything = len(self.agreed.in_all), human.count_text(len(self.agreed.ranks), "result")
        all_of = "both" if len(self.names) == 2 else f"all {_count_words(self.names)}"
        return f"{human.in_words(count).capitalize() if count else 'None'} of {everything} in {all_of}"

    def moved(self, column: int, key: str) -> RankChange:
        """Against the column to the left; in the first, against the one to its right."""
        if len(self.names) < 2:
            return RankChange("", "", "")
        beside = column - 1 if column else 1
        place = self._place(key)
        if key not in self.all[beside]:
            return RankChange(f"not in {self.names[beside]}", "", place)
        there, here = self.all[beside].index(key) + 1, self.all[column].index(key) + 1
        if not column:
            return RankChange(f"{ordinal(there)} in {self.names[beside]}", "", place)
        if there == here:
            return RankChange(f"{ordinal(there)} in {self.names[beside]} too", "", place)
        return RankChange(
            f"was {ordinal(there)} in {self.names[beside]}", f"{'↑' if here < there else '↓'}{abs(here - there)}", place
        )

    def _place(self, key: str) -> str:
        ranks = self.agreed.ranks.get(key, ())
        if ranks and None not in ranks:
            return "in both" if len(ranks) == 2 else f"in all {_count_words(ranks)}"
        return "only here" if sum(key in column for column in self.all) == 1 else ""


def standing(names: Sequence[str], found: Sequence[Sequence[str]], *, top: int) -> Standing:
    """`found`: ids by column, best first; the first `top` of each are shown, and agree or do not."""
    shown = tuple(tuple(ids[:top]) for ids in found)
    return Standing(tuple(names), shown, tuple(map(tuple, found)), agreement(shown))


def _count_words(some: Sequence[object]) -> str:
    return human.in_words(len(some))


def _overlap_text(overlap: Overlap) -> str:
    if not overlap.common:
        return "nothing in common"
    return next((words for least, words in _ALIKE if overlap.rbo >= least), "a different order")


_LINES = {1: 240, 2: 160, 3: 120}  # characters that fill two lines, by the number of columns; 100 of more


@dataclass(frozen=True, slots=True)
class LabHit:
    id: str
    href: str
    rank: int
    title: str
    line: str | SafeString
    lang: str
    tags: list[Tag]
    bars: list[Segment]
    formula: str
    score: float
    evidence: list[SafeString]
    moved: RankChange
    relevant: bool


def lab_hits(
    space: Space, hits: Sequence[Hit], strategy: Strategy, standing: Standing, column: int, relevant: Collection[str]
) -> list[LabHit]:
    """The shown results of one column, their share bars on one scale."""
    most, limit = most_of(hits), _LINES.get(len(standing.names), 100)
    return [
        _lab_hit(
            space,
            hit,
            rank,
            strategy,
            most,
            standing.moved(column, hit.memory.id),
            relevant=hit.memory.id in relevant,
            limit=limit,
        )
        for rank, hit in enumerate(hits, start=1)
    ]


def most_of(hits: Sequence[Hit]) -> float:
    """The greatest sum of shares, which the longest bar stands for."""
    return max((sum(max(arm.share, 0.0) for arm in hit.arms.values()) for hit in hits), default=0.0) or 1.0


def _lab_hit(
    space: Space, hit: Hit, rank: int, strategy: Strategy, most: float, moved: RankChange, *, relevant: bool, limit: int
) -> LabHit:
    row = row_of(
        space,
        hit.memory,
        trust=hit.trust,
        conflict=next(iter(hit.conflicts), ""),
        inherited=hit.inherited_from,
        terms=[str(word) for word in hit.evidence.get("matched", ())],
        limit=limit,
    )
    node = Node(hit.memory) if hit.memory.kind is Kind.NODE else None
    page = reverse("tree-node", args=[node.path]) if node and node.path else reverse("memory", args=[row.id])
    return LabHit(
        id=row.id,
        href=page + (f"?space={hit.inherited_from}" if hit.inherited_from else ""),
        rank=rank,
        title=node.path if node else row.title,
        line=row.line,
        lang=row.lang,
        tags=row.tags,
        bars=bars(hit, most),
        formula=formula(hit, strategy),
        score=hit.score,
        evidence=evidence(hit),
        moved=moved,
        relevant=relevant,
    )


_TITLE = 50  # characters of a result that is not shown yet
_ORDER = list(ARM_HUES)
_DIGITS = 7  # enough to rank by; the server's own answer follows


def rows_of(hits: Sequence[Hit], strategy: Strategy, tuning: Tuning) -> dict[str, Any]:
    """{fusion, k, weights {arm: w}, numbers, factors [those that are on], known [all factors], parts [names of the
    shares], hues and order of the parts in the share bar, raw: what a single arm's score is called,
    rows [[id, [share of each part], [rank of each arm, 0 without one], [each of the known factors]]]}."""
    parts = list(dict.fromkeys(name for hit in hits for name in hit.arms))
    return {
        "fusion": strategy.fusion.value,
        "k": strategy.k,
        "weights": {arm.value: strategy.weight(arm) for arm in strategy.arms},
        "numbers": {
            name: strategy.numbers.get(name, getattr(tuning, name)) for name in ("speaker_boost", "date_weight")
        },
        "factors": [factor.value for factor in strategy.factors],
        "known": [factor.value for factor in Factor],
        "parts": parts,
        "hues": [ARM_HUES.get(name, 6) for name in parts],
        "order": [_ORDER.index(name) if name in _ORDER else 99 for name in parts],
        "raw": formula(hits[0], strategy).partition(" =")[0] if hits and strategy.fusion == Fusion.SINGLE else "",
        "rows": [_row(hit, parts, strategy) for hit in hits],
    }


def titles_of(hits: Sequence[Hit]) -> dict[str, list[str]]:
    """{id: [its first words, their language, the parent space it comes from]}: what a result shows that rises into
    sight."""
    told = {}
    for hit in hits:
        line = wording.excerpt(hit.memory.title.strip() or hit.memory.text, limit=_TITLE)
        told[hit.memory.id] = [line, wording.language(line), hit.inherited_from or ""]
    return told


def compact_json(told: Any, name: str = "") -> SafeString:
    """JSON that stands in the page without a blank too many: it is a good part of its weight."""
    return json_script(told, name or None, encoder=_Dense)


class _Dense(DjangoJSONEncoder):
    def __init__(self, **given: Any) -> None:
        super().__init__(**{**given, "separators": (",", ":")})


def _row(hit: Hit, parts: Sequence[str], strategy: Strategy) -> list[Any]:
    found = [hit.arms.get(name) for name in parts]
    ranks = [one.rank or 0 if one else 0 for one in found] if strategy.fusion == Fusion.RRF else []
    # What they would be if they were switched on.
    off = {Factor.TRUST: hit.trust, Factor.STRENGTH: strength_factor(hit.strength)}
    factors = [_short_number(hit.factors.get(one.value, off.get(one, 1.0)), 5) for one in Factor]
    return [hit.memory.id, [_short_number(one.share) if one else 0 for one in found], ranks, factors]


def _short_number(value: float, digits: int = _DIGITS) -> float | int:
    told = float(f"{value:.{digits}g}")
    return int(told) if told == int(told) else told
