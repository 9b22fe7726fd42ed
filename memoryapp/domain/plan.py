"""A plan: a strategy, or a profile, with some of its numbers changed, as one line of text.

    hybrid · hybrid;vector=1.4;graph=0 · rrf;k=30;factors=trust+feedback · careful;date_weight=0

Wherever a strategy is named (page, API, command, a profile of a space) a plan may stand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import Tuning, tuning_from
from memoryapp.domain.strategies import Arm, Factor, Strategy

MOST_WEIGHT = 10.0
MOST_K = 1_000
MOST_CHARS = 300
NO_FACTORS = "none"
# The numbers of a space that decide how a question is answered, and nothing of what is kept or indexed.
NUMBERS = (
    "keyword_window", "keyword_whole", "vector_window", "speaker_boost", "date_weight", "quoted_weight", "diversity",
    "graph_candidates", "seed_word", "seed_query", "seeds", "ppr_alpha", "ppr_beta", "ppr_rounds", "recall_hops",
    "feedback_reach", "recency", "recency_days", "trust_half_life_days",
)  # fmt: skip
# What a plan may have that no space has a number of its own for: (what it is by default, how much it may be at most).
# See retrieve/syllables.py and retrieve/reranker.py.
PLAN_NUMBERS: Mapping[str, tuple[float, float]] = {
    "syllables": (0.5, MOST_WEIGHT),
    "rerank": (0.0, MOST_WEIGHT),
    "rerank_top": (50, 100),
}
_ARMS = {arm.value: arm for arm in Arm}
_WHOLE = {name for name in NUMBERS if isinstance(getattr(Tuning(), name), int)} | {"rerank_top"}


@dataclass(frozen=True, slots=True)
class Plan:
    """`base`: the name of a strategy or of a profile. What is None or absent stays as it is there."""

    base: str
    weights: Mapping[Arm, float] = field(default_factory=dict)
    k: int | None = None
    factors: tuple[Factor, ...] | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        """The one way to write it: `read_plan(str(plan)) == plan`."""
        said = [self.base]
        said += [f"{arm.value}={self.weights[arm]:g}" for arm in Arm if arm in self.weights]
        said += [] if self.k is None else [f"k={self.k}"]
        said += [] if self.factors is None else [f"factors={'+'.join(self.factors) or NO_FACTORS}"]
        said += [f"{name}={self.numbers[name]:g}" for name in (*NUMBERS, *PLAN_NUMBERS) if name in self.numbers]
        return ";".join(said)

    @property
    def changes(self) -> bool:
        return bool(self.weights or self.numbers) or self.k is not None or self.factors is not None


def read_plan(text: str, *, field: str = "/strategy") -> Plan:
    """Raises BadInput at `field` that names the part it cannot read and what may stand there. Whether `base` exists is
    not looked at here."""
    if len(text) > MOST_CHARS:
        raise BadInput(f"A strategy with its changes takes {MOST_CHARS} characters, not {len(text)}.", field=field)
    base, *parts = [part.strip() for part in text.split(";")]
    if not base:
        raise BadInput("Name a strategy first, as in “hybrid;vector=1.4”.", field=field)
    weights: dict[Arm, float] = {}
    numbers: dict[str, float] = {}
    k: int | None = None
    factors: tuple[Factor, ...] | None = None
    for part in parts:
        name, equals, value = (one.strip() for one in part.partition("="))
        if not equals:
            raise BadInput(f"“{part[:40]}” changes nothing: write name=number, as in “vector=1.4”.", field=field)
        if name in _ARMS:
            weights[_ARMS[name]] = _number(name, value, most=MOST_WEIGHT, field=field)
        elif name == "k":
            k = _read_integer(name, value, most=MOST_K, field=field)
        elif name == "factors":
            factors = _factors(value, field=field)
        elif name in NUMBERS:
            numbers[name] = _tuning(name, value, field=field)
        elif name in PLAN_NUMBERS:
            numbers[name] = _plan_number(name, value, field=field)
        else:
            known = ", ".join([*_ARMS, "k", "factors", *NUMBERS, *PLAN_NUMBERS])
            raise BadInput(f"A strategy has no “{name[:40]}” to change. It has {known}.", field=field)
    return Plan(base, weights, k, factors, numbers)


def apply_plan(plan: Plan, strategy: Strategy, *, name: str) -> Strategy:
    """The strategy with the plan's changes, under the name it was asked for by."""
    return replace(
        strategy,
        name=name,
        weights={**strategy.weights, **plan.weights},
        k=strategy.k if plan.k is None else plan.k,
        factors=strategy.factors if plan.factors is None else plan.factors,
        numbers={**strategy.numbers, **plan.numbers},
    )


def with_numbers(tuning: Tuning, numbers: Mapping[str, float]) -> Tuning:
    """A space's tuning with a strategy's own numbers put in."""
    if not numbers:
        return tuning
    own: dict[str, Any] = {
        name: int(value) if name in _WHOLE else value for name, value in numbers.items() if name not in PLAN_NUMBERS
    }
    return replace(tuning, **own)


def plan_number(name: str, numbers: Mapping[str, float]) -> float:
    """One of PLAN_NUMBERS as it is with a plan's own numbers."""
    return numbers.get(name, PLAN_NUMBERS[name][0])


def numbers_as_run(tuning: Tuning, numbers: Mapping[str, float]) -> dict[str, float]:
    """Every number that a plan may change, as it is in a space with a plan's own numbers put in."""
    own = with_numbers(tuning, numbers)
    return {name: getattr(own, name) for name in NUMBERS} | {name: plan_number(name, numbers) for name in PLAN_NUMBERS}


def _factors(value: str, *, field: str) -> tuple[Factor, ...]:
    if value == NO_FACTORS:
        return ()
    known = {factor.value: factor for factor in Factor}
    named = [one.strip() for one in value.split("+")]
    for one in named:
        if one not in known:
            raise BadInput(
                f"There is no factor “{one[:40]}”. Join {', '.join(known)} by “+”, or write {NO_FACTORS}.", field=field
            )
    return tuple(factor for factor in Factor if factor.value in named)


def _number(name: str, value: str, *, most: float, field: str) -> float:
    try:
        number = float(value)
    except ValueError:
        raise BadInput(f"“{name}” takes a number, not “{value[:40]}”.", field=field) from None
    if not math.isfinite(number) or not 0 <= number <= most:
        raise BadInput(f"“{name}” lies between 0 and {most:g}, not at {value[:40]}.", field=field)
    return number


def _read_integer(name: str, value: str, *, most: int, field: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 10 and 1 <= int(value) <= most):
        raise BadInput(f"“{name}” takes a whole number from 1 to {most}, not “{value[:40]}”.", field=field)
    return int(value)


def _plan_number(name: str, value: str, *, field: str) -> float:
    if name in _WHOLE:
        return _read_integer(name, value, most=int(PLAN_NUMBERS[name][1]), field=field)
    return _number(name, value, most=PLAN_NUMBERS[name][1], field=field)


def _tuning(name: str, value: str, *, field: str) -> float:
    number = _number(name, value, most=1e6, field=field)
    if name in _WHOLE and number != int(number):
        raise BadInput(f"“{name}” takes a whole number, not “{value[:40]}”.", field=field)
    try:
        tuning_from({name: int(number) if name in _WHOLE else number})
    except BadInput as error:
        raise BadInput(error.detail, field=field) from None
    return number
