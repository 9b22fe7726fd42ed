"""The dials of a column: what of its plan may be weighed differently, and what each stands at."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memoryapp.domain.limits import Tuning
from memoryapp.domain.plan import MOST_K, Plan
from memoryapp.domain.strategies import Factor, Fusion, Strategy

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
        for arm in strategy.arms:
            sliders.append(_dial(arm.value, arm.value, strategy.weight(arm), base.weight(arm), 0, _MOST, 0.05))
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
    return Dials(plan.base, _rest(plan, strategy, dialled), sliders, switches, order)


def _rest(plan: Plan, strategy: Strategy, dialled: set[str]) -> str:
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
