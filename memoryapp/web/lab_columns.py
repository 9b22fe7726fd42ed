"""The columns of the lab, ready for the page: each with its plan, its results, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import QueryDict
from django.utils.safestring import SafeString

from memoryapp import lab
from memoryapp.domain.errors import BadInput
from memoryapp.domain.golden import Profile
from memoryapp.domain.plan import read_plan
from memoryapp.domain.strategies import STRATEGIES, Strategy
from memoryapp.lab.compare import MOST
from memoryapp.retrieve import strategy_of
from memoryapp.spaces import Space
from memoryapp.web import human
from memoryapp.web.chips import address
from memoryapp.web.lab_agreement import Pair, Standing, standing
from memoryapp.web.lab_asked import Asked
from memoryapp.web.lab_dials import Dials, dials_of
from memoryapp.web.lab_hits import LabHit, lab_hits
from memoryapp.web.lab_measures import Measured, measured
from memoryapp.web.lab_rows import carried, rows_of, titles_of

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
class Found:
    """What a column found. `told`: how many, in words. `rows`: see lab_rows."""

    told: str
    ms: float
    arms: list[dict[str, Any]]
    notes: tuple[str, ...]
    hits: list[LabHit]
    rows: SafeString
    measured: Measured


@dataclass(frozen=True, slots=True)
class Laboratory:
    lanes: list[Lane]
    found: dict[int, Found] = field(default_factory=dict)
    pairs: list[Pair] = field(default_factory=list)
    agreed: str = ""
    titles: SafeString = SafeString("")
    add: str = ""

    @property
    def columns(self) -> list[tuple[Lane, Found | None]]:
        return [(lane, self.found.get(lane.n)) for lane in self.lanes]

    @property
    def empty(self) -> bool:
        return not any(found.hits for found in self.found.values())


def lanes_of(space: Space, asked: Asked, *, given: QueryDict) -> list[Lane]:
    """A column whose plan cannot be read keeps its place and says why; the others answer."""
    heads = [_lane(space, asked, n, given) for n in range(len(asked.columns))]
    bases = [lane.base for lane in heads]
    return [replace(lane, name=_named(lane, bases)) for lane in heads]


def laboratory(space: Space, asked: Asked, lanes: list[Lane], *, given: QueryDict) -> Laboratory:
    """The question asked by every plan that can be read."""
    sound = [lane for lane in lanes if not lane.wrong]
    made = lab.compare(space, asked.query, [lane.plan for lane in sound]).columns if sound else ()
    ids = [[hit.memory.id for hit in column.answer.hits] for column in made]
    stands = standing([lane.name for lane in sound], ids, top=asked.top)
    found = {
        lane.n: _found(space, asked, column, stands, n)
        for n, (lane, column) in enumerate(zip(sound, made, strict=True))
    }
    shown = {key for keys in stands.shown for key in keys}
    below = {hit.memory.id: hit for column in made for hit in column.answer.hits if hit.memory.id not in shown}
    return Laboratory(
        lanes,
        found,
        stands.pairs(),
        stands.told(),
        carried(titles_of(list(below.values())), "lab-titles"),
        added(given, asked.columns),
    )


def groups_of(profiles: Sequence[Profile]) -> list[tuple[str, list[str]]]:
    """What a column may be: (name of the group, names in it)."""
    groups = [("Strategies", list(STRATEGIES)), ("Profiles", [one.name for one in profiles])]
    return [(name, names) for name, names in groups if names]


def added(given: QueryDict, columns: Sequence[str]) -> str:
    """The address with one more column; "" where there is no room."""
    if len(columns) >= MOST:
        return ""
    new = next(name for name in (*_NEXT, *STRATEGIES) if name not in columns)
    return _with_columns(given, [*columns, new])


def _lane(space: Space, asked: Asked, n: int, given: QueryDict) -> Lane:
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


def _named(lane: Lane, bases: Sequence[str]) -> str:
    short = lane.base if len(lane.base) <= 40 else f"{lane.base[:39]}…"
    return short if bases.count(lane.base) == 1 else f"{short} {lane.letter}"


def _found(space: Space, asked: Asked, column: lab.Column, stands: Standing, n: int) -> Found:
    answer = column.answer
    shown = answer.hits[: asked.top]
    all_known = len(answer.hits) < asked.depth
    count = human.number(len(answer.hits))
    return Found(
        told=f"{len(shown)} of {count}{'' if all_known else ' or more'} found" if shown else "none found",
        ms=answer.took_ms,
        arms=[{"name": name, "count": arm.count, "ms": arm.ms} for name, arm in answer.arms.items()],
        notes=answer.notes,
        hits=lab_hits(space, shown, column.plan, stands, n, asked.relevant),
        rows=carried(rows_of(answer.hits, column.plan, space.tuning)),
        measured=measured(n, stands.all[n], asked.relevant, top=asked.top),
    )


def _with_columns(given: QueryDict, columns: Sequence[str]) -> str:
    changed = given.copy()
    changed.pop("strategy", None)
    changed.setlist("column", list(columns))
    return address(changed)
