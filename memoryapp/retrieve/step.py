"""A stage of a search as one memory went through it, and what is said of moments and lists in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

_NAMED = 5


@dataclass(frozen=True, slots=True)
class Step:
    """`stage`, in this order: "state" · "index" · "as_of" · "filter" (one each; `detail["filter"]` names it) ·
    "kinds" · "question" · "arm" (one each; `detail["arm"]`) · "fusion" · "cut". `passed` is None for a stage that
    decides nothing, or that it did not come to. `told`: a sentence or two; `detail`: the numbers behind them, JSON."""

    stage: str
    passed: bool | None
    told: str
    detail: dict[str, Any] = field(default_factory=dict)


def day(moment: datetime) -> str:
    """3 May 2026; days are those of UTC."""
    return f"{moment.day} {moment:%b %Y}"


def minute(moment: datetime) -> str:
    """3 May 2026, 14:05 UTC."""
    return f"{day(moment)}, {moment:%H:%M} UTC"


def listed(names: Iterable[object], *, join: str = "and") -> str:
    """a, b and c; the first few of many, and how many more there are."""
    every = [str(name) for name in names]
    if len(every) > _NAMED + 1:
        every = [*every[:_NAMED], f"{len(every) - _NAMED} more"]
    return f" {join} ".join([", ".join(every[:-1]), every[-1]]) if len(every) > 1 else "".join(every)


def ordinal(number: int) -> str:
    """1st, 2nd, 11th."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def a(noun: str) -> str:
    """With its article: a note, an episode."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"
