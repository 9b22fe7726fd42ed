"""The columns of the lab, ready for the page: each with its plan, its results, or what is wrong with it.

The dials of a column: what of its plan may be weighed differently, and what each stands at.

How good each column is against the marks: precision, recall, MRR and nDCG, as domain/ranking.py has them.

static/js/lab-measures.js holds the same formulas, so that the figures move with the marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import QueryDict
from django.utils.safestring import SafeString

from memoryapp import lab
from memoryapp.domain.errors import BadInput
from memoryapp.domain.golden import Profile
from memoryapp.domain.limits import Tuning
from memoryapp.domain.plan import MOST_K, Plan, read_plan
from memoryapp.domain.ranking import ndcg_at, precision_at, recall_at, reciprocal_rank
from memoryapp.domain.strategies import STRATEGIES, Factor, Fusion, Strategy
from memoryapp.interfaces.lab.hits import LabHit, Pair, Standing, compact_json, lab_hits, rows_of, standing, titles_of
from memoryapp.interfaces.lab.query import LabQuery
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.filters import address
from memoryapp.lab.compare import MOST
from memoryapp.search import strategy_of
from memoryapp.spaces import Space

_MOST = 3.0  # of a weight's slider, unless it stands higher already
_JOINED = (Fusion.SCORES, Fusion.MASS)
_NUMBERS = (("speaker_boost", "named speaker", 1.0), ("date_weight", "named date", 3.0))


@dataclass(frozen=True, slots=True)
class Dial:
    """A slider. `was`: its number in the strategy or profile that the plan begins with."""

    name: str
    label: str
    value: str
    was: str
    least: str
    most: str
    step: str


@dataclass(frozen=True, slots=True)
class Switch:
    """A factor."""

    name: str
    on: bool


@dataclass(frozen=True, slots=True)
class Dials:
    """`base`: the name that the plan begins with. `rest`: its changes that no dial is for, as they are written.
    `factors`: those of the base, in the order of a plan."""

    base: str
    rest: str
    sliders: list[Dial]
    switches: list[Switch]
    factors: str


def dials_of(plan: Plan, strategy: Strategy, base: Strategy, tuning: Tuning) -> Dials:
    """`strategy`: the plan as it is run; `base`: the same without the plan's changes."""
    sliders = []
    if strategy.fusion != Fusion.SINGLE:
        sliders += [
            _dial(arm.value, arm.value, strategy.weight(arm), base.weight(arm), 0, _MOST, 0.05) for arm in strategy.arms
        ]
    if strategy.fusion == Fusion.RRF:
        sliders.append(_dial("k", "k", strategy.k, base.k, 1, max(120, strategy.k), 1))
    dialled: set[str] = set()
    if strategy.fusion in _JOINED:
        for name, label, most in _NUMBERS:
            own, was = (float(one.numbers.get(name, getattr(tuning, name))) for one in (strategy, base))
            sliders.append(_dial(name, label, own, was, 0, most, 0.05))
            dialled.add(name)
    switches = [Switch(one.value, one in strategy.factors) for one in Factor]
    order = "+".join(one.value for one in Factor if one in base.factors)
    return Dials(plan.base, _plan_remainder(plan, strategy, dialled), sliders, switches, order)


def _plan_remainder(plan: Plan, strategy: Strategy, dialled: set[str]) -> str:
    """The changes without a dial: they stay as they are when a dial moves."""
    single = strategy.fusion == Fusion.SINGLE
    left = replace(
        plan,
        weights={arm: w for arm, w in plan.weights.items() if single or arm not in strategy.arms},
        k=None if strategy.fusion == Fusion.RRF else plan.k,
        factors=None,
        numbers={name: value for name, value in plan.numbers.items() if name not in dialled},
    )
    return str(left).partition(";")[2]


def _dial(name: str, label: str, value: float, was: float, least: float, most: float, step: float) -> Dial:
    high = min(max(most, value), MOST_K)
    return Dial(name, label, f"{value:g}", f"{was:g}", f"{least:g}", f"{high:g}", f"{step:g}")


@dataclass(frozen=True, slots=True)
class ColumnMeasures:
    """Of one column. `reciprocal`: 1 / the rank of the first right answer among all results that were asked for."""

    lane: int
    precision: float
    recall: float
    reciprocal: float
    ndcg: float


def column_measures(lane: int, ranked: Sequence[str], relevant: Sequence[str], *, top: int) -> ColumnMeasures:
    """`ranked`: ids of all results, best first; `top`: the k of the other three measures."""
    return ColumnMeasures(
        lane,
        precision_at(ranked, relevant, top),
        recall_at(ranked, relevant, top),
        reciprocal_rank(ranked, relevant),
        ndcg_at(ranked, relevant, top),
    )


_NEXT = ("hybrid", "rrf", "keyword", "vector")  # what an added column begins with, the first that is not there yet


@dataclass(frozen=True, slots=True)
class Lane:
    """A column's head. `name`: its plan's beginning, with the letter where two columns begin alike. `wrong`: why it
    has no results."""

    n: int
    letter: str
    name: str
    plan: str
    base: str
    changed: bool
    without: str
    strategy: Strategy | None = None
    dials: Dials | None = None
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class ColumnView:
    """What a column found. `told`: how many, in words. `rows`: see lab_rows."""

    told: str
    ms: float
    arms: list[dict[str, Any]]
    notes: tuple[str, ...]
    hits: list[LabHit]
    rows: SafeString
    measured: ColumnMeasures


@dataclass(frozen=True, slots=True)
class Laboratory:
    lanes: list[Lane]
    found: dict[int, ColumnView] = field(default_factory=dict)
    pairs: list[Pair] = field(default_factory=list)
    agreed: str = ""
    titles: SafeString = SafeString("")
    add: str = ""

    @property
    def columns(self) -> list[tuple[Lane, ColumnView | None]]:
        return [(lane, self.found.get(lane.n)) for lane in self.lanes]

    @property
    def empty(self) -> bool:
        return not any(found.hits for found in self.found.values())


def lanes_of(space: Space, asked: LabQuery, *, given: QueryDict) -> list[Lane]:
    """A column whose plan cannot be read keeps its place and says why; the others answer."""
    heads = [_lane(space, asked, n, given) for n in range(len(asked.columns))]
    bases = [lane.base for lane in heads]
    return [replace(lane, name=_lane_name(lane, bases)) for lane in heads]


def laboratory(space: Space, asked: LabQuery, lanes: list[Lane], *, given: QueryDict) -> Laboratory:
    """The question asked by every plan that can be read."""
    sound = [lane for lane in lanes if not lane.wrong]
    made = lab.compare(space, asked.query, [lane.plan for lane in sound]).columns if sound else ()
    ids = [[hit.memory.id for hit in column.answer.hits] for column in made]
    stands = standing([lane.name for lane in sound], ids, top=asked.top)
    found = {
        lane.n: _column_view(space, asked, column, stands, n)
        for n, (lane, column) in enumerate(zip(sound, made, strict=True))
    }
    shown = {key for keys in stands.shown for key in keys}
    below = {hit.memory.id: hit for column in made for hit in column.answer.hits if hit.memory.id not in shown}
    return Laboratory(
        lanes,
        found,
        stands.pairs(),
        stands.told(),
        compact_json(titles_of(list(below.values())), "lab-titles"),
        address_with_column(given, asked.columns),
    )


def groups_of(profiles: Sequence[Profile]) -> list[tuple[str, list[str]]]:
    """What a column may be: (name of the group, names in it)."""
    groups = [("Strategies", list(STRATEGIES)), ("Profiles", [one.name for one in profiles])]
    return [(name, names) for name, names in groups if names]


def address_with_column(given: QueryDict, columns: Sequence[str]) -> str:
    """The address with one more column; "" where there is no room."""
    if len(columns) >= MOST:
        return ""
    new = next(name for name in (*_NEXT, *STRATEGIES) if name not in columns)
    return _with_columns(given, [*columns, new])


def _lane(space: Space, asked: LabQuery, n: int, given: QueryDict) -> Lane:
    text = asked.columns[n]
    letter = "ABCD"[n]
    rest = [one for at, one in enumerate(asked.columns) if at != n]
    without = _with_columns(given, rest) if len(asked.columns) > 2 else ""
    try:
        plan = read_plan(text)
        strategy = strategy_of(space, text)
        base = strategy_of(space, plan.base)
    except BadInput as error:
        return Lane(n, letter, text, text, text, False, without, wrong=error.detail)
    return Lane(
        n, letter, plan.base, str(plan), plan.base, plan.changes, without, strategy,
        dials_of(plan, strategy, base, space.tuning),
    )  # fmt: skip


def _lane_name(lane: Lane, bases: Sequence[str]) -> str:
    short = lane.base if len(lane.base) <= 40 else f"{lane.base[:39]}…"
    return short if bases.count(lane.base) == 1 else f"{short} {lane.letter}"


def _column_view(space: Space, asked: LabQuery, column: lab.Column, stands: Standing, n: int) -> ColumnView:
    answer = column.answer
    shown = answer.hits[: asked.top]
    all_known = len(answer.hits) < asked.depth
    count = human.number(len(answer.hits))
    return ColumnView(
        told=f"{len(shown)} of {count}{'' if all_known else ' or more'} found" if shown else "none found",
        ms=answer.took_ms,
        arms=[{"name": name, "count": arm.count, "ms": arm.ms} for name, arm in answer.arms.items()],
        notes=answer.notes,
        hits=lab_hits(space, shown, column.plan, stands, n, asked.relevant),
        rows=compact_json(rows_of(answer.hits, column.plan, space.tuning)),
        measured=column_measures(n, stands.all[n], asked.relevant, top=asked.top),
    )


def _with_columns(given: QueryDict, columns: Sequence[str]) -> str:
    changed = given.copy()
    changed.pop("strategy", None)
    changed.setlist("column", list(columns))
    return address(changed)
